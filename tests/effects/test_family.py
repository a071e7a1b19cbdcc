"""Every effect of the whole family, as the facts write it, read by the effect language.

`family.jsonl` has the effect strings of all products, with the place they come from; `wording`
turns them into our notation. What the language cannot read is listed here, with the reason.
"""

from __future__ import annotations

import json
import typing
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import things
from rules_engine.effects import tree
from rules_engine.effects.parse import EffectError, parse, parse_condition
from rules_engine.effects.products import LATER, LATER_PRODUCTS, LATER_WORDS, WORD_FIELDS, waits_for
from rules_engine.effects.text import say, say_condition
from rules_engine.effects.tree import Condition, Count, Effect
from rules_engine.kernel.records import Record
from tests.effects.wording import REWRITES, SENTENCES, ours, split_trigger
from truthsayer.cli.catalogue import USED_ELSEWHERE, lonely_kinds


class Row(msgspec.Struct, frozen=True):
    """An effect string and where it stands."""

    product: str
    file: str
    id: str
    field: str
    text: str


FAMILY = tuple(
    msgspec.convert(json.loads(line), Row)
    for line in Path(__file__).with_name("family.jsonl").read_text("utf-8").splitlines()
)

STRINGS = {
    "uprising": 425,
    "base": 282,
    "ix": 172,
    "immortality": 136,
    "rivals_and_six_player": 200,
}

SETUP = "setup: a field of the Leader's face"
ALLIANCE = "how a track works: a rule, not an effect"
ONE_LEADER = "one Leader's ability, told in several sentences that need each other"

UNREADABLE = {
    "uprising": {
        "place feyd token on track space start": SETUP,
        "start on the lady_jessica face": SETUP,
        "Limited Allies: remove diplomacy from the starting deck (9 cards)": SETUP,
        "set aside both sardaukar contracts before shuffling (18 remain)": SETUP,
        "special: whenever taking a contract may take a set-aside sardaukar contract instead of a "
        "face-up one": "always applies: the contracts of the Leader's face",
        "ignore influence requirements of the board space this turn": (
            "applies while a space is picked: a field of the card's face"
        ),
    },
    "base": {
        "first player to reach 4 takes the token": ALLIANCE,
        "send 1 own agent from anywhere to any space (occupied allowed)": (
            "one card, instead of Agent icons"
        ),
        "block 1 chosen space: no opponent's next agent this round may go there": "one card",
        "card played this turn gains icons emperor, spacing_guild, bene_gesserit, fremen": (
            "one card, applies while a space is picked"
        ),
        "shuffle own discard into deck": "one card",
        "game_start: secretly pick 2 factions": ONE_LEADER,
        "once_per_game: when 4+ troops deployed in one turn: gain 1 influence in each picked "
        "faction": ONE_LEADER,
        "when harvesting spice: gain 1 spice less & draw 1 card": (
            "one Leader: makes another gain smaller"
        ),
        "own Reveal turn this round: may acquire the removed card for 1 persuasion less": (
            "said by the string before it: `take from row for 1 less`"
        ),
    },
    "ix": {
        "conditions: 2 dreadnoughts; the_spice_must_flow owned >= 1; influence >= 4 on 2 tracks; "
        "high_council_seat": "said by the string after it: `at least 3 of (…)`",
        "round_start: set aside 1 card from hand": "one Leader",
        "endgame: win vp tiebreakers": "one tile: changes a rule",
    },
    "immortality": {
        "then: may acquire 1 tleilaxu card at normal cost": "one card, outside a Reveal turn",
        "has the same agent box as the other grafted card": "one card",
        "may recall the agent sent this turn": "one card",
        "may graft to a card in the imperium row without acquiring it": "one card",
        "if so: end of turn: trash that row card": "the same card",
    },
    "rivals_and_six_player": {
        "two_player: return bonus_spice of the space to the bank": "one card",
        "setup: set aside both Sardaukar contracts; only Shaddam may take them, in place of a "
        "public contract": SETUP,
        "pay 7 spice (allies may contribute) -> gain 1 vp, trash this card": (
            "one card: a cost that several pay"
        ),
        "pay 2 solari -> give both face-up contracts, one to each ally, refill, trash this card": (
            "one card"
        ),
        "move 1 non_fremen card imperium_row -> throne_row": "one card",
    },
}
"""What the language cannot read, by product, and why."""

