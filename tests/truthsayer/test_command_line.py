"""Every command says the same, byte for byte, whether it answers itself or asks a server."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tests.samples import HOLDS
from tests.server.running import server_in_thread
from truthsayer.cli import COMMANDS, main

ASKS = """\
scenario "Can Abby ride a worm into Arrakeen?"
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given Abby has maker hooks
  and the shield wall stands
ask can Abby summon a sandworm
ask what can Abby do
"""
FOR_ANY = """\
scenario "A tie for first gives each tied player the second reward"
cites UPR-COMBAT-016
game uprising with John, Abby, Ned
for any j, a, n from 0
where j = a and j > 0 and j > n
given strength of John is j, Abby is a, Ned is n
when combat resolves
then John gains the second reward
"""
FILES = {
    "holds.scenario": HOLDS,
    "fails.scenario": HOLDS.replace("gains 1 spice", "gains 2 spice").replace("JOHN-1", "JOHN-2"),
    "twice.scenario": HOLDS,
    "typo.scenario": HOLDS.replace("when John", "whenn John"),
    "place.scenario": HOLDS.replace("to Imperial Basin", "to Imperial Basen"),
    "rule.scenario": HOLDS.replace("UPR-UNIT-013", "UPR-UNIT-0013"),
    "troops.scenario": HOLDS.replace("has 3 troops", "has 13 troops"),
    "asks.scenario": ASKS,
    "any.scenario": FOR_ANY,
    "loose.scenario": HOLDS.replace("  and John", "and    John"),
    "empty.scenario": "",
    "blank.scenario": "\n\n",
    "long.scenario": f'scenario "A"\nwhen {"x" * 20_000} passes\n',
    "late.scenario": f'scenario "A"\nwhen {"John " * 4_000} passes\n',
    "list.txt": "holds.scenario\n\nfails.scenario\n",
    "odd.scenario": 'scenario "\x1b[31mred\tä"\n\x07 nonsense\n',
}
BINARY = {
    "binary.scenario": b"\x7fELF\x02\x01\x00\xff\xfe",
    "latin.scenario": 'scenario "Ä"\n# über'.encode("latin-1"),
    "bom.scenario": b"\xef\xbb\xbf" + HOLDS.encode(),
    "lines.scenario": HOLDS.replace("\n", "\r\n").encode(),
    "other.txt": b"holds.scenario\0any.scenario\0",
}
PROPERTY = "the_endgame_comes_with_ten_points_or_without_conflicts"


class Said(NamedTuple):
    """What a command said and did."""

    exit_code: int
    stdout: str
    stderr: str
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that answers during this module."""
    with server_in_thread() as found:
        yield found


def run(folder: Path, *arguments: str) -> Said:
    """Run a command in a folder of its own with all our files."""
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_bytes(text.encode())
    for name, data in BINARY.items():
        (folder / name).write_bytes(data)
    (folder / "nothing").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        result = CliRunner().invoke(main, arguments, prog_name="truthsayer")
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return Said(result.exit_code, result.stdout, result.stderr, files)


