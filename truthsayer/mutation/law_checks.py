"""The laws of every game as checks of mutants: those of privacy, and what every position keeps.

The positions are met in random games on the true engine, some for each kind of frame; they are
kept, because a mutant would meet others. Whole random games are played anew by each mutant.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import msgspec

import rules_engine
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.soak import Settings, drawn_setup
from rules_engine.imperium.state import State
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.fingerprint import decoder, encoded
from rules_engine.kernel.game import asked, handle, step
from rules_engine.kernel.laws import check_laws, check_step
from rules_engine.kernel.outcomes import Step
from rules_engine.rulebook.index import rules
from truthsayer.mutation.checks import FAILS, LAWS, Check, package_digest
from truthsayer.mutation.mutants import digest
from verifier.kept import user_folder

GAMES = 16
"""Random games in which positions are looked for."""

OF_A_KIND = 2
"""Positions that are kept for each kind of frame, each of another game."""

WHOLE_GAMES = 2
"""Random games that are played to their end."""

MOST_INPUTS = 5_000
"""A random game with more inputs than this has no end."""


def law_checks() -> Iterator[Check]:
    """Every law in each position, and the promises of every position of whole games."""
    for name, position in _positions().items():
        yield Check(LAWS, f"laws: {name}", digest(position.encode()), _Laws(position))
    for number in range(WHOLE_GAMES):
        yield Check(LAWS, f"random game {number}", f"game {number}" * 4, _Game(number))


@functools.cache
def _positions() -> dict[str, str]:
    """The positions by their names, as JSON: from the file for this engine, or found and kept."""
    file = (
        user_folder("mutants")
        / f"positions-{package_digest(rules_engine)}-{GAMES}-{OF_A_KIND}.json"
    )
    if file.exists():
        return msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    found = _met()
    _keep(file, found)
    return found


def _keep(file: Path, found: dict[str, str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.json.encode(found))


def _met() -> dict[str, str]:
    found: dict[str, str] = {}
    games: dict[str, list[int]] = {}
    for number in range(GAMES):
        for state in _handled(number):
            kind = type(state.pending[-1]).__name__
            seen = games.setdefault(kind, [])
            if number not in seen and len(seen) < OF_A_KIND:
                seen.append(number)
                found[f"{kind} {len(seen)}"] = encoded(state).decode()
    return found


def _handled(number: int) -> Iterator[State]:
    """Every position of a random game, also those in which nobody is asked."""
    state: State = drawn_setup(Settings(seed=1), number).state
    inputs = RandomPlay(number)
    while state.pending:
        yield state
        nobody = asked(IMPERIUM, state).nobody()
        moved = handle(IMPERIUM, state, None if nobody else inputs.pick(IMPERIUM, state))
        assert isinstance(moved, Step)
        state = moved.state


@functools.cache
def _known_rules() -> frozenset[str]:
    return frozenset(rule.id for rule in rules())


class _Laws:
    """Looks whether a law is broken in a position."""

    def __init__(self, position: str) -> None:
        self.position = position

    def __call__(self) -> str:
        state = decoder(IMPERIUM.state_type).decode(self.position)
        return FAILS if check_laws(IMPERIUM, [state], _known_rules().__contains__) else ""


class _Game:
    """Plays a random game to its end and looks at every position."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self) -> str:
        state: State = drawn_setup(Settings(seed=2), self.number).state
        inputs = RandomPlay(self.number)
        for _ in range(MOST_INPUTS):
            if not state.pending:
                return ""
            done = step(IMPERIUM, state, inputs.pick(IMPERIUM, state))
            if not isinstance(done, Step):
                return FAILS
            if check_step(IMPERIUM, done, _known_rules().__contains__):
                return FAILS
            state = done.state
        return FAILS
