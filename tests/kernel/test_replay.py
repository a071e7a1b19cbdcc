"""The replay log: what is whole replays, a torn end is left out, anything else is an error."""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Any

import pytest

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.game import settle
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.records import change
from rules_engine.kernel.replay import (
    NO_CHECKSUM,
    LogWriter,
    Replayed,
    read_log,
    reopen_log,
    replay,
    start_log,
)
from tests.imperium.positions import dealt, giving, random_game
from tests.kernel.toy_game import TOY, start

INPUTS = 30


class Played:
    """A log of a game's beginning, and what was played."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.inputs: list[Any] = []
        self.events: list[Event] = []
        self.state: State = dealt(3)
        with _start(path, self.state) as log:
            for (given, done), _ in zip(random_game(3, 1), range(INPUTS), strict=False):
                log.append(given, done.state)
                self.inputs.append(given)
                self.events.extend(done.events)
                self.state = done.state

    def lines(self) -> list[bytes]:
        """The records as they stand in the file."""
        return self.path.read_bytes().splitlines(keepends=True)

    def write(self, lines: list[bytes]) -> None:
        """Tamper with the file."""
        self.path.write_bytes(b"".join(lines))


def _start(path: Path, state: State) -> LogWriter:
    return start_log(IMPERIUM, path, state, engine="1.2.3", catalogue="digest")


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path / "game.log")


def replayed(path: Path) -> Replayed:
    return replay(IMPERIUM, read_log(path))


def error(path: Path) -> TruthsayerError:
    """What is wrong with a log: every error has a remedy."""
    with pytest.raises(TruthsayerError) as raised:
        replayed(path)
    assert raised.value.help
    assert str(path) in str(raised.value)
    return raised.value


# Whole logs


def test_a_log_replays_to_the_same_position_and_events(played: Played) -> None:
    found = replayed(played.path)
    assert found.state == played.state
    assert list(found.inputs) == played.inputs
    assert list(found.events) == played.events
    assert not found.torn
    assert (found.header.game, found.header.engine) == ("imperium", "1.2.3")


def test_a_log_is_one_record_a_line(played: Played) -> None:
    lines = played.lines()
    assert len(lines) == 1 + INPUTS
    for line in lines:
        assert int(line[:8], 16) == len(line) - len("LLLLLLLL CCCCCCCC \n")


def test_a_log_of_another_game(tmp_path: Path) -> None:
    path = tmp_path / "toy.log"
    with start_log(TOY, path, settle(TOY, start()).state, engine="1", catalogue="") as log:
        assert isinstance(log, LogWriter)
    assert replay(TOY, read_log(path)).inputs == ()
    found = error(path)
    assert found.code == "TS0605"
    assert "`toy`" in found.message


# Torn ends


def test_a_log_torn_anywhere_in_its_last_record_replays_up_to_it(played: Played) -> None:
    *whole, last = played.lines()
    for length in range(1, len(last)):
        played.write([*whole, last[:length]])
        found = replayed(played.path)
        assert found.torn
        assert len(found.inputs) == INPUTS - 1


@pytest.mark.parametrize("garbage", [b"x", b"garbage\n", b"\0" * 40, b"\n", b"00000001 "])
def test_garbage_after_the_last_record_is_a_torn_record(played: Played, garbage: bytes) -> None:
    played.write([*played.lines(), garbage])
    found = replayed(played.path)
    assert found.torn
    assert found.state == played.state


def test_a_last_record_with_a_wrong_checksum_is_torn(played: Played) -> None:
    *whole, last = played.lines()
    played.write([*whole, last.replace(b'"by"', b'"bY"')])
    assert replayed(played.path).torn


def test_a_torn_log_goes_on_without_the_torn_record(played: Played) -> None:
    *whole, last = played.lines()
    played.write([*whole, last[:20]])
    log, found = reopen_log(IMPERIUM, played.path)
    assert found.torn
    with log:
        log.append(played.inputs[-1], played.state)
    assert played.lines() == [*whole, last]
    assert replayed(played.path).state == played.state


def test_a_whole_log_goes_on(played: Played) -> None:
    *whole, last = played.lines()
    played.write(whole)
    log, found = reopen_log(IMPERIUM, played.path)
    assert not found.torn
    with log:
        log.append(played.inputs[-1], played.state)
    assert played.lines() == [*whole, last]


# Damage


@pytest.mark.parametrize("number", [2, 15, INPUTS - 1, INPUTS])
def test_a_changed_record_is_an_error_that_names_it(played: Played, number: int) -> None:
    lines = played.lines()
    lines[number - 1] = lines[number - 1].replace(b'"reached":"', b'"reached":"0')
    played.write(lines)
    found = error(played.path)
    assert found.code == "TS0604"
    assert found.place is not None
    assert found.place.line == number


@pytest.mark.parametrize("number", [2, 15, INPUTS - 1, INPUTS])
def test_a_missing_record_is_an_error(played: Played, number: int) -> None:
    lines = played.lines()
    played.write([*lines[: number - 1], *lines[number:]])
    found = error(played.path)
    assert found.code == "TS0604"
    assert found.place is not None
    assert found.place.line == number


@pytest.mark.parametrize("before", [b"f", b"\n"], ids=["a changed length", "an empty line"])
def test_a_byte_too_many_is_an_error(played: Played, before: bytes) -> None:
    lines = played.lines()
    lines[9] = before + lines[9]
    played.write(lines)
    assert error(played.path).code == "TS0604"


def test_records_in_another_order_are_an_error(played: Played) -> None:
    lines = played.lines()
    lines[4], lines[5] = lines[5], lines[4]
    played.write(lines)
    found = error(played.path)
    assert found.place is not None
    assert (found.code, found.place.line) == ("TS0604", 5)


def test_a_damaged_first_record_is_an_error(played: Played) -> None:
    first, *rest = played.lines()
    played.write([first.replace(b'"round":0', b'"round":1'), *rest])
    found = error(played.path)
    assert found.place is not None
    assert (found.code, found.place.line) == ("TS0604", 1)


def test_a_record_that_leads_elsewhere_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    given, done = next(random_game(3, 1))
    with _start(path, dealt(3)) as log:
        log.append(given, giving(done.state, 0, spice=9))
    found = error(path)
    assert (found.code, found.place and found.place.line) == ("TS0606", 2)


def test_a_record_whose_input_is_refused_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    given, done = next(random_game(3, 1))
    with _start(path, dealt(3)) as log:
        log.append(given, done.state)
        log.append(given, done.state)
    found = error(path)
    assert (found.code, found.place and found.place.line) == ("TS0606", 3)
    assert found.rules


def test_a_log_of_cards_that_are_no_more_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    given, done = next(random_game(3, 1))
    gone = change(given, outcome="objective_gone")
    with _start(path, change(dealt(3), objectives=("objective_gone",))) as log:
        log.append(gone, done.state)
    assert error(path).code == "TS0606"


@pytest.mark.parametrize("payload", [b"[" * 3000 + b"]" * 3000, b'{"action":"reveal","by":9}'])
def test_a_hostile_input_is_an_error_that_names_its_record(tmp_path: Path, payload: bytes) -> None:
    path = tmp_path / "game.log"
    given, done = next(random_game(3, 1))
    with _start(path, dealt(3)) as log:
        log.append(given, done.state)
    first = path.read_bytes().splitlines(keepends=True)[0]
    entry = b'{"number":2,"input":%s,"reached":""}' % payload
    checksum = zlib.crc32(entry, zlib.crc32(first[9:17]))
    path.write_bytes(first + b"%08x %08x %s\n" % (len(entry), checksum, entry))
    found = error(path)
    assert found.code in ("TS0605", "TS0606")
    assert found.place is not None
    assert found.place.line == 2


def test_a_log_of_a_product_that_is_none_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    given, done = next(random_game(3, 1))
    state = dealt(3)
    with _start(path, change(state, config=change(state.config, product="monopoly"))) as log:
        log.append(given, done.state)
    found = error(path)
    assert (found.code, found.place and found.place.line) == ("TS0606", 2)
    assert "no product `monopoly`" in found.message


# Files that are no logs


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.log"
    path.touch()
    assert error(path).code == "TS0602"


@pytest.mark.parametrize(
    "text", [b"hello\nworld\n", b"\x89PNG\r\n\x1a\n", b"{}", b"\n", NO_CHECKSUM.encode()]
)
def test_a_file_that_is_no_log_is_an_error(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(text)
    assert error(path).code == "TS0603"


def test_a_folder_or_a_missing_file_is_an_error(tmp_path: Path) -> None:
    assert error(tmp_path).code == "TS0601"
    assert error(tmp_path / "none.log").code == "TS0601"


def test_an_unreadable_file_is_an_error(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    found = error(played.path)
    assert found.code == "TS0601"
    assert "permission denied" in found.message


# Writing


def test_a_log_never_replaces_anything(played: Played, tmp_path: Path) -> None:
    before = played.path.read_bytes()
    for taken in (played.path, tmp_path):
        with pytest.raises(TruthsayerError) as raised:
            _start(taken, dealt(3))
        assert raised.value.code == "TS0607"
    assert played.path.read_bytes() == before


def test_an_empty_file_becomes_a_log(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.touch()
    _start(path, dealt(3)).close()
    assert replayed(path).inputs == ()
    assert [found.name for found in tmp_path.iterdir()] == ["game.log"]


def test_of_two_who_start_a_log_at_once_only_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.log"
    _start(path, dealt(3)).close()
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        # The other log was not there yet when this one looked.
        patched.setattr(Path, "exists", lambda _: False)
        patched.setattr(Path, "is_file", lambda _: False)
        with pytest.raises(TruthsayerError) as raised:
            _start(path, dealt(4))
    assert raised.value.code == "TS0607"
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["game.log"]


def test_a_log_in_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TruthsayerError) as raised:
        _start(tmp_path / "none" / "game.log", dealt(3))
    assert raised.value.code == "TS0601"
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_halfway_leaves_a_whole_log(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    *whole, last = played.lines()
    played.write(whole)
    log, _ = reopen_log(IMPERIUM, played.path)
    write = os.write

    def full(file: int, data: bytes) -> int:
        if len(data) < len(last):
            raise OSError(28, "No space left on device")
        return write(file, data[:7])

    with log:
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", full)
            with pytest.raises(TruthsayerError) as raised:
                log.append(played.inputs[-1], played.state)
        assert raised.value.code == "TS0601"
        assert played.lines() == whole
        log.append(played.inputs[-1], played.state)
    assert fingerprint(replayed(played.path).state) == fingerprint(played.state)