CASES: list[tuple[int, str]] = [
    (0, "check holds.scenario"),
    (0, "check holds.scenario --json"),
    (0, "check any.scenario"),
    (0, "check --vacuity holds.scenario any.scenario"),
    (1, "check --vacuity --json fails.scenario"),
    (0, "check bom.scenario"),
    (0, "check lines.scenario"),
    (1, "check fails.scenario"),
    (1, "check fails.scenario holds.scenario --json --junit out.xml"),
    (2, "check fails.scenario place.scenario --junit out.xml"),
    (2, "check holds.scenario --junit missing/out.xml"),
    (2, "check binary.scenario fails.scenario place.scenario --sarif out.sarif"),
    (2, "check odd.scenario late.scenario --sarif out.sarif --annotations github"),
    (2, "check holds.scenario --sarif missing/out.sarif"),
    (2, "check holds.scenario --annotations gitlab"),
    (1, "check fails.scenario --json --annotations github"),
    (2, "check holds.scenario twice.scenario"),
    (2, "check typo.scenario"),
    (2, "check place.scenario"),
    (2, "check rule.scenario"),
    (2, "check troops.scenario"),
    (2, "check empty.scenario"),
    (2, "check blank.scenario"),
    (2, "check odd.scenario --junit out.xml"),
    (2, "check binary.scenario"),
    (2, "check latin.scenario"),
    (2, "check binary.scenario fails.scenario latin.scenario"),
    (2, "check binary.scenario fails.scenario latin.scenario --json --junit out.xml"),
    (2, "check long.scenario late.scenario"),
    (2, "check missing.scenario"),
    (2, f"check {'x' * 5_000}"),
    (2, "check nothing"),
    (1, "check --files-from list.txt"),
    (0, "check asks.scenario --files-from other.txt"),
    (2, "check --files-from empty.scenario"),
    (2, "check --files-from missing.txt"),
    (2, "check --files-from nothing"),
    (2, "check --files-from typo.scenario"),
    (2, "check --nonsense"),
    (0, "ask asks.scenario"),
    (2, "ask holds.scenario"),
    (2, "ask typo.scenario"),
    (2, "ask empty.scenario"),
    (2, "ask long.scenario"),
    (2, "ask binary.scenario"),
    (2, "ask missing.scenario"),
    (2, "ask"),
    (0, "ask asks.scenario --json"),
    (2, "ask holds.scenario --most 3"),
    (2, "ask asks.scenario --product uprising"),
    (2, "ask nothing"),
    (0, "ask worm"),
    (0, "ask worm --json"),
    (0, "ask spies --most 1"),
    (0, "ask foldspace --product base"),
    (0, "ask rival --product hagal --json"),
    (0, "ask UPR-WALL-003"),
    (0, 'ask "wall"*:^OR(NEAR'),
    (1, "ask xyzzy"),
    (1, "ask xyzzy --json"),
    (2, "ask can"),
    (2, "ask ?"),
    (2, 'ask "'),
    (2, f"ask {'worm' * 200}"),
    (2, "ask worm --product chess"),
    (2, f"ask worm --product {'x' * 5_000}"),
    (2, "ask worm --most 0"),
    (2, "ask worm --most 1000000"),
    (0, "fmt holds.scenario"),
    (0, "fmt --check holds.scenario"),
    (0, "fmt loose.scenario"),
    (0, "fmt lines.scenario bom.scenario"),
    (1, "fmt --check loose.scenario holds.scenario"),
    (2, "fmt typo.scenario loose.scenario"),
    (2, "fmt --check long.scenario late.scenario"),
    (2, "fmt latin.scenario"),
    (2, "fmt missing.scenario"),
    (2, "fmt"),
    (0, "rules"),
    (0, "rules UPR-WALL-003"),
    (0, "rules UPR-AGENT-001"),
    (0, "rules --search wall"),
    (1, "rules --search xyzzy"),
    (2, "rules UPR-WALL-03"),
    (2, f"rules {'U' * 20_000}"),
    (2, f"rules --search {'wall' * 200}"),
    (0, "rules --search wall --json"),
    (0, "rules --search troops --product base --most 2"),
    (0, "rules UPR-WALL-003 --json"),
    (1, "rules --search xyzzy --json"),
    (2, "rules --search the"),
    (2, "rules --search wall --product chess"),
    (2, "rules --product base"),
    (2, "rules UPR-WALL-003 --search wall"),
    (0, "prove --list"),
    (0, f"prove {PROPERTY} --no-times"),
    (0, f"prove {PROPERTY} --json --no-times"),
    (2, "prove nonsense"),
    (2, f"prove {'x' * 20_000}"),
    (2, f"prove {PROPERTY} nonsense --json"),
    (2, "prove --list nonsense"),
]


