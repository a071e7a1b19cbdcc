"""`rulings`, `card`, `catalogue` and `coverage`: what they show, and what they say to bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, effects, sentences, things
from rules_engine.effects import tree
from rules_engine.effects.parse import parse
from rules_engine.effects.text import say
from rules_engine.kernel.records import Record
from rules_engine.rulebook.index import rule
from rules_engine.rulebook.rulings import rulings
from scenarios.coverage import rules_to_prove
from scenarios.naming import RuleFunction
from tests.clumsy import clumsy
from tests.samples import NO_WORM
from truthsayer.cli import main
from truthsayer.cli.card import MOST_TITLES
from truthsayer.cli.catalogue import special_effects
from truthsayer.reports.coverage_text import NO_PROPERTY
from verifier.api import properties

ROOT = Path(__file__).parents[2]
ARRAKEEN = """\
Arrakeen: board space
  Agent icon: City
  Combat space
  Visit: Recruit 1 troop. Draw 1 card.
  For its controller, whenever an Agent is sent here: Gain 1 Solari.
  rulings:
    settled `control_bonus_timing`: When does the controller of a space get its bonus?
      At once when an Agent is sent there, before the visitor's effects, whoever the visitor is.
  named by 1 scenario
    Abby sends an Agent to Arrakeen
  rules: UPR-BOARD-003, UPR-CTRL-005, UPR-UNIT-005, UPR-ICON-003, UPR-COST-007, UPR-COST-008
"""
REBEL_SUPPLIER = """\
Rebel Supplier: card of the Imperium Deck, 2 copies
  costs 3 Persuasion
  belongs to: Fremen
  Agent icons: City
  Agent turn: If you recalled a Spy this turn, recruit 2 troops.
  Reveal: Add 1 sword. Gain 1 spice.
  rulings:
    open point `recall_first_counts`: Does taking back a Spy because none was in supply count as
      having recalled a Spy this turn?
      we play `yes`: yes, it is a recall (authority: convention)
      other reading `no`: no, it has no effect of its own
    settled `recalled_spy_this_turn`: What counts as having recalled a Spy this turn?
      Every return of an own Spy to supply this turn: to Infiltrate, to Gather Intelligence, as a
        cost, by a Leader.
  named by 0 scenarios
  rules: UPR-SPY-008, UPR-UNIT-005, UPR-STR-006, UPR-COST-007, UPR-COST-008
"""
SCENARIO = """\
scenario "Abby sends an Agent to Arrakeen"
cites UPR-BOARD-003

game uprising with John, Abby, Ned
ruling plot_window is after_card

given Abby has hand "Reconnaissance"

when Abby plays "Reconnaissance" to Arrakeen
 and Abby resolves "recruit 1 troop"
then Abby gains 1 troop in garrison
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="truthsayer")


def told(*arguments: str) -> Any:
    """What a command prints as JSON."""
    return json.loads(run(*arguments, "--json").stdout)


