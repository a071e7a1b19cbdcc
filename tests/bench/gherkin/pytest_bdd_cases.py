"""`test_cases.py` of pytest-bdd: the step definitions, the game they share, and every feature."""

from __future__ import annotations

import pytest
from pytest_bdd import given, parsers, scenarios, then, when

from tests.bench.gherkin.game import Game
from tests.bench.gherkin.steps import STEPS, TYPES


@pytest.fixture
def game() -> Game:
    """A game of its own for every scenario."""
    return Game()


for decorator, sentences in zip((given, when, then), STEPS.values(), strict=True):
    for sentence, function in sentences.items():
        decorator(parsers.parse(sentence, extra_types=TYPES))(function)

scenarios("features")
