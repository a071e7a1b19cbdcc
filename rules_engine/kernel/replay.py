"""The replay log: the starting position, then every input with the fingerprint it led to.

A log is a text file with one record a line: the length of the payload in bytes, a checksum, the
payload. The checksum covers the one before it too, so nothing can be taken out or changed unseen.
Each record is on disk before it counts; a process that is killed leaves at most its last record
torn, and that one is left out.
"""

from __future__ import annotations

import contextlib
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

import msgspec

from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.fingerprint import decoder, encoded, fingerprint
from rules_engine.kernel.game import Action, Answer, Game, GameStuck, step
from rules_engine.kernel.outcomes import Event, Refusal
from rules_engine.kernel.records import Record

FORMAT = 1
NO_CHECKSUM = "00000000"
"""What stands in for the checksum before the first record."""

NOT_PLAYABLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    GameStuck,
    RecursionError,
    TypeError,
    ValueError,
)
"""What the engine raises at names and numbers that no game has."""

LINE = re.compile(rb"([0-9a-f]{8}) ([0-9a-f]{8}) (.*)", re.DOTALL)


class Header(Record):
    """What a log is about: enough to tell why it might not replay elsewhere."""

    format: int
    game: str
    engine: str
    catalogue: str
    start: msgspec.Raw


class Entry(Record):
    """An input and the fingerprint of the position that it led to; the header is record 1."""

    number: int
    input: msgspec.Raw
    reached: str


class Log(Record):
    """A log as read from a file. `whole` is how many of its bytes are whole records."""

    file: str
    header: Header
    entries: tuple[Entry, ...]
    torn: bool
    whole: int
    checksum: str


class Replayed(Record):
    """Where a log led: the last position, the inputs that led there, and what happened."""

    header: Header
    state: Any
    inputs: tuple[Any, ...]
    events: tuple[Event, ...]
    torn: bool


# Records


def _checksum(before: str, payload: bytes) -> str:
    return f"{zlib.crc32(payload, zlib.crc32(before.encode())):08x}"


def _line(before: str, payload: bytes) -> tuple[bytes, str]:
    """A record as it stands in the file, and its checksum."""
    checksum = _checksum(before, payload)
    return b"%08x %s %s\n" % (len(payload), checksum.encode(), payload), checksum


def _payload(line: bytes, before: str) -> bytes | None:
    """What a line holds, or nothing if the line is not the record that follows."""
    found = LINE.fullmatch(line)
    if found is None:
        return None
    length, checksum, payload = found.groups()
    if int(length, 16) != len(payload) or checksum.decode() != _checksum(before, payload):
        return None
    return payload


# Writing


class LogWriter:
    """Appends to a log; `append` returns when the record is on disk."""

    def __init__(self, path: Path, records: int, checksum: str, size: int) -> None:
        self._path = path
        self._records = records
        self._checksum = checksum
        self._size = size
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND)

    def append(self, given: Action | Answer, reached: Any) -> None:
        """Write down an accepted input and the position it led to."""
        number = self._records + 1
        entry = Entry(number, msgspec.Raw(encoded(given)), fingerprint(reached))
        line, checksum = _line(self._checksum, encoded(entry))
        try:
            _write(self._file, line)
        except OSError as problem:
            # What got through of the record would damage everything written after it.
            os.ftruncate(self._file, self._size)
            _cannot("write", self._path, problem)
        self._records, self._checksum = number, checksum
        self._size += len(line)

    def close(self) -> None:
        """Nothing more will be written."""
        os.close(self._file)

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _write(file: int, data: bytes) -> None:
    """All of the data, on disk."""
    while data:
        data = data[os.write(file, data) :]
    os.fsync(file)


def start_log(game: Game, path: Path, state: Any, *, engine: str, catalogue: str) -> LogWriter:
    """Begin a log that is not there yet, or is empty, with this position.

    The first record is whole from the moment that the file has its name.
    """
    header = Header(FORMAT, game.name, engine, catalogue, msgspec.Raw(encoded(state)))
    line, checksum = _line(NO_CHECKSUM, encoded(header))
    unnamed = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.is_file() and path.stat().st_size == 0:
            path.unlink()
        if path.exists():
            raise FileExistsError
        file = os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            _write(file, line)
        finally:
            os.close(file)
        # Unlike renaming, this fails if somebody else was faster.
        path.hardlink_to(unnamed)
        _keep_name(path)
        return LogWriter(path, 1, checksum, len(line))
    except FileExistsError:
        _taken(path)
    except OSError as problem:
        _cannot("write", path, problem)
    finally:
        with contextlib.suppress(OSError):
            unnamed.unlink()


