"""A certificate says what was explored: no solver calls `unsat` what is not proved."""

from __future__ import annotations

import dataclasses
import gc
import multiprocessing
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import z3

from verifier import api, terms, verdicts
from verifier.confirm import second_opinion
from verifier.current import assume, choose, claim, quantity
from verifier.explorer import Budget, Explorer, Stopped
from verifier.kept import Kept
from verifier.numbers import SymInt, forget
from verifier.obligations import Manner, Obligation, function_of, obligations, settle_obligation
from verifier.pool import DIED
from verifier.registry import Property
from verifier.verdicts import PROVED, REFUTED, UNKNOWN, UNSUPPORTED, Verdict, settle

LONG = "the_endgame_comes_with_ten_points_or_without_conflicts"
SHORT = "the_bank_never_runs_dry"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Any:
    yield
    forget()


def _register(table: dict[str, Property], name: str, run: Any) -> Obligation:
    like = next(iter(table.values()))
    table[name] = dataclasses.replace(like, name=name, run=run, cases=({},), family=None)
    return Obligation((name,), "")


def answers(text: str) -> set[str]:
    """What both solvers say to a file."""
    solver = z3.Solver()
    solver.from_string(text)
    return {str(solver.check()), second_opinion(text, 20_000_000)}


def exported(function: Callable[[], object], **how: Any) -> tuple[str, str]:
    """The verdict and the file of a function."""
    files: list[str] = []
    found = settle(function, export=files.append, **how)
    (text,) = files
    assert f"; verdict: {found.verdict}" in text
    assert found.detail.splitlines()[:1] == [] or found.detail.splitlines()[0] in text
    return found.verdict, text


# What was not explored, or could not be


def _many_paths() -> None:
    n = quantity("n")
    for bound in range(100):
        if n == bound:
            break
    claim(n >= 0, "it is natural")


def test_what_is_beyond_the_budget_is_false() -> None:
    assert exported(_many_paths)[0] == PROVED
    assert answers(exported(_many_paths)[1]) == {"unsat"}
    verdict, text = exported(_many_paths, budget=Budget(paths=10))
    assert verdict == UNKNOWN
    assert answers(text) == {"sat"}
    assert "; verdict: unknown: more than 10 paths" in text


def test_what_cannot_be_followed_is_false() -> None:
    def function() -> None:
        n = quantity("n")
        if n == 7:
            int(n)
        claim(n >= 0, "it is natural")

    verdict, text = exported(function)
    assert verdict == UNSUPPORTED
    assert answers(text) == {"sat"}


def test_a_misuse_that_somebody_catches_is_false() -> None:
    def function() -> None:
        n = quantity("n")
        try:
            hash(n)
        except Exception:
            claim(True, "nothing happened")

    verdict, text = exported(function)
    assert verdict == UNSUPPORTED
    assert answers(text) == {"sat"}


def test_a_path_that_is_not_the_same_again_is_false() -> None:
    runs = []

    def function() -> None:
        runs.append(1)
        n = quantity("n")
        if n > len(runs):
            claim(n > 0, "it is more than 0")
        claim(True, "something")

    verdict, text = exported(function)
    assert verdict == UNSUPPORTED
    assert answers(text) == {"sat"}


