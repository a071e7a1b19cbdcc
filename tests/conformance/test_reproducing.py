"""Every divergence becomes a scenario that holds on the engine and not where it was found.

Liars are the judges: adapters that are our engine but for one lie, told about any field and any
move of random games and of the library's scenarios.
"""

from __future__ import annotations

import random
import re
import statistics
from typing import Any

import pytest

from conformance.cases import Case, Move
from conformance.messages import VIEWS
from conformance.observing import FIELDS, PLAYER_FIELDS
from conformance.playing import play
from conformance.replaying import replay
from conformance.reproducing import reproduction
from conformance.results import Divergence
from conformance.wording import NO_WORDS, OF_A_PLAYER, OF_THE_TABLE
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.records import change
from scenarios.check import check, read
from scenarios.format import format_text
from scenarios.groups import has_effects
from scenarios.language.syntax import Line
from scenarios.language.values import Environment
from scenarios.run import Expectation, Run
from scenarios.vectors.inputs import decision
from tests.conformance.liars import (
    ACCEPTS,
    PLAIN,
    PLAYER_LIES,
    REFUSES,
    SILENT_LIES,
    TABLE_LIES,
    Liar,
    Lie,
    corpus,
    divergence,
    game,
)

SCENARIOS = ("acquire", "icons", "intrigue/call_to_arms", "contracts", "cards/delivery_agreement")
NOT_TOLD = "# expected "


def holds(text: str) -> bool:
    """Whether a scenario file is in canonical layout and passes."""
    assert format_text("x", text) == text
    results = check("reproduction.scenario", text)
    assert len(results) == 1
    return all(each.good for each in results)


def told(case: Case, at: int, lie: Lie | str) -> str:
    """The reproduction of a lie about a move."""
    found = divergence(case, at, lie)
    assert found is not None
    assert found.move == at
    text = reproduction(case, found, {})
    assert holds(text), text
    return text


def expected(text: str) -> list[str]:
    """What a scenario expects."""
    return text[text.index("\nthen ") + 1 :].splitlines()


def inputs(text: str) -> int:
    """How many lines of a scenario state what is done, draws included."""
    body = text[: text.index("\nthen ")]
    return len(body[body.index("\nwhen ") :].splitlines()) - 1 if "\nwhen " in body else 0


class Fooled(Run):
    """A run that sees a lie instead of the position when it comes to what is expected."""

    lie: Lie

    def look(self, line: Line) -> None:
        here: State = self.state
        said = self.lie(here)
        self.state = here if said is None else said
        super().look(line)
        self.state = here


def notices(text: str, lie: Lie) -> bool:
    """Whether the scenario fails for an engine that is wrong as the liar is."""
    (scenario,), problems = read("reproduction.scenario", text)
    assert problems == []
    seen: list[Expectation] = []
    run = Fooled(scenario, Environment(), lambda _, each: seen.append(each))
    run.lie = lie
    run.play()
    assert seen
    return not all(each.holds is True for each in seen)


def places(lie: Lie) -> list[tuple[Case, int]]:
    """A move of each game in which a lie can be told, and some of scenarios if there is none."""
    found = []
    for case in (game(1), game(2)):
        states = replay(case).states
        fitting = [at for at in range(1, len(states)) if _can_lie(case, states[at], at, lie)]
        found += [(case, random.Random(len(fitting)).choice(fitting))] if fitting else []
    if not found:
        for case in corpus(*SCENARIOS):
            states = replay(case).states
            found += [
                (case, at) for at in range(1, len(states)) if _can_lie(case, states[at], at, lie)
            ][:1]
    return found[:3]


def _can_lie(case: Case, state: State, at: int, lie: Lie) -> bool:
    said = lie(state)
    return not case.moves[at - 1].refused and said is not None and said != state


# Fields


@pytest.mark.parametrize("name", [*PLAYER_LIES, *TABLE_LIES])
def test_a_wrong_field_is_expected_in_words_and_an_engine_that_is_wrong_fails(name: str) -> None:
    lie = {**PLAYER_LIES, **TABLE_LIES}[name]
    found = places(lie)
    assert found, name
    for case, at in found:
        text = told(case, at, lie)
        assert NOT_TOLD not in text
        assert notices(text, lie), text