@pytest.mark.parametrize(
    ("exit_code", "command"), CASES, ids=[command[:60] for _, command in CASES]
)
def test_both_ways_say_the_same(exit_code: int, command: str, address: str, tmp_path: Path) -> None:
    here = run(tmp_path / "here", *command.split())
    there = run(tmp_path / "there", *command.split(), "--server", address)
    assert here == there
    assert here.exit_code == exit_code, here
    assert "Traceback" not in here.stdout + here.stderr
    assert "TS0710" not in here.stderr
    if exit_code == 2:
        assert "TS0" in here.stdout + here.stderr or "Usage:" in here.stderr
    assert not [name for name in here.files if name.startswith(".")]


def test_the_report_has_the_keys_that_were_promised(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "check", "holds.scenario", "fails.scenario", "--json")
    report = json.loads(said.stdout)
    assert list(report) == ["scenarios", "passed", "failed", "errors", "lines_tried", "results"]
    assert [report[key] for key in list(report)[:4]] == [2, 1, 1, 0]
    first, second = report["results"]
    assert {"id", "file", "line", "verdict", "rules"} <= set(first)
    assert (first["id"], first["file"], first["line"]) == ("JOHN-1", "holds.scenario", 1)
    assert (first["verdict"], first["rules"]) == ("passed", ["UPR-UNIT-013"])
    assert (second["verdict"], second["problems"][0]["line"]) == ("failed", 13)


def test_the_report_has_what_one_would_see(tmp_path: Path) -> None:
    command = ("check", "holds.scenario", "place.scenario")
    said = run(tmp_path / "a", *command, "--json")
    holds, place = json.loads(said.stdout)["results"]
    assert holds["report"] == "passed: John fights as hard as he can"
    assert place["problems"][0]["text"] == FILES["place.scenario"].splitlines()[11]
    shown = "".join(f"  {line}\n" for line in place["report"].splitlines())
    assert "TS0104: no space `Imperial Basen`" in shown
    assert shown in run(tmp_path / "b", *command).stdout


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\0"])
def test_paths_are_taken_from_standard_input(end: bytes, tmp_path: Path) -> None:
    names = ["a.scenario", "b c.scenario", *(["two\nlines.scenario"] if end == b"\0" else [])]
    for number, name in enumerate(names):
        (tmp_path / name).write_text(HOLDS.replace("JOHN-1", f"JOHN-{number}"), "utf-8")
    given = b"".join(os.fsencode(tmp_path / name) + end for name in names)
    result = CliRunner().invoke(main, ["check", "--files-from", "-", "--json"], input=given)
    assert result.exit_code == 0
    shown = [each["file"] for each in json.loads(result.stdout)["results"]]
    assert shown == [str(tmp_path / name) for name in names]


