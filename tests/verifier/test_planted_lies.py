"""Whatever could make a proof lie is planted here once, and each time nothing is called proved."""

from __future__ import annotations

import dataclasses
import gc
import importlib
import importlib.util
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import z3

import verifier.confirm
from rules_engine.imperium.state import AgentAt
from rules_engine.kernel.errors import TruthsayerError
from verifier import api, verdicts
from verifier import properties as files
from verifier.api import TwinRun
from verifier.current import assume, choose, claim, quantity, stage
from verifier.explorer import Budget
from verifier.first_calls import functions_in
from verifier.kept import Kept
from verifier.obligations import Manner, Obligation, obligations, settle_obligation
from verifier.pool import DIED, _Worker, settle_all
from verifier.positions import symbolic_state
from verifier.registry import Family, Property, Twin, registered
from verifier.sources import ENGINE
from verifier.verdicts import (
    CHECKED,
    PROVED,
    REFUTED,
    UNKNOWN,
    UNSUPPORTED,
    Settled,
    Verdict,
    settle,
)

ONE = "a_payment_is_so_much_less_and_nothing_else"
OTHER = "the_bank_never_runs_dry"


def _true() -> None:
    claim(quantity("n") >= 0, "it is not below 0")


def _false() -> None:
    claim(quantity("n", 3) <= 5, "it is at most 5")


# A vacuous assumption


def test_a_vacuous_assumption_proves_nothing() -> None:
    def vacuous() -> None:
        assume(quantity("n") < 0)
        claim(False, "pigs fly")

    found = settle(vacuous)
    assert (found.verdict, found.detail) == (UNKNOWN, verdicts.VACUOUS)


def test_a_member_of_a_family_that_claims_nothing_is_not_proved_by_the_others(
    table: dict[str, Property],
) -> None:
    def together(names: tuple[str, ...]) -> None:
        if "talks" in names:
            claim(True, "something", of="talks")
        else:
            quantity("n")

    family = Family("a family", together)
    for name in ("talks", "is_silent"):
        alone = (lambda each: lambda: together((each,)))(name)
        _register(table, name, alone, family)
    names = {each: registered()[each] for each in ("talks", "is_silent")}
    found = [each for each in api.prove_all(names) if isinstance(each, Verdict)]
    assert {each.name: each.verdict for each in found} == {"talks": CHECKED, "is_silent": UNKNOWN}


# A wrong counterexample


def test_a_counterexample_that_shows_nothing_refutes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert settle(_false).verdict == REFUTED
    monkeypatch.setattr(verdicts, "smallest", lambda *_: {"n": 4})
    found = settle(_false)
    assert found.verdict == UNKNOWN
    assert "shows no failure" in found.detail


# A construct that cannot be followed


def test_an_unsupported_construct_is_named_with_its_line() -> None:
    def hides() -> None:
        try:
            claim(int(quantity("n")) >= 0, "it is not below 0")
        except Exception:
            claim(True, "nothing happened")

    found = settle(hides)
    assert found.verdict == UNSUPPORTED
    line = hides.__code__.co_firstlineno + 2
    assert f"test_planted_lies.py:{line}" in found.detail


# A solver that answers wrongly


class _Yes:
    """A solver that calls everything unsatisfiable but what has to be reachable."""

    def __init__(self) -> None:
        self._true = _Solver()

    def add(self, *terms: Any) -> None:
        self._true.add(*terms)

    def set(self, *_: Any) -> None:
        """Whatever is set, the answer is the same."""

    def check(self, *_: Any) -> Any:
        return z3.sat if self._true.check() == z3.sat and not _negated(self._true) else z3.unsat

    def to_smt2(self) -> str:
        text: str = self._true.to_smt2()
        return text

    def model(self) -> Any:
        solver = z3.SimpleSolver()
        solver.check()
        return solver.model()


_Solver = z3.Solver


def _negated(solver: Any) -> bool:
    return any(z3.is_not(each) for each in solver.assertions())


def test_a_solver_that_answers_wrongly_is_caught_by_the_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(z3, "Solver", _Yes)
    assert settle(_false).verdict == PROVED, "the lie is planted"
    found = settle(_false, confirm=True)
    assert found.verdict == UNKNOWN
    assert "cvc5 says `sat`" in found.detail
    assert settle(_true, confirm=True).confirmed


def test_a_second_solver_that_gives_up_confirms_nothing() -> None:
    def large() -> None:
        numbers = [quantity(f"n{at}", 0, 100) for at in range(12)]
        odd = sum(number * (2 * at + 3) for at, number in enumerate(numbers))
        claim(odd * 2 != 2 * quantity("m") + 1, "an even number is not odd")

    found = settle(large, confirm=True, budget=Budget())
    assert found.verdict == PROVED
    answer = verifier.confirm.second_opinion("(set-logic QF_LIA)(check-sat)", 1)
    assert answer != verifier.confirm.UNSAT