@pytest.mark.parametrize("name", SILENT_LIES)
def test_what_has_no_words_is_told_in_a_remark(name: str) -> None:
    for case, at in places(SILENT_LIES[name]):
        text = told(case, at, SILENT_LIES[name])
        assert f"{NOT_TOLD}{name} = " in text


def test_every_field_has_words_or_is_listed_as_having_none() -> None:
    of_table, of_player = set(FIELDS), {f"players.{name}" for name in PLAYER_FIELDS}
    worded = set(OF_THE_TABLE) | {f"players.{name}" for name in OF_A_PLAYER}
    assert worded | set(NO_WORDS) == of_table | of_player


def test_a_number_that_is_changed_makes_it_fail() -> None:
    for name in ("spice", "garrison", "victory_points", "tracks", "deck", "round", "makers"):
        case, at = places({**PLAYER_LIES, **TABLE_LIES}[name])[0]
        text = told(case, at, {**PLAYER_LIES, **TABLE_LIES}[name])
        start = text.index("\nthen ")
        claims = text[start:].partition(" because")[0]
        other = re.sub(r"\d+", lambda number: str(int(number[0]) + 1), claims, count=1)
        assert other != claims
        assert not holds(text[:start] + other + text[start + len(claims) :])


def test_the_rule_that_decides_is_named_where_it_does() -> None:
    named = [
        "because" in expected(told(game(1), at, PLAYER_LIES["spice"]))[0]
        for at in range(1, 40, 4)
        if not game(1).moves[at - 1].refused
    ]
    assert sum(named) >= len(named) / 2


# Inputs


def some(case: Case, refused: bool, count: int) -> list[int]:
    """Some moves of a case that are refused, or accepted."""
    fitting = [at for at, move in enumerate(case.moves, 1) if move.refused == refused]
    return sorted(random.Random(case.id).sample(fitting, min(count, len(fitting))))


@pytest.mark.parametrize("number", [1, 2])
def test_an_input_that_is_accepted_wrongly_cannot_be_given(number: int) -> None:
    case = game(number)
    refused = 0
    for at in some(case, refused=True, count=10):
        text = told(case, at, ACCEPTS)
        line, *more = expected(text)
        if re.match(r"then \w+ cannot ", line):
            refused += 1
            assert more == []
            assert not holds(text.replace(" cannot ", " can "))
        else:
            # Of an effect of another player nothing can be said but whose decision it is.
            assert re.match(r"then \w+ is asked", line)
    assert refused


@pytest.mark.parametrize("number", [1, 2])
def test_an_input_that_is_refused_wrongly_can_be_given(number: int) -> None:
    case = game(number)
    possible = 0
    for at in some(case, refused=False, count=8):
        text = told(case, at, REFUSES)
        (line,) = expected(text)
        if re.match(r"then \w+ can ", line):
            possible += 1
            assert not holds(text.replace(line, line.replace(" can ", " cannot ", 1)))
        else:
            # Effects that leave no choice resolve themselves at the end, so it is stated as done.
            assert inputs(text) >= 1
    assert possible


def test_few_inputs_are_needed() -> None:
    case = game(1)
    counts = [
        inputs(told(case, at, PLAYER_LIES["solari"])) for at in some(case, refused=False, count=15)
    ]
    assert statistics.median(counts) <= 5


def test_a_wrong_start_of_a_game_is_reproduced_from_its_setup() -> None:
    text = told(game(1), 0, PLAYER_LIES["hand lost"])
    assert "when the game begins" in text
    assert "gets objective" in text
    assert notices(text, PLAYER_LIES["hand lost"])


def test_lists_of_what_is_allowed_are_reproduced() -> None:
    case = game(1)
    states = replay(case).states
    at = next(at for at, state in enumerate(states[1:], 1) if not has_effects(state))
    state = states[at]
    allowed = decision(state, actions(IMPERIUM, state)[0])
    found = Divergence("actions", at, {}, "", allowed, "it is not listed", ("UPR-ROUND-003",))
    assert " can " in expected(reproduction(case, found, {}))[0]
    wrong = {**allowed, "by": (allowed["by"] + 1) % 3}
    found = Divergence("actions", at, {}, "", "it is not allowed", wrong, ("UPR-ROUND-003",))
    text = reproduction(case, found, {})
    assert re.match(r"then \w+ (cannot|is asked)", expected(text)[0])
    assert holds(text)


