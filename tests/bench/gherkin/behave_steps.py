"""`steps/steps.py` of behave: the step definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from behave import given, register_type, then, when
from behave.runner import Context

from tests.bench.gherkin.steps import STEPS, TYPES


def _with_game(function: Callable[..., None]) -> Callable[..., None]:
    def step(context: Context, **words: Any) -> None:
        function(context.game, **words)

    return step


register_type(**TYPES)
for decorator, sentences in zip((given, when, then), STEPS.values(), strict=True):
    for sentence, function in sentences.items():
        decorator(sentence)(_with_game(function))
