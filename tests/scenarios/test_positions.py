"""Any position at the start of a turn can be given, and any decision can be stated.

Random games are the judges: their positions, stated in words and read again, are the same
positions, and every input that is listed on the way, said in words, is read as that input.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import scenarios
from rules_engine.imperium import frames, soak
from rules_engine.imperium.actions import AnyInput, GiveAlliance, Resolve, SortCard
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, ThisTurn
from rules_engine.kernel.chance import RandomPlay
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import Amount, options, settle, spelled_out, step
from rules_engine.kernel.outcomes import Step
from scenarios.check import read
from scenarios.imperium import stating
from scenarios.language.values import Environment
from scenarios.run import Run
from scenarios.words import option_words

LIBRARY = Path(scenarios.__file__).parent / "library"
GAMES = range(6)
EVERY = 3
"""Of the positions of a game, one in so many is looked at: the games are many enough."""


@functools.cache
def course(number: int) -> tuple[State, ...]:
    """Every position of a random game in which somebody or chance has to answer."""
    state, inputs = soak.drawn_setup(soak.Settings(0), number).state, RandomPlay(number)
    states = [settle(IMPERIUM, state).state]
    while states[-1].pending:
        done = step(IMPERIUM, states[-1], inputs.pick(IMPERIUM, states[-1]))
        assert isinstance(done, Step)
        states.append(done.state)
    return tuple(states[:-1])


def starts_a_turn(state: State) -> bool:
    """Whether a turn is about to begin and nothing was done in it."""
    top = state.pending[-1]
    return isinstance(top, frames.Turn) and state.turn == ThisTurn(top.seat)


def stated(state: State, *more: str) -> str:
    """A scenario of a position."""
    (seat,) = (frame.seat for frame in state.pending if isinstance(frame, frames.Turn))
    return "\n".join(
        (
            'scenario "A position"',
            "cites UPR-ROUND-003",
            *stating.heading(state),
            "given " + "\n  and ".join(stating.givens(state)),
            *more,
            f"then {state.players[seat].name} is asked",
            "",
        )
    )


def plain(state: State) -> Any:
    """A position as plain data; what it leaves unknown cannot be made so."""
    return msgspec.to_builtins(state)


def run_of(text: str) -> Run:
    (scenario,), problems = read("position.scenario", text)
    assert problems == []
    return Run(scenario, Environment(), lambda *_: None)


@pytest.mark.parametrize("number", GAMES)
def test_a_stated_position_is_the_same_position(number: int) -> None:
    looked_at = [state for state in course(number) if starts_a_turn(state)][::EVERY]
    assert looked_at
    for state in looked_at:
        assert plain(run_of(stated(state)).state) == plain(state)


@pytest.mark.parametrize(
    "left_out",
    ["has hand", "in deck", "the row is", "has won", "it is round", "influence", "in discard"],
)
def test_a_line_that_is_left_out_is_missed(left_out: str) -> None:
    state = [state for state in course(0) if starts_a_turn(state)][40]
    assert any(left_out in line for line in stating.givens(state))
    kept = [line for line in stating.givens(state) if left_out not in line]
    text = stated(state)
    given = text[text.index("given ") : text.index("then ")]
    assert not _same(text.replace(given, "given " + "\n  and ".join(kept) + "\n"), state)


def _same(text: str, state: State) -> bool:
    try:
        return bool(plain(run_of(text).state) == plain(state))
    except (TruthsayerError, TypeError):
        return False


# Decisions and chance


def single(option: Any) -> list[Any]:
    """The inputs that an option stands for; of a range, its ends."""
    every = [*spelled_out(option)] if isinstance(option, Amount) else [option]
    return [*dict.fromkeys((*every[:1], *every[-1:]))]


def read_input(state: State, words: str) -> Any:
    """The input that a `when` line gives the engine in a position, the last one if several."""
    names = ", ".join(each.name for each in state.players)
    module = "module choam\n" if state.config.choam else ""
    text = f'scenario "An input"\ngame uprising with {names}\n{module}when {words}\n'
    (scenario,), problems = read("input.scenario", text + "then nobody is asked\n")
    assert problems == [], words
    run = Run(scenario, Environment(), lambda *_: None)
    run.state = run.before = state
    given: list[Any] = []
    run.give = lambda _, each: given.append(each)  # type: ignore[method-assign, assignment]
    run.play()
    return given[-1]


def same(state: State, one: Any, other: Any) -> bool:
    """Whether two inputs are the same; equal effects of equal cards are."""
    if isinstance(one, Resolve) and isinstance(other, Resolve):
        top: Any = state.pending[-1]
        items = [top.items[each.index] for each in (one, other)]
        return (items[0].effect, items[0].source) == (items[1].effect, items[1].source)
    return bool(one == other)


@pytest.mark.parametrize("number", GAMES)
def test_every_listed_input_is_read_from_its_words(number: int) -> None:
    for state in course(number)[:: EVERY * 10]:
        for option in options(IMPERIUM, state):
            for given in single(option):
                words = option_words(state, given)
                assert same(state, read_input(state, words), given), words


def test_words_of_another_input_are_noticed() -> None:
    state = next(state for state in course(0) if starts_a_turn(state))
    one, other = options(IMPERIUM, state)[:2]
    assert not same(state, read_input(state, option_words(state, one)), other)


def test_every_kind_of_input_is_met_there_or_in_the_library() -> None:
    """What is read from its words above, and by the library, is all that the engine takes."""
    met = {
        option.make if isinstance(option, Amount) else type(option)
        for number in GAMES
        for state in course(number)
        for option in options(IMPERIUM, state)
    }
    texts = [file.read_text("utf-8") for file in LIBRARY.rglob("*.scenario")]
    for kind, phrase in RARE.items():
        assert any(phrase in text for text in texts)
        met.add(kind)
    assert met == set(get_args(AnyInput))


RARE = {SortCard: "John sorts ", GiveAlliance: "gives the alliance to "}
"""What random games hardly ever come to, and how a scenario says it."""


OWN = """\
scenario "A position"
game uprising with John, Abby, Ned
module choam
first player John
conflict "Skirmish (Crysknife)"
contract "Road" for visiting Arrakeen: reward "gain 2 solari"
contract "Year" for harvesting 3 spice: reward "gain 1 water"
contract "Order" for acquiring "Prepare the Way": reward "gain 1 water"
contract "Advance" for taking it: reward "gain 1 solari; gain 1 spice"
given everyone has hand nothing
  and everyone has won nothing
  and John has contract "Road", "Year"
  and the contracts are "Order", "Advance"
  and the row is "Maula Pistol", "Truthtrance", "Strike Fleet", "Public Spectacle", "Leadership"
  and the reserve has 3 "Prepare the Way", no "The Spice Must Flow"
  and it is the turn of John
then John is asked
"""


def test_own_contracts_and_stacks_of_the_reserve_are_stated() -> None:
    state = run_of(OWN).state
    again = run_of(stated(state)).state
    assert plain(again) == plain(state)
    assert {each.card: each.left for each in again.reserve} == {
        "prepare_the_way": 3,
        "the_spice_must_flow": 0,
    }
    assert [each.completed_by for each in again.config.contracts] == [
        "visit", "harvest", "acquire", "taking",
    ]  # fmt: skip