def test_a_list_without_paths_does_not_mean_the_library() -> None:
    result = CliRunner().invoke(main, ["check", "--files-from", "-"], input=b"\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("TS0702: no path in standard input\n  help: ")


def test_proofs_have_the_keys_that_were_promised(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "prove", PROPERTY, "--json", "--no-times")
    (only,) = json.loads(said.stdout)["properties"]
    wanted = {
        "name",
        "kind",
        "rules",
        "verdict",
        "confirmed",
        "covers",
        "paths",
        "seconds",
        "cases",
    }
    assert wanted <= set(only)
    assert (only["name"], only["verdict"], only["seconds"]) == (PROPERTY, "proved", 0)


def test_a_failure_shows_place_line_and_rule(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "check", "fails.scenario")
    assert "fails.scenario:13:6: TS0120: " in said.stdout
    assert "| then John gains 2 spice\n      |      ^\n" in said.stdout
    assert "rule: UPR-" in said.stdout
    assert said.stdout.endswith("1 scenario, 0 passed, 1 failed, 0 errors\n")


def test_the_junit_report_names_what_failed(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "check", "holds.scenario", "odd.scenario", "--junit", "out.xml")
    suites = ElementTree.fromstring(said.files["out.xml"])
    counts = [(suite.get("tests"), suite.get("errors")) for suite in suites]
    assert counts[0] == ("1", "0")
    assert counts[1] == ("1", "1")


def test_a_file_that_cannot_be_read_is_an_error_among_the_others(tmp_path: Path) -> None:
    command = ("check", "latin.scenario", "holds.scenario", "--junit", "out.xml")
    said = run(tmp_path / "a", *command, "--json")
    assert said.exit_code == 2
    report = json.loads(said.stdout)
    assert [report[key] for key in list(report)[:4]] == [2, 1, 0, 1]
    bad, good = report["results"]
    assert (bad["id"], bad["file"], bad["verdict"]) == ("latin", "latin.scenario", "error")
    assert (bad["problems"][0]["code"], bad["problems"][0]["line"]) == ("TS0704", 1)
    assert good["verdict"] == "passed"
    suites = ElementTree.fromstring(said.files["out.xml"])
    assert [suite.get("errors") for suite in suites] == ["1", "0"]
    assert "TS0704" in run(tmp_path / "b", *command).stdout


def test_a_mistake_late_in_a_long_line_is_pointed_at(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "fmt", "--check", "late.scenario")
    place, line, caret, *_ = said.stderr.splitlines()
    column = int(place.split(":")[2])
    assert len(line) <= 104
    whole = FILES["late.scenario"].splitlines()[1]
    assert line[caret.index("^") :].startswith(whole[column - 1 :][:4])


def test_formatting_keeps_a_file_with_a_mistake(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "fmt", "typo.scenario", "loose.scenario")
    assert said.files["typo.scenario"] == FILES["typo.scenario"].encode()
    assert said.files["loose.scenario"] == HOLDS.encode()


def test_formatting_keeps_the_permissions(tmp_path: Path) -> None:
    file = tmp_path / "loose.scenario"
    file.write_text(FILES["loose.scenario"], encoding="utf-8")
    file.chmod(0o640)
    assert CliRunner().invoke(main, ["fmt", str(file)]).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o640
    assert file.read_text(encoding="utf-8") == HOLDS


def test_whoever_asks_for_a_property_that_is_none_is_told_how_to_list_them(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "prove", "xyzzy")
    assert "`truthsayer prove --list`" in said.stderr
    assert run(tmp_path / "b", "prove", "--list").exit_code == 0


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "rules", "UPR-WALL-003", "--server", "127.0.0.1:1")
    assert said.exit_code == 2
    assert said.stderr.startswith("TS0707: no service answers at `127.0.0.1:1`\n  help: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_teaches(command: str, tmp_path: Path) -> None:
    said = run(tmp_path / "a", command, "--help")
    assert said.exit_code == 0
    assert f"truthsayer {command}" in said.stdout.split("Options:")[0].split("\n", 1)[1]


def test_the_help_lists_every_command(tmp_path: Path) -> None:
    said = run(tmp_path / "a", "--help")
    assert all(f"  {name} " in said.stdout for name in COMMANDS)


@contextmanager
def pipe_with(text: str) -> Iterator[str]:
    """The path of a pipe from which a text comes."""
    read_end, write_end = os.pipe()
    with os.fdopen(write_end, "w", encoding="utf-8") as pipe:
        pipe.write(text)
    try:
        yield f"/dev/fd/{read_end}"
    finally:
        os.close(read_end)


def test_a_pipe_is_read_like_a_file() -> None:
    with pipe_with(HOLDS) as path:
        result = CliRunner().invoke(main, ["check", path])
    assert result.exit_code == 0, result.stdout
    assert result.stdout.endswith("1 scenario, 1 passed, 0 failed, 0 errors\n")


def test_a_file_that_cannot_be_written_is_not_counted_as_changed() -> None:
    with pipe_with(HOLDS) as path:
        result = CliRunner().invoke(main, ["fmt", path])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("TS0703: cannot write ")
