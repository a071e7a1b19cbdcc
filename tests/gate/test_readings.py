"""How readings are compared: what counts as the same, and that no rule of wording is idle."""

from __future__ import annotations

import pytest

from rules_engine.effects.parse import parse
from tests.gate.said import box, plain, routes, ways
from tests.gate.second_reading import WAITING, load
from tests.gate.wording import CONTRACTS, REWRITES, SENTENCES, TRAINING, id_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gain 1 spice; draw 1 card", "draw 1 card; gain 1 spice"),
        ("gain 1 spice & draw 1 card", "draw 1 card & gain 1 spice"),
        ("choose: gain 1 spice | gain 1 water", "choose: gain 1 water | gain 1 spice"),
        ("place 1 spy on city or fremen post", "place 1 spy on fremen or city post"),
        (
            "if high_council: gain 2 spice otherwise: take high_council seat",
            "if not high_council: take high_council seat; if high_council: gain 2 spice",
        ),
    ],
)
def test_order_and_opposite_conditions_make_no_difference(one: str, other: str) -> None:
    assert box(parse(one)) == box(parse(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gain 1 spice", "gain 2 spice"),
        ("gain 1 spice", "gain 1 spice; gain 1 spice"),
        ("gain 1 spice; draw 1 card", "gain 1 spice & draw 1 card"),
        ("trash 1 card", "may trash 1 card"),
        ("pay 1 spice -> gain 1 water", "pay 1 water -> gain 1 spice"),
        ("place 1 spy on city post", "place 1 spy on city post sharing"),
        ("if influence fremen >= 2: draw 1 card", "if alliance fremen: draw 1 card"),
        ("choose: gain 1 spice | gain 1 water", "gain 1 spice; gain 1 water"),
    ],
)
def test_what_means_something_else_differs(one: str, other: str) -> None:
    assert box(parse(one)) != box(parse(other))


def test_words_have_no_order_but_spaces_of_a_track_do() -> None:
    assert plain(["city", "spy"]) == plain(("spy", "city"))
    assert plain(["spy"]) != plain("spy")
    spice, water = parse("gain 1 spice"), parse("gain 1 water")
    assert routes([(spice, water)]) != routes([(water, spice)])
    assert ways([("plot", spice), ("combat", water)]) == ways([("combat", water), ("plot", spice)])
    assert ways([("plot", spice)]) != ways([("combat", spice)])


def test_names_become_ids() -> None:
    assert id_of("Smuggler's Haven") == "smugglers_haven"
    assert id_of("Muad'Dib") == "muad_dib"
    assert id_of("Skirmish (desert mouse)") == "skirmish_desert_mouse"


def _all_words() -> str:
    entries = [entry for entry in load() if entry["kind"] not in WAITING]
    return "\n".join(str(value) for entry in entries for value in entry.values())


@pytest.mark.parametrize("text", [*SENTENCES, *CONTRACTS, *TRAINING])
def test_every_sentence_is_in_the_second_reading(text: str) -> None:
    assert text in _all_words()


def test_every_rewriting_is_used() -> None:
    words, idle = _all_words(), []
    for pattern, replacement in REWRITES:
        words, count = pattern.subn(replacement, words)
        if not count:
            idle.append(pattern.pattern)
    assert idle == []
