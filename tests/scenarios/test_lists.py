"""A list is all that there is, in `given` and in `then`; `at least` says less."""

from __future__ import annotations

import pytest

from scenarios.check import check

Listing = tuple[str, tuple[str, str, str]]
"""A phrase, and three things that it can list."""

CONFLICT = 'conflict "Skirmish (Crysknife)"'

GAME = """scenario "Lists"
game uprising with John, Abby, Ned
module choam
{definitions}
given {given}
{when}
then {then}
"""

PHRASES = {
    "hand": ("John has hand {}", ("Dagger", "Diplomacy", "Reconnaissance")),
    "in hand": ("John has {} in hand", ("Dagger", "Diplomacy", "Reconnaissance")),
    "in discard": ("John has {} in discard", ("Dagger", "Diplomacy", "Reconnaissance")),
    "in play": ("John has {} in play", ("Dagger", "Diplomacy", "Reconnaissance")),
    "in deck": ("John has {} in deck", ("Dagger", "Diplomacy", "Reconnaissance")),
    "intrigue": ("John has intrigue {}", ("Cunning", "Detonation", "Mercenaries")),
    "face up": ("John has {} face up", ("Call to Arms", "Detonation", "Mercenaries")),
    "set aside": ("John has {} set aside", ("Paracompass", "Truthtrance", "Shishakli")),
    "contract": ("John has contract {}", ("Harvest 3", "Harvest 4", "Immediate")),
    "completed": ("John has completed {}", ("Harvest 3", "Harvest 4", "Immediate")),
    "contracts": ("the contracts are {}", ("Harvest 3", "Harvest 4", "Immediate")),
    "row": ("the row is {}", ("Paracompass", "Truthtrance", "Shishakli")),
    "intrigue discard": (
        "the intrigue discard pile has {}",
        ("Cunning", "Detonation", "Mercenaries"),
    ),
    "won": ("John has won {}", ("Trade Dispute", "Shadow Contest", "Spice Freighters")),
    "matched": (
        "John has matched {}",
        ("Trade Dispute", "Crysknife Objective", "Shadow Contest"),
    ),
    "objective": (
        "John has objective {}",
        ("Crysknife Objective", "Ornithopter Objective", "Desert Mouse Objective (First Player)"),
    ),
    "nobody has won": (
        "nobody has won {}",
        ("Trade Dispute", "Shadow Contest", "Spice Freighters"),
    ),
    "trashed": ("John has trashed {}", ("Dagger", "Diplomacy", "Reconnaissance")),
    "out of the game": ("{} are out of the game", ("Paracompass", "Cunning", "Shishakli")),
}
"""Every phrase that lists things, and three things that it can list."""


def quoted(*names: str) -> str:
    return ", ".join(f'"{name}"' for name in names) or "nothing"


def verdict(given: str, then: str, when: str = "", definitions: str = CONFLICT) -> str:
    """How a scenario ends, and the code of its mistake."""
    text = GAME.format(given=given, then=then, when=when, definitions=definitions)
    (result,) = check("test.scenario", text)
    return " ".join((result.verdict, *(each.code for each in result.problems)))


def held(phrase: str, *names: str) -> str:
    """The givens that make a phrase about these cards alone."""
    line = phrase.format(quoted(*names))
    won = "John has won nothing\n  and Abby has won nothing\n  and Ned has won nothing"
    return f"{line}\n  and {won}" if phrase.startswith("nobody") else line


@pytest.fixture(params=[*PHRASES.values()], ids=[*PHRASES])
def listing(request: pytest.FixtureRequest) -> Listing:
    phrase, names = request.param
    return phrase, names


def test_a_list_is_all_that_there_is(listing: Listing) -> None:
    phrase, (one, two, three) = listing

    def then(*names: str) -> str:
        return verdict(held(phrase, one, two), phrase.format(quoted(*names)))

    assert then(one, two) == "passed"
    assert then(two, one) == "passed"
    assert then(one, three) == "failed TS0120", "a wrong one"
    assert then(one, two, three) == "failed TS0120", "one too many"
    assert then(one) == "failed TS0120", "one is missing"
    assert then() == "failed TS0120", "something is there"


def test_nothing_is_said_of_what_is_empty(listing: Listing) -> None:
    phrase, (one, _, _) = listing
    given = held(phrase)
    assert verdict(given, phrase.format("nothing")) == "passed"
    assert verdict(given, phrase.format(quoted(one))) == "failed TS0120"


