"""`truthsayer explain` has the paragraph of every code, at any width."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from truthsayer.cli import main
from truthsayer.codes import CODES


def explain(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments], env=environment)


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained_in_its_own_words(code: str) -> None:
    said = explain(code)
    head, blank, *lines = said.stdout.splitlines()
    assert (head, blank) == (f"{code}: {CODES[code].title}", "")
    assert " ".join(line.strip() for line in lines) == CODES[code].text
    assert said.exit_code == 0


@pytest.mark.parametrize(("columns", "widest"), [(40, 40), (80, 80), (300, 100)])
def test_lines_fit_the_terminal_and_are_never_too_long(columns: int, widest: int) -> None:
    lengths = [len(line) for line in explain("TS0107", COLUMNS=str(columns)).stdout.splitlines()]
    assert widest - 20 < max(lengths) <= widest


def test_a_code_is_found_however_it_is_written() -> None:
    assert explain("ts0104").stdout == explain("TS0104").stdout


def test_without_a_code_all_are_listed() -> None:
    listed = [tuple(line.split("  ")) for line in explain().stdout.splitlines()]
    assert listed == [(code, title) for code, (title, _) in CODES.items()]


def test_json_has_the_same() -> None:
    assert json.loads(explain("TS0104", "--json").stdout) == {
        "code": "TS0104",
        **CODES["TS0104"]._asdict(),
    }
    codes = json.loads(explain("--json").stdout)["codes"]
    assert [each["code"] for each in codes] == list(CODES)


@pytest.mark.parametrize(
    ("code", "help_"),
    [
        ("TS104", "did you mean `TS0104`?"),
        ("TS0O104", "did you mean `TS0104`?"),
        ("xyzzy", "`truthsayer explain` lists them all"),
        ("", "`truthsayer explain` lists them all"),
        ("T" * 20_000, "`truthsayer explain` lists them all"),
    ],
)
def test_a_code_that_is_none_is_told(code: str, help_: str) -> None:
    said = explain(code)
    assert said.exit_code == 2
    assert said.stderr.startswith("TS0717: no error code `")
    assert said.stderr.endswith(f"  help: {help_}\n")
    assert said.stdout == ""
