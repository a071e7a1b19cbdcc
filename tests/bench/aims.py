"""How a benchmark prints a figure beside what it aims at. It says yes or no and never fails."""

from __future__ import annotations

WIDTH = 52


def told(what: str, figure: str) -> None:
    """Print a figure that has no aim."""
    print(f"{what:<{WIDTH}}{figure:>14}")


def aimed(what: str, figure: str, aim: str, met: bool) -> None:
    """Print a figure, its aim and whether it is met."""
    print(f"{what:<{WIDTH}}{figure:>14}   aim: {aim}: {'yes' if met else 'no'}")