def test_at_least_says_less_and_can_fail(listing: Listing) -> None:
    phrase, (one, two, three) = listing

    def then(*names: str) -> str:
        said = phrase.format(f"at least {quoted(*names)}")
        return verdict(held(phrase, one, two), said)

    assert then(one) == "passed"
    assert then(one, two) == "passed"
    assert then(three) == "failed TS0120"
    assert then(one, one, one, one) == "failed TS0120", "copies count"
    assert then() == "error TS0135", "at least nothing holds always"


def test_at_least_does_not_state_a_position(listing: Listing) -> None:
    phrase, (one, _, _) = listing
    given = phrase.format(f"at least {quoted(one)}")
    assert verdict(given, "it is round 1") == "error TS0136"


def test_a_list_is_given_once(listing: Listing) -> None:
    phrase, (one, two, _) = listing
    given = f"{phrase.format(quoted(one))}\n  and {phrase.format(quoted(two))}"
    assert verdict(given, "it is round 1") == "error TS0105"


# Numbers


@pytest.mark.parametrize(
    ("given", "when", "claim", "number"),
    [
        ("John has 3 spice", "", "John has {} spice", 3),
        ("John has 3 spice", "gain 2 spice", "John gains {} spice", 2),
        ("John has 3 spice", "recruit 2 troops", "John loses {} troops in supply", 2),
        ("Hagga Basin has 2 bonus spice", "", "Hagga Basin has {} bonus spice", 2),
        ("strength of John is 4", "", "strength of John is {}", 4),
        ('the row is "Truthtrance", "Shishakli"', "", "the row has {} cards", 2),
        ("John has a spy at Imperial Basin", "", "John has {} spy at Imperial Basin", 1),
        ("John has an agent at Arrakeen", "", "John has {} agent at Arrakeen", 1),
        ("John has a crysknife objective", "", "John has {} crysknife objective", 1),
        ('John has hand "Dagger", "Dagger"', "", "John has {} cards in hand", 2),
    ],
)
def test_at_least_so_many(given: str, when: str, claim: str, number: int) -> None:
    step = f'when John resolves the effect "{when}"' if when else ""

    def then(amount: str) -> str:
        return verdict(given, claim.format(amount), step)

    assert then(str(number)) == "passed"
    assert then(str(number - 1)) == then(str(number + 1)) == "failed TS0120"
    assert then(f"at least {number}") == "passed"
    assert number == 1 or then(f"at least {number - 1}") == "passed"
    assert then(f"at least {number + 1}") == "failed TS0120"
    assert then("at least 0") == "error TS0135"


def test_at_least_is_settled_for_all_values() -> None:
    every = f"{CONFLICT}\nfor any s from 0"
    assert verdict("John has s spice", "John has at least s spice", "", every) == "proved"
    assert verdict("John has s spice", "John has at least s + 1 spice", "", every) == (
        "refuted TS0120"
    )


# What belongs together


def test_what_one_has_won_is_told_from_objectives_and_pairs() -> None:
    given = """John has won "Trade Dispute"
  and John has objective "Crysknife Objective"
  and John has matched "Shadow Contest"
"""
    assert verdict(given, 'John has won "Trade Dispute"') == "passed"
    assert verdict(given, 'John has objective "Crysknife Objective"') == "passed"
    assert verdict(given, 'John has matched "Shadow Contest"') == "passed"
    for words in ("won", "objective", "matched"):
        assert verdict("John has won nothing", f"John has {words} nothing") == "passed"


def test_a_player_who_is_not_named_takes_no_reward() -> None:
    def then(claim: str) -> str:
        given = "strength of John is 6, Abby is 4, Ned is 0"
        return verdict(given, claim, "when combat resolves", "")

    assert then("rewards are John first, Abby second") == "passed"
    assert then("rewards are John first, Abby second, Ned none") == "passed"
    assert then("rewards are John first") == "failed TS0120"
    assert then("rewards are John first, Abby second, Ned third") == "failed TS0120"


def test_what_cards_add_to_the_first_reward_is_told_in_full() -> None:
    given = 'the first reward also gives "gain 1 spice; gain 1 water"'
    assert verdict(given, given) == "passed"
    assert verdict(given, 'the first reward also gives "gain 1 spice"') == "failed TS0120"
