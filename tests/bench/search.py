"""How often the search answers players' questions: `python -m tests.bench.search`."""

from __future__ import annotations

from tests.search.measuring import Figures, all_words, labelled, measured, ranked
from tests.search.questions import held_out_half, tuning_half

HALVES = {"tuning half": tuning_half, "held-out half": held_out_half}


def main() -> None:
    """Print hit@1 and hit@5 of both halves, for this search and for that of all the words.

    A hit is a rule that decides or a ruling that names one; `labels alone` leaves out rulings that
    name such a rule without having been judged to answer the question.
    """
    for half, questions in HALVES.items():
        asked = questions()
        print(f"{half}, {len(asked)} questions")
        print(_line("ranked", measured(asked, ranked)))
        print(_line("ranked, labels alone", measured(asked, ranked, labelled)))
        print(_line("all words, as before", measured(asked, all_words)))


def _line(name: str, found: Figures) -> str:
    return f"  {name:<22} hit@1 {found.first:5.1f} %  hit@5 {found.among_five:5.1f} %"


if __name__ == "__main__":
    main()
