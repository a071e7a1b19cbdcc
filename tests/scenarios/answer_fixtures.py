"""Questions that players ask, by chapter: what is printed, and what each has to be answered.

`answers/spies.scenario` asks, and `.txt` is what `truthsayer ask` prints of it. After a change to
the words, `python -m tests.scenarios.answer_fixtures` writes the texts anew. `answers/judged.toml`
is written by hand from the rules: no command writes it.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from scenarios import ask as ask_file
from scenarios.results import AskResult, Problem
from server.answers.scenarios import ask
from truthsayer.cli.ask import answers_text
from truthsayer.v1.common_pb2 import SourceFile
from truthsayer.v1.scenario_pb2 import AskRequest

FOLDER = Path(__file__).parent / "answers"


class Judged(NamedTuple):
    """What a question has to be answered: verdict, deciding rule, open points that decide."""

    verdict: str
    rule: str
    open_points: tuple[str, ...]


def files() -> list[Path]:
    """Every file of questions, by its name."""
    return sorted(FOLDER.glob("*.scenario"))


def printed(file: Path) -> str:
    """What is printed of the questions of a file."""
    source = SourceFile(name=file.name, text=file.read_text("utf-8"))
    return answers_text(ask(AskRequest(file=source)).answers)


def judged(chapter: str) -> dict[str, Judged]:
    """The judgements on the questions of a file."""
    table = tomllib.loads((FOLDER / "judged.toml").read_text("utf-8"))
    return {
        question: Judged("" if verdict == "-" else verdict, rule, tuple(points))
        for question, (verdict, rule, *points) in table.get(chapter, {}).items()
    }


def answered(file: Path) -> dict[str, AskResult | Problem]:
    """The questions of a file with their answers; one that is asked again is numbered."""
    found = ask_file(file.name, file.read_text("utf-8"))
    titles = _titles(file)
    names = [f"{titles[_title_line(titles, each.line)]}: {_question(each)}" for each in found]
    often, count = Counter(names), Counter[str]()
    numbered = []
    for name in names:
        count[name] += 1
        numbered.append(f"{name} ({count[name]})" if often[name] > 1 else name)
    return dict(zip(numbered, found, strict=True))


def _question(found: AskResult | Problem) -> str:
    return found.question if isinstance(found, AskResult) else found.message


def _titles(file: Path) -> dict[int, str]:
    lines = enumerate(file.read_text("utf-8").splitlines(), start=1)
    return {at: line.split('"')[1] for at, line in lines if line.startswith("scenario ")}


def _title_line(titles: dict[int, str], line: int) -> int:
    return max(at for at in titles if at <= line)


def main() -> None:
    """Write what is printed of each file."""
    for file in files():
        file.with_suffix(".txt").write_text(printed(file), encoding="utf-8")


if __name__ == "__main__":
    main()
