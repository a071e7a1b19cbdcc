"""The page of error codes: every code with what it means, and a mistake that shows it.

The mistakes are the fixtures of `tests/scenarios/errors/`, where a test compares what is printed:
`TS0104_*.scenario` is the mistake, `.txt` what one sees, and `.fixed.scenario` the remedy.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from truthsayer.codes import CODES, Code

MISTAKES = Path(__file__).parents[2] / "tests" / "scenarios" / "errors"

PARTS = {
    "TS01": "Scenarios",
    "TS02": "Rules and rulings",
    "TS03": "Effects",
    "TS04": "Unknowns and chance",
    "TS05": "Proofs",
    "TS06": "Replay logs and soak files",
    "TS07": "The command line",
    "TS08": "The service and adapters",
    "TS09": "The conformance kit",
}


def page() -> Iterator[str]:
    """The lines of the page."""
    for part, codes in groupby(CODES.items(), key=lambda each: each[0][:4]):
        yield from ("", f"## {PARTS[part]}", "")
        for name, code in codes:
            yield from of_code(name, code)


def of_code(name: str, code: Code) -> Iterator[str]:
    """A code with its paragraph, and its first mistake if there is one."""
    yield from (f"({name})=", f"### {name}: {code.title}", "", code.text, "")
    for mistake in sorted(MISTAKES.glob(f"{name}_*.txt"))[:1]:
        stem = mistake.name.removesuffix(".txt")
        yield from fenced("scenario", MISTAKES / f"{stem}.scenario", "A mistake:")
        yield from fenced("text", mistake, "What one sees:")
        yield from fenced("scenario", MISTAKES / f"{stem}.fixed.scenario", "Following the help:")


def fenced(word: str, file: Path, title: str) -> Iterator[str]:
    """A file as a block, if it is there."""
    if file.is_file():
        yield from (title, "", f"````{word}", file.read_text("utf-8").rstrip("\n"), "````", "")


def add_codes(_: Sphinx, name: str, source: list[str]) -> None:
    """Add the codes to the page called `errors`."""
    if name == "errors":
        source[0] += "\n".join(page())


def always_read(*_: object) -> list[str]:
    """The page is read in every build: Sphinx does not see what it is made of."""
    return ["errors"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the codes whenever the page is read."""
    app.connect("env-get-outdated", always_read)
    app.connect("source-read", add_codes)
    return {"parallel_read_safe": True}