CONDITION_FIELDS = ("requirement", "conditional_icons")


def _read(row: Row) -> tuple[Effect, ...] | Condition:
    text = ours(row.text)
    return parse_condition(text) if row.field in CONDITION_FIELDS else parse(text)


def _readable() -> Iterator[Row]:
    return (row for row in FAMILY if row.text not in UNREADABLE[row.product])


def _whose(row: Row) -> str:
    """The product an effect belongs to: Uprising's box has contracts for Rise of Ix."""
    return "ix" if row.id.startswith("ix_contract") else row.product


# Every string is read, or listed


@pytest.mark.parametrize("product", STRINGS)
def test_every_string_is_read_or_listed(product: str) -> None:
    rows = [row for row in FAMILY if row.product == product]
    unread = []
    for row in rows:
        try:
            _read(row)
        except EffectError:
            unread.append(row)
    print(f"{product}: {len(rows)} strings, {len(unread)} not read")
    for row in unread:
        print(f"  {row.file} {row.id}: {row.text}: {UNREADABLE[product].get(row.text, '?')}")
    assert len(rows) == STRINGS[product]
    assert {row.text for row in unread} == set(UNREADABLE[product])
    assert 20 * len(unread) < len(rows)


def test_what_is_read_reads_back_as_the_same_tree() -> None:
    for row in _readable():
        read = _read(row)
        if isinstance(read, tuple):
            said = "; ".join(map(say, read))
            assert parse(said) == read, row
        else:
            assert parse_condition(say_condition(read)) == read, row


def test_costs_are_paid() -> None:
    for row in _readable():
        if row.field.split(".")[-1].startswith("cost"):
            (cost,) = parse(ours(row.text))
            leaves = [each for each in tree.walk(cost) if not tree.parts(each)]
            assert all(isinstance(leaf, tree.Pay) for leaf in leaves), row


# The wording


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("fremen_bond: +3 swords", "if another fremen card in play: +3 swords"),
        ("discard 1 card (mandatory)", "discard 1 card"),
        ("recall 1 agent (not the one sent this turn)", "recall 1 agent"),
        (
            "place 1 spy on visited_space (may share a post with another player's spy)",
            "place 1 spy on visited_space post sharing",
        ),
        ("summon 1 sandworm, trash this card", "summon 1 sandworm & trash self"),
        ("trash this card", "trash self"),
        ("when trashed: draw 1 intrigue", "when trashed: draw 1 intrigue"),
        ("gain 2 spice", "gain 2 spice"),
        ("2 spice", "pay 2 spice"),
    ],
)
def test_a_wording_becomes_ours(text: str, notation: str) -> None:
    assert ours(text) == notation


def test_what_an_effect_waits_for_can_be_taken_off() -> None:
    assert split_trigger("when trashed: draw 1 intrigue") == ("trashed", "draw 1 intrigue")
    assert split_trigger("when acquiring: recruit 1 troop")[0] is None
    assert split_trigger("draw 1 card") == (None, "draw 1 card")


def test_every_line_of_the_wording_is_needed() -> None:
    texts = {row.text for row in FAMILY}
    assert set(SENTENCES) <= texts
    used = set()
    for text in texts - set(SENTENCES):
        for number, (pattern, replacement) in enumerate(REWRITES):
            changed = pattern.sub(replacement, text)
            if changed != text:
                used.add(number)
            text = changed
    idle = [REWRITES[number][0].pattern for number in set(range(len(REWRITES))) - used]
    assert idle == []


# What belongs to whom


def _inside(node: object) -> Iterator[Record]:
    """Every node of a tree: effects, conditions and counts."""
    if isinstance(node, tuple):
        for part in node:
            yield from _inside(part)
    elif isinstance(node, Record):
        yield node
        for field in node.__struct_fields__:
            yield from _inside(getattr(node, field))


