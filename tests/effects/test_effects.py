"""The effect language: its sentences, its notation, and the way back."""

from __future__ import annotations

import typing

import pytest
from hypothesis import given, settings

from rules_engine.effects import tree
from rules_engine.effects.parse import EffectError, parse, parse_all, parse_condition
from rules_engine.effects.products import LATER_WORDS
from rules_engine.effects.text import say, say_condition
from rules_engine.effects.tree import Condition, Count, Effect, walk
from tests.effects.trees import COMPOUND, COUNTS, JOINED, LEAVES, TESTS, conditions, effects, words


@settings(max_examples=400, deadline=None)
@given(effects)
def test_what_is_said_reads_back_as_the_same_tree(effect: Effect) -> None:
    assert parse(say(effect)) == (effect,)


@given(conditions)
def test_a_condition_reads_back(condition: Condition) -> None:
    assert parse_condition(say_condition(condition)) == condition


@settings(max_examples=50, deadline=None)
@given(effects, effects)
def test_effects_are_separated_by_semicolons(one: Effect, other: Effect) -> None:
    assert parse(f"{say(one)}; {say(other)}") == (one, other)
    assert parse_all([say(one), say(other)]) == (one, other)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("2 spice", tree.Gain(2, "spice")),
        ("gain 1 VP", tree.Gain(1, "vp")),
        ("1 sword", tree.Swords(1)),
        ("+3 swords", tree.Swords(3)),
        ("recruit 1 troops", tree.Recruit(1)),
        ("gain 1 influence any", tree.GainInfluence(1, "any")),
        ("((draw 1 card))", tree.DrawCards(1)),
        (
            "pay 3 spice -> gain 1 vp",
            tree.Arrow(tree.Pay(3, "spice"), tree.Gain(1, "vp")),
        ),
        (
            "pay 2 water -> may remove shield_wall & summon 1 sandworm",
            tree.Arrow(
                tree.Pay(2, "water"),
                tree.All((tree.May(tree.RemoveShieldWall()), tree.Summon(1))),
            ),
        ),
        (
            "choose: gain 2 spice | if maker_hooks: summon 1 sandworm",
            tree.Choose((tree.Gain(2, "spice"), tree.If(tree.Is("maker_hooks"), tree.Summon(1)))),
        ),
    ],
)
def test_a_notation_means(text: str, effect: Effect) -> None:
    assert parse(text) == (effect,)


@pytest.mark.parametrize(
    ("text", "pointed", "column"),
    [
        ("gain 2 melange", "melange", 8),
        ("pay 3 spice ->", "the end", 15),
        ("draw card", "card", 6),
        ("gain 1 spice; recruit troop", "troop", 23),
        ("place 2 spy", "2 spy", 7),
        ("", "the end", 1),
    ],
)
def test_what_cannot_be_read_is_an_error_with_a_place(text: str, pointed: str, column: int) -> None:
    with pytest.raises(EffectError) as raised:
        parse(text)
    assert raised.value.code == "TS0301"
    assert raised.value.help
    assert raised.value.message == f"cannot read the effect `{text}` at `{pointed}`"
    assert raised.value.column == column


def test_walking_an_effect_meets_everything_inside() -> None:
    (effect,) = parse("choose: may gain 1 vp | if maker_hooks: pay 1 water -> 1 sword & 2 spice")
    met = [type(each) for each in walk(effect)]
    assert met == [
        tree.Choose, tree.May, tree.Gain, tree.If, tree.Arrow,
        tree.Pay, tree.All, tree.Swords, tree.Gain,
    ]  # fmt: skip
    (paid,) = parse("choose_at_placement: [pay 0 spice] 1 sword | [pay 1 spice] 2 swords")
    assert tree.Pay(1, "spice") in walk(paid)


def test_every_kind_is_generated() -> None:
    assert LEAVES.keys() | COMPOUND.keys() == set(typing.get_args(Effect))
    assert TESTS.keys() | JOINED.keys() == set(typing.get_args(Condition))
    assert COUNTS.keys() == set(typing.get_args(Count))


@pytest.mark.parametrize("terminal", LATER_WORDS)
def test_later_words_are_words_of_the_grammar(terminal: str) -> None:
    assert set(LATER_WORDS[terminal]) <= set(words(terminal))


@pytest.mark.parametrize("kind", [*typing.get_args(Effect), *typing.get_args(Condition)])
def test_every_kind_says_what_it_means(kind: type) -> None:
    assert kind.__doc__
    assert kind.__doc__.strip()
