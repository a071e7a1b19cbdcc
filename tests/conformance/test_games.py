"""Generated games: what they try, what they find, and what they do with an adapter that fails."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from conformance import games, run
from conformance.adapters.reference import ABOUT, Adapter
from conformance.cases import Case
from conformance.faults import CLOSED, SLOW, AdapterFault
from conformance.games import NOT_EVERY_TIME, Round, drawn_case, drawn_setup, rules_of, stirred
from conformance.messages import (
    REPORT,
    AnyAnswer,
    AnyCall,
    Describe,
    Described,
    Done,
    Start,
)
from conformance.playing import Connection
from conformance.reference import Reference
from conformance.replaying import replay, starts_a_turn
from conformance.results import GOOD, Result
from conformance.target import Target
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from tests.conformance import own_chance
from tests.conformance.in_process import InProcess

FROM_SETUP = change(ABOUT, capabilities=())
OWN_CHANCE = change(ABOUT, capabilities=(), chance=REPORT)


class Twisted(InProcess):
    """Our adapter, whose answers are changed on the way; `started` counts the games."""

    def __init__(self, twist: Callable[[AnyCall, AnyAnswer], AnyAnswer]) -> None:
        super().__init__()
        self.twist = twist
        self.started = 0

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Its answers to a batch, changed."""
        self.started += isinstance(calls[0], Start)
        answers = super().ask(calls, seconds)
        return [self.twist(call, answer) for call, answer in zip(calls, answers, strict=True)]


def played(connection: Connection, about: Described, seed: int = 1, count: int = 8) -> Round:
    """A round of some games."""
    found = Round(connection, about, seed, {})
    found.play(count)
    return found


def drawn(seed: int, about: Described = ABOUT) -> Case:
    """A drawn case, without Hypothesis."""
    return drawn_case(random.Random(seed).randrange, "game", about, {})


# Games that conform


@pytest.mark.parametrize("about", [ABOUT, FROM_SETUP], ids=["from positions", "from the setup"])
def test_our_own_adapter_conforms(about: Described) -> None:
    found = played(InProcess(), about)
    assert found.shortest is None
    assert len(found.results) == 8
    assert {each.outcome for each in found.results} <= set(GOOD)
    assert all(each.rules for each in found.results)


def test_our_own_adapter_conforms_with_a_chance_of_its_own() -> None:
    found = played(own_chance.InProcess(own_chance.OwnChance(3)), OWN_CHANCE, count=2)
    assert found.shortest is None
    assert [each.outcome in GOOD for each in found.results] == [True, True]
    assert all(each.inputs > 100 for each in found.results)


def test_the_same_seed_plays_the_same_games() -> None:
    first, second = (played(InProcess(), ABOUT, seed=7).results for _ in range(2))
    other = played(InProcess(), ABOUT, seed=8).results
    assert first == second
    assert first != other


# What is tried


@pytest.fixture(scope="module")
def some() -> list[Case]:
    """Some cases of an adapter that can do everything."""
    return [drawn(seed) for seed in range(40)]


def test_games_begin_in_positions_and_at_their_setup(some: list[Case]) -> None:
    begin = Counter(case.position is None for case in some)
    assert begin[False] > begin[True] > 0


def test_without_positions_all_games_begin_at_their_setup() -> None:
    assert all(drawn(seed, FROM_SETUP).position is None for seed in range(8))


def test_games_begin_early_and_late(some: list[Case]) -> None:
    rounds = {case.position["round"] for case in some if case.position is not None}
    assert min(rounds) <= 2
    assert max(rounds) >= 9
    assert len(rounds) >= 6


def test_what_has_to_be_refused_is_refused_by_the_reference(some: list[Case]) -> None:
    tried = 0
    for case in some:
        outcomes = replay(case).outcomes
        assert [isinstance(each, Refusal) for each in outcomes] == [m.refused for m in case.moves]
        tried += sum(move.refused for move in case.moves)
    assert tried > 3 * len(some)