def test_a_missing_second_solver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(TruthsayerError) as raised:
        verifier.confirm.require_second_solver()
    assert raised.value.code == "TS0502"


# A tampered cache


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """Kept proofs of two properties."""
    kept = Kept(tmp_path)
    assert {each.verdict for each in _verdicts(kept)} == {PROVED}
    return kept


def _verdicts(kept: Kept) -> list[Verdict]:
    return [each for each in api.prove_all((ONE, OTHER), kept=kept) if isinstance(each, Verdict)]


def _waiting() -> list[Obligation]:
    return obligations([api.property_named(ONE), api.property_named(OTHER)])


def test_kept_proofs_are_found_again(kept: Kept) -> None:
    found = kept.find(_waiting(), Manner())
    assert [*found] == _waiting()
    assert {each.settled.verdict for each in found.values()} == {PROVED}
    assert all(each.settled.paths > 0 for each in found.values())


@pytest.mark.parametrize("lie", [b"", b"nonsense", b'{"paths":0}'])
def test_a_damaged_entry_is_thrown_away_and_proved_anew(kept: Kept, lie: bytes) -> None:
    file = next(iter(sorted(kept.folder.iterdir())))
    file.write_bytes(lie)
    assert len(kept.find(_waiting(), Manner())) == len(_waiting()) - 1
    assert kept.damaged == 1
    assert not file.exists()
    assert {each.verdict for each in _verdicts(kept)} == {PROVED}
    assert len(kept.find(_waiting(), Manner())) == len(_waiting())


def test_a_tampered_entry_is_thrown_away(kept: Kept) -> None:
    for file in kept.folder.iterdir():
        content = file.read_bytes()
        file.write_bytes(content.replace(b'"paths":', b'"paths":1'))
        assert file.read_bytes() != content
    assert kept.find(_waiting(), Manner()) == {}
    assert kept.damaged == len(_waiting())


def test_an_entry_in_the_place_of_another_does_not_count(kept: Kept) -> None:
    one, other, *_ = sorted(kept.folder.iterdir())
    other.write_bytes(one.read_bytes())
    assert len(kept.find(_waiting(), Manner())) == len(_waiting()) - 1


def test_what_is_not_proved_is_not_kept(tmp_path: Path, table: dict[str, Property]) -> None:
    _register(table, "does_not_hold", _false)
    kept = Kept(tmp_path)
    (outcome,) = settle_obligation(Obligation(("does_not_hold",), ""), Manner())
    assert outcome.settled.verdict == REFUTED
    kept.keep(outcome, Manner())
    assert [*tmp_path.iterdir()] == []


def test_an_unconfirmed_proof_does_not_count_as_confirmed(kept: Kept) -> None:
    assert kept.find(_waiting(), Manner(confirm=True)) == {}


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert {each.verdict for each in _verdicts(Kept(blocked))} == {PROVED}


def test_a_function_counts_even_if_somebody_froze_what_there_is() -> None:
    gc.freeze()
    assert functions_in((ENGINE / "imperium",))


# A property with a mistake, and a process that dies


def _register(
    table: dict[str, Property], name: str, run: Any, family: Family | None = None
) -> None:
    like = next(iter(table.values()))
    table[name] = dataclasses.replace(like, name=name, run=run, cases=({},), family=family)


def test_a_mistake_in_a_property_is_no_refutation(table: dict[str, Property]) -> None:
    def mistaken() -> None:
        quantity("n", 5, 4)

    _register(table, "is_mistaken", mistaken)
    found = [each for each in api.prove_all(("is_mistaken", ONE)) if isinstance(each, Verdict)]
    assert [each.verdict for each in found] == [UNSUPPORTED, PROVED]
    assert "the property itself fails" in found[0].detail


def test_an_error_for_people_in_a_property_ends_only_that_property(
    table: dict[str, Property],
) -> None:
    def complains() -> None:
        raise TruthsayerError("TS0501", "no such thing")

    _register(table, "complains", complains)
    found = [each for each in api.prove_all(("complains", ONE)) if isinstance(each, Verdict)]
    assert [each.verdict for each in found] == [UNSUPPORTED, PROVED]


def test_a_file_that_cannot_be_loaded_is_told_and_the_others_are_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: dict[str, Property]
) -> None:
    (tmp_path / "broken_file.py").write_text("def oops(:\n")
    monkeypatch.setattr(files, "__path__", [str(tmp_path)])
    monkeypatch.setattr(files, "BROKEN", {})
    files.load()
    assert "SyntaxError" in files.BROKEN["broken_file"]
    kept_alive = table[ONE]
    table.clear()
    table[ONE] = kept_alive
    found = [each for each in api.prove_all() if isinstance(each, Verdict)]
    assert [(each.name, each.verdict) for each in found] == [
        (ONE, PROVED),
        ("broken_file", UNSUPPORTED),
    ]
    sys.modules.pop("verifier.properties.broken_file", None)
    importlib.invalidate_caches()


