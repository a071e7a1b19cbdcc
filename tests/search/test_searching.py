"""The search over rules, rulings, everything printed and scenarios."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import Rule, rules
from rules_engine.rulebook.rulings import Settled
from scenarios.finding import library_files
from scenarios.searching import known_products, search, search_rules


def printed(question: str, product: str = "") -> list[str]:
    return [thing.name for thing in search(question, product).printed]


def test_rules_and_rulings_are_in_one_order() -> None:
    first, *more = search("does the shield wall have to be removed?").answers
    assert isinstance(first, Settled)
    assert first.id == "shield_wall_optional"
    assert any(isinstance(each, Rule) and each.id == "UPR-WALL-004" for each in more)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("summon a worm", "summoned sandworms"),
        ("buying a card", "acquire a card"),
        ("2 VP", "two victory points"),
        ("my spies", "a Spy"),
        ("cubes in my garrison", "troops in the garrison"),
    ],
)
def test_what_means_the_same_finds_the_same(one: str, other: str) -> None:
    assert search(one).answers == search(other).answers


def test_the_usual_game_comes_first_and_a_named_one_alone() -> None:
    found = [rule.id for rule in search_rules("defensive bonus")]
    assert found[0].startswith("UPR-CTRL-")
    assert "BASE-CTRL-006" in found
    (first, *_) = search_rules("defensive bonus", "base")
    assert first.id == "BASE-CTRL-006"
    for product in known_products():
        for rule in search_rules("card agent troop", product, 100):
            assert any(each.split("-")[0] == product.split("-")[0] for each in rule.products)


def test_ways_to_play_a_game_belong_to_it() -> None:
    found = search("how many rivals are there", "hagal").answers
    assert found
    assert all(isinstance(each, Rule) and each.id.startswith(("HAG-", "IX-HAG-")) for each in found)


@pytest.mark.parametrize("product", ["chess", "hagal-", "../uprising", "Uprising", "up"])
def test_a_game_that_is_not_there_is_told(product: str) -> None:
    with pytest.raises(TruthsayerError) as caught:
        search("worm", product)
    assert caught.value.code == "TS0738"
    assert caught.value.help


def test_what_a_question_names_is_meant() -> None:
    assert printed("Can I trash The Spice Must Flow at Arrakeen?") == [
        "The Spice Must Flow",
        "Arrakeen",
    ]
    assert printed("does Jessica flip") == ["Lady Jessica", "Reverend Mother Jessica"]
    assert printed("Emperor of the Known Universe") == ["Shaddam Corrino IV"]
    assert printed("arrakeen", "base") == []


def test_what_names_nothing_gets_the_cards_that_fit() -> None:
    assert "Rebel Supplier" in printed("recruit troops if I recalled a spy this turn")


def test_scenarios_are_found_by_their_titles() -> None:
    (first, *_) = search("can Abby ride a worm into Arrakeen").scenarios
    assert first.title == "Can Abby ride a worm into Arrakeen?"
    line = dict(library_files())[first.file].splitlines()[first.line - 1]
    assert line == f'scenario "{first.title}"'


@pytest.mark.parametrize("question", ["", "  ", "?", "can I do it", "_", "\0"])
def test_a_question_about_nothing_is_told(question: str) -> None:
    for ask in (search, search_rules):
        with pytest.raises(TruthsayerError) as caught:
            ask(question)
        assert caught.value.code == "TS0736"


def test_a_word_of_no_text_finds_nothing() -> None:
    found = search("xyzzy")
    assert (found.answers, found.printed, found.scenarios) == ((), (), ())
    assert search_rules("xyzzy") == ()


def test_what_is_named_by_its_id_comes_first() -> None:
    for rule in rules()[::50]:
        assert search_rules(rule.id)[0] == rule
        assert search(f"does {rule.id.lower()} mean that I lose troops?").answers[0] == rule
    assert search("what is plot_window about troops").answers[0].id == "plot_window"


def test_no_more_is_found_than_is_asked_for() -> None:
    found = search("troops in the conflict", most=3)
    assert (len(found.answers), len(found.printed), len(found.scenarios)) == (3, 3, 3)
    assert len(search_rules("troop", most=7)) == 7


@settings(deadline=None)
@given(st.text(max_size=200), st.sampled_from(["", "uprising", "hagal", "arrakis"]))
def test_whatever_is_asked_is_answered_or_told(question: str, product: str) -> None:
    code = ""
    try:
        assert len(search(question, product).answers) <= 5
    except TruthsayerError as error:
        code = error.code
    assert code in ("", "TS0736")
