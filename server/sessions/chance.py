"""Chance in sessions: the operating system's randomness, which nobody chooses or can foretell."""

from __future__ import annotations

import secrets
from typing import Any

from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel import game
from rules_engine.kernel.chance import likelihoods
from rules_engine.kernel.game import Answer
from rules_engine.kernel.outcomes import Refusal
from server.sessions.line import Line
from server.sessions.problems import bad_field

MOST_IN_A_ROW = 1_000
"""No game asks chance so often at a time; a position that somebody made up may."""

RANDOM = secrets.SystemRandom()


def answer_chance(line: Line) -> bool:
    """Answer as long as chance is asked, and say whether it was."""
    for answers in range(MOST_IN_A_ROW):
        if not game.asked(IMPERIUM, line.state).chance:
            return answers > 0
        answer = _drawn(line.state)
        done = game.step(IMPERIUM, line.state, answer)
        assert not isinstance(done, Refusal), "chance gave an answer that is not possible"
        line.add("chance", answer, done.state, done.events)
    raise bad_field("the position asks chance without end", "begin from a position of a game")


def _drawn(state: Any) -> Answer:
    """An outcome, each as likely as the game says."""
    weights = likelihoods(IMPERIUM, state)
    (outcome,) = RANDOM.choices(tuple(weights), tuple(weights.values()))
    return Answer(outcome)