def test_nobody_thinks_that_a_rule_is_settled_while_a_file_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, table: dict[str, Property]
) -> None:
    kept_alive = table[ONE]
    table.clear()
    table[ONE] = kept_alive
    monkeypatch.setitem(files.BROKEN, "broken_file", "no rule")
    of_rule = [each for each in api.prove_all(kept_alive.rules[:1]) if isinstance(each, Verdict)]
    assert [each.verdict for each in of_rule] == [PROVED, UNSUPPORTED]
    by_name = [each for each in api.prove_all([ONE]) if isinstance(each, Verdict)]
    assert [each.verdict for each in by_name] == [PROVED]
    twins = [each for each in api.run_twins(kept_alive.rules[:1]) if isinstance(each, TwinRun)]
    assert twins[-1].name == "broken_file"
    assert [each.verdict for each in twins[-2:]] == [REFUTED, UNSUPPORTED]


def test_a_position_with_a_value_of_another_kind_proves_nothing(
    table: dict[str, Property],
) -> None:
    def swapped() -> None:
        where = choose("where", ("arrakeen", "imperial_basin"))
        mistaken: Any = AgentAt(0, where)  # type: ignore[arg-type]
        state = symbolic_state(3, agents=(mistaken,))
        stage(state)
        claim(len(state.agents) == 1, "there is one Agent")

    _register(table, "swaps_two_values", swapped)
    (found,) = (each for each in api.prove_all(["swaps_two_values"]) if isinstance(each, Verdict))
    assert found.verdict == UNSUPPORTED
    assert "a position that cannot be: Expected `str`, got `int`" in found.detail
    assert "agents[0].space" in found.detail


def test_a_process_that_dies_takes_only_its_own_obligation_along() -> None:
    waiting = _waiting()
    outcomes = settle_all(waiting, Manner(), jobs=2)
    found = [*next(outcomes)]
    for child in multiprocessing.active_children():
        child.kill()
    found += [each for batch in outcomes for each in batch]
    assert {each.obligation for each in found} == {*waiting}
    died = [each for each in found if each.settled == Settled(UNKNOWN, DIED)]
    assert 1 <= len(died) <= 2
    assert {each.settled.verdict for each in found if each not in died} == {PROVED}


def test_running_out_of_memory_is_no_verdict() -> None:
    def hungry() -> None:
        claim(quantity("n") >= 0, "it is not below 0")
        raise MemoryError

    found = settle(hungry)
    assert found.verdict == UNKNOWN
    assert "limits" in found.detail


HUNGRY = """
from verifier.current import claim, quantity
from verifier.pool import limit_memory
from verifier.verdicts import settle

def hungry():
    claim(quantity("n") >= 0, "it is not below 0")
    bytearray(2**34)

limit_memory(2**32)
print(settle(hungry).verdict)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of this kind")
def test_a_process_runs_out_of_memory_before_the_machine_does() -> None:
    done = subprocess.run([sys.executable, "-c", HUNGRY], capture_output=True, check=False)
    assert done.stdout.decode().strip() == UNKNOWN, done.stderr.decode()


# Certificates


def test_a_certificate_of_which_the_solver_said_nothing_is_not_called_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_answer(*_: Any) -> Settled:
        raise RuntimeError("the solver is gone")

    monkeypatch.setattr(verdicts, "_judge", no_answer)
    (outcome,) = settle_obligation(_waiting()[0], Manner(smtlib=str(tmp_path)))
    assert outcome.settled.verdict == UNKNOWN
    assert "the solver is gone" in outcome.settled.detail
    (written,) = tmp_path.iterdir()
    solver = _Solver()
    solver.from_string(written.read_text())
    assert solver.check() == z3.sat
    assert "the solver is gone" in written.read_text()


def test_a_twin_that_only_crashes_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = registered()["at_most_one_player_takes_the_first_reward"]
    crashes = Twin("rules_engine.imperium.combat", "pick(alone, FIRST, SECOND)", "undefined")
    broken = dataclasses.replace(known, twins={known.rules[0]: crashes})
    monkeypatch.setitem(registered(), known.name, broken)
    found = api.prove(known.name, twin_of=known.rules[0])
    assert found.verdict == UNKNOWN
    assert found.detail.startswith("no claim notices the twin, it makes the engine crash: ")
    assert "NameError" in found.detail


def test_a_process_that_is_interrupted_while_it_starts_works_all_the_same() -> None:
    """Ctrl-C goes to all processes of a terminal, also to one that still imports."""
    worker = _Worker(Manner())
    try:
        os.kill(worker.process.pid or 0, signal.SIGINT)
        (obligation,) = obligations([registered()[OTHER]])
        worker.give(obligation)
        found = worker.take()
    finally:
        worker.kill()
    assert found is not None
    assert [each.settled.verdict for each in found] == [PROVED]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
