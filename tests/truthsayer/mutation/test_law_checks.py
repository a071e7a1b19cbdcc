"""The laws of every game hold on the true engine, and a secret that is told breaks one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_engine.imperium import cards
from tests.verifier.planted_by_hand import mistakes
from truthsayer.mutation import in_process, law_checks
from truthsayer.mutation.checks import FAILS, Check


@pytest.fixture(autouse=True)
def _few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions of our own, of few games."""
    monkeypatch.setenv("TRUTHSAYER_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(law_checks, "GAMES", 1)
    monkeypatch.setattr(law_checks, "OF_A_KIND", 1)
    law_checks._positions.cache_clear()


def named(name: str) -> Check:
    return next(each for each in law_checks.law_checks() if each.name == name)


def test_positions_are_kept_and_found_again() -> None:
    first = {each.name: each.content for each in law_checks.law_checks()}
    law_checks._positions.cache_clear()
    assert {each.name: each.content for each in law_checks.law_checks()} == first
    assert {"laws: Turn 1", "laws: DrawFromDeck 1", "random game 0"} <= set(first)


def test_a_secret_that_is_told_is_noticed() -> None:
    check = named("laws: DrawFromDeck 1")
    assert check.run() == ""
    told = next(each for each in mistakes() if each.name == "everybody_is_told_what_is_drawn")
    code = cards._draw.__code__
    try:
        in_process.change_function(told.mutant)
        assert check.run() == FAILS
    finally:
        cards._draw.__code__ = code
    assert check.run() == ""
