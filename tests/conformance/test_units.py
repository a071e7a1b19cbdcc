"""An adapter of larger steps gets whole units, and is judged where they end."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence

import pytest

from conformance import messages as say
from conformance.cases import Case, Move
from conformance.corpus import corpus
from conformance.games import Round
from conformance.observing import observe
from conformance.playing import play
from conformance.reference import Reference, drawn, given_in_turn, stated
from conformance.reproducing import reproduction
from conformance.results import FAIL, GOOD, NOTHING, UNSUPPORTED, Result
from conformance.units import RESTS, in_whole_units
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from scenarios.check import check
from scenarios.finding import library_files
from tests.conformance.whole_units import InUnits
from truthsayer.reports.conform import unit as in_short

STEPS = tuple(RESTS)
CHAPTERS = ("combat.scenario", "deploy.scenario", "makers.scenario", "reveal_turn.scenario",
            "agent_turn.scenario", "round.scenario", "recall.scenario")  # fmt: skip

SCENARIOS = """
scenario "A troop comes"
game uprising with John, Abby, Ned
given John has hand "Reconnaissance", "Dagger"
when John plays "Reconnaissance" to Arrakeen
then John has 1 agent

scenario "It does not end early"
game uprising with John, Abby, Ned
given John has hand "Reconnaissance"
when John plays "Reconnaissance" to Arrakeen
then John cannot end the turn

scenario "Too many go"
game uprising with John, Abby, Ned
given John has hand "Reconnaissance"
  and John has 5 troops in garrison
when John plays "Reconnaissance" to Arrakeen
then John cannot deploy 4 troops because UPR-UNIT-013

scenario "Some could come later"
game uprising with John, Abby, Ned
given John has hand "Reconnaissance"
  and John has 5 troops in garrison
when John plays "Reconnaissance" to Arrakeen
then John cannot deploy 3 troops because UPR-UNIT-013

