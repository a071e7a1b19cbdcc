"""What an implementation has of the game: a case needs the things that it names."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.cases import Case, Move
from conformance.features import Features, lacking
from conformance.messages import CAPABILITIES, Described
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import chosen
from scenarios.imperium.features import FEATURES
from scenarios.vectors.inputs import CHANCE
from scenarios.vectors.positions import position, setup

ALL = Described("mine", "1", ("uprising",), capabilities=tuple(CAPABILITIES))
GAME = new_game("uprising", ("John", "Abby", "Ned"), chosen({}))
EMPTY = {**position(GAME), "row": [], "conflict": None, "agents": [], "spies": []}


def case(*moves: Move, chance: Any = (), **on_table: Any) -> Case:
    """A case from a position."""
    board = {**EMPTY, **on_table}
    return Case("a", "A", (), setup(GAME), board, 0, moves, chance)


def of_first(**fields: Any) -> list[dict[str, Any]]:
    """The players, of whom the first has this."""
    first, *others = EMPTY["players"]
    return [{**first, **fields}, *others]


def decides(action: str, **named: Any) -> Move:
    """A decision."""
    return Move({"do": {"action": action, "by": 0, **named}})


NAMED = {
    "hand": (case(players=of_first(hand=["dagger"])), "cards.dagger"),
    "row": (case(row=["dagger"]), "cards.dagger"),
    "card played": (case(decides("play_agent", card="dagger", space="fremkit")), "cards.dagger"),
    "space": (case(decides("play_agent", card="x", space="fremkit")), "spaces.fremkit"),
    "agent": (case(agents=[{"space": "fremkit", "seat": 0}]), "spaces.fremkit"),
    "kind of decision": (case(decides("retreat", troops=1)), "actions.retreat"),
    "spy": (case(spies=[{"post": "post_a", "seat": 0}]), "spies.post_a"),
    "spy placed": (case(decides("place_spy", post="post_a")), "spies.post_a"),
    "infiltrates": (
        case(decides("play_agent", card="x", space="y", infiltrate="post_a")),
        "spies.post_a",
    ),
    "leader": (case(players=of_first(leader="lady_jessica")), "leaders.lady_jessica"),
    "drawn": (
        case(chance=({"kind": "draw", "player": 0, "outcome": "dagger"},)),
        "cards.dagger",
    ),
    "drawn later": (
        case(Move({}, ({"kind": "row", "outcome": "dagger"},))),
        "cards.dagger",
    ),
}
"""A case, and the one thing of a kind that it names, or that stands for such a thing."""


@pytest.mark.parametrize("name", NAMED)
def test_what_a_case_names_it_needs(name: str) -> None:
    found, thing = NAMED[name]
    kind, _, id = thing.partition(".")
    ids = list(FEATURES[kind].known(catalogue("uprising")))
    if id == "post_a":
        wanted = ids[0]
        found = _with_post(found, wanted)
        id = wanted
    others = tuple(each for each in ids if each != id)
    assert lacking(found, ALL) == ()
    assert lacking(found, change(ALL, features={kind: tuple(ids)})) == ()
    assert lacking(found, change(ALL, features={kind: others})) == (f"{kind}.{id}",)
    assert lacking(found, change(ALL, features={kind: ()})) == (kind,)


def _with_post(found: Case, post: str) -> Case:
    """The case with a post that there is."""
    moves = [
        change(move, given={"do": {k: post if v == "post_a" else v for k, v in said.items()}})
        for move in found.moves
        for said in [move.given["do"]]
    ]
    assert found.position is not None
    spies = [{**each, "post": post} for each in found.position["spies"]]
    return change(found, moves=tuple(moves), position={**found.position, "spies": spies})


def test_what_lies_in_a_deck_is_not_needed() -> None:
    nothing = dict.fromkeys(("cards", "intrigues", "contracts", "conflicts", "spies"), ())
    assert lacking(case(), change(ALL, features=nothing)) == ()


def test_a_card_that_exists_in_one_case_only_is_no_thing_of_the_game() -> None:
    own = case(players=of_first(hand=["a_card_of_mine"]))
    assert lacking(own, change(ALL, features={"cards": ()})) == ()


def test_capabilities_and_things_are_told_together() -> None:
    found = case(decides("retreat", troops=1), players=of_first(hand=["dagger"]))
    bare = change(ALL, capabilities=(), features={"cards": (), "actions": ("reveal",)})
    assert lacking(found, bare) == ("actions.retreat", "cards", "position")


def test_every_path_leads_to_something_in_the_game() -> None:
    """A path that is misspelt would never make anything needed."""
    board, fixed = position(GAME), setup(GAME)
    piece = {"agents": {"space"}, "spies": {"post"}}
    for feature in FEATURES.values():
        assert set(feature.setup) <= fixed.keys()
        for path in feature.position:
            first, _, then = path.partition(".")
            assert first in board
            known = board["players"][0].keys() if first == "players" else piece.get(first, {""})
            assert then in known, path
        assert set(feature.chance) <= set(CHANCE.values())
        for path in feature.decisions:
            assert _is_a_field(*path.split(".")), path


def _is_a_field(action: str, field: str) -> bool:
    kinds = {str(each.__struct_config__.tag): each for each in _actions()}
    fields = {name for kind in kinds.values() for name in kind.__struct_fields__}
    return field == "action" or field in (
        fields if action == "*" else kinds[action].__struct_fields__
    )


def _actions() -> Any:
    return {type(each) for each in IMPERIUM.universe(GAME)}


def test_an_implementation_that_says_nothing_has_everything() -> None:
    assert Features({}).has([("cards", "dagger")])
    assert not Features({"cards": ()}).has([("cards", "dagger")])
    assert Features({"spies": ()}).has([("cards", "dagger")])