def test_many_kinds_of_input_are_tried_that_are_not_allowed(some: list[Case]) -> None:
    refused = [move.given["do"]["action"] for case in some for move in case.moves if move.refused]
    assert len(set(refused)) >= 8
    assert Counter(refused).most_common(1)[0][0] == "play_agent"


def turns(count: int) -> list[State]:
    """Starts of turns in games that were played at random."""
    found = []
    for seed in range(count):
        draw = random.Random(seed).randrange
        state = drawn_setup(draw, ABOUT)
        found.append(games._walked(state, seed, 1 + draw(10), draw(12)).state)
    return found


def test_a_game_goes_on_to_the_turn_of_the_round_that_was_drawn() -> None:
    state = drawn_setup(random.Random(1).randrange, ABOUT)
    first = games._walked(state, 1, 3, 0)
    assert starts_a_turn(first.state)
    assert first.state.round == 3
    assert not first.state.reveal_order
    last = games._walked(state, 1, 3, 1000)
    assert last.state.round == 3
    assert sum(not each.revealed for each in last.state.players) == 1
    assert last.inputs[: len(first.inputs)] == first.inputs


def test_a_stirred_position_keeps_every_invariant_and_is_another_one() -> None:
    changed = together = 0
    for seed, state in enumerate(turns(40)):
        found = stirred(state, random.Random(seed).randrange)
        assert [law.name for law in IMPERIUM.invariants if list(law.broken(found))] == []
        changed += found != state
        spaces = Counter(agent.space for agent in found.agents)
        together += any(count > 1 for count in spaces.values())
    assert changed > 30
    assert together >= 3


def test_a_position_in_which_no_turn_begins_is_not_stirred() -> None:
    state = drawn_setup(random.Random(1).randrange, ABOUT)
    assert stirred(state, random.Random(1).randrange) is state


def test_stirred_positions_are_given_to_the_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[State] = []

    def remembered(state: State, draw: games.Draw) -> State:
        made.append(stirred(state, draw))
        return made[-1]

    monkeypatch.setattr(games, "stirred", remembered)
    case = next(case for case in map(drawn, range(20)) if case.position is not None and made)
    start = Reference.start(case.setup, case.position, case.to_move).state
    assert start.players == made[-1].players
    assert (start.agents, start.spies) == (made[-1].agents, made[-1].spies)


def test_rules_that_were_not_seen_are_preferred() -> None:
    def rules_after(rounds: int, guided: bool) -> int:
        seen: Counter[str] = Counter()
        everything: Counter[str] = Counter()
        for seed in range(rounds * 10):
            case = drawn_case(random.Random(seed).randrange, "game", ABOUT, seen)
            everything.update(set(case.rules))
            if guided:
                seen.update(case.rules)
        return sum(count <= 2 for count in everything.values())

    assert rules_after(6, guided=True) < rules_after(6, guided=False)


# What is found


def water_is_lost(call: AnyCall, answer: AnyAnswer) -> AnyAnswer:
    """A lie: whoever has three water or more is said to have one less."""
    del call
    if not isinstance(answer, Done) or answer.observation is None:
        return answer
    seen = copy.deepcopy(answer.observation)
    for each in seen["players"]:
        each["water"] -= each["water"] >= 3
    return change(answer, observation=seen)


def test_a_lie_is_found_and_made_short() -> None:
    found = played(Twisted(water_is_lost), ABOUT, count=25)
    assert found.shortest is not None
    case, result = found.shortest
    assert result.divergence is not None
    assert result.divergence.path.endswith(".water")
    assert result.divergence.expected == result.divergence.got + 1
    assert result.divergence.rules
    assert result.divergence.move <= 5
    assert result.detail == ""
    assert case.id == result.id