scenario "Nobody comes"
game uprising with John, Abby, Ned
given John has hand "Dagger"
then John cannot play "Dagger" to Arrakeen
"""

Twist = Callable[[say.AnyCall, say.AnyAnswer], say.AnyAnswer]


class Listening:
    """A way to an adapter that keeps what it was asked, and changes what it answers."""

    def __init__(self, adapter: InUnits, twist: Twist = lambda _, answer: answer) -> None:
        self.adapter = adapter
        self.twist = twist
        self.calls: list[say.AnyCall] = []

    def ask(
        self, calls: Sequence[say.AnyCall], seconds: float | None = None
    ) -> list[say.AnyAnswer]:
        """Its answers."""
        del seconds
        self.calls += calls
        return [self.twist(call, copy.deepcopy(self.adapter.answer(call))) for call in calls]

    def close(self) -> None:
        """There is nothing to end."""

    @property
    def units(self) -> list[say.ApplyUnit]:
        """The units that it was given."""
        return [each for each in self.calls if isinstance(each, say.ApplyUnit)]


def played(case: Case, step: str, twist: Twist = lambda _, answer: answer) -> Listening:
    """What an adapter of ours is asked in a case, in which nothing diverges."""
    adapter = InUnits(step)
    connection = Listening(adapter, twist)
    result = play(case, change(adapter.about, capabilities=("position", "begin")), connection)
    assert result.outcome != FAIL, result.divergence
    return connection


def failing(case: Case, step: str, twist: Twist) -> Result:
    """How a case ends that an adapter fails."""
    adapter = InUnits(step)
    result = play(case, adapter.about, Listening(adapter, twist))
    assert result.outcome == FAIL
    return result


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """The cases of some chapters."""
    files = [each for each in library_files() if each[0].endswith(CHAPTERS)]
    return list(corpus(files).cases)


@pytest.fixture(scope="module")
def small() -> dict[str, Case]:
    """Some cases by their titles."""
    found = corpus([("units.scenario", SCENARIOS)])
    assert not found.left_out
    return {each.title: each for each in found.cases}


def does(unit: say.ApplyUnit) -> list[str]:
    """What is done in a unit, by the names of the actions."""
    return [each["do"]["action"] if "do" in each else "begin" for each in unit.inputs]


# What is given


@pytest.mark.parametrize("step", STEPS)
def test_whole_units_are_played_as_the_reference_does(step: str, cases: list[Case]) -> None:
    adapter = InUnits(step)
    results = [play(each, adapter.about, Listening(adapter)) for each in cases]
    assert len(results) > 100
    assert [each for each in results if each.divergence is not None] == []


def test_a_turn_in_the_middle_of_which_a_case_stops_is_ended(small: dict[str, Case]) -> None:
    (unit,) = played(small["A troop comes"], say.TURN).units
    assert does(unit)[0] == "play_agent"
    assert does(unit)[-1] == "end_turn"
    assert sorted(does(unit)[1:-1]) == ["resolve", "resolve"]
    assert [each["kind"] for each in unit.chance] == ["draw"]


def test_all_chance_of_a_unit_comes_with_it(cases: list[Case]) -> None:
    """The decks are arranged before the unit begins, and last up to its end."""
    drawn_in_units = 0
    for case in cases:
        for unit in played(case, say.PHASE).units:
            drawn_in_units += len(unit.chance)
    assert drawn_in_units > 500, "a round ends in most of them, and new hands are drawn"


def test_a_combat_that_is_begun_is_one_unit_of_a_larger_step(cases: list[Case]) -> None:
    combats = [each for each in cases if [m.given.get("begin") for m in each.moves][:1] == [
        "combat_begins"] and len(each.moves) > 2]  # fmt: skip
    assert len(combats) > 5
    for case in combats:
        whole = [unit for unit in played(case, say.COMBAT).units if len(unit.inputs) > 2]
        assert all(does(unit)[0] == "begin" for unit in whole)
    singles = [len(played(case, say.TURN).units) for case in combats]
    assert max(singles) > 2, "for a smaller step each player's cards are a unit"


@pytest.mark.parametrize("step", STEPS)
def test_units_end_where_the_step_says(step: str, cases: list[Case]) -> None:
    for case in cases:
        game = Reference.start(case.setup, case.position, case.to_move)
        game.begin(drawn(random.Random(0)))
        for unit in played(case, step).units:
            done = given_in_turn(game, unit.inputs, stated(unit.chance))
            if isinstance(done, Refusal):
                continue
            assert not game.state.pending or isinstance(game.state.pending[-1], RESTS[step])


# What has to be refused


def refused_units(case: Case, step: str = say.TURN) -> list[list[str]]:
    """The units of a case that have to be refused."""
    connection = Listening(InUnits(step))
    play(case, connection.adapter.about, connection)
    wanted = [
        each
        for each, after in zip(connection.calls, connection.calls[1:], strict=False)
        if isinstance(each, say.ApplyUnit) and after == say.Observe()
    ]
    return [does(each) for each in wanted if isinstance(each, say.ApplyUnit)]


def test_a_unit_goes_on_as_it_would_if_its_beginning_were_allowed(small: dict[str, Case]) -> None:
    """Who refuses it because it is not whole has nothing to refuse."""
    (refused,) = refused_units(small["Nobody comes"])
    assert (refused[0], refused[-1]) == ("play_agent", "end_turn")
    assert refused.count("resolve") == 2


def test_an_input_that_nothing_would_allow_is_alone(small: dict[str, Case]) -> None:
    move = Move({"do": {"action": "deploy", "by": 0, "troops": 1}}, refused=True)
    assert refused_units(change(small["Nobody comes"], moves=(move,))) == [["deploy"]]


def test_an_input_that_no_order_allows_stands_in_a_whole_unit(small: dict[str, Case]) -> None:
    (refused,) = refused_units(small["Too many go"])
    assert refused[:2] == ["play_agent", "deploy"]
    assert refused[-1] == "end_turn"


def test_an_input_that_comes_too_early_is_left_out(small: dict[str, Case]) -> None:
    assert refused_units(small["It does not end early"]) == []
    assert small["It does not end early"].moves[-1].refused


def test_an_input_is_left_out_that_another_order_allows(small: dict[str, Case]) -> None:
    """Three troops can go once the one of the space has come."""
    assert refused_units(small["Some could come later"]) == []


def test_a_unit_that_has_to_be_refused_and_is_not_is_told(small: dict[str, Case]) -> None:
    def accepts(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        is_refused = isinstance(call, say.ApplyUnit) and isinstance(answer, say.Refused)
        return say.Done() if is_refused else answer

    case = small["Too many go"]
    found = failing(case, say.TURN, accepts).divergence
    assert found is not None
    assert (found.kind, found.move) == ("accepted", 2)
    assert [each["do"]["action"] for each in found.unit][:2] == ["play_agent", "deploy"]
    assert in_short(found).startswith("play_agent reconnaissance arrakeen (seat 0), deploy 4")
    text = reproduction(in_whole_units(case, say.TURN), found, {})
    assert "cannot deploy" in text
    assert all(each.good for each in check("reproduction.scenario", text))


def test_a_refusal_in_a_unit_leaves_the_position_as_it_was_before(small: dict[str, Case]) -> None:
    def moves_a_piece(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        if call == say.Observe() and isinstance(answer, say.Done):
            assert answer.observation is not None
            return say.Done(answer.observation | {"round": 99})
        return answer

    found = failing(small["Too many go"], say.TURN, moves_a_piece).divergence
    assert found is not None
    assert (found.kind, found.path) == ("after a refusal", "round")


# What is wrong


def test_a_fault_in_a_unit_is_told_with_a_scenario_that_shows_it(small: dict[str, Case]) -> None:
    def poor(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        if not isinstance(call, say.ApplyUnit) or not isinstance(answer, say.Done):
            return answer
        assert answer.observation is not None
        first, *others = answer.observation["players"]
        return say.Done(
            answer.observation | {"players": [first | {"garrison": first["garrison"] - 1}, *others]}
        )

    case = small["A troop comes"]
    found = failing(case, say.TURN, poor).divergence
    assert found is not None
    assert found.path == "players.0.garrison"
    whole = in_whole_units(case, say.TURN)
    assert found.move == len(whole.moves) > len(case.moves)
    text = reproduction(whole, found, {})
    assert "ends the turn" in text
    assert all(each.good for each in check("reproduction.scenario", text))
    (again,) = corpus([("again.scenario", text)]).cases
    assert failing(again, say.TURN, poor)


def test_a_unit_that_is_allowed_has_to_be_taken(small: dict[str, Case]) -> None:
    def never(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        return say.Refused("no") if isinstance(call, say.ApplyUnit) else answer

    found = failing(small["Too many go"], say.TURN, never).divergence
    assert found is not None
    assert found.kind == "refused"


def test_undo_takes_the_whole_unit_back(small: dict[str, Case]) -> None:
    def forgets_to(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        if call == say.Observe() and isinstance(answer, say.Done):
            assert answer.observation is not None
            return say.Done(answer.observation | {"agents": [{"space": "arrakeen", "seat": 0}]})
        return answer

    found = failing(small["A troop comes"], say.TURN, forgets_to).divergence
    assert found is not None
    assert (found.kind, found.path) == ("undo", "agents")


# Chance of its own


class OwnChance(InUnits):
    """It draws for itself and tells what came, for the whole unit."""

    def __init__(self, step: str, seed: int) -> None:
        super().__init__(step)
        self.about = change(self.about, chance=say.REPORT, capabilities=("revisions",))
        self.draw = drawn(random.Random(seed))

    def answer(self, call: say.AnyCall) -> say.AnyAnswer:
        """Do what one call asks for."""
        if isinstance(call, say.Start):
            self.game = Reference.start(call.setup, call.position, call.to_move)
            self.before = []
            begun = self.game.begin(self.draw)
            return say.Done(observe(self.game.state), begun.chance)
        return super().answer(call)

    def apply_unit(self, call: say.ApplyUnit) -> say.AnyAnswer:
        """Take all inputs of a unit, or none of them."""
        before = self.game.state
        if call.revision != len(self.before):
            return say.Refused()
        done = given_in_turn(self.game, call.inputs, self.draw)
        if isinstance(done, Refusal):
            return say.Refused()
        self.before.append(before)
        brought = tuple(each for moved in done for each in moved.chance)
        return say.Done(observe(self.game.state), brought)


@pytest.mark.parametrize("step", STEPS)
def test_games_with_a_chance_of_its_own_go_on_unit_by_unit(step: str) -> None:
    adapter = OwnChance(step, 5)
    connection = Listening(adapter)
    found = Round(connection, adapter.about, 1, {})
    found.play(1)
    assert found.shortest is None, found.shortest
    # What can be done in a whole phase depends on what is drawn in it: then nothing is compared.
    sound = (*GOOD, NOTHING) if step == say.PHASE else GOOD
    assert [each.outcome in sound for each in found.results] == [True]
    assert len(connection.units) > 5
    assert max(len(each.inputs) for each in connection.units) > 2


def refusing(case: Case) -> Result:
    """How a case ends for an adapter with a chance of its own that takes no unit."""

    def never(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        return say.Refused() if isinstance(call, say.ApplyUnit) else answer

    adapter = OwnChance(say.TURN, 5)
    about = change(adapter.about, capabilities=("position",))
    return play(case, about, Listening(adapter, never))


def test_a_unit_in_which_something_is_drawn_need_not_fit_what_came(small: dict[str, Case]) -> None:
    assert refusing(small["A troop comes"]).outcome == UNSUPPORTED
    turn = {"do": {"action": "reveal", "by": 0}}, {"do": {"action": "end_turn", "by": 0}}
    alone = change(small["Nobody comes"], moves=tuple(map(Move, turn)))
    assert refusing(alone).outcome == FAIL, "nothing is drawn in it"


def test_chance_of_its_own_that_cannot_be_is_told() -> None:
    def twice(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        if isinstance(call, say.ApplyUnit) and isinstance(answer, say.Done) and answer.chance:
            return change(answer, chance=(*answer.chance, answer.chance[-1]))
        return answer

    adapter = OwnChance(say.TURN, 5)
    found = Round(Listening(adapter, twice), adapter.about, 1, {})
    found.play(1)
    assert found.shortest is not None
    assert found.shortest[1].divergence is not None
    assert found.shortest[1].divergence.kind == "chance"


# What comes after an input that has to be refused


def given_games(step: str, seeds: range) -> list[say.ApplyUnit]:
    """The units of generated games that have to be refused."""
    found: list[say.ApplyUnit] = []
    for seed in seeds:
        connection = Listening(InUnits(step))
        Round(connection, connection.adapter.about, seed, {}).play()
        calls = zip(connection.calls, connection.calls[1:], strict=False)
        found += [a for a, b in calls if isinstance(a, say.ApplyUnit) and b == say.Observe()]
    assert len(found) > 10
    return found


@pytest.fixture(scope="module")
def forbidden_units() -> list[say.ApplyUnit]:
    """Units of some generated games that have to be refused."""
    return given_games(say.TURN, range(1, 4))


TROOPS_AGAIN = """
scenario "Three go, or two"
game uprising with John, Abby, Ned
conflict "Skirmish (Crysknife)"
given John has hand "Dune, the Desert Planet"
  and John has 5 troops in garrison