def _keep_name(path: Path) -> None:
    """The name of a new file is on disk too."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def reopen_log(game: Game, path: Path) -> tuple[LogWriter, Replayed]:
    """Go on with a log: it is replayed, a torn last record is cut off, and more can follow."""
    log = read_log(path)
    replayed = replay(game, log)
    if log.torn:
        try:
            os.truncate(path, log.whole)
        except OSError as problem:
            _cannot("write", path, problem)
    return LogWriter(path, 1 + len(log.entries), log.checksum, log.whole), replayed


# Reading


def read_log(path: Path) -> Log:
    """The records of a log. Only the last one may be torn; anything else amiss is an error."""
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is not a file")
        data = path.read_bytes()
    except OSError as problem:
        _cannot("read", path, problem)
    if not data:
        raise TruthsayerError(
            "TS0602", f"`{path}` is empty", help="a log begins with the position it starts from"
        )
    payloads, whole, checksum = _whole_records(data, str(path))
    if not payloads:
        if LINE.match(data):
            _damaged(str(path), 1)
        _not_a_log(path)
    header = _decoded(payloads[0], Header, str(path), 1)
    if header.format != FORMAT:
        raise TruthsayerError(
            "TS0605",
            f"the log has format {header.format}; this version reads format {FORMAT}",
            place=Place(str(path), 1),
            help=f"replay it with engine {header.engine}, which wrote it",
        )
    entries = tuple(
        _decoded(payload, Entry, str(path), number)
        for number, payload in enumerate(payloads[1:], start=2)
    )
    return Log(str(path), header, entries, whole < len(data), whole, checksum)


def _whole_records(data: bytes, file: str) -> tuple[list[bytes], int, str]:
    """The payloads of all whole records, how many bytes they are, and the last checksum."""
    payloads: list[bytes] = []
    whole, checksum = 0, NO_CHECKSUM
    while whole < len(data):
        end = data.find(b"\n", whole)
        payload = _payload(data[whole:end], checksum) if end >= 0 else None
        if payload is None:
            number = len(payloads) + 1
            if payloads and not _torn(data[whole:], number):
                _damaged(file, number)
            break
        payloads.append(payload)
        checksum = _checksum(checksum, payload)
        whole = end + 1
    return payloads, whole, checksum


def _torn(rest: bytes, number: int) -> bool:
    """Whether the rest of a file is this record, begun and not finished.

    Nothing follows it, and it is not a later record that lost the one before it.
    """
    if b"\n" in rest[:-1]:
        return False
    found = LINE.match(rest.rstrip(b"\n"))
    try:
        later = found is not None and msgspec.json.decode(found[3], type=Entry).number > number
    except (msgspec.DecodeError, RecursionError):
        return True
    return not later


def _decoded(payload: bytes, kind: Any, file: str, number: int) -> Any:
    try:
        return decoder(kind).decode(payload)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise TruthsayerError(
            "TS0605",
            f"record {number} is whole but says nothing this version understands ({problem})",
            place=Place(file, number),
            help="replay the log with the version of the engine that wrote it",
        ) from None


def replay(game: Game, log: Log) -> Replayed:
    """Play a log again. Fingerprints are those of the positions reached here, not the log's."""
    header = log.header
    if header.game != game.name:
        raise TruthsayerError(
            "TS0605",
            f"this is a log of `{header.game}`, not of `{game.name}`",
            place=Place(log.file, 1),
            help=f"replay it as a game of `{header.game}`",
        )
    state = _decoded(bytes(header.start), game.state_type, log.file, 1)
    inputs: list[Any] = []
    events: list[Event] = []
    for number, entry in enumerate(log.entries, start=2):
        given = _decoded(bytes(entry.input), game.input_type, log.file, number)
        with playable(log, number):
            done = step(game, state, given)
        if isinstance(done, Refusal):
            _differs(log, number, "its input is not allowed here", done.rules)
        if fingerprint(done.state) != entry.reached:
            _differs(log, number, "it leads to another position than the one written down", ())
        state = done.state
        events.extend(done.events)
        inputs.append(given)
    return Replayed(header, state, tuple(inputs), tuple(events), log.torn)


@contextlib.contextmanager
def playable(log: Log, number: int) -> Iterator[None]:
    """What the engine trips over at a record is the record's fault.

    A log can be whole and still hold names and numbers that no game has.
    """
    try:
        yield
    except TruthsayerError as problem:
        _differs(log, number, problem.message, problem.rules)
    except LookupError as problem:
        _differs(log, number, f"nothing here is called {problem}", ())
    except NOT_PLAYABLE as problem:
        _differs(log, number, f"the engine cannot play it ({problem or type(problem)})", ())


# Errors


def _cannot(what: str, path: Path, problem: OSError) -> NoReturn:
    reason = (problem.strerror or str(problem)).lower()
    raise TruthsayerError(
        "TS0601",
        f"cannot {what} `{path}`: {reason}",
        help="check that the folder exists, that the path names a file and that you may use it",
    ) from None


def _taken(path: Path) -> NoReturn:
    raise TruthsayerError(
        "TS0607",
        f"there is something at `{path}` already",
        help="name a file that is not there yet: a log never replaces anything",
    ) from None


def _not_a_log(path: Path) -> NoReturn:
    raise TruthsayerError(
        "TS0603",
        f"`{path}` is not a replay log",
        place=Place(str(path), 1),
        help="a log is what `truthsayer play --log FILE` writes",
    )


def _damaged(file: str, number: int) -> NoReturn:
    missing = ", or one before it is missing" if number > 1 else ""
    before = f"; up to record {number - 1} it is whole" if number > 1 else ""
    raise TruthsayerError(
        "TS0604",
        f"record {number} is damaged{missing}: its length or checksum is not what was written",
        place=Place(file, number),
        help=f"take the log from a copy{before}",
    )


def _differs(log: Log, number: int, why: str, rules: tuple[str, ...]) -> NoReturn:
    raise TruthsayerError(
        "TS0606",
        f"record {number} does not replay: {why}",
        place=Place(log.file, number),
        help=f"it was written by engine {log.header.engine}; replay it with that version",
        rules=rules,
    )