def test_a_lie_is_found_in_games_from_the_setup_in_a_bounded_number_of_tries() -> None:
    adapter = Twisted(water_is_lost)
    found = played(adapter, FROM_SETUP, count=25)
    assert found.shortest is not None
    once_more = 1
    assert adapter.started <= len(found.results) + 1 + games.TRIES + once_more
    assert found.shortest[1].divergence is not None
    assert found.shortest[1].divergence.path.endswith(".water")


def test_a_lie_of_an_adapter_with_a_chance_of_its_own_is_found() -> None:
    adapter = own_chance.InProcess(own_chance.OwnChance(3), water_is_lost)
    found = played(adapter, OWN_CHANCE, count=3)
    assert found.shortest is not None
    case, result = found.shortest
    assert result.divergence is not None
    assert result.divergence.path.endswith(".water")
    assert len(case.moves) == result.divergence.move


# Adapters that come and go


def sometimes(every: int) -> Twisted:
    """An adapter that tells the lie in one of so many games only."""

    def twist(call: AnyCall, answer: AnyAnswer) -> AnyAnswer:
        return answer if adapter.started % every else water_is_lost(call, answer)

    adapter = Twisted(twist)
    return adapter


@pytest.mark.parametrize("every", [2, 3, 7])
def test_what_does_not_diverge_every_time_is_reported_as_that(every: int) -> None:
    found = played(sometimes(every), FROM_SETUP, count=25)
    assert found.shortest is not None
    result = found.shortest[1]
    assert result.divergence is not None
    assert result.detail == NOT_EVERY_TIME


class Breaks(InProcess):
    """Our adapter, which cannot go on from one game on."""

    def __init__(self, at: int, kind: str, lies: bool = False) -> None:
        super().__init__()
        self.left = at
        self.kind = kind
        self.lies = lies
        self.asked_after = 0

    def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
        """Answer, or break."""
        self.left -= isinstance(calls[0], Start)
        if self.left < 0:
            self.asked_after += 1
            raise AdapterFault(self.kind, "it is gone")
        answers = super().ask(calls, seconds)
        pairs = zip(calls, answers, strict=True)
        return [water_is_lost(*pair) for pair in pairs] if self.lies else answers


@pytest.mark.parametrize("kind", [CLOSED, SLOW])
@pytest.mark.parametrize("at", [0, 3])
def test_an_adapter_that_cannot_go_on_is_not_asked_again(kind: str, at: int) -> None:
    adapter = Breaks(at, kind)
    found = Round(adapter, ABOUT, 1, {})
    with pytest.raises(AdapterFault, match="it is gone") as raised:
        found.play(25)
    assert raised.value.kind == kind
    assert adapter.asked_after == 1
    assert len(found.results) == at
    assert found.shortest is None


def test_what_was_found_stays_when_the_adapter_breaks_while_it_is_made_short() -> None:
    adapter = Breaks(8, CLOSED, lies=True)
    found = Round(adapter, FROM_SETUP, 1, {})
    with pytest.raises(AdapterFault):
        found.play(25)
    assert adapter.asked_after == 1
    assert found.shortest is not None


def test_a_run_keeps_the_games_before_the_adapter_broke() -> None:
    class Greeted(Breaks):
        def ask(self, calls: Sequence[AnyCall], seconds: float | None = None) -> list[AnyAnswer]:
            if isinstance(calls[0], Describe):
                return [Adapter().answer(call) for call in calls]
            return super().ask(calls, seconds)

    tester = run.Tester(lambda: Greeted(3, CLOSED), Target(("none",)), ABOUT)
    *before, last = tester.games(1, {})
    assert [each.outcome in GOOD for each in before] == [True] * 3
    assert last == Result("games.1", "a generated game", "crashed", (), "it is gone")


def test_how_often_rules_were_seen_is_counted_over_results() -> None:
    results = [Result("a", "", "pass", ("X", "Y")), Result("b", "", "pass", ("Y",))]
    assert rules_of(results) == {"X": 1, "Y": 2}
