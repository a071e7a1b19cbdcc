"""How often the search answers players' questions: `python -m tests.bench.search`."""

from __future__ import annotations

from tests.search.measuring import Search, all_words, measured, ranked
from tests.search.questions import Question, held_out_half, tuning_half

HALVES = {"tuning half": tuning_half, "held-out half": held_out_half}
SEARCHES: dict[str, Search] = {"ranked": ranked, "all words": all_words}


def main() -> None:
    """Print hit@1 and hit@5 of both halves, for this search and for that of all the words."""
    for half, questions in HALVES.items():
        asked = questions()
        for name, search in SEARCHES.items():
            print(_line(half, name, asked, search))


def _line(half: str, name: str, asked: tuple[Question, ...], search: Search) -> str:
    figures = measured(asked, search)
    return (
        f"{half:<14} {len(asked):>3} questions  {name:<10} "
        f"hit@1 {figures.first:5.1f} %  hit@5 {figures.among_five:5.1f} %"
    )


if __name__ == "__main__":
    main()
