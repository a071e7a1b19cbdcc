"""What a proof does not cover cannot be looked at unnoticed, however it is looked at."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import Player, State, follows
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.rulings import Rulings
from verifier.current import claim, quantity
from verifier.positions import symbolic_state
from verifier.verdicts import PROVED, REFUTED, UNSUPPORTED, settle
from verifier.watched import AnyNumber, Lazy, Poison, PoisonRead, Unknown, raw, watched

START = starting_state("uprising", ("Red", "Blue", "Green"), Rulings())


def by_match(state: State) -> bool:
    """Read a field by a class pattern."""
    match state:
        case State(conflict=None):
            return True
        case _:
            return False


READS: dict[str, Callable[[State], object]] = {
    "attribute": lambda state: state.conflict,
    "is None": lambda state: state.conflict is None,
    "isinstance": lambda state: isinstance(state.conflict, str),
    "match": by_match,
    "in": lambda state: state.conflict in ("a", "b"),
    "getattr": lambda state: getattr(state, "conflict"),  # noqa: B009
    "truth": lambda state: bool(state.conflict),
}


@pytest.mark.parametrize("how", READS)
def test_reading_poison_raises_with_its_path(how: str) -> None:
    state = watched(START, conflict=Poison("conflict"))
    with pytest.raises(PoisonRead, match="reads conflict,"):
        READS[how](state)


@pytest.mark.parametrize("how", READS)
def test_reading_poison_makes_a_proof_unsupported(how: str) -> None:
    def function() -> None:
        READS[how](watched(START, conflict=Poison("conflict")))
        claim(True, "nothing")

    settled = settle(function)
    assert settled.verdict == UNSUPPORTED
    assert "conflict" in settled.detail


@pytest.mark.parametrize("how", READS)
def test_reading_the_unknown_says_so(how: str) -> None:
    state = watched(START, conflict=Unknown("the Conflict"))
    with pytest.raises(UnknownRead, match="the Conflict"):
        READS[how](state)


def test_a_changed_record_stays_watched() -> None:
    state = change(watched(START, conflict=Poison("conflict")), round=7)
    assert state.round == 7
    assert isinstance(state, State)
    with pytest.raises(PoisonRead):
        READS["attribute"](state)


def test_a_field_that_is_written_can_be_read() -> None:
    state = change(watched(START, conflict=Poison("conflict")), conflict="skirmish")
    assert state.conflict == "skirmish"


def test_watched_records_with_the_same_slots_are_equal() -> None:
    one, other = (watched(START, conflict=Unknown("it"), turn=Poison("turn")) for _ in range(2))
    assert one == other
    assert one != watched(START, conflict=Unknown("that"), turn=Poison("turn"))
    assert change(one, round=1) == change(other, round=1)


def test_watching_again_keeps_what_is_there() -> None:
    state = watched(watched(START, conflict=Poison("conflict")), turn=Poison("turn"))
    assert raw(state, "conflict") == Poison("conflict")
    assert raw(state, "turn") == Poison("turn")


def test_a_field_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(AttributeError, match="moon"):
        watched(START, moon=1)


class Pair(Record):
    """A record with two fields."""

    left: Any
    right: Any


def test_only_what_is_read_is_enumerated() -> None:
    def function() -> None:
        pair = watched(
            Pair(0, 0), left=Lazy("left", ("a", "b", "c")), right=Lazy("right", tuple(range(9)))
        )
        claim(pair.left == change(pair, right=1).left, "a copy holds the same")

    settled = settle(function)
    assert (settled.verdict, settled.paths) == (PROVED, 3)


def test_a_number_is_made_when_it_is_read() -> None:
    def function() -> None:
        pair = watched(Pair(0, 0), left=AnyNumber("left", 2, 5), right=AnyNumber("right"))
        claim(pair.left != 5, "it is never 5")

    settled = settle(function)
    assert settled.verdict == REFUTED
    assert [(each.name, each.value) for each in settled.values] == [("left", 5)]


def test_rulings_fork_and_the_verdict_says_under_which_it_holds() -> None:
    def function() -> None:
        state = symbolic_state(3)
        claim(follows(state, "alliance_loss_tie") == "taken", "the token is taken")

    settled = settle(function)
    assert settled.verdict == REFUTED
    (read,) = settled.rulings
    assert (read.name, read.values, read.fails_under) == (
        "alliance_loss_tie",
        ("taken", "kept"),
        ("kept",),
    )
    assert "holds if taken" in settled.detail


def test_a_ruling_is_read_the_same_all_along_a_path() -> None:
    def function() -> None:
        state = symbolic_state(3)
        claim(
            follows(state, "alliance_loss_tie") == follows(state, "alliance_loss_tie"),
            "a ruling does not change",
        )

    settled = settle(function)
    assert settled.verdict == PROVED
    assert [read.name for read in settled.rulings] == ["alliance_loss_tie"]


def test_only_rulings_that_are_read_are_named() -> None:
    def function() -> None:
        symbolic_state(3)
        claim(quantity("n") >= 0, "it is natural")

    assert settle(function).rulings == ()


def test_cards_are_not_covered_unless_given() -> None:
    def function() -> None:
        owner: Player = symbolic_state(3).players[0]
        claim(not owner.hand, "the hand is empty")

    settled = settle(function)
    assert settled.verdict == UNSUPPORTED
    assert "Red.hand" in settled.detail
