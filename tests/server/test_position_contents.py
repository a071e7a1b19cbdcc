"""What a position may have in it: the quick check refuses exactly what a plain walk refuses."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import effects, things
from rules_engine.effects import tree
from rules_engine.effects.nodes import Counted, Node, Test
from rules_engine.effects.products import waits_for
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import State
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.decks import ANY, Known, Pool
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import decoder, encoded
from rules_engine.kernel.game import step
from rules_engine.kernel.outcomes import Step
from rules_engine.kernel.records import Record
from rules_engine.rulebook.rulings import chosen
from server.answers import contents
from server.answers.contents import (
    CARDS,
    CONTRACTS,
    INTRIGUES,
    LARGEST,
    MOST_PARTS,
    MOST_PENDING,
    SEATS,
    Strange,
    check_contents,
)
from server.answers.positions import decoded

# The same check as a plain walk over every record


def plainly_strange(state: State) -> bool:
    """Whether a walk over the whole position finds something that no game has."""
    return any(_wrong(state, record) for record in _records(state)) or _too_much(state)


def _too_much(state: State) -> bool:
    """Whether more could happen by itself than in any game."""
    printed = {
        part
        for thing in things(catalogue(state.config.product))
        for effect in effects(thing.face)
        for part in tree.walk(effect)
    }
    due = [
        tree.walk(cast("tree.Effect", each))
        for each in _records((state.first_reward, state.pending))
        if isinstance(each, Node) and each not in printed
    ]
    again = any(sum(type(part) is tree.EachOpponent for part in each) > 1 for each in due)
    return len(state.pending) > MOST_PENDING or sum(map(len, due)) > MOST_PARTS or again


def _records(value: object) -> Iterator[Record]:
    if isinstance(value, tuple):
        for each in value:
            yield from _records(each)
    elif isinstance(value, Record):
        yield value
        if not isinstance(value, Node):
            for field in value.__struct_fields__:
                yield from _records(getattr(value, field))


def _wrong(state: State, record: Record) -> bool:
    if isinstance(record, Node):
        return waits_for(record) is not None or _too_large(_in_effect(record))
    if isinstance(record, Pool) and not 0 <= record.count <= len(record.cards):
        return True
    known = names(state.config.product)
    for field in record.__struct_fields__:
        values = list(_plain(getattr(record, field)))
        if _too_large(values):
            return True
        if field in SEATS and any(seat not in range(state.config.players) for seat in values):
            return True
        if field in known and not known[field].issuperset(values):
            return True
    return False


def _too_large(values: Iterable[object]) -> bool:
    return any(isinstance(value, int) and abs(value) > LARGEST for value in values)


def _in_effect(value: object) -> Iterator[object]:
    if isinstance(value, Node | Test | Counted):
        for field in value.__struct_fields__:
            yield from _in_effect(getattr(value, field))
    elif isinstance(value, tuple):
        for each in value:
            yield from _in_effect(each)
    else:
        yield value


def _plain(value: Any) -> Iterator[object]:
    """The texts and numbers of a field; the cards, if it is a deck."""
    if isinstance(value, tuple):
        for each in value:
            yield from _plain(each)
    elif isinstance(value, Pool):
        yield from value.cards
    elif isinstance(value, Known):
        yield value.card
    elif value is not None and not isinstance(value, Record):
        yield value


@functools.cache
def names(product: str) -> dict[str, frozenset[object]]:
    """What a field can name."""
    faces = catalogue(product)
    cards, intrigues = (*faces.cards, ANY), (*faces.intrigue, ANY)
    every = (*cards, *intrigues, *faces.conflicts, *faces.objectives)
    return {
        **dict.fromkeys(CARDS, frozenset(cards)),
        **dict.fromkeys(INTRIGUES, frozenset(intrigues)),
        **dict.fromkeys(CONTRACTS, frozenset((*faces.contracts, ANY))),
        **dict.fromkeys(("conflict", "conflict_deck"), frozenset((*faces.conflicts, ANY))),
        "objectives": frozenset(faces.objectives),
        "card": frozenset(every),
        "training": frozenset(
            space.id for leader in faces.leaders.values() for space in leader.training
        ),
        "space": frozenset(faces.spaces),
        "post": frozenset(faces.posts),
        "faction": frozenset(faces.tracks),
        "barred": frozenset(faces.tracks),
    }


# Positions, and changes of them

NAMES = ("Ada", "Ben", "Cleo", "Dov")
LEADERS = ("feyd_rautha_harkonnen", "lady_jessica", "shaddam_corrino_iv", "muad_dib")
EVERY = 7
STRANGE: tuple[Any, ...] = (
    None, True, -1, 0, 1, 3, 4, 1000, 1001, -1001, 10**12, -(10**30), "", "any", "dagger", "nobody",
    "arrakeen", "emperor", [], {}, [0], [9], ["dagger"], ["harvest_9"], [["any", 1001]],
    {"part": "known", "card": "dagger", "seen_by": [0]},
    {"part": "known", "card": "dagger", "seen_by": [4]},
    {"part": "pool", "count": 2, "cards": ["dagger"]},
    {"part": "pool", "count": -1, "cards": []},
    {"kind": "gain", "amount": 1001, "what": "spice"},
    {"kind": "negotiate", "amount": 1},
    {"frame": "agent_turn", "seat": 0, "items": [], "begun": ["dagger", 1001]},
    {"frame": "pick_several", "seat": 0, "options": [], "picks": 1, "source": "", "picked": [1001]},
    {"frame": "pick_trash", "seat": 0, "faction": "nobody"},
    {"frame": "run", "seat": 0,
     "item": {"effect": {"kind": "swords", "amount": 1001}, "source": ""}},
    {"frame": "give_rewards", "takings": [{"seat": 4, "reward": "first"}]},
)  # fmt: skip
"""What is put into positions: right here and wrong there."""


@functools.cache
def positions(seed: int) -> tuple[str, ...]:
    """Some positions of a random game, with all modules and Leaders or with none."""
    state = (
        new_game("uprising", NAMES, chosen({}), choam=True, leaders=LEADERS)
        if seed % 2
        else new_game("uprising", NAMES[:3], chosen({}))
    )
    play, found = RandomPlay(seed), []
    while state.pending:
        found.append(encoded(state).decode())
        done = step(IMPERIUM, state, play.pick(IMPERIUM, state))
        assert isinstance(done, Step)
        state = done.state
    return tuple(found[::EVERY])


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in a position that can be replaced: what holds it, and where."""
    for key in value.keys() if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