@pytest.fixture
def small_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one scenario."""
    folder = tmp_path / "uprising"
    folder.mkdir()
    file = folder / "small.scenario"
    file.write_text(SCENARIO, encoding="utf-8")
    monkeypatch.setattr("truthsayer.cli.files.LIBRARY", tmp_path)
    monkeypatch.chdir(tmp_path)
    return file


BAD = [
    ("TS0202", "rulings", "plot_windo"),
    ("TS0202", "rulings", "x" * 20_000),
    ("TS0202", "rulings", ""),
    ("TS0203", "rulings", "--product", "chess"),
    ("TS0714", "card", "Seek Alies"),
    ("TS0714", "card", "x" * 20_000),
    ("TS0714", "card", ""),
    ("TS0714", "card", "_"),
    ("TS0737", "card", "spice"),
    ("TS0203", "card", "Seek Allies", "--product", "chess"),
    ("TS0203", "catalogue", "--product", "chess"),
    ("TS0203", "catalogue", "--product", ""),
    ("TS0203", "coverage", "--product", "chess"),
    ("TS0201", "coverage", "--rule", "UPR-WALL-03"),
    ("TS0715", "coverage", "--rule", "UPR-UNIT-004"),
    ("TS0715", "coverage", "--rule", "SIX-TEAM-001"),
    ("Usage:", "card"),
    ("Usage:", "catalogue", "--nonsense"),
    ("Usage:", "coverage", "--rule", "UPR-WALL-003", "--html", "coverage.html"),
]


@pytest.mark.parametrize(("said", "arguments"), [(each[0], each[1:]) for each in BAD])
def test_bad_input_is_told_with_a_code(said: str, arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert result.stdout == ""
    if said.startswith("TS"):
        assert "  help: " in result.stderr


def test_near_misses_are_named() -> None:
    assert "did you mean `plot_window`?" in run("rulings", "plot_windo").stderr
    assert "did you mean `Seek Allies`?" in run("card", "Seek Alies").stderr


# Rulings


def test_every_ruling_is_listed_with_all_its_values() -> None:
    listed = run("rulings")
    assert listed.exit_code == 0
    for each in rulings().values():
        assert f"\n{each.id}\n" in f"\n{listed.stdout}"
        assert f"    {each.default} (default): " in listed.stdout
    assert listed.stdout.endswith(f"{len(rulings())} rulings\n")
    found = {each["id"]: each for each in told("rulings")["rulings"]}
    assert found.keys() == rulings().keys()
    for name, each in rulings().items():
        assert found[name]["values"] == dict(zip(each.values, each.says, strict=True))
        assert found[name]["default"] == each.default
        assert found[name]["rules"] == list(each.rules)
        assert found[name]["authority"] == each.authority


@pytest.mark.usefixtures("small_library")
def test_a_ruling_is_shown_with_the_scenarios_that_use_it() -> None:
    place = "uprising/small.scenario"
    shown = run("rulings", "plot_window").stdout
    used = f"  used by 1 scenario\n    Abby sends an Agent to Arrakeen ({place}:1)\n"
    assert shown.endswith(used)
    (only,) = told("rulings", "plot_window")["scenarios"]
    assert only == {"title": "Abby sends an Agent to Arrakeen", "file": place, "line": 1}
    assert told("rulings", "gather_empty_deck")["scenarios"] == []


@pytest.mark.usefixtures("small_library")
def test_an_outcome_that_depends_on_a_ruling_uses_it(small_library: Path) -> None:
    text = SCENARIO.replace("ruling plot_window is after_card", "depends on ruling plot_window")
    small_library.write_text(text, encoding="utf-8")
    assert len(told("rulings", "plot_window")["scenarios"]) == 1


# Cards and everything else


@pytest.mark.parametrize("thing", things(catalogue("uprising")), ids=lambda each: each.id)
@pytest.mark.usefixtures("small_library")
def test_everything_printed_can_be_shown(thing: Thing) -> None:
    for name in (thing.id, thing.name):
        shown = run("card", name)
        assert shown.exit_code == 0, shown.stderr
        assert f"{thing.name}: " in shown.stdout
        assert [line for line in in_plain_words(shown.stdout) if clumsy(line)] == []
    (only,) = [each for each in told("card", thing.id)["things"] if each["id"] == thing.id]
    assert [each["sentence"] for each in only["effects"] if "rules" in each] == [
        say(effect) for effect in effects(thing.face)
    ]
    assert all(each["plain"] for each in only["effects"])


def in_plain_words(shown: str) -> list[str]:
    """The lines of what was shown that tell what is printed, and not what rules and rulings say."""
    return [
        line.strip()
        for each in shown.split("\n\n")
        for line in each.partition("\n  rulings:")[0].partition("\n  named by ")[0].splitlines()
    ]


@pytest.mark.usefixtures("small_library")
def test_a_card_is_told_with_rulings_titles_and_rules() -> None:
    assert run("card", "Arrakeen").stdout == ARRAKEEN
    assert run("card", "Rebel Supplier").stdout == REBEL_SUPPLIER


def test_what_no_ruling_is_about_says_nothing_of_rulings() -> None:
    assert "ruling" not in run("card", "Dagger").stdout
    assert "rulings:\n" in run("card", "Imperial Privilege").stdout


def test_titles_that_name_a_card_come_first_and_no_more_than_a_few() -> None:
    shown = run("card", "Dagger").stdout
    titles = shown.partition("scenarios\n")[2].splitlines()
    assert "Dagger" in titles[0]
    assert titles[MOST_TITLES].endswith(" more, which --json lists")
    assert len(told("card", "Dagger")["things"][0]["scenarios"]) > MOST_TITLES
    assert ".scenario" not in shown


@pytest.mark.usefixtures("small_library")
@pytest.mark.parametrize("part", ["rebel", "Rebel Sup", "supplier", "rebel_s"])
def test_a_part_of_a_name_is_enough(part: str) -> None:
    (only,) = told("card", part)["things"]
    assert only["name"] == "Rebel Supplier"


def test_a_part_of_several_names_lists_them() -> None:
    said = run("card", "jessica")
    assert said.exit_code == 2
    assert "say which: `Lady Jessica`, `Reverend Mother Jessica`" in said.stderr
    assert " more" in run("card", "s").stderr


def test_a_part_that_begins_no_word_is_none() -> None:
    assert "TS0714" in run("card", "ebel").stderr


@pytest.mark.usefixtures("small_library")
def test_a_space_is_shown_with_sentences_rules_and_scenarios() -> None:
    (only,) = told("card", "ARRAKEEN")["things"]
    assert (only["kind"], only["id"], only["data"]["icon"]) == ("spaces", "arrakeen", "city")
    recruits, draws, *_ = only["effects"]
    assert (recruits["box"], recruits["sentence"]) == ("effects", "recruit 1 troop")
    assert "UPR-UNIT-005" in recruits["rules"]
    assert "UPR-ICON-003" in draws["rules"]
    assert [each["title"] for each in only["scenarios"]] == ["Abby sends an Agent to Arrakeen"]


@pytest.mark.usefixtures("small_library")
def test_a_scenario_names_only_what_its_lines_name() -> None:
    assert len(told("card", "Reconnaissance")["things"][0]["scenarios"]) == 1
    assert told("card", "Siege of Arrakeen")["things"][0]["scenarios"] == []


def test_things_of_one_name_are_all_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = things(catalogue("uprising"))
    arrakeen = next(thing for thing in everything if thing.id == "arrakeen")
    monkeypatch.setattr(
        "scenarios.finding.things", lambda _: (arrakeen, arrakeen._replace(kind="twins"))
    )
    assert [each["kind"] for each in told("card", "arrakeen")["things"]] == ["spaces", "twins"]


# The catalogue


def test_every_face_is_counted_once() -> None:
    kinds = told("catalogue")["kinds"]
    assert sum(each["faces"] for each in kinds) == len(things(catalogue("uprising")))
    counts = {each["kind"]: (each["faces"], each["copies"]) for each in kinds}
    assert counts["posts"] == (13, 13)
    assert counts["cards, starting"] == (7, 10)
    assert "posts" in run("catalogue").stdout


class Face(Record):
    """A made-up face."""

    name: str
    effects: tuple[tree.Effect, ...]


def planted(*texts: str) -> tuple[Thing, ...]:
    return tuple(
        Thing("cards", f"card_{number}", Face(f"Card {number}", parse(text)))
        for number, text in enumerate(texts, 1)
    )


def test_a_kind_of_node_that_one_thing_alone_uses_is_special() -> None:
    found = special_effects(planted("train", "gain 1 spice", "gain 2 spice"))
    assert [(each.thing.id, each.kinds) for each in found] == [("card_1", ("Train",))]
    assert special_effects(planted("train", "train")) == []


def test_a_special_kind_deep_in_an_effect_counts() -> None:
    (only,) = special_effects(
        planted("may (train & gain 1 spice)", "may (gain 1 water & gain 1 spice)")
    )
    assert (only.thing.id, only.kinds) == ("card_1", ("Train",))


def test_a_kind_that_other_products_print_is_not_special() -> None:
    assert special_effects(planted("use leader signet ability")) == []


@pytest.mark.parametrize(("common", "exit_code"), [(19, 0), (18, 1)])
def test_more_than_one_in_twenty_is_too_many(
    common: int, exit_code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = planted("train", *["gain 1 spice"] * common)
    monkeypatch.setattr("truthsayer.cli.catalogue.things", lambda _: everything)
    result = run("catalogue", "--specials")
    assert result.exit_code == exit_code
    assert result.stdout.startswith("Card 1: train\n")
    share = {0: "1 of 20 effects, 5.0 %\n", 1: "1 of 19 effects, 5.3 %, more than one in 20\n"}
    assert result.stdout.endswith(share[exit_code])


def test_the_specials_of_the_product_are_at_most_one_in_twenty() -> None:
    result = run("catalogue", "--specials")
    assert result.exit_code == 0, result.stdout


def test_conditions_are_sentences_but_no_effects() -> None:
    spaces = [each for each in things(catalogue("uprising")) if each.kind == "spaces"]
    asking = [each for each in spaces if getattr(each.face, "requirement", None) is not None]
    assert asking
    for each in asking:
        assert len(sentences(each.face)) > len(effects(each.face))


# Coverage


@pytest.mark.usefixtures("small_library")
def test_coverage_counts_what_a_library_shows() -> None:
    report = told("coverage")
    results = {each["id"]: each for each in report["results"]}
    assert results["UPR-BOARD-003"]["state"] == "covered"
    (scenario,) = results["UPR-BOARD-003"]["covered_by"]
    assert scenario == "small.abby_sends_an_agent_to_arrakeen"
    assert results["UPR-WALL-003"]["missing"] == ["no scenario cites it"]
    assert results["UPR-MAKER-002"]["waits_for"] == "the six-player game"
    assert [report[state] for state in ("covered", "uncovered", "waiting")] == [1, 238, 12]
    assert report["chapters"]["BOARD"]["covered"] == 1
    assert report["chapters"]["WALL"]["with_property"] >= 2


@pytest.mark.usefixtures("small_library")
def test_coverage_joins_rules_with_functions_printed_things_and_properties() -> None:
    report = told("coverage")
    results = {each["id"]: each for each in report["results"]}
    wall = results["UPR-WALL-003"]
    functions = {(each["place"].partition(":")[0], each["name"]) for each in wall["functions"]}
    assert ("rules_engine/imperium/shield_wall.py", "protects_conflict") in functions
    named = wall["properties"][0]
    assert named["name"] in {each.name for each in properties() if "UPR-WALL-003" in each.rules}
    assert named["kind"] == "claim"
    assert named["place"].startswith("verifier/properties/")
    assert results["UPR-BOARD-003"]["printed"] == [{"kind": "spaces", "id": "arrakeen"}]
    one = run("coverage", "--rule", "UPR-WALL-003").stdout
    assert f"\n  claim: {named['place']} {named['name']}\n" in one
    for each in wall["functions"]:
        assert f"\n  function: {each['place']} {each['name']}\n" in one
    shown = run("coverage", "--rule", "UPR-BOARD-003").stdout
    assert "\n  printed: Arrakeen (spaces: arrakeen)\n" in shown


@pytest.mark.usefixtures("small_library")
def test_coverage_in_words() -> None:
    result = run("coverage", "--product", "uprising")
    assert result.exit_code == 1
    assert re.match(r"1 of 239 rules covered, \d+ with a property, 12 wait\n", result.stdout)
    assert re.search(r"\n  WALL     0 of 4 rules covered, \d with a property\n", result.stdout)
    assert "\n  UPR-WALL-003  Wall blocks sandworms: no scenario cites it\n" in result.stdout
    assert "\n  UPR-MAKER-002  Fourth Maker space: for the six-player game: " in result.stdout
    one = run("coverage", "--rule", "UPR-BOARD-003")
    assert one.stdout.startswith("UPR-BOARD-003  Arrakeen: covered\n  covered by: small.abby")
    assert run("coverage", "--rule", "UPR-MAKER-002").exit_code == 0


def test_a_rule_whose_only_scenario_is_removed_fails_the_command(
    small_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All rules are covered but those that wait, so that nothing has to remember which were."""
    two = ("UPR-BOARD-003", "UPR-WALL-003")
    monkeypatch.setattr("scenarios.coverage.rules_to_prove", lambda _: ())
    monkeypatch.setattr(
        "scenarios.coverage.rules_to_cover", lambda _: tuple(rule(each) for each in two)
    )
    small_library.write_text(f"{SCENARIO}\n{NO_WORM}", encoding="utf-8")
    whole = run("coverage")
    assert whole.exit_code == 0
    assert "not covered" not in whole.stdout
    small_library.write_text(SCENARIO, encoding="utf-8")
    lacking = run("coverage")
    assert lacking.exit_code == 1, lacking.output
    assert lacking.stdout.startswith("1 of 2 rules covered")
    uncovered = "\nnot covered:\n  UPR-WALL-003  Wall blocks sandworms: no scenario cites it\n"
    assert uncovered in lacking.stdout


