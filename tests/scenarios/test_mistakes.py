"""Mistakes in scenario files: one error each, with code, place and a remedy."""

from __future__ import annotations

import pytest

from scenarios import check
from scenarios.language.statements import MOST_MISTAKES
from scenarios.results import Problem

GOOD = """\
scenario "Abby visits Arrakeen"
cites UPR-BOARD-003

game uprising with John, Abby, Ned
conflict "Secure Imperial Basin"

given Abby has hand "Reconnaissance"
  and Abby has 1 troop in garrison
  and Abby has 0 Solari

when Abby plays "Reconnaissance" to Arrakeen
 and Abby resolves all effects
 and Abby draws "Dagger"
then Abby has 2 troops in garrison
 and Abby has hand "Dagger"
"""


def problems(text: str) -> list[Problem]:
    return [problem for result in check("test.scenario", text) for problem in result.problems]


def test_the_file_that_the_mistakes_are_made_in_is_good() -> None:
    assert problems(GOOD) == []


MISTAKES = [
    ("a typing error in a verb", "Abby plays", "Abby plyas", "TS0101", 11, 11, "`plays`"),
    ("a line that begins with nothing known", "given Abby", "givn Abby", "TS0101", 7, 1, "`given`"),
    ("an unknown player", "and Abby draws", "and Abbey draws", "TS0102", 13, 6, "`Abby`"),
    ("an unknown card", '"Dagger"\nthen', '"Daggr"\nthen', "TS0103", 13, 17, "`Dagger`"),
    ("an unknown Conflict", "Secure Imp", "Secre Imp", "TS0103", 5, 10, "Secure Imperial"),
    ("a misspelt space", "to Arrakeen", "to Arakeen", "TS0104", 11, 37, "`Arrakeen`"),
    ("an unknown rule", "UPR-BOARD-003", "UPR-BORD-003", "TS0201", 2, 7, "`UPR-BOARD-003`"),
    ("no game", "game uprising with John, Abby, Ned\n", "", "TS0106", 1, 1, "game uprising with"),
    ("an unknown game", "game uprising", "game uprisng", "TS0108", 4, 6, "`uprising`"),
    ("two players", "John, Abby, Ned", "John, Abby", "TS0108", 4, 1, "three or four"),
    ("one name twice", "John, Abby, Ned", "John, Abby, John", "TS0102", 4, 1, "another name"),
    ("thirteen troops", "has 1 troop in", "has 13 troops in", "TS0110", 8, 7, "smaller"),
    ("a sandworm in a garrison", "1 troop in", "1 sandworm in", "TS0101", 8, 30, "conflict"),
    ("too many copies", '"Reconnaissance"\n  and', '"Signet Ring", "Signet Ring"\n  and',
     "TS0110", 7, 7, "leave out a"),
    ("an illegal action", "to Arrakeen", "to Fremkit", "TS0112", 11, 6, "allowed here"),
    ("an unstated draw", ' and Abby draws "Dagger"\n', "", "TS0111", 12, 6, "draws"),
    ("an impossible draw", 'draws "Dagger"', 'draws "Rebel Supplier"', "TS0111", 12, 6,
     "`Abby draws"),
    ("a number that nobody named", "has 1 troop", "has few troops", "TS0109", 8, 16, "number"),
    ("a column that does not exist", "has 1 troop", "has <n> troops", "TS0109", 8, 16, "examples"),
    ("an unknown ruling", "\ngame", "\nruling alliance_loss_ty is kept\ngame", "TS0202", 4, 8,
     "`alliance_loss_tie`"),
    ("an unknown value of a ruling", "\ngame", "\nruling alliance_loss_tie is kep\ngame", "TS0202",
     4, 29, "`kept`"),
    ("a misspelt thing", "0 Solari", "0 Solary", "TS0101", 9, 18, "`Solari`"),
    ("a capital too many", "1 troop in", "1 Troop in", "TS0101", 8, 18, "`troop`"),
    ("a player in small letters", "and Abby has 0", "and abby has 0", "TS0101", 9, 7, "capital"),
    ("a line that breaks off", "Abby draws \"Dagger\"\nthen", "Abby draws\nthen", "TS0101", 13, 16,
     "quotes"),
    ("a full stop", "0 Solari", "0 Solari.", "TS0101", 9, 24, "end of the line"),
    ("a title without quotes", 'scenario "Abby visits Arrakeen"', "scenario Abby", "TS0101", 1, 10,
     "quotes"),
    ("a header that cannot be read", "with John, Abby", "with John Abby", "TS0101", 4, 25, "`,`"),
    ("a number beyond reason", "has 0 Solari", "has 99999999999 Solari", "TS0101", 9, 16,
     "smaller"),
    ("several at once", "1 troop in garrison", "3 spies at Arrakeen", "TS0116", 8, 7, "a line for"),
    ("said twice", "Abby has 0 Solari", "Abby has 1 troop in garrison", "TS0105", 9, 7, "leave"),
    ("a second game", "conflict", "game uprising with A, B, C\nconflict", "TS0105", 5, 1, "leave"),
    ("a given too late", "then Abby has 2", "given Abby has 2 spice\nthen Abby has 2", "TS0105",
     14, 1, "before"),
    ("two effects at once", "resolves all effects", 'resolves "1 spice; 1 water"', "TS0116", 12, 20,
     "line for each"),
    ("a player called like a space", "John, Abby, Ned", "Arrakeen, Abby, Ned", "TS0102", 4, 1,
     "another name"),
    ("a table without rows", "then Abby", "examples\n  | n |\nthen Abby", "TS0106", 14, 1, "row"),
    ("a where without for any", "\ngiven", "\nwhere 1 = 2\ngiven", "TS0106", 7, 1, "for any"),
    ("one player", "John, Abby, Ned", "Abby", "TS0108", 4, 1, "one and two wait for Rivals"),
    ("six players", "John, Abby, Ned", "A, Abby, B, C, D, E", "TS0108", 4, 1, "six-player game"),
    ("an unknown module", "\ngiven", "\nmodule rivals\ngiven", "TS0104", 7, 8, "`choam`, `promos`"),
    ("a card of another product", '"Reconnaissance"\n  and', '"Duncan Idaho"\n  and', "TS0103", 7,
     21, "`Dagger`"),
    ("a promo without its module", "Abby has 0 Solari", 'John has hand "Arrakis Revolt"', "TS0110",
     9, 7, "`module promos`"),
    ("a promo in the row", "Abby has 0 Solari", 'the row is "Arrakis Revolt"', "TS0110", 9, 7,
     "`module promos`"),
    ("a promo that is set aside", "Abby has 0 Solari", 'John has "Arrakis Revolt" set aside',
     "TS0110", 9, 7, "`module promos`"),
    ("a CHOAM card without its module", "Abby has 0 Solari", 'John has hand "Cargo Runner"',
     "TS0110", 9, 7, "`module choam`"),
    ("a CHOAM Intrigue card without it", "Abby has 0 Solari", 'John has intrigue "Leverage"',
     "TS0110", 9, 7, "`module choam`"),
    ("a contract without the module", "Abby has 0 Solari", 'John has contract "Harvest 3"',
     "TS0110", 9, 7, "`module choam`"),
    ("an unknown contract", "Abby has 0 Solari", 'John has contract "Harvest 5"', "TS0103", 9, 25,
     "`Harvest 3`"),
    ("an unknown Leader", "Abby has 0 Solari", 'John is led by "Lady Jesica"', "TS0103", 9, 22,
     "`Lady Jessica`"),
    ("a Leader of the CHOAM module", "Abby has 0 Solari", 'John is led by "Shaddam Corrino IV"',
     "TS0205", 9, 22, "`module choam`"),
    ("a Leader twice", "Abby has 0 Solari", 'John is led by "Lady Jessica"\n  and Ned is led by '
     '"Reverend Mother Jessica"', "TS0205", 10, 21, "Staban Tuek"),
    ("two Leaders of one player", "Abby has 0 Solari", 'John is led by "Lady Jessica"\n  and John '
     'is led by "Staban Tuek"', "TS0105", 10, 7, "leave out"),
    ("an unknown training space", "Abby has 0 Solari", 'John has trained to "Uper first step"',
     "TS0103", 9, 27, "`Upper first step`"),
    ("training without a Leader", "Abby has 0 Solari", 'John has trained to "Upper first step"',
     "TS0110", 9, 7, "is led by"),
    ("an effect of another product", "\ngiven", '\ncard "Deal" with city icon: agent "gain 1 spice'
     '; negotiate 1"\ngiven', "TS0302", 7, 35, "uprising"),
    ("a word of another product", "\ngiven", '\ncard "Vat" with city icon: reveal "gain 1 specimen"'
     "\ngiven", "TS0302", 7, 35, "uprising"),
    ("a cost that nobody pays", "\ngiven", '\ncard "Vow" with city icon: agent "pay 1 vp -> gain 1 '
     'spice"\ngiven', "TS0303", 7, 34, "`solari`, `spice`, `water`"),
    ("a place that nobody controls", "\ngiven", '\ncard "Vow" with city icon: agent "take control '
     'fremkit"\ngiven', "TS0303", 7, 34, "arrakeen"),
    ("a Faction that is none", "\ngiven", '\ncard "Vow" with city icon: agent "lose 1 influence '
     'spied_on"\ngiven', "TS0303", 7, 34, "fremen"),
    ("a cost picked with the space", "\ngiven", '\ncard "Vow" with city icon: agent '
     '"choose_at_placement: [pay 1 spice] gain 1 water | [pay 2 spice] gain 2 water"\ngiven',
     "TS0303", 7, 34, "spaces only"),
    ("a card called like another", "\ngiven", '\ncard "Dagger" with city icon: agent "gain 1 spice"'
     "\ngiven", "TS0107", 7, 6, "another name"),
    ("a name that is no name", "\ngiven", '\ncard "Any" with city icon: agent "gain 1 spice"'
     "\ngiven", "TS0107", 7, 6, "another name"),
    ("an Intrigue card too often", "Abby has 0 Solari", 'John has intrigue "Impress", "Impress"',
     "TS0110", 9, 7, "leave out a"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("good", "bad", "code", "line", "column", "help_"),
    [mistake[1:] for mistake in MISTAKES],
    ids=[mistake[0] for mistake in MISTAKES],
)
def test_one_mistake_is_one_error_at_its_place(
    good: str, bad: str, code: str, line: int, column: int, help_: str
) -> None:
    assert good in GOOD
    found = problems(GOOD.replace(good, bad, 1))
    assert [(each.code, each.line, each.column) for each in found] == [(code, line, column)]
    assert help_ in found[0].help
    assert found[0].text or code == "TS0106"


def test_two_holders_of_one_alliance_are_refused_with_the_rule() -> None:
    text = GOOD.replace(
        "\nwhen",
        "  and John has 4 influence with the Fremen\n"
        "  and Ned has 4 influence with the Fremen\n"
        "  and John holds the Fremen alliance\n"
        "  and Ned holds the Fremen alliance\n\nwhen",
    )
    (found,) = problems(text)
    assert (found.code, found.line) == ("TS0110", 13)
    assert "UPR-FACTION-009" in found.rules


def test_too_many_copies_are_told_how_many_there_are() -> None:
    (found,) = problems(
        GOOD.replace('"Reconnaissance"\n', '"Signet Ring", "Signet Ring", "Reconnaissance"\n', 1)
    )
    assert found.message.endswith("copies of Signet Ring: 1 in each starting deck")


def test_a_training_track_is_told_whose_it_is() -> None:
    lines = 'John is led by "Lady Jessica"\n  and John has trained to "Upper first step"'
    (found,) = problems(GOOD.replace("Abby has 0 Solari", lines))
    assert (found.code, found.line) == ("TS0110", 10)
    assert "only Feyd-Rautha Harkonnen" in found.message


def test_several_mistakes_are_all_reported_each_once() -> None:
    text = (
        GOOD.replace("UPR-BOARD-003", "UPR-BORD-003")
        .replace("to Arrakeen", "to Arakeen")
        .replace('draws "Dagger"', 'draws "Daggr"')
    )
    assert [each.code for each in problems(text)] == ["TS0201", "TS0104", "TS0103"]


def test_an_unstated_choice_lists_what_is_allowed() -> None:
    text = GOOD.replace("\nwhen", "  and Abby has a spy at Arrakeen\n\nwhen")
    (found,) = problems(text)
    assert found.code == "TS0111"
    assert "recalls the spy at Refinery and Arrakeen post to gather intelligence" in found.help
    assert "Abby declines" in found.help


def test_a_space_with_two_posts_asks_which() -> None:
    text = GOOD.replace("\nwhen", "  and Abby has a spy at Spice Refinery\n\nwhen")
    (found,) = problems(text)
    assert found.code == "TS0114"
    assert "`Refinery post`" in found.help
    assert "`Refinery and Arrakeen post`" in found.help


def test_two_scenarios_with_one_id_are_an_error() -> None:
    found = problems(GOOD + "\n" + GOOD)
    assert [each.code for each in found] == ["TS0107"]


def test_the_rest_of_a_file_is_still_checked() -> None:
    results = check("test.scenario", GOOD.replace("plays", "plyas", 1) + "\n" + GOOD.replace(
        "Abby visits", "Abby really visits"))  # fmt: skip
    assert [result.verdict for result in results] == ["error", "passed"]


@pytest.mark.parametrize("text", ["", "\n\n# only a remark\n", "\x00\x01", "|", "examples", "and"])
def test_files_without_a_scenario_are_errors(text: str) -> None:
    (result,) = check("test.scenario", text)
    assert result.verdict == "error"
    assert result.problems


def test_a_file_that_is_too_large_is_refused() -> None:
    (result,) = check("test.scenario", "#" * 1_000_001)
    assert [each.code for each in result.problems] == ["TS0100"]


def test_of_very_many_mistakes_the_first_are_told() -> None:
    lines = ['scenario "A"', "game uprising with John, Abby, Ned", "given Abby has 1 spice"]
    for wrong in (" and Abby hs 1 spice", "giveen Abby has 1 spice"):
        text = "\n".join([*lines, *[wrong] * (2 * MOST_MISTAKES), "when Abby reveals"])
        (result,) = check("test.scenario", text)
        *others, last = result.problems
        assert {each.code for each in others} == {"TS0101"}
        assert len(others) == MOST_MISTAKES
        assert (last.code, last.line) == ("TS0100", len(lines) + MOST_MISTAKES + 1)
        few = "\n".join([*lines, *[wrong] * 2, "when Abby reveals"])
        assert [each.code for each in problems(few)] == ["TS0101"] * 2


@pytest.mark.parametrize("line", ["where {}", "given John has {} spice"])
def test_a_line_that_joins_very_much_is_refused(line: str) -> None:
    def found(count: int) -> list[str]:
        joined = " and ".join(["j > 0"] * count) if "where" in line else " + ".join(["j"] * count)
        given = "" if "given" in line else "given John has j spice\n"
        text = (
            'scenario "A"\ngame uprising with John, Abby, Ned\nfor any j from 0\n'
            f'{line.format(joined)}\n{given}given Abby has hand "Dagger"\n'
            "when Abby reveals\nthen Abby has 1 sword\n"
        )
        return [f"{each.code} {each.line}" for each in problems(text)]

    assert found(90) == []
    assert found(2_000) == ["TS0100 4"]


@pytest.mark.parametrize(
    ("effect", "column"),
    [
        ("may (" * 1_000 + "gain 1 spice" + ")" * 1_000, 2_033),
        ("may (" * 20 + "1 sword" + ")" * 20, 33),
        ("if " + "not " * 400 + "maker_hooks: gain 1 spice", 33),
    ],
)
def test_an_effect_that_is_too_large_is_told_with_its_place(effect: str, column: int) -> None:
    card = f'card "Trial Ride" with city icon: agent "{effect}"'
    text = f'scenario "A"\ngame uprising with John, Abby, Ned\n{card}\nwhen Abby reveals\n'
    found = problems(text + "then Abby has 1 sword\n")
    assert [(each.code, each.line) for each in found] == [("TS0304", 3)]
    assert found[0].column == column + len("Trial Ride") - 1
    assert found[0].help


def test_a_failing_expectation_shows_both_sides_and_what_happened() -> None:
    (found,) = problems(GOOD.replace("has 2 troops", "has 3 troops"))
    assert found.code == "TS0120"
    assert found.message == "expected Abby has 3 troops in garrison; actual: Abby has 2"
    assert "Abby recruits 1 troop;" in found.help
    assert "UPR-UNIT-005" in found.rules


def test_because_must_name_a_rule_that_decided() -> None:
    good = GOOD.replace("in garrison\n and", "in garrison because UPR-UNIT-005\n and")
    assert problems(good) == []
    (found,) = problems(good.replace("UPR-UNIT-005", "UPR-WALL-003"))
    assert found.code == "TS0121"


def test_cannot_fails_where_it_is_possible() -> None:
    (found,) = problems(GOOD + " but Abby cannot deploy 2 troops\n")
    assert found.code == "TS0120"
    assert problems(GOOD + " but Abby cannot deploy 3 troops\n") == []


def test_reading_something_unknown_names_it() -> None:
    (found,) = problems(GOOD + " and John has 5 cards in hand\n")
    assert found.code == "TS0401"
    assert "John's hand" in found.message


def test_a_scenario_that_expects_nothing_is_an_error() -> None:
    (found,) = problems(GOOD.split("then")[0])
    assert (found.code, found.line) == ("TS0106", 1)


def test_rewards_need_a_combat() -> None:
    (found,) = problems(GOOD + " and Abby gains no reward\n")
    assert found.code == "TS0120"
    assert "no Combat was resolved" in found.message


def test_what_is_not_on_offer_is_forbidden_by_no_rule() -> None:
    (found,) = problems(GOOD + " but Abby cannot pay 3 spice\n")
    assert found.code == "TS0131"


def test_pieces_are_counted() -> None:
    assert problems(GOOD + " and Abby has 1 agent at Arrakeen\n") == []
    assert [each.code for each in problems(GOOD + " and Abby has 2 agents at Arrakeen\n")] == [
        "TS0120"
    ]


def test_many_mistakes_take_no_longer_each() -> None:
    """Two thousand faulty scenarios: what grows with the square of them would take minutes."""
    one = 'scenario "number {}"\ngame uprising with John, Abby, Ned\nthen John has 0 spise\n'
    results = check("test.scenario", "".join(one.format(number) for number in range(2000)))
    assert [result.verdict for result in results] == ["error"] * 2000


def test_a_byte_order_mark_and_other_line_ends_are_no_mistake() -> None:
    assert problems("\ufeff" + GOOD.replace("\n", "\r\n")) == []
    assert problems(GOOD.replace("\n", "\r")) == []


def test_more_conflict_cards_of_a_level_than_were_dealt_are_refused() -> None:
    (found,) = problems(
        """\
scenario "Two of level I"
cites UPR-COMBAT-028
game uprising with John, Abby, Ned
conflict "Skirmish (Crysknife)"
given Abby has won "Skirmish (Desert Mouse)"
  and it is the turn of Abby
then Abby can reveal
"""
    )
    assert found.code == "TS0110"
    assert found.rules == ("BASE-SETUP-006",)


@pytest.mark.parametrize("name", ["Zoë", "Øyvind", "Émile", "Ольга", "Ωμέγα", "李"])
def test_players_have_names_of_any_alphabet(name: str) -> None:
    text = f'scenario "x"\ngame uprising with {name}, Abby, Ned\nthen {name} has 1 water\n'
    assert [each.verdict for each in check("names.scenario", text)] == ["passed"]


@pytest.mark.parametrize("name", ["zoë", "øyvind", "émile", "ольга", "ωμέγα", "1st"])
def test_a_small_letter_begins_no_name(name: str) -> None:
    text = f'scenario "x"\ngame uprising with {name}, Abby, Ned\nthen Abby has 1 water\n'
    (result,) = check("names.scenario", text)
    assert [(each.code, each.line, each.column) for each in result.problems] == [("TS0101", 2, 20)]
