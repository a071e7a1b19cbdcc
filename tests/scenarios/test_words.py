"""Everything that the engine says has words, no words are left over, and they are good English."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules_engine
from rules_engine.imperium import actions
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import State
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Amount, Answer, handle, options, step
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Step
from rules_engine.rulebook.rulings import chosen, rulings
from scenarios.sentences import told
from scenarios.words import (
    EVENT_VARIANTS,
    EVENTS,
    REASON_VARIANTS,
    REASONS,
    event_words,
    option_words,
    options_in_words,
    reason_words,
    telling,
)
from tests.clumsy import clumsy

ENGINE = Path(rules_engine.__file__).parent


def keys(kind: str) -> set[str]:
    """The keys of all events or reasons in the engine's source."""
    found = set()
    for file in [*ENGINE.glob("imperium/*.py"), ENGINE / "kernel" / "game.py"]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == kind:
                found |= {
                    each.value
                    for each in ast.walk(node.args[0])
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
                if isinstance(node.args[0], ast.Name):
                    found |= assigned(file, node.args[0].id)
    return found


def assigned(file: Path, name: str) -> set[str]:
    """The texts that a local name can have."""
    return {
        each.value
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Assign)
        and any(getattr(target, "id", "") == name for target in node.targets)
        for each in ast.walk(node.value)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def test_every_event_has_words() -> None:
    assert keys("Event") == set(EVENTS)


def test_every_reason_has_words() -> None:
    assert keys("Reason") == set(REASONS)


def test_other_sentences_are_those_of_events_and_reasons() -> None:
    assert set(EVENT_VARIANTS) <= set(EVENTS)
    assert set(REASON_VARIANTS) <= set(REASONS)


# Whole games


LEADERS = ("lady_jessica", "feyd_rautha_harkonnen", "princess_irulan", "shaddam_corrino_iv")
PLAYERS = ("Paul", "Jessica", "Leto", "Chani")


def game(seed: int) -> State:
    """A game of some number of players, by some readings of the open points."""
    luck = random.Random(f"a game {seed}")
    number, choam = 3 + seed % 2, seed % 3 > 0
    read = {name: luck.choice(each.values) for name, each in rulings().items()} if seed % 2 else {}
    leaders = LEADERS[-number:] if choam else LEADERS[:3] + ("muad_dib",) * (number - 3)
    return new_game(
        "uprising", PLAYERS[:number], chosen(read), choam=choam, leaders=leaders, promos=choam
    )


def positions(seed: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Every position of a whole game of random choices, and what happened on the way to it."""
    state, inputs = game(seed), RandomPlay(seed)
    while state.pending:
        done = step(IMPERIUM, state, inputs.pick(IMPERIUM, state))
        assert isinstance(done, Step)
        state = done.state
        yield state, tuple(done.events)


@pytest.mark.parametrize("seed", range(12))
def test_everything_told_of_a_game_is_good_english_and_reads_back(seed: int) -> None:
    found = {
        event_words(state, event): event
        for state, events in positions(seed)
        for event in telling(events)
    }
    assert len(found) > 100
    assert {text: clumsy(text) for text in found if clumsy(text)} == {}
    misread = {text: event.key for text, event in found.items() if first_told(text) != event.key}
    assert misread == {}


def first_told(sentence: str) -> str:
    return next(told(sentence)).key


@pytest.mark.parametrize("seed", range(4))
def test_every_decision_of_a_game_is_good_english(seed: int) -> None:
    """What stands in quotes is in the words of the effect language, and a cost may be 0."""
    found = {text for state, _ in positions(seed) for text in options_in_words(state)}
    read = {text: re.sub(r'"[^"]*"|\b0\b', "X", text) for text in found}
    assert {text: clumsy(shown) for text, shown in read.items() if clumsy(shown)} == {}


@pytest.mark.parametrize("seed", range(3))
def test_every_refusal_met_in_a_game_is_good_english(seed: int) -> None:
    found = {
        reason_words(state, reason)
        for state, refused in refusals(seed)
        for reason in refused.reasons
    }
    assert len(found) > 40
    assert {text: clumsy(text) for text in found if clumsy(text)} == {}


def refusals(seed: int) -> Iterator[tuple[State, Refusal]]:
    """What is said to decisions that were open at another moment of the game."""
    luck = random.Random(f"refusals {seed}")
    known: dict[type, list[Any]] = {}
    for state, _ in positions(seed):
        for option in options(IMPERIUM, state) if state.pending else ():
            if not isinstance(option, Answer):
                made = _any_number(option, luck)
                known.setdefault(type(made), []).append(made)
        for made in [luck.choice(each) for each in known.values()]:
            done = handle(IMPERIUM, state, made) if state.pending else None
            if isinstance(done, Refusal):
                yield state, done


def _any_number(option: Any, luck: random.Random) -> Any:
    """A decision, with some number where one has to be named."""
    make: Any = option.make if isinstance(option, Amount) else None
    return option if make is None else make(option.by, luck.randint(0, 9))


@pytest.mark.parametrize(
    ("key", "facts", "sentence"),
    [
        ("scores", {"points": -1, "why": "track"}, "Paul loses 1 Victory Point (Influence)"),
        ("scores", {"points": 1, "why": "match"}, "Paul scores 1 Victory Point (battle icons)"),
        ("draws_intrigue", {"card": ANY}, "Paul draws an Intrigue card"),
        ("draws_intrigue", {}, "Paul draws an Intrigue card"),
        ("steals_intrigue", {"victim": 1}, "Paul takes an Intrigue card from Jessica"),
        ("reward", {"reward": "first"}, "Paul takes the first reward"),
        ("reward", {"reward": "none"}, "Paul takes no reward"),
        ("recruits", {"troops": 0}, "Paul recruits no troops"),
        ("recruits", {"troops": 1}, "Paul recruits 1 troop"),
        ("gains", {"amount": 2, "what": "persuasion"}, "Paul gains 2 Persuasion"),
        ("influence", {"influence": 0, "faction": "fremen"}, "Paul has no Influence with Fremen"),
        ("counts", {"times": 2}, "Paul takes the effect twice"),
        (
            "flips_leader",
            {"troops": 2, "leader": "reverend_mother_jessica"},
            "Paul returns 2 memories and turns the Leader over: Reverend Mother Jessica",
        ),
    ],
)
def test_an_event_is_told_as(key: str, facts: dict[str, Any], sentence: str) -> None:
    assert event_words(game(0), Event(key, (), 0, facts)) == sentence
    read = next(told(sentence))
    assert read.key == key
    for name, value in facts.items():
        if isinstance(value, int) and name != "victim":
            assert read.facts[name] == str(value)
    if "why" in facts:
        assert read.facts["why"] == facts["why"]


@pytest.mark.parametrize(
    ("key", "facts", "sentence"),
    [
        ("track_cannot_move", {}, "no Faction's track can move that way"),
        ("too_few_in_hand", {"amount": 2}, "there are fewer than 2 cards in hand to discard"),
        ("too_few_in_hand", {"amount": 1}, "there is no card in hand to discard"),
        ("not_so_many_retreat", {"least": 0, "most": 1}, "at most 1 troop may retreat"),
        (
            "wrong_time",
            {"card": "contingency_plan", "timing": "combat"},
            "Contingency Plan is used like this only in Combat",
        ),
    ],
)
def test_a_reason_is_told_as(key: str, facts: dict[str, Any], sentence: str) -> None:
    assert reason_words(game(0), Reason(key, (), facts)) == sentence


@pytest.mark.parametrize(
    ("make", "low", "high", "words"),
    [
        (actions.Deploy, 1, 1, "deploys 1 troop"),
        (actions.Deploy, 1, 3, "deploys 1 to 3 troops"),
        (actions.Deploy, 2, 2, "deploys 2 troops"),
        (actions.Retreat, 0, 3, "retreats up to 3 troops"),
        (actions.Retreat, 0, 1, "retreats up to 1 troop"),
    ],
)
def test_a_number_to_be_named_is_told_as(make: Any, low: int, high: int, words: str) -> None:
    assert option_words(game(0), Amount(make, 0, low, high)) == f"Paul {words}"
