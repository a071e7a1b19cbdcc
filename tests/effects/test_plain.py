"""Effects in plain words: every kind of node has them, and they are good English."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import names, sentences, things
from rules_engine.effects import plain_words, tree
from rules_engine.effects.parse import parse, parse_condition
from rules_engine.effects.plain import condition_words, sentence
from rules_engine.effects.plain import sentences as side_by_side
from rules_engine.effects.tree import Condition, Effect
from tests.clumsy import clumsy
from tests.effects.trees import COMPOUND, COUNTS, JOINED, LEAVES, TESTS, conditions, effects, words

NAMES = names(catalogue("uprising"))


def told(text: str) -> str:
    return side_by_side(parse(text), NAMES)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "if recalled_spy_this_turn: recruit 2 troops",
            "If you recalled a Spy this turn, recruit 2 troops.",
        ),
        ("may trash 1 card", "You may trash 1 card."),
        ("gain 1 vp; 1 sword", "Gain 1 Victory Point. Add 1 sword."),
        ("place 1 spy; place 1 spy", "Place 1 Spy (twice)."),
        ("pay 3 spice -> gain 1 vp", "You may pay 3 spice to gain 1 Victory Point."),
        (
            "choose: gain 2 spice | if maker_hooks: pay 1 water -> summon 1 sandworm",
            "Choose one: gain 2 spice; or, if you have Maker Hooks, pay 1 water to summon "
            "1 sandworm.",
        ),
        (
            "pay 2 water -> may remove shield_wall & summon 1 sandworm",
            "You may pay 2 water; if you do, summon 1 sandworm, and before that you may remove the "
            "Shield Wall.",
        ),
        (
            "per completed_contracts: gain 1 persuasion",
            "For each contract that you have completed, gain 1 Persuasion.",
        ),
        ("each opponent: discard 1 card", "Each opponent discards 1 card from their hand."),
        (
            "each opponent: choose: discard 1 card | lose 1 troop from garrison",
            "Each opponent does this: discard 1 card from their hand or lose 1 troop from their "
            "garrison.",
        ),
        ("take control imperial_basin", "Take control of Imperial Basin."),
        (
            "if not high_council and influence fremen >= 2: draw 2 cards otherwise: draw 1 card",
            "If you have no seat on the High Council and you have at least 2 Influence with the "
            "Fremen, draw 2 cards; otherwise, draw 1 card.",
        ),
        (
            "choose_at_placement: [pay 0 spice] gain 2 solari | [pay 1 spice] gain 4 solari",
            "When you send the Agent, choose what to pay: for nothing, gain 2 Solari; or for "
            "1 spice, gain 4 Solari.",
        ),
        (
            "if not spies_on_board >= 1: place 1 spy on city or fremen post sharing",
            "If you have no Spies on the board, place 1 Spy on a post linked to a City space or a "
            "Fremen space, even where another player's Spy is.",
        ),
    ],
)
def test_an_effect_is_told_as(text: str, plain: str) -> None:
    assert told(text) == plain


def test_a_way_that_was_chosen_does_not_offer_its_cost_again() -> None:
    effect = parse("pay 1 spice -> draw 1 card & may trash 1 card")
    assert side_by_side(effect, NAMES, chosen=True) == (
        "Pay 1 spice; then draw 1 card, and you may trash 1 card."
    )


@pytest.mark.parametrize("kind", [*LEAVES, *COMPOUND], ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_kind_of_effect_is_a_sentence(kind: type, data: st.DataObject) -> None:
    inner = st.one_of(*LEAVES.values())
    made = LEAVES[kind] if kind in LEAVES else COMPOUND[kind](inner)
    assert is_sentence(sentence(data.draw(made), NAMES))


@pytest.mark.parametrize("kind", [*TESTS, *JOINED], ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_kind_of_condition_has_words(kind: type, data: st.DataObject) -> None:
    made = TESTS[kind] if kind in TESTS else JOINED[kind](conditions)
    test = data.draw(made)
    yes, no = condition_words(test, NAMES), condition_words(tree.Not(test), NAMES)
    assert yes != no
    assert not re.search(r"\w_\w", yes + no)


@pytest.mark.parametrize("kind", COUNTS, ids=lambda kind: kind.__name__)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_kind_of_count_has_words(kind: type, data: st.DataObject) -> None:
    effect = tree.Per(data.draw(COUNTS[kind]), tree.DrawCards(1))
    assert is_sentence(sentence(effect, NAMES))


@settings(max_examples=200, deadline=None)
@given(effects)
def test_effects_in_effects_are_sentences_too(effect: Effect) -> None:
    assert is_sentence(sentence(effect, NAMES))


def is_sentence(text: str) -> bool:
    """Whether it begins and ends like a sentence and has no id in it."""
    return bool(re.match(r"[A-Z].*\.$", text)) and not re.search(r"\w_\w|True|False|None", text)


@pytest.mark.parametrize(
    ("terminal", "table"),
    [
        ("RESOURCE", plain_words.RESOURCES),
        ("ZONE", plain_words.ZONES),
        ("ZONE", plain_words.GOES),
        ("MEASURE", plain_words.MEASURES),
        ("FLAG", plain_words.FLAGS),
        ("WHO", plain_words.OTHERS),
        ("TRIGGER", plain_words.TRIGGERS),
        ("TOKEN", plain_words.TOKENS),
        ("TRACK", plain_words.TRACKS),
        ("TURN", plain_words.TURNS),
        ("SIDE", plain_words.SIDES),
    ],
)
def test_every_word_of_the_grammar_has_a_plain_one(terminal: str, table: dict[str, object]) -> None:
    assert set(words(terminal)) == set(table)


def test_everything_printed_is_told_in_good_english() -> None:
    found = [each for thing in things(catalogue("uprising")) for each in sentences(thing.face)]
    texts = {
        sentence(each.says, NAMES)
        if isinstance(each.says, Effect)
        else condition_words(each.says, NAMES)
        for each in found
    }
    assert {text: clumsy(text) for text in texts if clumsy(text)} == {}


@pytest.mark.parametrize(
    "text",
    [
        "If recalled_spy_this_turn, recruit 2 troops.",
        "Combat: True",
        "John scores -1 Victory Points",
        "John recruits 0 troops",
        "John draws the Intrigue card a card",
        "Gain the the card",
        "Recruit 1 troops.",
        "Recruit 2 troop.",
        "John takes the reward: none",
        "The … track cannot move",
        "A Emperor space",
    ],
)
def test_clumsy_sentences_are_found(text: str) -> None:
    assert clumsy(text)


def test_conditions_and_their_opposites_are_told_apart() -> None:
    has_two: Condition = parse_condition("influence fremen >= 2")
    assert condition_words(has_two, NAMES) == "you have at least 2 Influence with the Fremen"
    assert condition_words(tree.Not(has_two), NAMES) == (
        "you have less than 2 Influence with the Fremen"
    )