# Coverage by proofs


@pytest.mark.usefixtures("small_library")
def test_every_rule_that_a_proof_can_settle_is_told_with_what_settles_it() -> None:
    shown = run("coverage").stdout.partition("\nproofs: ")[2].splitlines()
    told_by_text = dict(line.strip().split("  ", 1) for line in shown[1:])
    by_json = {each["id"]: each for each in told("coverage")["provable"]}
    assert set(told_by_text) == set(by_json) == {each.id for each in rules_to_prove("uprising")}
    for id_, found in by_json.items():
        assert (found["state"] == "property") == bool(found["properties"])
        for each in found["properties"]:
            assert f"{each['kind']} {each['name']}" in told_by_text[id_]
    assert "claim a_removed_wall_never_comes_back" in told_by_text["UPR-WALL-005"]
    settled = sum(bool(each["properties"]) for each in by_json.values())
    assert shown[0] == f"{settled} of {len(by_json)} rules with a property"


def test_a_rule_that_only_a_proof_settles_is_shown_alone() -> None:
    one = run("coverage", "--rule", "UPR-WALL-005")
    assert one.exit_code == 0, one.output
    assert one.stdout.startswith("UPR-WALL-005  Removed Wall leaves the game: settled by proof on")
    assert re.search(r"\n  claim: .*\.py:\d+ a_removed_wall_never_comes_back\n", one.stdout)


