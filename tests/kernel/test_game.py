"""Steps, frames and refusals, on a game that the kernel has never heard of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules_engine.kernel.game import (
    NOBODY,
    Amount,
    Answer,
    GameStuck,
    actions,
    asked,
    by_itself,
    handle,
    legal,
    options,
    push,
    settle,
    step,
    window,
)
from rules_engine.kernel.outcomes import Reason, Refusal, Step
from rules_engine.kernel.records import change
from tests.kernel.toy_game import (
    ROUND,
    TOY,
    GoTo,
    Haggle,
    Leave,
    Market,
    Poll,
    Roll,
    Round,
    Travel,
    Vote,
    start,
)


def keys(refused: Refusal | None) -> list[str]:
    """The keys of the reasons of a refusal."""
    assert refused is not None
    return [reason.key for reason in refused.reasons]


def test_a_game_that_is_over_takes_nothing() -> None:
    over = change(start(), pending=())
    assert asked(TOY, over) == NOBODY
    assert options(TOY, over) == ()
    assert keys(legal(TOY, over, Leave(0))) == ["nothing_to_do"]


def test_a_frame_that_goes_on_by_itself_takes_nothing() -> None:
    assert asked(TOY, start()).nobody()
    assert actions(TOY, start()) == ()
    assert keys(legal(TOY, start(), Leave(0))) == ["not_your_decision"]
    assert keys(legal(TOY, start(), Answer("1"))) == ["not_asked"]


def test_chance_and_players_do_not_answer_for_each_other() -> None:
    rolling = change(start(), pending=(Roll(0),))
    voting = change(start(), pending=(Poll(),))
    assert keys(legal(TOY, rolling, Leave(0))) == ["not_asked"]
    assert keys(legal(TOY, voting, Answer("1"))) == ["not_asked"]
    trading = change(start(), pending=(Market(1),))
    assert keys(legal(TOY, trading, Leave(0))) == ["not_your_decision"]


def test_the_rule_about_the_moment_of_an_action_comes_before_whose_decision_it_is() -> None:
    at_market = Reason("at_market", ("TOY-1",))
    game = replace(TOY, windows=lambda _, given: (at_market,) if type(given) is Haggle else ())
    trading, over = (change(start(), pending=each) for each in ((Market(0),), ()))
    assert keys(legal(game, trading, Haggle(1, 1))) == ["at_market", "not_your_decision"]
    assert keys(legal(game, trading, Leave(1))) == ["not_your_decision"]
    assert keys(legal(game, over, Haggle(0, 1))) == ["at_market", "nothing_to_do"]
    assert window(game, over, Haggle(0, 1)) == (at_market,)


def test_an_action_that_names_what_there_is_not_has_no_moment() -> None:
    stranger = Reason("no_such_thing", ROUND)
    game = replace(TOY, windows=_never, strangers=lambda _, __: (stranger,))
    assert window(game, start(), Leave(0)) == ()
    assert keys(legal(game, start(), Leave(0))) == ["not_your_decision"]


def _never(_: object, __: object) -> tuple[Reason, ...]:
    raise AssertionError("nothing is asked about a name that there is not")


def test_all_reasons_are_collected() -> None:
    alone = change(start(2), pending=(Market(0),))
    alone = change(alone, players=(alone.players[0], change(alone.players[1], place="cave")))
    assert keys(legal(TOY, alone, Haggle(0, 0))) == ["nobody_there", "offer_something"]


def test_a_refusal_names_each_rule_once() -> None:
    alone = change(start(1), pending=(Market(0),))
    refused = step(TOY, alone, Haggle(0, 9))
    assert isinstance(refused, Refusal)
    assert (len(refused.reasons), refused.rules) == (2, ("TOY-TRADE",))


def test_an_amount_is_described_by_its_bounds() -> None:
    trading = change(start(), pending=(Market(0),))
    assert options(TOY, trading) == (Amount(Haggle, 0, 1, 3), Leave(0))
    assert actions(TOY, trading) == (*(Haggle(0, n) for n in (1, 2, 3)), Leave(0))


def test_handle_treats_the_top_frame_and_nothing_below_it() -> None:
    state = change(start(), pending=(Round(), Travel(0, 1)))
    done = handle(TOY, state, GoTo(0, "rock"))
    assert isinstance(done, Step)
    assert done.state.pending == (Round(),)


def test_a_step_goes_on_until_somebody_is_asked() -> None:
    state = change(start(), pending=(Round(), Travel(0, 1)))
    done = step(TOY, state, GoTo(0, "rock"))
    assert isinstance(done, Step)
    assert isinstance(done.state.pending[-1], Roll)
    assert [event.key for event in done.events] == ["travels", "round"]


def test_the_last_frame_pushed_is_treated_first() -> None:
    assert push(start(), Roll(0), Roll(1)).pending == (Round(), Roll(0), Roll(1))


def test_a_game_without_end_is_reported() -> None:
    endless = by_itself(lambda state, frame, _: Step(push(state, frame)), ROUND)
    game = replace(TOY, frames={**TOY.frames, Round: endless})
    with pytest.raises(GameStuck, match="Round never came to an end"):
        settle(game, start())


def test_a_vote_answers_only_for_the_one_who_gives_it() -> None:
    voting = change(start(), pending=(Poll(),))
    assert {action.by for action in actions(TOY, voting)} == {0, 1, 2}
    assert legal(TOY, voting, Vote(2, "yes")) is None
