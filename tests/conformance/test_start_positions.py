"""Every case starts from a position that a game can have: what vectors leave open is filled in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from conformance import filling
from conformance.corpus import corpus
from conformance.reading import from_position
from rules_engine.catalogue.load import catalogue, products
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import CONFLICTS_BY_LEVEL
from rules_engine.imperium.state import State
from rules_engine.imperium.strength import strength
from rules_engine.kernel.decks import possibly_in, size
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.records import change
from scenarios.finding import library_files
from scenarios.vectors import record
from server.answers.positions import read_position

Json = dict[str, Any]

MARKERS = """scenario "Markers alone"
game uprising with John, Abby, Ned
given strength of John is 9, Abby is 4, Ned is 0
when combat resolves
then John wins the conflict

scenario "Any markers"
for any s, t from 1
where s > t
game uprising with John, Abby, Ned
given strength of John is s, Abby is t, Ned is 0
when combat resolves
then John wins the conflict
"""

OPEN = """scenario "A turn of some round"
game uprising with John, Abby, Ned
first player Abby
given Abby has hand "Dagger"
when Abby plays "Dagger" to Assembly Hall
then Abby has hand nothing

scenario "The third round is over"
game uprising with John, Abby, Ned
first player Ned
given it is round 3
  and Abby has an agent at Arrakeen
when recall begins
then Abby has 2 agents
 and chance is asked
"""


def starts(files: Sequence[tuple[str, str]]) -> Iterator[tuple[str, State]]:
    """The start of every case of some files, by its id."""
    for case in corpus(files).cases:
        assert case.position is not None
        yield case.id, from_position(case.setup, case.position, case.to_move)


def forbidden(state: State) -> str:
    """What is wrong with a position, as the service tells a client that sends it.

    A case with cards of its own cannot be sent, so only what always holds is looked at.
    """
    for each in state.players:
        if each.strength != (strength(each) if each.revealed else 0):
            return f"the marker of {each.name} is not where the units put it"
    if conflicts := forbidden_conflicts(state):
        return conflicts
    if any(each.revealed and each.seat not in state.reveal_order for each in state.players):
        return "nobody knows in which order the players revealed"
    own = state.config
    if own.cards or own.conflicts or own.intrigues or own.contracts:
        return next((why for each in IMPERIUM.invariants for why in each.broken(state)), "")
    try:
        read_position(encoded(state).decode())
    except TruthsayerError as error:
        return error.message
    return ""


def forbidden_conflicts(state: State) -> str:
    """What is wrong with the Conflict cards: each is in one place, and each round takes one."""
    faces = catalogue(state.config.product).conflicts
    won = [each.card for owner in state.players for each in owner.won if each.card in faces]
    out = [*won, *([state.conflict] if state.conflict in faces else [])]
    if set(out) & {*possibly_in(state.conflict_deck)} or len(set(out)) < len(out):
        return "a Conflict card is in two places"
    turned_up = max(state.round, len(out)) if state.conflict else max(state.round - 1, len(out))
    if size(state.conflict_deck) + turned_up > sum(CONFLICTS_BY_LEVEL.values()):
        return "there are more Conflict cards than rounds"
    return ""


def test_every_case_of_the_library_starts_where_a_game_can_be() -> None:
    found = list(starts(library_files()))
    assert len(found) > 1500
    assert {state.config.product for _, state in found} == {*products()}
    assert [(id, why) for id, state in found if (why := forbidden(state))] == []


def test_a_marker_has_the_fewest_troops_and_swords_behind_it() -> None:
    found = dict(starts([("markers.scenario", MARKERS)]))
    players = found["markers.markers_alone"].players
    assert [(each.troops, each.sandworms, each.swords) for each in players] == [
        (4, 0, 1),
        (2, 0, 0),
        (0, 0, 0),
    ]
    any_markers = found["markers.any_markers#1"].players
    assert [each.strength for each in any_markers] == [3, 2, 0], "nobody has a strength of 1"


def test_markers_without_units_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def bare(state: State) -> State:
        """Markers alone, as they were stated."""
        none = {"troops": 0, "sandworms": 0, "swords": 0, "supply": 9}
        return change(state, players=tuple(change(each, **none) for each in state.players))

    monkeypatch.setattr(record, "with_units", bare)
    found = list(starts([("bare.scenario", MARKERS)]))
    assert found
    assert all(forbidden(state) for _, state in found)


def test_conflict_cards_in_two_places_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_it_was(position: Json, *_: object, **__: object) -> None:
        position.setdefault("conflict", None)

    monkeypatch.setattr(filling, "_lay_conflicts", as_it_was)
    found = list(starts([("conflicts.scenario", OPEN)]))
    assert [forbidden(state) for _, state in found] == [
        "a Conflict card is in two places",
        "there are more Conflict cards than rounds",
    ]


def test_reveal_turns_in_no_order_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "_revealed_besides", lambda _: [])
    found = list(starts([("order.scenario", MARKERS)]))
    why = "nobody knows in which order the players revealed"
    assert {forbidden(state) for _, state in found} == {why}


def test_what_is_open_is_filled_in_with_what_can_be() -> None:
    found = dict(starts([("open.scenario", OPEN)]))
    assert [forbidden(state) for state in found.values()] == ["", ""]
    turn, recall = found.values()
    assert (turn.round, size(turn.conflict_deck)) == (1, 9)
    assert recall.conflict is None
    assert (recall.round, size(recall.conflict_deck)) == (3, 7)