def test_a_provable_rule_without_a_property_fails_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("scenarios.naming.properties", lambda: ())
    monkeypatch.setattr("scenarios.coverage.reasons", dict)
    lacking = run("coverage", "--rule", "UPR-WALL-005")
    assert lacking.exit_code == 1, lacking.output
    assert f"\n  {NO_PROPERTY}\n" in lacking.stdout
    reason = {"UPR-WALL-005": "nothing is known of it"}
    monkeypatch.setattr("scenarios.coverage.reasons", lambda: reason)
    declared = run("coverage", "--rule", "UPR-WALL-005")
    assert declared.exit_code == 0
    assert "\n  declared unprovable: nothing is known of it\n" in declared.stdout


def test_a_provable_rule_that_waits_needs_no_property() -> None:
    waits = run("coverage", "--rule", "UPR-CHOAM-019")
    assert waits.exit_code == 0, waits.output
    assert waits.stdout.count("waits for Rise of Ix: ") == 1


def test_the_page_is_written_beside_the_text(small_library: Path) -> None:
    page = small_library.parent / "coverage page.html"
    plain = run("coverage")
    written = run("coverage", "--html", str(page))
    assert (written.exit_code, written.stdout) == (plain.exit_code, plain.stdout)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "small.abby_sends_an_agent_to_arrakeen" in text


