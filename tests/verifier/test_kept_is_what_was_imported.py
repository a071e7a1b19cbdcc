"""A kept proof belongs to the code that was imported, whatever happens to the files meanwhile."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import py_compile
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rules_engine.imperium import combat, intrigue
from rules_engine.imperium.state import State
from rules_engine.kernel import numbers
from rules_engine.kernel.records import change
from tests.verifier.planted_project import ADDING, plant, prove_in
from verifier.dependencies import LIBRARIES, files_digest, versions
from verifier.described import described
from verifier.kept import Kept
from verifier.obligations import Manner, obligations, settle_obligation
from verifier.registry import registered
from verifier.sources import ENGINE, VERIFIER, Sources, imported, process_began
from verifier.verdicts import PROVED, Settled

IN_MEMORY = "the_maker_spaces_are_these_three"
"""A property that is settled in a moment."""

RULE = (
    "rules_engine/imperium/planted_rules.py",
    "return count_true((other > n,))",
    "return count_true((other >= n,))",
)
"""A change of a rule under which the planted property does not hold."""
KERNEL = ("rules_engine/kernel/numbers.py", "pick(condition, 1, 0)", "pick(condition, 1 + 1, 0)")
"""A change of what counts as a whole under which it does not hold either."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the engine and the verifier that may be edited."""
    return plant(tmp_path)


def _edit(edit: tuple[str, str, str]) -> str:
    """The lines that make an edit."""
    file, old, new = edit
    return f"file = Path({file!r}); file.write_text(file.read_text().replace({old!r}, {new!r}))"


def _undo(edit: tuple[str, str, str]) -> str:
    file, old, new = edit
    return _edit((file, new, old))


def test_a_proof_is_kept_while_nothing_changes(project: Path) -> None:
    assert prove_in(project) == "proved False"
    assert prove_in(project) == "proved True"


def test_the_proofs_of_other_processes_are_kept(project: Path) -> None:
    assert prove_in(project, jobs=2) == "proved False"
    assert prove_in(project) == "proved True"


def test_who_plays_games_beside_it_finds_what_is_kept(project: Path) -> None:
    games = "import rules_engine.imperium.soak"
    assert prove_in(project, before=games, jobs=2) == "proved False"
    assert prove_in(project) == "proved True"
    assert prove_in(project, before=games) == "proved True"


@pytest.mark.parametrize("edit", [RULE, KERNEL], ids=["rule", "kernel"])
def test_a_file_saved_while_a_proof_runs_keeps_nothing(
    project: Path, edit: tuple[str, str, str]
) -> None:
    assert prove_in(project, meanwhile=_edit(edit)) == "proved False"
    assert prove_in(project) == "refuted False"


@pytest.mark.parametrize("edit", [RULE, KERNEL], ids=["rule", "kernel"])
def test_a_file_saved_before_the_other_processes_start_keeps_nothing(
    project: Path, edit: tuple[str, str, str]
) -> None:
    exec(_edit(edit).replace("Path(", f"Path({str(project)!r}, "), {"Path": Path})
    found = prove_in(project, jobs=2, meanwhile=_undo(edit), afterwards=_edit(edit))
    assert found == "proved False", "the processes import what is right"
    assert prove_in(project) == "refuted False"


