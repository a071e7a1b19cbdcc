"""What a proof does not cover cannot be looked at unnoticed, however it is looked at."""

import functools
import operator
from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import Player, State, follows
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import default
from verifier.current import claim, quantity
from verifier.numbers import all_of, opposite
from verifier.positions import open_rulings, symbolic_state
from verifier.verdicts import PROVED, REFUTED, UNSUPPORTED, RulingsRead, settle
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


IN_A_PROOF: dict[str, Callable[[State], object]] = {
    "equal": lambda state: state == change(state, round=state.round),
    "unequal": lambda state: state != change(state, round=state.round),
    "equal to a plain record": lambda state: state == START,
    "plain record equal to": lambda state: operator.eq(START, state),
    "member": lambda state: state in (START,),
    "equal inside a record": lambda state: Pair(state, 1) == Pair(START, 1),
    "hash": hash,
    "dictionary key": lambda state: {state: 1},
    "hash inside a record": lambda state: hash(Pair(state, 1)),
    "cached": lambda state: functools.cache(lambda _: 1)(state),
}
"""Reads of all fields at once; outside of a proof they take the slots as they are."""


@pytest.mark.parametrize("how", READS)
def test_reading_poison_raises_with_its_path(how: str) -> None:
    state = watched(START, conflict=Poison("conflict"))
    with pytest.raises(PoisonRead, match="reads conflict,"):
        READS[how](state)


@pytest.mark.parametrize("how", [*READS, *IN_A_PROOF])
def test_reading_poison_makes_a_proof_unsupported(how: str) -> None:
    def function() -> None:
        {**READS, **IN_A_PROOF}[how](watched(START, conflict=Poison("conflict")))
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


@pytest.mark.parametrize("how", IN_A_PROOF)
def test_outside_of_a_proof_slots_are_taken_as_they_are(how: str) -> None:
    taken = IN_A_PROOF[how](watched(START, conflict=Unknown("it"), turn=Poison("turn")))
    assert taken is not None


def test_records_are_keys_outside_of_a_proof() -> None:
    one, other = (watched(START, conflict=Unknown("it")) for _ in range(2))
    assert {one: 1}[other] == 1
    assert "the slot" in repr(watched(START, conflict=Unknown("the slot")))


@pytest.mark.parametrize("text", [repr, str, lambda state: f"{state}"])
def test_the_text_of_a_record_makes_a_proof_unsupported(text: Callable[[State], str]) -> None:
    def function() -> None:
        claim("Poison" in text(watched(START, conflict=Poison("conflict"))), "anything")

    settled = settle(function)
    assert settled.verdict == UNSUPPORTED
    assert "text of a State" in settled.detail


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


def number_and_letter(name: str) -> Pair:
    """A pair of which nothing is known but that the second is a letter."""
    return watched(
        Pair(0, 0), left=AnyNumber(f"{name}.left"), right=Lazy(f"{name}.right", ("a", "b"))
    )


def test_records_are_equal_in_a_proof_if_their_fields_are() -> None:
    def function() -> None:
        one, other = number_and_letter("one"), number_and_letter("other")
        alike = all_of(one.left == other.left, one.right == other.right)
        claim((one == other) == alike, "equal if the fields are")
        claim((one != other) == opposite(alike), "else not equal")
        claim((one in (1, other)) == alike, "and found among others")
        plain = Pair(3, "b")
        claim((plain == one) == all_of(one.left == 3, one.right == "b"), "a plain one too")
        something: object = (one.left, one.right)
        claim(one != something, "something else is not equal")

    assert settle(function).verdict == PROVED


def test_records_with_different_names_may_be_equal() -> None:
    def function() -> None:
        claim(number_and_letter("one") != number_and_letter("other"), "they differ")

    settled = settle(function)
    assert settled.verdict == REFUTED


def test_a_record_is_a_key_by_its_values() -> None:
    def function() -> None:
        pair = watched(Pair(0, 0), right=Lazy("right", ("a", "b")))
        claim({Pair(0, "a"): 1}.get(pair) == (1 if pair.right == "a" else None), "found if equal")

    settled = settle(function)
    assert (settled.verdict, settled.paths) == (PROVED, 2)


def test_the_same_slots_are_equal_without_a_read() -> None:
    def function() -> None:
        slots = {"left": Unknown("left"), "right": Lazy("right", ("a", "b"))}
        one, other = watched(Pair(0, 0), **slots), watched(Pair(0, 0), **slots)
        claim(one == other, "the same slots hold the same")
        claim(watched(Pair(0, 1), left=Unknown("it")) != Pair(0, 2), "a known field is enough")

    settled = settle(function)
    assert (settled.verdict, settled.paths) == (PROVED, 1)


def test_the_unknown_is_read_where_equality_depends_on_it() -> None:
    with pytest.raises(UnknownRead, match="the left one"):
        settle(lambda: claim(watched(Pair(0, 1), left=Unknown("the left one")) == Pair(0, 1), ""))


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


def test_a_ruling_that_is_left_at_its_default_is_named() -> None:
    def function() -> None:
        config = change(symbolic_state(3).config, rulings=open_rulings(()))
        state = change(symbolic_state(3), config=config)
        claim(follows(state, "icon_granularity") == default("icon_granularity"), "the default")

    settled = settle(function)
    assert (settled.verdict, settled.paths) == (PROVED, 1)
    taken = default("icon_granularity")
    assert settled.rulings == (RulingsRead("icon_granularity", (taken,), (), taken),)


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