@pytest.mark.usefixtures("small_library")
def test_a_page_that_cannot_be_written_is_told() -> None:
    result = run("coverage", "--html", "missing/coverage.html")
    assert result.exit_code == 2
    assert result.stderr.startswith("TS0703: cannot write `missing/coverage.html`")


def test_a_planted_citation_is_reported(small_library: Path) -> None:
    text = SCENARIO.replace("UPR-BOARD-003", "UPR-BOARD-003, UPR-WALL-003")
    small_library.write_text(text, encoding="utf-8")
    one = run("coverage", "--rule", "UPR-WALL-003")
    assert one.exit_code == 1
    assert one.stdout.splitlines()[1:3] == [
        "  no scenario that cites it ran what names it",
        "  cites it only: small.abby_sends_an_agent_to_arrakeen (uprising/small.scenario:1)",
    ]


@pytest.mark.usefixtures("small_library")
def test_a_function_with_too_many_rules_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    six = tuple(f"UPR-UNIT-{number:03}" for number in range(1, 7))
    crowded = RuleFunction(str(ROOT / "rules_engine" / "planted.py"), 3, "too_much", six)
    monkeypatch.setattr("truthsayer.cli.coverage.rule_functions", lambda: [crowded])
    result = run("coverage")
    assert result.exit_code == 1
    assert result.stdout.endswith(
        "functions that name more than 5 rules:\n  rules_engine/planted.py:3: too_much names 6\n"
    )
