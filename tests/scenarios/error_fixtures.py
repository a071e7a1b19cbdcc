"""Mistakes that authors of scenarios make, one file each: what is printed, and the file put right.

`errors/TS0104_space.scenario` has the mistake, `.fixed.scenario` is the same file after following
the help, and `.txt` is what `truthsayer check` prints of it. The codes stand before the name.
After a change to a message, `python -m tests.scenarios.error_fixtures` writes the texts anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from server.answers.scenarios import check
from truthsayer.cli.show import problem_text
from truthsayer.v1.common_pb2 import Problem, SourceFile
from truthsayer.v1.scenario_pb2 import CheckRequest

FOLDER = Path(__file__).parent / "errors"
FIXED = ".fixed.scenario"


class Fixture(NamedTuple):
    """A file with a mistake, the same file put right, and what is printed of the mistake."""

    name: str
    bad: str
    fixed: str
    printed: str

    @property
    def codes(self) -> list[str]:
        """The codes of the mistakes, in the order of their lines."""
        return re.findall(r"TS\d{4}", self.name)

    @property
    def file(self) -> str:
        """What the file is called."""
        return f"{self.name}.scenario"


def fixtures() -> list[Fixture]:
    """Every fixture, by its name."""
    names = sorted(path.name.removesuffix(FIXED) for path in FOLDER.glob(f"*{FIXED}"))
    return [
        Fixture(name, *(_read(name + end) for end in (".scenario", FIXED, ".txt")))
        for name in names
    ]


def _read(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def problems(file: str, text: str) -> list[Problem]:
    """Everything that checking a file reports."""
    answers = check(CheckRequest(files=[SourceFile(name=file, text=text)]))
    return [each for answer in answers for each in answer.result.problems]


def printed(file: str, text: str) -> str:
    """What is printed of the problems of a file."""
    return "".join(problem_text(each) + "\n" for each in problems(file, text))


def main() -> None:
    """Write what is printed of each fixture."""
    for each in fixtures():
        text = printed(each.file, each.bad)
        (FOLDER / f"{each.name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