def _nodes(row: Row) -> Iterator[Record]:
    if row.product != "uprising" or row.field in CONDITION_FIELDS:
        return _inside(_read(row))
    # Uprising's faces have fields for what an effect waits for.
    return _inside(parse(split_trigger(ours(row.text))[1]))


def _first(users: dict[str, set[str]]) -> dict[str, str]:
    """The first later product that uses a thing, for all that Uprising does not use."""
    return {
        thing: next(product for product in LATER_PRODUCTS if product in products)
        for thing, products in users.items()
        if "uprising" not in products
    }


def _kinds() -> dict[str, set[str]]:
    users: dict[str, set[str]] = defaultdict(set)
    for row in _readable():
        for node in _nodes(row):
            users[type(node).__name__].add(_whose(row))
    return users


ALL_KINDS = {kind for union in (Effect, Condition, Count) for kind in typing.get_args(union)}

UNPRINTED = {"CompleteContract"}
"""Kinds that no face prints: rules of the game make them."""


def test_later_kinds_are_those_that_uprising_does_not_print() -> None:
    assert _first(_kinds()) == {kind.__name__: product for kind, product in LATER.items()}


def test_every_kind_is_printed_somewhere() -> None:
    printed = _kinds().keys() - {"PaidOption"}
    assert {kind.__name__ for kind in ALL_KINDS} - UNPRINTED == printed


def _single_kinds() -> set[str]:
    """The kinds that one face of the whole family has alone."""
    users: dict[str, set[str]] = defaultdict(set)
    for row in _readable():
        for node in _nodes(row):
            users[type(node).__name__].add(f"{_whose(row)} {row.id}")
    return {kind for kind, faces in users.items() if len(faces) == 1}


def test_kinds_that_are_used_elsewhere_are_those_that_other_products_print() -> None:
    """`truthsayer catalogue --specials` knows the other products by this table alone."""
    users = _kinds()
    lonely = lonely_kinds(things(catalogue("uprising")))
    printed = {
        kind: tuple(product for product in LATER_PRODUCTS if product in users[kind.__name__])
        for kind in lonely
    }
    assert {kind: products for kind, products in printed.items() if products} == USED_ELSEWHERE


@pytest.mark.parametrize("product", STRINGS)
def test_special_effects_are_less_than_one_in_twenty(product: str) -> None:
    """An effect that is not read, or needs a kind of its own, is special."""
    single = _single_kinds()
    special = {
        row: sorted({type(node).__name__ for node in _nodes(row)} & single)
        for row in _readable()
        if row.product == product
    }
    for row, kinds in special.items():
        if kinds:
            print(f"{row.id}: {ours(row.text)}: {', '.join(kinds)}")
    unread = sum(row.text in UNREADABLE[product] for row in FAMILY if row.product == product)
    number = unread + sum(map(bool, special.values()))
    print(f"{product}: {number} of {STRINGS[product]} special")
    assert 20 * number < STRINGS[product]


def test_later_words_are_those_that_uprising_does_not_print() -> None:
    users: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in _readable():
        if row.product == "uprising" and row.field == "cost":
            continue  # a cost that changes is two fields of the space's face
        for node in _nodes(row):
            for field in node.__struct_fields__:
                terminal = WORD_FIELDS.get((type(node), field))
                word = getattr(node, field)
                if terminal and word is not None:
                    users[terminal][word].add(_whose(row))
    assert {terminal: _first(words) for terminal, words in users.items()} == LATER_WORDS


def test_an_effect_waits_for_a_product_that_prints_it() -> None:
    """Whatever Uprising prints waits for nothing; what it cannot play names a product."""
    for row in _readable():
        nodes = list(_nodes(row))
        if row.product == "uprising" and row.field != "cost" and _whose(row) == "uprising":
            assert [waits_for(node) for node in nodes if waits_for(node)] == [], row
    assert waits_for(parse("negotiate 1")) == "ix"
    assert waits_for(parse("may (gain 1 spice & gain 1 specimen)")) == "immortality"
    assert waits_for(parse("if mentat_free: gain 1 spice")) == "base"