def test_a_solver_that_gives_up_on_a_branch_leaves_it_false(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, asked = terms.asked, []

    def gives_up(solver: Any, condition: Any) -> Any:
        asked.append(condition)
        return z3.unknown if len(asked) > 5 else real(solver, condition)

    monkeypatch.setattr("verifier.explorer.asked", gives_up)
    verdict, text = exported(_many_paths)
    assert verdict == UNKNOWN
    assert "the solver ran out of resources" in text
    assert answers(text) == {"sat"}


def test_where_nothing_is_claimed_no_file_is_unsat() -> None:
    def vacuous() -> None:
        assume(quantity("n") < 0)
        claim(False, "pigs fly")

    verdict, text = exported(vacuous)
    assert verdict == UNKNOWN
    assert answers(text) == {"sat"}


def test_a_refuted_claim_is_found_among_what_was_explored() -> None:
    def function() -> None:
        n = quantity("n")
        claim(n != 3, "it is not 3")
        for bound in range(100):
            if n == bound:
                break

    verdict, text = exported(function, budget=Budget(paths=10))
    assert verdict == REFUTED
    assert answers(text) == {"sat"}


def test_what_was_not_explored_refutes_nothing() -> None:
    def function() -> None:
        if choose("side", "ab") == "b":
            claim(quantity("n") >= 0, "it is natural")
        claim(True, "something")

    assert settle(function, budget=Budget(paths=1)).verdict == UNKNOWN


# Simplifications


def _claims_with_a_sum() -> None:
    a, b = quantity("a"), quantity("b")
    claim(a + b == b + a, "the order is all the same")


def test_every_simplification_is_a_part_of_what_has_to_hold() -> None:
    found = Explorer(Budget()).explore(_claims_with_a_sum)
    assert found.simplified
    assert len({each.get_id() for each in found.simplified}) == len(found.simplified)
    solver = z3.Solver()
    solver.add(z3.Not(z3.And(*found.simplified)))
    assert solver.check() == z3.unsat


def test_a_truth_value_that_is_wrongly_settled_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def false_claim() -> None:
        n = quantity("n")
        claim(n == n + 1, "a number is the next one")

    assert settle(false_claim).verdict == REFUTED
    monkeypatch.setattr(terms, "plain_truth", _lying_about_equality(terms.plain_truth))
    found = settle(false_claim)
    assert (found.verdict, found.detail) == (UNKNOWN, verdicts.WRONGLY_SIMPLIFIED)


def _lying_about_equality(real: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def lies(term: Any) -> Any:
        return True if z3.is_eq(term) else real(term)

    return lies


def test_a_number_that_is_wrongly_simplified_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def false_claim() -> None:
        n = quantity("n", 1)
        claim(n + n == n, "twice as many are as many")

    assert settle(false_claim).verdict == REFUTED
    real = terms.plain_number
    monkeypatch.setattr(
        terms, "plain_number", lambda term: z3.Int("n") if z3.is_add(term) else real(term)
    )
    assert settle(false_claim).verdict == UNKNOWN


def test_the_second_solver_gets_what_was_simplified(monkeypatch: pytest.MonkeyPatch) -> None:
    def false_claim() -> None:
        n = quantity("n")
        claim(n == n + 1, "a number is the next one")

    monkeypatch.setattr(terms, "plain_truth", _lying_about_equality(terms.plain_truth))
    monkeypatch.setattr(verdicts, "_follows", lambda *_: True)
    monkeypatch.setattr(verdicts, "_wrong_with_plain_numbers", lambda *_: "")
    assert settle(false_claim).verdict == PROVED, "Z3 lies about it too"
    found = settle(false_claim, confirm=True)
    assert found.verdict == UNKNOWN
    assert "cvc5 says `sat`" in found.detail


def test_a_result_is_not_that_of_a_term_which_is_no_more() -> None:
    for at in range(20):
        # A term of its own, of which only its number is left after the comparison.
        number = SymInt(z3.IntVal(10**6 + at))
        assert (number > 10**6 + 9) is (at > 9)
        del number
        gc.collect()


# Files


def _files(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in folder.iterdir()}


def test_a_file_says_what_it_is_about(tmp_path: Path) -> None:
    manner = Manner(Budget(paths=10), smtlib=str(tmp_path))
    waiting = obligations([api.property_named(LONG)])
    for each in waiting:
        settle_obligation(each, manner)
    for text in _files(tmp_path).values():
        assert f"; property: {LONG}\n; case: " in text
        (verdict,) = (line for line in text.splitlines() if line.startswith("; verdict: "))
        assert answers(text) == ({"unsat"} if verdict == "; verdict: proved" else {"sat"})
    assert any(
        "; verdict: unknown: more than 10 paths" in text for text in _files(tmp_path).values()
    )


def test_a_process_that_dies_leaves_no_file_that_says_more(tmp_path: Path) -> None:
    manner = Manner(smtlib=str(tmp_path))
    said = api.prove_all((LONG, SHORT), manner=manner, jobs=2)
    next(said)
    for child in multiprocessing.active_children():
        child.kill()
    found = [each for each in said if isinstance(each, Verdict)]
    assert any(DIED in case.detail for each in found for case in each.cases)
    texts = _files(tmp_path).values()
    assert any(DIED in text for text in texts)
    for text in texts:
        assert ("; verdict: proved" in text) == (answers(text) == {"unsat"})


def test_a_run_that_is_stopped_leaves_no_file_that_says_more(tmp_path: Path) -> None:
    manner = Manner(smtlib=str(tmp_path))
    for _ in api.prove_all((SHORT,), manner=manner):
        pass
    assert all(answers(text) == {"unsat"} for text in _files(tmp_path).values())
    with pytest.raises(Stopped):
        list(api.prove_all((SHORT,), manner=manner, stop=lambda: True))
    assert _files(tmp_path)
    for text in _files(tmp_path).values():
        assert "; verdict: unknown: it was not settled" in text
        assert answers(text) == {"sat"}


def test_a_file_of_a_member_that_was_alone_before_says_nothing_any_more(tmp_path: Path) -> None:
    members = [each for each in api.properties() if each.family is not None][:2]
    together = obligations(members)[0]
    manner = Manner(smtlib=str(tmp_path))
    settle_obligation(Obligation(together.names[:1], together.case), manner)
    (alone,) = tmp_path.iterdir()
    assert answers(alone.read_text()) == {"unsat"}
    with pytest.raises(Stopped):
        list(api.prove_all([each.name for each in members], manner=manner, stop=lambda: True))
    assert answers(alone.read_text()) == {"sat"}


def test_a_file_of_a_family_says_nothing_any_more_of_a_member_that_is_alone_now(
    tmp_path: Path,
) -> None:
    members = [each for each in api.properties() if each.family is not None][:3]
    *others, last = [each.name for each in members]
    manner = Manner(smtlib=str(tmp_path))
    together = obligations(members)[0]
    settle_obligation(together, manner)
    (file,) = tmp_path.iterdir()
    assert answers(file.read_text()) == {"unsat"}
    with pytest.raises(Stopped):
        list(api.prove_all([last], manner=manner, stop=lambda: True))
    assert f"; property: {last}\n" in file.read_text()
    assert answers(file.read_text()) == {"sat"}
    settle_obligation(Obligation((*others,), together.case), manner)
    assert answers(file.read_text()) == {"unsat"}
    with pytest.raises(Stopped):
        list(api.prove_all([last], manner=manner, stop=lambda: True))
    assert answers(file.read_text()) == {"unsat"}, "it does not name that one"


def test_an_unwritable_folder_makes_it_unknown(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    manner = Manner(smtlib=str(blocked))
    (found,) = (
        each for each in api.prove_all((SHORT,), manner=manner) if isinstance(each, Verdict)
    )
    assert found.verdict == UNKNOWN
    assert "the verifier itself failed" in found.detail


# What a proof loses on the way


def _ended(obligation: Obligation, folder: Path, **how: Any) -> tuple[str, str]:
    """The verdict with its detail, and the file, which must say the same."""
    (outcome,) = settle_obligation(obligation, Manner(smtlib=str(folder), **how))
    (text,) = _files(folder).values()
    settled = outcome.settled
    assert settled.verdict in (UNKNOWN, UNSUPPORTED)
    assert f"; verdict: {settled.verdict}" in text
    assert " ".join(settled.detail.split()) in text
    assert answers(text) == {"sat"}
    return settled.verdict, settled.detail


def _one() -> Obligation:
    return obligations([api.property_named(LONG)])[-1]


def _broken(*_: Any) -> Any:
    raise z3.Z3Exception("the solver is gone")


def test_z3_lost_on_a_branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.explorer.asked", _broken)
    assert "the solver is gone" in _ended(_one(), tmp_path)[1]


def test_z3_lost_while_simplifying_though_somebody_catches_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: dict[str, Property]
) -> None:
    def catches_all() -> None:
        n = quantity("n")
        try:
            claim(n + 1 > 0, "it is more than 0")
        except Exception:
            claim(True, "nothing happened")

    obligation = _register(table, "catches_all", catches_all)
    monkeypatch.setattr(terms, "total", _broken)
    assert "the solver is gone" in _ended(obligation, tmp_path)[1]


def test_z3_lost_on_the_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "_judge", _broken)
    assert "the solver is gone" in _ended(_one(), tmp_path)[1]


def test_the_second_solver_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "second_opinion", _broken)
    assert "cvc5 gives no answer" in _ended(_one(), tmp_path, confirm=True)[1]


