"""What decides what code does counts for a kept proof, and what does not leaves it alone."""

from __future__ import annotations

import os
import types
from pathlib import Path

import pytest

from tests.verifier.planted_project import NAME
from verifier.described import code_in_words
from verifier.kept import Kept
from verifier.obligations import Manner, Obligation, Outcome
from verifier.sources import Sources
from verifier.texts import is_of_the_text
from verifier.verdicts import PROVED, Settled

DIFFERENT = {
    "text in a generator": (
        'def f(xs): return sum(1 for x in xs if x == "worm")',
        'def f(xs): return sum(1 for x in xs if x == "troop")',
    ),
    "text in a list": (
        'def f(xs): return [x.get("a") for x in xs]',
        'def f(xs): return [x.get("b") for x in xs]',
    ),
    "text in a set": (
        'def f(xs): return {("a" + x) for x in xs}',
        'def f(xs): return {("b" + x) for x in xs}',
    ),
    "text in a table": (
        'def f(xs): return {"a": x for x in xs}',
        'def f(xs): return {"b": x for x in xs}',
    ),
    "text in a function without a name": (
        'def f(): return lambda: "a"',
        'def f(): return lambda: "b"',
    ),
    "docstring that is also used": (
        'def f():\n    "a"\n    return "a"',
        'def f():\n    "b"\n    return "b"',
    ),
    "docstring that is also a name of arguments": (
        'def f(g):\n    "a"\n    return g("a")',
        'def f(g):\n    "b"\n    return g("b")',
    ),
    "what an exception ends": (
        "def f(g, h):\n    try:\n        a = g()\n        b = h()\n"
        "    except ValueError:\n        return 1\n    return 2",
        "def f(g, h):\n    try:\n        a = g()\n"
        "    except ValueError:\n        return 1\n    else:\n        b = h()\n    return 2",
    ),
    "any number of arguments": ("def f(*xs): return len(xs)", "def f(xs): return len(xs)"),
    "any arguments by name": ("def f(**xs): return len(xs)", "def f(xs): return len(xs)"),
    "only by name": ("def f(a, *, b): return a - b", "def f(a, b): return a - b"),
    "never by name": ("def f(a, /, b): return a - b", "def f(a, b): return a - b"),
    "inside another": (
        "def f():\n    def g(*xs): return len(xs)\n    return g",
        "def f():\n    def g(xs): return len(xs)\n    return g",
    ),
}
"""Two functions that do different things."""

SAME = {
    "docstring": ('def f():\n    "a"\n    return 1', 'def f():\n    "b"\n    return 1'),
    "docstring of one inside": (
        'def f():\n    def g():\n        "a"\n        return 1\n    return g',
        'def f():\n    def g():\n        "b"\n        return 1\n    return g',
    ),
    "place": ("def f(): return 1", "\n\n\n# later\ndef f():\n\n    return 1"),
}
"""Two functions that do the same."""


def _code(text: str) -> types.CodeType:
    made = compile(text, "a file", "exec", dont_inherit=True)
    return next(each for each in made.co_consts if isinstance(each, types.CodeType))


@pytest.mark.parametrize("how", DIFFERENT)
def test_code_that_does_something_else_is_told_apart(how: str) -> None:
    one, other = map(_code, DIFFERENT[how])
    assert code_in_words(one) != code_in_words(other)


@pytest.mark.parametrize("how", SAME)
def test_code_that_does_the_same_is_not(how: str) -> None:
    one, other = map(_code, SAME[how])
    assert code_in_words(one) == code_in_words(other)


def test_a_function_of_a_file_without_annotations_as_text_is_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a file imports from the future is not handed on to others."""
    monkeypatch.setattr("verifier.texts.imported", lambda: Sources((tmp_path,), 0.0))
    file = tmp_path / "rule.py"
    file.write_text("def f(): return 1\n")
    held: dict[str, types.FunctionType] = {}
    exec(compile(file.read_text(), str(file), "exec", dont_inherit=True), held)
    assert is_of_the_text(held["f"].__code__)


# Files


def test_a_folder_of_data_elsewhere_is_read(tmp_path: Path) -> None:
    top, data = tmp_path / "top", tmp_path / "data"
    top.mkdir()
    data.mkdir()
    (data / "cards.toml").write_text("1")
    (top / "catalogue").symlink_to(data)
    (data / "round").symlink_to(top)
    found = Sources((top,), 0.0)
    assert [*found.content.values()] == [b"1"]
    assert [*found.content] == [top / "catalogue" / "cards.toml"]


def test_two_folders_with_the_same_data_are_both_read(tmp_path: Path) -> None:
    top, data = tmp_path / "top", tmp_path / "data"
    top.mkdir()
    data.mkdir()
    (data / "cards.toml").write_text("1")
    for name in ("one", "other"):
        (top / name).symlink_to(data)
    assert [each.parent.name for each in Sources((top,), 0.0).content] == ["one", "other"]


def test_nothing_is_left_behind_where_nothing_can_be_kept(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    obligation = Obligation((NAME,), "")
    kept._file(obligation).mkdir()
    (kept._file(obligation) / "in its place").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("verifier.kept._is_of_this_code", lambda _: True)
        kept.keep(Outcome(obligation, Settled(PROVED), {"a": "b"}), Manner())
    assert os.listdir(tmp_path) == [kept._file(obligation).name]
