"""What an implementation may have only in part, and where a game names it.

Each kind lists its things by id. Where one is named - by the setup, on the table, in a decision, by
chance - an implementation has to have it. Decks do not count: nothing in them was shown yet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, get_args

from rules_engine.catalogue.faces import Catalogue
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium import actions
from rules_engine.kernel.game import Action
from rules_engine.kernel.records import Record
from scenarios.imperium.names import MODULES, lower_snake

Json = dict[str, Any]

PLAYER_CARDS = ("hand", "discard", "in_play", "set_aside")


class Feature(Record):
    """A kind of thing: all that there are, and the paths at which they are named.

    A path of a decision begins with its action, or with `*` for all.
    """

    words: str
    known: Callable[[Catalogue], Collection[str]]
    setup: tuple[str, ...] = ()
    position: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    chance: tuple[str, ...] = ()


def _kinds_of_action(_: Catalogue) -> Collection[str]:
    inputs = get_args(actions.AnyInput)
    return tuple(str(e.__struct_config__.tag) for e in inputs if issubclass(e, Action))


def _modules(_: Catalogue) -> Collection[str]:
    return tuple(map(lower_snake, MODULES))


FEATURES = {
    "actions": Feature("kinds of decision", _kinds_of_action, decisions=("*.action",)),
    "modules": Feature("modules", _modules, setup=("modules",)),
    "leaders": Feature(
        "Leaders", lambda printed: printed.leaders, setup=("leaders",), position=("players.leader",)
    ),
    "cards": Feature(
        "cards that players have in their decks",
        lambda printed: printed.cards,
        position=("row", "trashed", *(f"players.{zone}" for zone in PLAYER_CARDS)),
        decisions=(
            "play_agent.card",
            "acquire.card",
            "discard.card",
            "trash.card",
            "take_from_row.card",
            "sort_card.card",
        ),
        chance=("draw", "look", "row"),
    ),
    "intrigues": Feature(
        "Intrigue cards",
        lambda printed: printed.intrigue,
        position=(
            "intrigue_discard",
            "trashed_intrigues",
            "players.intrigues",
            "players.standing",
        ),
        decisions=("play_intrigue.card", "give_up_intrigue.card"),
        chance=("draw_intrigue", "steal"),
    ),
    "contracts": Feature(
        "contracts",
        lambda printed: printed.contracts,
        position=("contract_row", "leader_contracts", "players.contracts", "players.completed"),
        decisions=("take_contract.contract",),
        chance=("contract",),
    ),
    "conflicts": Feature(
        "Conflict cards",
        lambda printed: printed.conflicts,
        position=("conflict",),
        chance=("conflict",),
    ),
    "spaces": Feature(
        "board spaces",
        lambda printed: printed.spaces,
        position=("agents.space",),
        decisions=("play_agent.space", "recall_agent.space"),
    ),
    "spies": Feature(
        "posts on which Spies can stand",
        lambda printed: printed.posts,
        position=("spies.post",),
        decisions=("play_agent.infiltrate", "*.post"),
    ),
}
"""By the word that an implementation uses to say what it has of a kind."""


def named_by_setup(setup: Json) -> Iterator[tuple[str, str]]:
    """The kind and the id of each thing that is fixed before the game."""
    for kind, feature in FEATURES.items():
        yield from _named(kind, feature.setup, setup, setup["product"])


def named_on_table(product: str, position: Json) -> Iterator[tuple[str, str]]:
    """The kind and the id of each thing that lies open."""
    for kind, feature in FEATURES.items():
        yield from _named(kind, feature.position, position, product)


def named_by_decision(product: str, said: Json) -> Iterator[tuple[str, str]]:
    """The kind and the id of each thing that a decision names, its own kind included."""
    by_action = {str(said.get("action")): said, "*": said}
    for kind, feature in FEATURES.items():
        yield from _named(kind, feature.decisions, by_action, product)


def named_by_chance(product: str, brought: Json) -> Iterator[tuple[str, str]]:
    """The kind and the id of the thing that chance brings."""
    for kind, feature in FEATURES.items():
        if brought.get("kind") in feature.chance:
            yield from _named(kind, ("outcome",), brought, product)


def _named(
    kind: str, paths: Collection[str], said: Json, product: str
) -> Iterator[tuple[str, str]]:
    known = FEATURES[kind].known(catalogue(product))
    for path in paths:
        yield from ((kind, each) for each in _at(said, path.split(".")) if each in known)


def _at(said: Any, path: list[str]) -> Iterator[str]:
    """The words at a path; every item of a list is looked at."""
    if isinstance(said, list | tuple):
        for each in said:
            yield from _at(each, path)
    elif path and isinstance(said, dict):
        yield from _at(said.get(path[0]), path[1:])
    elif not path and isinstance(said, str):
        yield said
