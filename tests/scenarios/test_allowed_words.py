"""What an unstated choice lists as allowed can be pasted: the language reads every line of it."""

from __future__ import annotations

import re

import pytest

from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.soak import Settings, drawn_setup
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.game import step
from rules_engine.kernel.outcomes import Refusal
from scenarios.imperium.names import vocabulary
from scenarios.run import options_to_state

GAMES = 8
WORDS = vocabulary("uprising")


@pytest.mark.parametrize("number", range(GAMES))
def test_everything_that_is_allowed_in_a_game_is_listed_in_words_of_the_language(
    number: int,
) -> None:
    state = drawn_setup(Settings(seed=4), number).state
    play = RandomPlay(number)
    while state.pending:
        for line in options_to_state(state):
            for words in re.findall(r"`([^`]+)`", line):
                WORDS.read(words, "action")
        done = step(IMPERIUM, state, play.pick(IMPERIUM, state))
        assert not isinstance(done, Refusal)
        state = done.state
