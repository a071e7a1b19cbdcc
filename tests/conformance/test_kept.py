"""Results are kept in a file, and only a run that they belong to goes on from it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from conformance.adapters.reference import ABOUT
from conformance.kept import KeptRun
from conformance.messages import Described
from conformance.results import CRASHED, FAIL, PASS, SKIPPED, Result
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import change
from tests.conformance.runs import divergence, result

RESULTS = (result("one"), result("two", FAIL), result("three", CRASHED, detail="it ended"))


def keep(file: Path, *results: Result) -> None:
    """Keep results in a file, after those that it has."""
    with KeptRun(file, ABOUT, "1") as kept:
        for each in results:
            kept.keep(each)


def found(file: Path | None, adapter: Described = ABOUT, engine: str = "1") -> list[Result]:
    """What is kept in a file."""
    return list(KeptRun(file, adapter, engine).results.values())


def refused(file: Path, adapter: Described = ABOUT, engine: str = "1") -> TruthsayerError:
    """Why a file is not taken."""
    before = file.read_bytes() if file.is_file() else b""
    with pytest.raises(TruthsayerError) as raised, KeptRun(file, adapter, engine):
        pass
    assert raised.value.help
    assert not file.is_file() or file.read_bytes() == before
    return raised.value


def test_results_come_back_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    keep(file, *RESULTS[:2])
    keep(file, *RESULTS[2:])
    assert found(file) == list(RESULTS)
    assert found(file)[1].divergence == divergence()
    assert [each.name for each in tmp_path.iterdir()] == ["run.jsonl"]


def test_each_result_is_in_the_file_as_soon_as_it_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    with KeptRun(file, ABOUT, "1") as kept:
        kept.keep(RESULTS[0])
        assert found(file) == [RESULTS[0]]


def test_without_a_file_nothing_is_kept() -> None:
    with KeptRun(None, ABOUT, "1") as kept:
        kept.keep(RESULTS[0])
    assert found(None) == []


def test_an_empty_file_is_a_new_one(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.touch()
    assert found(file) == []
    keep(file, *RESULTS)
    assert found(file) == list(RESULTS)


def test_what_was_skipped_is_left_to_the_next_run(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    keep(file, result("one", SKIPPED), result("two"))
    assert [each.id for each in found(file)] == ["two"]


def test_a_result_that_was_not_written_to_its_end_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    keep(file, *RESULTS)
    whole = file.read_bytes()
    for cut in (1, 7, len(msgspec.json.encode(RESULTS[2]))):
        file.write_bytes(whole[:-cut])
        assert found(file) == list(RESULTS[:2])
        keep(file, RESULTS[2])
        assert file.read_bytes() == whole


def test_the_rounds_of_games_that_were_played_are_known(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    names = ("games.7.0", "games.7.1", "games.12", "games.3x", "my_games.4.0", "games.five")
    keep(file, *(result(name) for name in names), result("games.9", SKIPPED))
    assert KeptRun(file, ABOUT, "1").rounds == {7, 12}


@pytest.mark.parametrize(
    ("adapter", "engine"),
    [(change(ABOUT, version="2"), "1"), (change(ABOUT, capabilities=()), "1"), (ABOUT, "2")],
    ids=["another version", "other capabilities", "another engine"],
)
def test_results_of_another_run_are_refused(
    adapter: Described, engine: str, tmp_path: Path
) -> None:
    file = tmp_path / "run.jsonl"
    keep(file, *RESULTS)
    error = refused(file, adapter, engine)
    assert error.code == "TS0904"
    assert "truthsayer 1" in error.message


@pytest.mark.parametrize(
    "data",
    [b"not a run\n", b"{}\n", b"\xff\xfe\n", b'{"adapter": "\xff"}\n', b"[" * 99_999 + b"\n"],
    ids=["words", "other JSON", "bytes", "bytes in a text", "nested"],
)
def test_a_file_that_is_none_is_refused_and_stays(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_bytes(data)
    assert refused(file).code == "TS0904"


@pytest.mark.parametrize("line", [b"{}", b"garbage", b"", b"[" * 99_999])
def test_a_damaged_line_is_refused(line: bytes, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    keep(file, *RESULTS)
    lines = file.read_bytes().split(b"\n")
    lines[1] = line
    file.write_bytes(b"\n".join(lines))
    assert refused(file).code == "TS0904"


def test_a_file_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    error = refused(tmp_path)
    assert (error.code, error.help) == ("TS0703", "see that it can be read")
    error = refused(tmp_path / "none" / "run.jsonl")
    assert (error.code, error.help) == ("TS0703", "see that it can be written")


def test_the_outcome_of_a_result_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    keep(file, *RESULTS)
    assert [each.outcome for each in found(file)] == [PASS, FAIL, CRASHED]
