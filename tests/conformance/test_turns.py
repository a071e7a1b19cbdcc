"""The example that resolves turns at once: it conforms in all that it has, and no fault passes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from conformance.cases import Case
from conformance.corpus import corpus
from conformance.messages import COMBAT
from conformance.playing import play
from conformance.reproducing import reproduction
from conformance.results import FAIL, GOOD, NOTHING, UNSUPPORTED
from conformance.target import Target, connect, greeted
from conformance.units import in_whole_units
from rules_engine.rulebook.index import cite
from rules_engine.rulebook.rulings import rulings
from scenarios.check import check
from scenarios.finding import library_files
from tests.conformance.turns import EXAMPLE, Fault, Turns, faults

FAULTS = faults()
ADAPTER_LINES = 200
LEAST_FAULTS = 40
LEAST_CASES = 515
MOST_NOT_SHOWN = 32
"""In so many cases nothing is compared: they only look, or nothing changes in them."""


class Disagreement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the example and the reference were not of one mind, and who was right."""

    cases: tuple[str, ...]
    verdict: Literal["right", "wrong", "open"]
    why: str
    ruling: str = ""


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    disagreement: tuple[Disagreement, ...]


def disagreements() -> tuple[Disagreement, ...]:
    """All that were found."""
    file = Path(__file__).with_name("disagreements.toml")
    return msgspec.toml.decode(file.read_bytes(), type=_Table).disagreement


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    """Every case of the library."""
    return {each.id: each for each in corpus(library_files()).cases}


# It conforms


def test_it_passes_every_case_that_it_supports(cases: dict[str, Case]) -> None:
    engine = Turns()
    results = [play(each, engine.about, engine) for each in cases.values()]
    outcomes = Counter(each.outcome for each in results)
    assert [(each.id, each.divergence) for each in results if each.divergence is not None] == []
    assert set(outcomes) <= {*GOOD, NOTHING, UNSUPPORTED}
    assert outcomes[NOTHING] <= MOST_NOT_SHOWN
    assert sum(outcomes[each] for each in GOOD) >= LEAST_CASES


def test_every_disagreement_is_settled(cases: dict[str, Case]) -> None:
    engine = Turns()
    for each in disagreements():
        assert each.why
        assert (each.verdict == "open") == (each.ruling in rulings())
        for name in each.cases:
            assert play(cases[name], engine.about, engine).outcome in (*GOOD, NOTHING), name


def test_no_disagreement_is_told_twice() -> None:
    told = Counter(name for each in disagreements() for name in each.cases)
    assert max(told.values()) == 1


def test_over_a_pipe_it_is_the_same(cases: dict[str, Case]) -> None:
    target = Target((sys.executable, str(EXAMPLE / "adapter.py")))
    connection = connect(target)
    try:
        about = greeted(connection, target)
        assert about == Turns().about
        assert about.step == COMBAT
        assert play(cases["makers.the_report_tells_where_bonus_spice_gathers"], about, connection)
        result = play(cases[FAULTS[0].case], about, connection)
        assert result.outcome in GOOD
    finally:
        connection.close()


def test_the_adapter_is_short_and_knows_nothing_of_truthsayer() -> None:
    text = (EXAMPLE / "adapter.py").read_text("utf-8")
    assert len(text.splitlines()) <= ADAPTER_LINES
    for file in EXAMPLE.glob("*.py"):
        lines = file.read_text("utf-8").splitlines()
        imported = {
            line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))
        }
        assert imported <= {*sys.stdlib_module_names, "game"}


def test_a_line_that_is_answered_is_a_line(tmp_path: Path) -> None:
    asked = json.dumps({"id": 7, "calls": [{"call": "describe"}, {"call": "list_actions"}]})
    done = subprocess.run(
        [sys.executable, str(EXAMPLE / "adapter.py")],
        cwd=tmp_path, input=f"{asked}\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    (line,) = done.stdout.splitlines()
    assert [each["answer"] for each in json.loads(line)["answers"]] == ["described", "unsupported"]


# No fault passes


def test_there_are_enough_faults_and_no_two_are_the_same() -> None:
    assert len(FAULTS) >= LEAST_FAULTS
    assert len({each.name for each in FAULTS}) == len(FAULTS)
    text = (EXAMPLE / "game.py").read_text("utf-8")
    assert len({each.planted(text) for each in FAULTS}) == len(FAULTS)
    assert all(cite(*each.rules) == each.rules for each in FAULTS)


def test_a_place_that_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match="not exactly one place for never"):
        Turns(Fault("never", (), "no such text", "", ""))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_found_and_its_reproduction_shows_it(
    fault: Fault, cases: dict[str, Case]
) -> None:
    engine, whole = Turns(fault), Turns()
    about, case = whole.about, cases[fault.case]
    found = play(case, about, engine)
    assert found.outcome == FAIL
    assert found.divergence is not None
    text = reproduction(in_whole_units(case, about.step), found.divergence, {})
    name = "reproduction.scenario"
    assert all(each.good for each in check(name, text)), text
    (again,) = corpus([(name, text)]).cases
    assert play(again, about, engine).outcome == FAIL, text
    assert play(again, about, whole).outcome in (*GOOD, NOTHING), text
