"""Throw changed scenario files at the parser and the formatter: `python -m tests.fuzz.parser`.

Arguments are those of libFuzzer, as `-max_total_time=600`. Whatever comes in, the only error that
may come out is ours; anything else ends the program with the file that did it.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scenarios"]):
    from scenarios.check import read
    from scenarios.format import format_text

from rules_engine.kernel.errors import TruthsayerError

LIBRARY = Path(__file__).parents[2] / "scenarios" / "library"
LONGEST = 4_000
"""Bytes: long files only take longer."""

SECONDS = 30
"""How long one file may take before it counts as one that hangs."""


def one(data: bytes) -> None:
    """Read one file and lay it out; what comes out is laid out already."""
    text = data.decode("utf-8", "replace")
    read("fuzzed.scenario", text)
    with contextlib.suppress(TruthsayerError):
        once = format_text("fuzzed.scenario", text)
        assert format_text("fuzzed.scenario", once) == once


def main(arguments: list[str]) -> None:
    """Begin with our own files, as far as they are short."""
    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(sorted(LIBRARY.rglob("*.scenario"))):
            data = file.read_bytes()[:LONGEST]
            Path(folder, str(number)).write_bytes(data)
        options = [f"-max_len={LONGEST}", f"-timeout={SECONDS}", "-rss_limit_mb=2048"]
        atheris.Setup([sys.argv[0], *options, *arguments, folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
