"""One of several texts: compared without a fork, and a plain text wherever one is needed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rules_engine.imperium.combat import FIRST, NONE, reward_of
from rules_engine.kernel.numbers import count_true, pick
from verifier import claim, quantity, settle
from verifier.one_of import OneOf
from verifier.verdicts import PROVED, REFUTED, Settled


def _few() -> Any:
    """A text for each of three ranges of one number."""
    number = quantity("number")
    return pick(number < 3, "few", pick(number < 9, "some", "many"))


def _settled(use: Callable[[Any], object]) -> Settled:
    """What comes of a claim about such a text and the number that decides it."""
    return settle(lambda: claim(bool(use(_few())), "it holds"))


def test_it_is_compared_without_a_fork() -> None:
    def function() -> None:
        number, text = quantity("number"), _few()
        claim((text == "few") == (number < 3), "few")
        claim((text != "many") == (number < 9), "many")
        claim((text == "some") == pick(number < 3, False, number < 9), "some")

    found = settle(function)
    assert (found.verdict, found.paths) == (PROVED, 1)


def test_a_wrong_claim_about_it_is_refuted() -> None:
    found = settle(lambda: claim(_few() != "some", "never"))
    assert found.verdict == REFUTED
    assert [value.value for value in found.values] == [3]


def test_two_of_them_are_the_same_where_both_are_the_same_text() -> None:
    def function() -> None:
        one, other = quantity("one"), quantity("other")
        same = pick(one > 0, "a", "b") == pick(other > 0, "a", "b")
        claim(same == ((one > 0) == (other > 0)), "the same")

    assert settle(function).verdict == PROVED


def test_a_text_that_is_settled_is_a_plain_one() -> None:
    kinds: list[type] = []

    def function() -> None:
        number = quantity("number")
        kinds.append(type(pick(number > 3, "a", "b")))
        kinds.append(type(pick(number > 3, "a", "a")))
        claim(number >= 0, "it is natural")

    assert settle(function).verdict == PROVED
    assert kinds[:2] == [OneOf, str]


FEW = ("few", "some", "many")


@pytest.mark.parametrize(
    "use",
    [
        lambda text: hash(text) in map(hash, FEW),
        lambda text: {"few": 1, "some": 2, "many": 3}[text],
        lambda text: text in FEW,
        lambda text: FEW.index(text) < 3,
        lambda text: f"{text}" in FEW,
        lambda text: str(text) in FEW,
        lambda text: len(text) in (3, 4),
        lambda text: text.upper().lower() in FEW,
        lambda text: "x" + text + "x" in ("xfewx", "xsomex", "xmanyx"),
        lambda text: sorted([text, "a"])[0] == "a",
        lambda text: "".join(text) in FEW,
        lambda text: isinstance(text, str),
        lambda text: repr(text).strip("'") in FEW,
    ],
)
def test_whoever_needs_the_text_has_a_plain_one(use: Callable[[Any], object]) -> None:
    assert _settled(use).verdict == PROVED


@pytest.mark.parametrize(
    "use",
    [
        lambda text: {"few": 1, "some": 2, "many": 0}[text],
        lambda text: text in ("few", "many"),
        lambda text: f"{text}" != "some",
        lambda text: text.startswith(("f", "m")),
    ],
)
def test_what_fails_for_one_of_them_is_found(use: Callable[[Any], object]) -> None:
    assert _settled(use).verdict == REFUTED


@pytest.mark.parametrize(
    "use",
    [
        copy.copy,
        lambda text: getattr(SimpleNamespace(few=1, some=1, many=1), text),
        lambda text: "".join([text]),
    ],
)
def test_what_cannot_be_followed_is_never_proved(use: Callable[[Any], object]) -> None:
    assert _settled(use).verdict not in (PROVED, REFUTED)


def test_no_value_but_texts_is_merged() -> None:
    def function() -> None:
        claim(pick(quantity("number") > 0, None, "a") in (None, "a"), "a plain value")

    assert settle(function).paths == 2


@pytest.mark.parametrize("contenders", [2, 4, 6])
def test_a_whole_ranking_is_one_path(contenders: int) -> None:
    def function() -> None:
        strengths = tuple(quantity(f"strength {seat}") for seat in range(contenders))
        for seat, own in enumerate(strengths):
            reward = reward_of(strengths, seat, contenders)
            claim(pick(own == 0, reward == NONE, True), "nothing without strength")
            below = [own <= other for at, other in enumerate(strengths) if at != seat]
            claim(pick(count_true(below) == 0, True, reward != FIRST), "the first for one alone")

    found = settle(function)
    assert (found.verdict, found.paths) == (PROVED, 1)