def test_the_second_solver_missing_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    files: list[str] = []
    with monkeypatch.context() as gone:
        gone.setitem(sys.modules, "cvc5", None)
        function = function_of(_one())
        found = settle(function, confirm=True, export=files.append)
    assert found.verdict == UNKNOWN
    assert "cvc5 gives no answer: ModuleNotFoundError" in found.detail
    assert f"; verdict: unknown: {found.detail}" in files[0]
    assert answers(files[0]) == {"sat"}


def test_half_of_the_paths_lost(tmp_path: Path) -> None:
    obligation = obligations([api.property_named(LONG)])[-1]
    assert "more than 10 paths" in _ended(obligation, tmp_path, budget=Budget(paths=10))[1]


@pytest.mark.parametrize("kind", ["unreadable", "cut in the middle", "a folder in its place"])
def test_a_cache_that_is_lost_is_no_verdict(tmp_path: Path, kind: str) -> None:
    kept = Kept(tmp_path)
    manner = Manner()
    assert [each.verdict for each in _verdicts(kept, manner)] == [PROVED]
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        if kind == "unreadable":
            file.chmod(0)
        elif kind == "cut in the middle":
            file.write_bytes(content[: len(content) // 2])
        else:
            file.unlink()
            file.mkdir()
    again = _verdicts(Kept(tmp_path), manner)
    assert [each.verdict for each in again] == [PROVED]
    if kind != "unreadable":  # Root reads everything.
        assert not again[0].from_kept


def _verdicts(kept: Kept, manner: Manner) -> list[Verdict]:
    said = api.prove_all((SHORT,), manner=manner, kept=kept)
    return [each for each in said if isinstance(each, Verdict)]


def test_a_file_of_what_nobody_knows_is_never_unsat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A property with a claim that no path gets to is unknown, whatever its certificate says."""
    monkeypatch.setattr("verifier.api._with_every_line", _never_claimed)
    name = "the_bank_never_runs_dry"
    (found,) = (
        each
        for each in api.prove_all([name], manner=Manner(smtlib=str(tmp_path)))
        if isinstance(each, Verdict)
    )
    assert found.verdict == UNKNOWN
    (file,) = tmp_path.iterdir()
    assert f"verdict: unknown: {name}: no path gets to it" in file.read_text()
    assert _z3_says(file.read_text()) == z3.sat


def _never_claimed(_: object, last: verdicts.Settled) -> verdicts.Settled:
    return verdicts.Settled(UNKNOWN, "no path gets to it", paths=last.paths)


def _z3_says(text: str) -> Any:
    solver = z3.Solver()
    solver.from_string(text)
    return solver.check()


def test_a_file_says_checked_of_what_is_not_proved() -> None:
    files: list[str] = []
    settle(lambda: claim(choose("letter", "abc") in "abc", "it is a letter"), export=files.append)
    settle(lambda: claim(quantity("n") + 1 > 0, "it is more than 0"), export=files.append)
    words = [each.partition("\n")[0] for each in files]
    assert words == ["; verdict: checked", "; verdict: proved"]