SECOND = 10**9
STALE = {
    "within a second": (SECOND // 2, py_compile.PycInvalidationMode.TIMESTAMP),
    "at the same time": (0, py_compile.PycInvalidationMode.TIMESTAMP),
    "at any time": (-60 * SECOND, py_compile.PycInvalidationMode.UNCHECKED_HASH),
}
"""How much later a text is edited of which there is a compiled file, and how Python takes that."""
OF_THE_SAME_SIZE = {
    "rule": (RULE[0], "other > n", "other < n"),
    "kernel": (KERNEL[0], "pick(condition, 1, 0)", "pick(condition, 2, 0)"),
}


@pytest.mark.parametrize("when", STALE)
@pytest.mark.parametrize("edit", OF_THE_SAME_SIZE)
def test_what_runs_as_another_text_is_not_proved(project: Path, edit: str, when: str) -> None:
    """Python takes a compiled file for that of a text of the same size and second."""
    later, mode = STALE[when]
    name, old, new = OF_THE_SAME_SIZE[edit]
    source = project / name
    second = source.stat().st_mtime_ns // SECOND * SECOND
    os.utime(source, ns=(second, second))
    compiled = py_compile.compile(str(source), doraise=True, invalidation_mode=mode)
    _change(source, old, new)
    os.utime(source, ns=(second, second + later))
    assert prove_in(project) == "unsupported False", "Python runs what is no longer there"
    Path(str(compiled)).unlink()
    assert prove_in(project) == "refuted False"


# What a rule looks up elsewhere


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which everything that adds three is proved and kept."""
    made = plant(tmp_path_factory.mktemp("proved"))
    names = [f"{name}_adds_three" for name in ADDING]
    assert {*prove_in(made, *names).splitlines()} == {"proved False"}
    assert {*prove_in(made, *names).splitlines()} == {"proved True"}
    return made


ELSEWHERE = {
    "default": ("LIMIT = 3", "LIMIT = 4"),
    "keyword": ("LIMIT = 3", "LIMIT = 4"),
    "module": ("TOPMOST = 3", "TOPMOST = 4"),
    "worked_out": ("return 1 + 2", "return 2 + 2"),
    "attribute": ("class Costs:\n    SEAT = 3", "class Costs:\n    SEAT = 4"),
    "inner_class": ("        SEAT = 3", "        SEAT = 4"),
    "own_class": ("LIMIT = 3", "LIMIT = 4"),
    "enum": ("FIRST = 3", "FIRST = 4"),
    "closure": ("LIMIT = 3", "LIMIT = 4"),
    "wrapped": ("return rule(n) + 3", "return rule(n) + 4"),
    "called": ("return n + 3", "return n + 4"),
}
"""For each rule a change of another module under which it adds something else."""


@pytest.mark.parametrize("rule", ADDING)
def test_a_change_elsewhere_is_noticed(proved: Path, tmp_path: Path, rule: str) -> None:
    project = shutil.copytree(proved, tmp_path / "project")
    _change(project / "rules_engine" / "imperium" / "planted_values.py", *ELSEWHERE[rule])
    assert prove_in(project, f"{rule}_adds_three") == "refuted False"


def test_a_changed_function_leaves_alone_what_does_not_run_it(proved: Path, tmp_path: Path) -> None:
    project = shutil.copytree(proved, tmp_path / "project")
    values = project / "rules_engine" / "imperium" / "planted_values.py"
    _change(values, *ELSEWHERE["called"])
    names = [f"{name}_adds_three" for name in ADDING if name != "called"]
    assert {*prove_in(project, *names).splitlines()} == {"proved True"}


def test_what_goes_by_the_order_of_a_set_is_never_proved(project: Path) -> None:
    """The order of text in a set is another one in the next process."""
    found = {prove_in(project, "unordered_adds_three", seed=seed) for seed in ("0", "1", "2", "3")}
    assert found == {"unsupported False", "refuted False"}


def _change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


# What is in memory is not what the files say


LARGER = "larger_is_the_smaller_one"

POISON = {
    "the code of another function": "numbers.larger.__code__ = numbers.smaller.__code__",
    "code from elsewhere": "def larger(a, b): return a\nnumbers.larger.__code__ = larger.__code__",
    "another function": "numbers.larger = numbers.smaller",
    "a function from elsewhere": "numbers.larger = lambda a, b: a",
}


@pytest.mark.parametrize("how", POISON)
@pytest.mark.parametrize("when", ["before", "first"])
def test_what_was_replaced_before_the_first_proof_keeps_nothing(
    project: Path, how: str, when: str
) -> None:
    poison = f"from rules_engine.kernel import numbers\n{POISON[how]}"
    before, first = (poison, "") if when == "before" else ("", poison)
    found = prove_in(project, LARGER, before=before, first=first)
    assert found == "proved False", "of what is in memory"
    assert prove_in(project, LARGER) == "refuted False"


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """An empty folder of proofs."""
    return Kept(tmp_path)


def _is_kept(kept: Kept) -> bool:
    """Whether the property is kept when it is proved now."""
    waiting = obligations([registered()[IN_MEMORY]])[:1]
    (outcome,) = settle_obligation(waiting[0], Manner())
    assert outcome.settled.verdict == PROVED
    kept.keep(outcome, Manner())
    return bool(kept.find(waiting, Manner()))


def test_what_is_in_memory_is_kept(kept: Kept) -> None:
    assert _is_kept(kept)


PATCHES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "function": lambda patch: patch.setattr(combat, "_above", lambda *_: 0),
    "function of the kernel": lambda patch: patch.setattr(numbers, "count_true", len),
    "code": lambda patch: patch.setattr(combat._above, "__code__", (lambda *_: 0).__code__),
    "default": lambda patch: patch.setattr(numbers.most, "__defaults__", ((),)),
    "method": lambda patch: patch.setattr(State, "__str__", lambda _: "the state"),
    "table": lambda patch: patch.setitem(intrigue.TIMING, "never", ()),
}


@pytest.mark.parametrize("how", PATCHES)
def test_nothing_is_kept_or_found_once_something_was_replaced(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    waiting = obligations([registered()[IN_MEMORY]])[:1]
    assert _is_kept(kept)
    PATCHES[how](monkeypatch)
    assert kept.find(waiting, Manner()) == {}
    (outcome,) = settle_obligation(waiting[0], Manner())
    assert outcome.everything_else == ""
    monkeypatch.undo()
    assert kept.find(waiting, Manner()) != {}
    kept.folder = kept.folder / "another"
    proved = change(outcome, settled=Settled(PROVED, paths=1))
    kept.keep(proved, Manner())
    assert kept.find(waiting, Manner()) == {}


# What counts


def test_files_of_one_name_in_two_folders_do_not_change_places(tmp_path: Path) -> None:
    one, other = tmp_path / "a" / "x.toml", tmp_path / "b" / "x.toml"
    for file in (one, other):
        file.parent.mkdir()
    one.write_text("1")
    other.write_text("2")
    before = files_digest((tmp_path,), Sources((tmp_path,), 0.0))
    one.write_text("2")
    other.write_text("1")
    assert files_digest((tmp_path,), Sources((tmp_path,), 0.0)) != before


def test_text_does_not_move_from_one_file_to_the_next(tmp_path: Path) -> None:
    one, other = tmp_path / "a.toml", tmp_path / "b.toml"
    one.write_text("b.tomlx")
    other.write_text("")
    before = files_digest((tmp_path,), Sources((tmp_path,), 0.0))
    one.write_text("")
    other.write_text("b.tomlx")
    assert files_digest((tmp_path,), Sources((tmp_path,), 0.0)) != before


def test_every_kind_of_file_counts() -> None:
    kinds = {path.suffix for path in imported().content}
    assert {".py", ".toml", ".jsonl", ".lark"} <= kinds


TOUCHES: dict[str, Callable[[Path], object]] = {
    "written": lambda file: file.write_text("2"),
    "put in its place": lambda file: os.replace(shutil.copy(file, f"{file}.new"), file),
    "removed": lambda file: file.unlink(),
}


@pytest.mark.parametrize("how", TOUCHES)
def test_a_file_that_was_touched_is_noticed(tmp_path: Path, how: str) -> None:
    file = tmp_path / "rule.py"
    file.write_text("1")
    files = Sources((tmp_path,), time.time() + 1)
    assert files.are_as_imported()
    TOUCHES[how](file)
    assert not files.are_as_imported()


def test_a_file_that_was_saved_between_start_and_import_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "rule.py").write_text("1")
    assert not Sources((tmp_path,), time.time() - 1).are_as_imported()


def test_the_process_began_before_now_and_after_its_parent() -> None:
    code = "from verifier.sources import process_began; print(process_began())"
    before = time.time()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert process_began() <= before - 0.1
    assert before - A_TICK <= float(done.stdout) <= time.time()


A_TICK = 0.05


def test_every_library_that_a_proof_runs_counts() -> None:
    names = {
        each.partition(".")[0]
        for folder in (ENGINE, VERIFIER)
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for each in _imported_by(node)
    }
    own = {"rules_engine", "verifier", *sys.stdlib_module_names}
    # The one that says where a user's cache is takes no part in a proof.
    libraries = names - own - {"platformdirs"}
    assert libraries == {"z3", "cvc5", "msgspec", "lark"}
    assert {"z3-solver", "cvc5", "msgspec", "lark"} == {*LIBRARIES}


def _imported_by(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [each.name for each in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case _:
            return []


@pytest.mark.parametrize("library", LIBRARIES)
def test_another_version_of_a_library_is_something_else(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [*versions()]
    known = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: "0" if name == library else known(name)
    )
    assert [*versions()] != before


def test_another_order_of_sets_is_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    at_random = [*versions()]
    monkeypatch.setenv("PYTHONHASHSEED", "random")
    assert [*versions()] == at_random
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    assert [*versions()] != at_random


def test_functions_without_a_name_are_told_apart() -> None:
    def times(factor: int) -> Callable[[int], int]:
        return lambda number: number * factor

    assert described(times(2)) == described(times(2))
    assert described(times(2)) != described(times(3))
    assert described({"a": lambda: 1, "b": lambda: 2}) != described(
        {"a": lambda: 2, "b": lambda: 1}
    )
