"""Who notices a mutant, and how: by a failure, a crash, or because there is no end to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from rules_engine.imperium import units
from tests.truthsayer.mutation.samples import ALL, FULL, check, of_allowance
from truthsayer.mutation.checks import CRASHES, FAILS, PROOFS, SCENARIOS, TOO_LONG, Check
from truthsayer.mutation.mutants import RULES, TOP, all_mutants
from truthsayer.mutation.trying import Attempt, Outcome, try_all

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def tried(*checks: Check) -> dict[str, Outcome]:
    """What becomes of each mutant of the allowance, by the change."""
    attempts = [Attempt(mutant, checks) for mutant in of_allowance()]
    return {attempt.mutant.what: outcome for attempt, outcome in try_all(attempts, 2)}


def test_a_mutant_is_noticed_by_the_first_check_that_fails() -> None:
    found = tried(*ALL)
    assert found["`+` for `-`"] == Outcome("full", FAILS)
    assert found["1 for 0"] == Outcome("no combat", FAILS)


def test_a_mutant_that_no_check_notices_is_told() -> None:
    assert tried(FULL)["1 for 0"] == Outcome(tried=1)


def test_the_engine_of_this_process_stays_as_it_is() -> None:
    code = units.allowance.__code__
    tried(FULL)
    assert units.allowance.__code__ is code


def endless() -> str:
    while True:
        pass


def broken() -> str:
    raise ZeroDivisionError


def greedy() -> str:
    return "" if bytearray(64 << 30) else FAILS


@pytest.mark.parametrize(
    ("run", "how"), [(endless, TOO_LONG), (broken, CRASHES), (greedy, CRASHES)]
)
def test_a_scenario_that_does_not_end_well_notices(run: object, how: str) -> None:
    mutant = of_allowance()[0]
    (found,) = try_all([Attempt(mutant, [check("it", run)])], 1)  # type: ignore[arg-type]
    assert found[1] == Outcome("it", how)


def test_a_proof_that_takes_too_long_notices_nothing() -> None:
    proof = Check(PROOFS, "it", "it", endless, 0.0)
    ((_, found),) = try_all([Attempt(of_allowance()[0], [proof])], 1)
    assert not found.by


def test_a_process_that_dies_is_told() -> None:
    def die() -> str:
        os._exit(3)

    ((_, found),) = try_all([Attempt(of_allowance()[0], [check("it", die)])], 1)
    assert found == Outcome("the engine", CRASHES)


def test_a_constant_is_changed_in_a_process_of_its_own() -> None:
    mutants = [
        each for each in all_mutants([RULES / "units.py"]) if each.unit.name == "FROM_GARRISON"
    ]
    name = "EX-UPR-01"
    scenario = Check(SCENARIOS, name, "", lambda: "", 1.0)
    found = {
        attempt.mutant.what: outcome
        for attempt, outcome in try_all([Attempt(each, [scenario]) for each in mutants], 1)
    }
    assert found == {"3 for 2": Outcome(name, FAILS), "1 for 2": Outcome(name, FAILS)}


def test_an_unchanged_file_in_a_process_of_its_own_fails_nothing() -> None:
    file = RULES / "units.py"
    wanted = [[SCENARIOS, "EX-UPR-01", 1.0]]
    done = subprocess.run(
        [sys.executable, "-m", "truthsayer.mutation.new_process"],
        input=json.dumps([file.as_posix(), (TOP / file).read_text("utf-8"), wanted]),
        capture_output=True,
        text=True,
        check=True,
        cwd=TOP,
    )
    assert json.loads(done.stdout) == {"by": "", "how": "", "tried": 1}