when John plays "Dune, the Desert Planet" to Imperial Basin
then John cannot deploy 3 troops because UPR-UNIT-013
when John deploys 2 troops
then John has 3 troops in garrison
"""


def test_nothing_of_the_same_kind_follows_what_has_to_be_refused() -> None:
    """Three and two are five: who allows three would refuse that for another reason."""
    (case,) = corpus([("again.scenario", TROOPS_AGAIN)]).cases
    (refused,) = refused_units(case)
    assert refused.count("deploy") == 1
    assert refused[-1] == "end_turn"


LAST_TURN = """
scenario "The last of all reveals"
game uprising with John, Abby, Ned
conflict "Skirmish (Crysknife)"
given the row is "Strike Fleet", "Maula Pistol", "Truthtrance", "Public Spectacle", "Leadership"
  and John has hand "Convincing Argument", "Convincing Argument", "Diplomacy", "Dagger"
  and John has 2 troops in conflict
  and Abby has revealed
  and Ned has revealed
when John reveals
then John has 0 cards in hand
"""


@pytest.mark.parametrize("step", STEPS)
def test_a_turn_that_could_end_later_is_no_unit_that_has_to_be_refused(step: str) -> None:
    """However many ways there are to get there, the unit itself has one."""
    (case,) = corpus([("last.scenario", LAST_TURN)]).cases
    early = Move({"do": {"action": "end_turn", "by": 0}}, refused=True)
    case = change(case, moves=(case.moves[0], early))
    assert [each.refused for each in in_whole_units(case, step).moves[:2]] == [False, True]
    assert refused_units(case, step) == []


def test_doing_nothing_has_not_to_be_refused(forbidden_units: list[say.ApplyUnit]) -> None:
    given = [each["do"] for unit in forbidden_units for each in unit.inputs if "do" in each]
    assert {"deploy"} <= {each["action"] for each in given}
    assert all(each.get("troops") != 0 for each in given)


def test_a_resolve_without_its_source_has_to_be_refused(cases: list[Case]) -> None:
    given = [(move.given.get("do", {}), move) for case in cases for move in case.moves]
    resolved = [(said, move) for said, move in given if said.get("action") == "resolve"]
    short = [move for said, move in resolved if not {"source", "copy"} <= said.keys()]
    assert len(resolved) > len(short) > 0
    assert all(move.refused for move in short)