@pytest.mark.parametrize("listed", [None, 7, "x", {}, {"action": "fly", "by": 0}, {"by": 99}])
def test_an_action_that_makes_no_sense_is_told_in_a_remark(listed: Any) -> None:
    found = Divergence("actions", 5, {}, "", "it is not allowed", listed, ("UPR-ROUND-003",))
    text = reproduction(game(1), found, {})
    assert NOT_TOLD in text
    assert holds(text)


def test_a_hand_that_is_shown_to_others_is_reproduced() -> None:
    case = change(game(1), moves=game(1).moves[:4])
    found = Divergence(
        "view of seat 1", 4, {}, "players.0.hand", {"count": 5}, ["dagger"], ("UPR-ROUND-003",)
    )
    text = reproduction(case, found, {})
    assert expected(text) == ["then Paul does not see the hand of Jessica"] or expected(text) == [
        "then Jessica does not see the hand of Paul"
    ]
    assert holds(text)


def test_an_input_for_an_earlier_position_that_is_accepted_is_told_in_a_remark() -> None:
    case = change(game(1), moves=game(1).moves[:4])
    found = Divergence(
        "accepted", 4, case.moves[3].given, "", "it is refused", "it was accepted", ()
    )
    text = reproduction(case, found, {})
    assert NOT_TOLD in text
    assert holds(text)


# Scenarios of the library


@pytest.mark.parametrize(
    "file", ["acquire", "combat", "endgame", "recall", "setup", "shield_wall", "spies", "round"]
)
def test_divergences_of_scenarios_are_reproduced(file: str) -> None:
    draw = random.Random(file)
    lies = {**PLAYER_LIES, **TABLE_LIES}
    for case in corpus(file):
        at = draw.randint(0, len(case.moves))
        lie = lies[draw.choice([*lies])]
        move = case.moves[at - 1] if at else Move({})
        if move.refused:
            assert divergence(case, at, ACCEPTS) is None or told(case, at, ACCEPTS)
        elif divergence(case, at, lie) is not None:
            assert f"{case.file}:{case.line}" in told(case, at, lie)
        if at and not move.refused:
            told(case, at, REFUSES)


# What an adapter may say


HOSTILE: list[Any] = [
    None, True, -1, 10**30, "", 'a "quoted"\nline\r\x1b[31m', [], [None], [[]], ["no_such_card"],
    [{}], [{"seat": 99, "space": "nowhere"}], [{"faction": ["x"]}], {"count": "many"}, {"x": {}},
]  # fmt: skip


def test_whatever_is_got_the_scenario_holds() -> None:
    case, at = change(game(2), moves=game(2).moves[:30]), 29
    paths = [*FIELDS, *(f"players.0.{name}" for name in PLAYER_FIELDS), "players"]
    for number, path in enumerate(paths):
        got = HOSTILE[number % len(HOSTILE)]
        found = Divergence("field", at, {}, path, [], got, ("UPR-ROUND-003",))
        assert holds(reproduction(case, found, {}))


def test_an_adapter_that_fails_is_reproduced_up_to_there() -> None:
    case = game(1)
    found = Divergence("failure", 9, case.moves[8].given, "", "an answer", "boom\n" * 99, ())
    text = reproduction(case, found, {})
    assert "boom" in text
    assert holds(text)


def test_the_rulings_that_were_followed_are_stated() -> None:
    found = divergence(game(1), 9, PLAYER_LIES["spice"])
    assert found is not None
    assert "ruling tiebreak_after_garrison is shared" in reproduction(game(1), found, {})
    text = reproduction(game(1), found, {"tiebreak_after_garrison": "latest_reveal"})
    assert "tiebreak_after_garrison" not in text
    assert holds(text)


def test_views_of_our_own_adapter_agree() -> None:
    """The liar lies about nothing here: what is told above is not found by accident."""
    case = change(game(1), moves=game(1).moves[:4])
    about = change(PLAIN, capabilities=(*PLAIN.capabilities, VIEWS))
    assert play(case, about, Liar(99, REFUSES)).divergence is None
