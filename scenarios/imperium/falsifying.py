"""The opposite of each claim: what must not hold where the claim does.

A claim that says the number is 2 must not hold for 3, one about a card not for another card, and
what is so must not be otherwise. `truthsayer check --vacuity` tries them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from lark import Token, Tree

from rules_engine.kernel.decks import Deck, shuffled
from scenarios.imperium.table import Table
from scenarios.language.syntax import Words, phrases, token, tokens
from scenarios.language.values import AMOUNTS
from scenarios.names_check import CARDS


class Falsified(NamedTuple):
    """A claim that must not hold, how it differs, and a deck that has a card then, if any."""

    words: Words
    how: str
    filled: dict[str, Deck] | None = None


Falsify = Callable[[Words, Table], Iterator[tuple[Words, str]]]

FAR_MORE = 1000
"""What nobody has so much of."""


def falsified(claim: Words, table: Table) -> Iterator[Falsified]:
    """Claims that must not hold in a position in which this one does."""
    while claim.data in ("fact", "observed"):
        (claim,) = phrases(claim)
    kind = str(claim.data)
    if kind in EMPTY_DECKS:
        deck, card = EMPTY_DECKS[kind]
        yield Falsified(claim, "while the deck has a card", {deck: shuffled((card,))})
        return
    for words, how in FALSIFY[kind](claim, table):
        yield Falsified(words, how)


def _with(words: Words, old: object, new: Words | Token) -> Words:
    """The same words with something else in the place of one of them."""
    return Tree(
        words.data,
        [
            new if child is old else _with(child, old, new) if isinstance(child, Tree) else child
            for child in words.children
        ],
    )


def _phrase(name: str, *parts: Words | Token) -> Words:
    return Tree(name, list(parts))


def _number(value: int) -> Words:
    return _phrase("number", Token("NUMBER", str(value)))


# Numbers


def _another_number(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
    """One more than a claim says; far more, where it says `at least`."""
    counted = next(_counts(words))
    if counted.data == "at_least":
        (least,) = phrases(counted)
        far = _phrase("plus", least, _number(FAR_MORE))
        yield _with(words, least, far), f"with {FAR_MORE} more"
    elif counted.data == "none":
        yield _with(words, counted, _number(1)), "with one instead of none"
    else:
        yield _with(words, counted, _phrase("plus", counted, _number(1))), "with one more"


def _counts(words: Words) -> Iterator[Words]:
    for child in phrases(words):
        if child.data in (*AMOUNTS, "at_least"):
            yield child
        else:
            yield from _counts(child)


def _another_round(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
    number = token(words, "NUMBER")
    yield _with(words, number, Token("NUMBER", str(int(number) + 1))), "in the round after"


# Lists


def _another_list(words: Words, table: Table) -> Iterator[tuple[Words, str]]:
    """Another card in the place of one, one card less, or a card where there is nothing."""
    (cards,) = words.find_data("cards")
    named = tokens(cards, "STRING")
    other = Token("STRING", f'"{_other_name(words, table, named)}"')
    if next(words.find_data("at_least"), None) is not None:
        many = _phrase("cards", *named * FAR_MORE)
        yield _with(words, cards, many), f"with each of them {FAR_MORE} times"
        return
    if not named:
        yield _with(words, cards, _phrase("cards", other)), f"with {other} instead of nothing"
        return
    yield _with(words, named[0], other), f"with {other} instead of {named[0]}"
    yield _with(words, cards, _phrase("cards", *named[1:])), f"without {named[0]}"


def _other_name(words: Words, table: Table, named: list[Token]) -> str:
    """A name that a list does not have."""
    if words.data in ("due", "offered"):
        return "gain 11 water"
    written = {str(name)[1:-1].lower() for name in named}
    known = [name for kind in CARDS[str(words.data)] for name in table.names.known(kind)]
    return next(name for name in known if name.lower() not in written)


def _another_name(kind: str) -> Falsify:
    """Another leader, or another place of training."""

    def falsify(words: Words, table: Table) -> Iterator[tuple[Words, str]]:
        name = token(words, "STRING")
        known = table.names.known(kind)
        other = next(each for each in known if each.lower() != str(name)[1:-1].lower())
        yield _with(words, name, Token("STRING", f'"{other}"')), f"with {other}"

    return falsify


def _another_effect(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
    effect = '"gain 11 water"'
    yield _with(words, token(words, "STRING"), Token("STRING", effect)), f"with {effect}"


# Otherwise


def _otherwise(other: str) -> Falsify:
    """The claim that says the opposite of the same thing."""

    def falsify(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
        yield Tree(other, words.children), "said the other way round"

    return falsify


def _somebody(other: str) -> Falsify:
    """What nobody has or does, somebody has or does not either."""

    def falsify(words: Words, table: Table) -> Iterator[tuple[Words, str]]:
        for name in table.players:
            yield _phrase(other, Token("NAME", name), *words.children), f"said of {name}"

    return falsify


def _another_player(words: Words, table: Table) -> Iterator[tuple[Words, str]]:
    """What one player is or has alone, no other is or has."""
    name = token(words, "NAME")
    for other in table.players:
        if other != name:
            yield _with(words, name, Token("NAME", other)), f"said of {other}"


def _alone(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
    for name in tokens(words, "NAME"):
        yield _phrase("wins_game", name), f"said of {name} alone"


REWARDS = ("first", "second", "third", "none")


def _another_reward(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
    reward = phrases(words, "reward")[0]
    for other in REWARDS:
        if other != reward.children[0]:
            changed = _phrase("reward", Token("REWARD", other))
            yield _with(words, reward, changed), f"with the reward {other}"


def _some_reward(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
    for reward in REWARDS[:3]:
        one = _phrase("reward", Token("REWARD", reward))
        yield _phrase("gains_reward", token(words, "NAME"), one), f"with the reward {reward}"


def _some_gain(words: Words, _: Table) -> Iterator[tuple[Words, str]]:
    for what in ("Solari", "spice", "water"):
        quantity = _phrase("resource", _number(1), Token("RESOURCE", what))
        yield _phrase("gains", token(words, "NAME"), quantity), f"with 1 {what}"


def _nothing(_: Words, __: Table) -> Iterator[tuple[Words, str]]:
    """A case of a property, which the verifier falsifies by its twins."""
    return iter(())


EMPTY_DECKS = {
    "no_conflicts_left": ("conflict_deck", "skirmish_crysknife"),
    "no_contracts_left": ("contract_deck", "contract_harvest_3"),
    "no_cards_left": ("imperium_deck", "truthtrance"),
    "no_intrigues_left": ("intrigue_deck", "cunning"),
}
"""Claims that a deck has run out, and a card with which it has not."""

FALSIFY: dict[str, Falsify] = {
    **dict.fromkeys(
        (
            "has",
            "gains",
            "loses",
            "keeps",
            "spy",
            "agent",
            "objective",
            "bonus_spice",
            "strength",
            "row_size",
            "reserve",
            "marker",
            "marker_turned",
        ),
        _another_number,
    ),
    **dict.fromkeys(
        (
            "hand",
            "intrigue",
            "in_zone",
            "holds_contracts",
            "has_completed",
            "set_aside",
            "standing",
            "intrigue_discard",
            "contract_row",
            "won",
            "matched",
            "holds_objectives",
            "has_trashed",
            "out_of_game",
            "row",
            "due",
            "offered",
        ),
        _another_list,
    ),
    "round": _another_round,
    "led_by": _another_name("leader"),
    "trained": _another_name("training"),
    "first_reward": _another_effect,
    "can": _otherwise("cannot"),
    "cannot": _otherwise("can"),
    "hooks": _otherwise("no_hooks"),
    "no_hooks": _otherwise("hooks"),
    "swordmaster": _otherwise("no_swordmaster"),
    "no_swordmaster": _otherwise("swordmaster"),
    "seated": _otherwise("not_seated"),
    "not_seated": _otherwise("seated"),
    "revealed": _otherwise("not_revealed"),
    "not_revealed": _otherwise("revealed"),
    "wall_stands": _otherwise("wall_gone"),
    "wall_gone": _otherwise("wall_stands"),
    "happens": _otherwise("does_not_happen"),
    "does_not_happen": _otherwise("happens"),
    "sees": _otherwise("does_not_see"),
    "does_not_see": _otherwise("sees"),
    "controls": _otherwise("uncontrolled"),
    "uncontrolled": _somebody("controls"),
    "holds": _otherwise("unheld"),
    "unheld": _somebody("holds"),
    "wins_conflict": _otherwise("nobody_wins"),
    "nobody_wins": _somebody("wins_conflict"),
    "no_spy": _somebody("spy"),
    "no_agent": _somebody("agent"),
    "won_by_nobody": _somebody("won"),
    "nobody_asked": _somebody("is_asked"),
    "chance_asked": _somebody("is_asked"),
    "is_asked": _another_player,
    "is_first": _another_player,
    "turn_of": _another_player,
    "wins_game": _another_player,
    "share_victory": _alone,
    "rewards": _another_reward,
    "gains_reward": _another_reward,
    "gains_no_reward": _some_reward,
    "gains_nothing": _some_gain,
    "property": _nothing,
}
"""How each kind of claim is falsified."""
