"""`python -m tests.docs`: check every block of the manual and say how many there are."""

from __future__ import annotations

import sys
from collections import Counter

from tests.docs.checking import COMPARED, NEITHER, RUN, check_page, pages


def main() -> int:
    """Print what is wrong, and the totals."""
    counts: Counter[str] = Counter()
    problems: list[str] = []
    for page in pages():
        checked = check_page(page)
        counts += checked.counts
        problems += checked.problems
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{counts[RUN]} blocks run, {counts[COMPARED]} compared, {counts[NEITHER]} neither")
    return 1 if problems or counts[NEITHER] else 0


if __name__ == "__main__":
    sys.exit(main())