@st.composite
def changed_positions(draw: st.DrawFn) -> str:
    """A position in which some things were replaced or added."""
    position = json.loads(draw(st.sampled_from(positions(draw(st.integers(0, 3))))))
    for _ in range(draw(st.integers(0, 2))):
        everything = [each for each in places(position) if each[0] is not position["config"]]
        holder, key = draw(st.sampled_from(everything))
        other, where = draw(st.sampled_from(everything))
        # A copy: the next change may be to something in it.
        new = copy.deepcopy(draw(st.sampled_from((*STRANGE, other[where]))))
        if isinstance(holder[key], list) and draw(st.booleans()):
            holder[key].append(new)
        else:
            holder[key] = new
    return json.dumps(position)


def strange(text: str, state: State) -> bool:
    """Whether the quick check refuses a position."""
    try:
        check_contents(text, state)
    except Strange:
        return True
    return False


@settings(max_examples=600, deadline=None)
@given(changed_positions())
def test_the_quick_check_refuses_what_a_plain_walk_refuses(text: str) -> None:
    try:
        state = decoded("position", text, State)
    except TruthsayerError:
        return  # it is none, and nobody checks what is in it
    config = state.config
    if config.product != "uprising" or config.players not in (3, 4):
        return
    if config.cards or config.conflicts or config.intrigues:
        return  # refused before
    assert strange(text, state) == plainly_strange(state)


@pytest.mark.parametrize("seed", range(4))
def test_every_position_of_a_game_passes_both(seed: int) -> None:
    for text in positions(seed):
        state = decoder(State).decode(text)
        assert not plainly_strange(state)
        assert not strange(text, state)


# Each place by itself: a wrong value in it is refused by both


def wrong_places() -> Iterator[tuple[str, str]]:
    """Positions of a game with each number, seat and name replaced in turn, and the place."""
    for text in positions(1)[::30]:
        for number, (holder, key) in enumerate(places(json.loads(text))):
            if isinstance(holder[key], str | int) and not isinstance(holder[key], bool):
                changed = json.loads(text)
                inside, where = list(places(changed))[number]
                inside[where] = 5000 if isinstance(holder[key], int) else "nonsense"
                yield str(where), json.dumps(changed)


def test_a_wrong_value_in_any_place_is_refused_by_both_or_by_none() -> None:
    both = 0
    for where, text in wrong_places():
        try:
            state = decoded("position", text, State)
        except TruthsayerError:
            continue
        if state.config.product != "uprising" or state.config.players != 4:
            continue
        assert strange(text, state) == plainly_strange(state), where
        both += plainly_strange(state)
    assert both > 100


@pytest.mark.parametrize(
    "frame", [each for each in STRANGE if isinstance(each, dict) and "frame" in each]
)
def test_a_strange_frame_is_refused_by_both(frame: dict[str, Any]) -> None:
    text = json.dumps({**json.loads(positions(1)[0]), "pending": [frame]})
    state = decoder(State).decode(text)
    assert plainly_strange(state)
    assert strange(text, state)


def test_only_rewards_and_what_is_pending_have_effects_in_them() -> None:
    found = inspect.type_info(State)
    assert isinstance(found, inspect.StructType)
    assert vars(contents)["_with_effects"](State) == ("config", "first_reward", "pending")
