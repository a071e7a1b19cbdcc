"""`environment.py` of behave: every scenario gets a game of its own."""

from __future__ import annotations

from behave.model import Scenario
from behave.runner import Context

from tests.bench.gherkin.game import Game


def before_scenario(context: Context, _: Scenario) -> None:
    """Called by behave."""
    context.game = Game()
