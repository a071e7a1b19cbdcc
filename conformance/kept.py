"""Results of a run in a file, so that a run which was stopped goes on where it was."""

from __future__ import annotations

import os
import re
from io import BufferedWriter
from pathlib import Path

import msgspec

from conformance.messages import Described
from conformance.results import SKIPPED, Result
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record

GAME = re.compile(r"games\.([0-9]+)(?:\.|$)")
"""The id of a generated game begins with the seed of its round."""


def is_of_a_game(result: Result) -> bool:
    """Whether it is the result of a generated game."""
    return is_game(result.id)


def is_game(id: str) -> bool:
    """Whether it is the id of a generated game."""
    return GAME.match(id) is not None


class Header(Record):
    """What results depend on: another adapter or engine has others."""

    adapter: Described
    engine: str


class KeptRun:
    """A file with a line for each result; without a file nothing is kept.

    Use it as a context manager. A last line that was not written to its end is dropped.
    """

    def __init__(self, file: Path | None, adapter: Described, engine: str) -> None:
        self._file = file
        self._header = Header(adapter, engine)
        self._output: BufferedWriter | None = None
        self.results: dict[str, Result] = {} if file is None else self._read(file)

    @property
    def rounds(self) -> frozenset[int]:
        """The seeds of the rounds of generated games that were played."""
        return frozenset(
            int(found[1]) for found in map(GAME.match, self.results) if found is not None
        )

    def _read(self, file: Path) -> dict[str, Result]:
        try:
            lines = file.read_bytes().split(b"\n") if file.exists() else []
            if not lines or not lines[0]:
                return {}
            header = msgspec.json.decode(lines[0], type=Header)
            # What follows the last line break was not written to its end.
            results = [msgspec.json.decode(line, type=Result) for line in lines[1:-1]]
        except OSError as error:
            raise _cannot("read", file, error) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise TruthsayerError(
                "TS0904",
                f"`{file}` does not hold the results of a run: {error}",
                help="name a new file, or one that `--resume` wrote",
            ) from error
        if header != self._header:
            raise TruthsayerError(
                "TS0904",
                f"`{file}` is of a run of {header.adapter.name} {header.adapter.version} "
                "on another engine, or of another adapter",
                help="name a new file",
            )
        return {each.id: each for each in results}

    def keep(self, result: Result) -> None:
        """Write one result; what was skipped is left to the next run."""
        if self._output is not None and result.outcome != SKIPPED:
            self._output.write(msgspec.json.encode(result) + b"\n")
            self._output.flush()

    def __enter__(self) -> KeptRun:
        if self._file is None:
            return self
        # Written beside it first: whatever happens, what was kept before is not lost.
        new = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            self._output = new.open("wb")
            self._output.write(msgspec.json.encode(self._header) + b"\n")
            for result in self.results.values():
                self.keep(result)
            new.replace(self._file)
        except OSError as error:
            if self._output is not None:
                self._output.close()
                new.unlink(missing_ok=True)
            raise _cannot("write", self._file, error) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._output is not None:
            self._output.close()


DONE = {"read": "read", "write": "written"}


def _cannot(do: str, file: Path, error: OSError) -> TruthsayerError:
    return TruthsayerError(
        "TS0703", f"cannot {do} `{file}`: {error.strerror}", help=f"see that it can be {DONE[do]}"
    )
