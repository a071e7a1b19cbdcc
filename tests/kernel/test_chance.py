"""Chance is an input: a seed or a script answers, and copies of a card count one by one."""

from __future__ import annotations

from collections import Counter

import pytest

from rules_engine.imperium.frames import DrawFromDeck
from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.chance import RandomPlay, ScriptedChance, SeededChance, likelihoods
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import Answer, settle
from tests.imperium.positions import after, at, bare, dealt
from tests.kernel.toy_game import FACES, TOY, start

DRAW = at(bare(), DrawFromDeck(0, 1))


def test_every_card_of_a_deck_is_equally_likely() -> None:
    chance = SeededChance(5)
    drawn = Counter(chance.answer(IMPERIUM, DRAW).outcome for _ in range(10_000))
    # Ten cards, of which three faces are there twice.
    for face, copies in likelihoods(IMPERIUM, DRAW).items():
        assert drawn[face] == pytest.approx(1_000 * copies, rel=0.12)
    assert drawn["dagger"] == pytest.approx(2_000, rel=0.12)
    assert drawn.total() == 10_000


def test_without_weights_all_outcomes_are_equally_likely() -> None:
    roll = settle(TOY, start()).state
    assert likelihoods(TOY, roll) == dict.fromkeys(FACES, 1)


def test_a_seed_answers_the_same_every_time() -> None:
    one, other, different = SeededChance(1), SeededChance(1), SeededChance(2)
    answers = [one.answer(IMPERIUM, DRAW) for _ in range(20)]
    assert answers == [other.answer(IMPERIUM, DRAW) for _ in range(20)]
    assert answers != [different.answer(IMPERIUM, DRAW) for _ in range(20)]


def test_a_script_answers_in_its_order() -> None:
    chance = ScriptedChance(["dagger", "diplomacy"])
    assert chance.answer(IMPERIUM, DRAW) == Answer("dagger")
    assert chance.answer(IMPERIUM, DRAW) == Answer("diplomacy")
    with pytest.raises(TruthsayerError, match="no answer left") as raised:
        chance.answer(IMPERIUM, DRAW)
    assert "seek_allies" in raised.value.help


def test_a_script_cannot_answer_the_impossible() -> None:
    with pytest.raises(TruthsayerError, match="`strike_fleet`") as raised:
        ScriptedChance(["strike_fleet"]).answer(IMPERIUM, DRAW)
    assert raised.value.code == "TS0403"


def test_random_play_gives_allowed_inputs_only() -> None:
    state, inputs = dealt(4), RandomPlay(3)
    for _ in range(60):
        state = after(state, inputs.pick(IMPERIUM, state))
    assert state.round == 1
