"""Vectors: the whole library as data, valid by its schema, played by what knows only the JSON."""

from __future__ import annotations

import copy
import functools
import json
import os
import re
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

import scenarios
from rules_engine.imperium import combat, frames, influence
from rules_engine.imperium.actions import AnyInput
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.outcomes import Step
from scenarios.check import read
from scenarios.imperium.done.phases import PHASES
from scenarios.imperium.names import vocabulary
from scenarios.language.values import Environment
from scenarios.names_check import CARDS, EFFECTS
from scenarios.outcome import ASKS_ONLY
from scenarios.run import Run
from scenarios.vectors.expectations import event_told
from scenarios.vectors.export import MOST_INSTANCES, PLAYS_A_CASE, schema_text
from scenarios.vectors.ids import ids_of
from scenarios.vectors.inputs import CHANCE
from scenarios.words import EVENTS, event_words
from tests.scenarios.ids_said import ids_said
from tests.scenarios.vectors_looks import LOOKS, tells
from tests.scenarios.vectors_player import problems
from truthsayer.cli import main

LIBRARY = Path(scenarios.__file__).parent / "library"
PAGE = LIBRARY.parents[1] / "docs" / "vectors.md"
SCHEMA = json.loads(schema_text())
DEFS = SCHEMA["$defs"]

Json = dict[str, Any]


@functools.cache
def library_text() -> str:
    """The library as the command writes it."""
    result = CliRunner().invoke(main, ["export"])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@functools.cache
def library() -> Json:
    found: Json = json.loads(library_text())
    return found


def vectors() -> list[Json]:
    found: list[Json] = library()["vectors"]
    return found


def exported(tmp_path: Path, text: str) -> Json:
    """A file of one's own, exported."""
    (tmp_path / "own.scenario").write_text(text, "utf-8")
    result = CliRunner().invoke(main, ["export", str(tmp_path / "own.scenario")])
    assert result.exit_code == 0, result.stderr
    found: Json = json.loads(result.stdout)
    assert errors(found) == []
    return found


def vector(id: str) -> Json:
    """A copy of a vector of the library, to be spoilt."""
    (found,) = (each for each in vectors() if each["id"] == id)
    return copy.deepcopy(found)


# The format


def _remembering() -> Any:
    """A validator that looks at the same part of many vectors only once."""
    seen: set[tuple[str, str]] = set()
    follow: Any = Draft202012Validator.VALIDATORS["$ref"]

    def once(validator: Any, ref: str, instance: Any, schema: Json) -> Iterator[ValidationError]:
        key = (ref, json.dumps(instance))
        if key not in seen:
            found = list(follow(validator, ref, instance, schema))
            if not found:
                seen.add(key)
            yield from found

    extend: Any = validators.extend
    return extend(Draft202012Validator, {"$ref": once})(SCHEMA)


VALIDATOR = _remembering()


def errors(export: Json) -> list[str]:
    return [f"{list(e.absolute_path)}: {e.message[:200]}" for e in VALIDATOR.iter_errors(export)]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_library_is_valid_by_the_schema() -> None:
    assert errors(library()) == []


def test_the_schema_refuses_what_it_does_not_know() -> None:
    changes: tuple[Callable[[Json], object], ...] = (
        lambda v: v.update(colour="red"),
        lambda v: v["steps"][0]["expect"][0].update(kind="hopes"),
        lambda v: v["steps"][0]["inputs"][0]["do"].update(action="wish"),
        lambda v: v["position"]["players"][0].update(mana=3),
        lambda v: v["position"].pop("shield_wall"),
    )
    for spoil in changes:
        spoilt = vector("EX-UPR-01")
        spoil(spoilt)
        assert errors({**library(), "vectors": [spoilt]}) != [], spoil


def alternatives(rule: str) -> set[str]:
    """The names of the alternatives of a rule of the grammar."""
    rules = vocabulary("uprising").parser.rules
    return {str(each.alias) for each in rules if each.origin.name == rule and each.alias}


def enumerated(definition: str, key: str) -> set[str]:
    return set(DEFS[definition]["properties"][key]["enum"])


def test_every_outcome_of_the_grammar_is_a_kind_of_expectation() -> None:
    claims = {"has", "gains", "loses", "keeps", "cannot", "can"}
    grammar = claims | alternatives("fact") | alternatives("observed")
    assert enumerated("expectation", "kind") == grammar
    assert set(LOOKS) == grammar - claims


def test_every_quantity_decision_phase_and_chance_is_in_the_schema() -> None:
    shapes = DEFS["expectation"]["allOf"][0]["then"]["oneOf"]
    quantities = [each["properties"]["quantity"] for each in shapes]
    named = {name for each in quantities for name in each.get("enum", [each.get("const")])}
    assert named == alternatives("quantity")
    tags = {str(kind.__struct_config__.tag) for kind in typing.get_args(AnyInput)}
    assert enumerated("decision", "action") == tags - {"answer"}
    assert set(DEFS["phase"]["enum"]) == set(PHASES)
    assert set(DEFS["event"]["enum"]) == set(EVENTS)
    shuffles = {"shuffle", "shuffle_intrigue"}
    assert enumerated("chance", "kind") == set(CHANCE.values()) | shuffles


def test_every_frame_that_asks_chance_has_a_kind() -> None:
    asking = {
        kind
        for kind in typing.get_args(frames.AnyFrame)
        if (kind.__doc__ or "").startswith("Chance:")
    }
    assert set(CHANCE) == asking


def test_the_page_about_the_format_names_every_kind_and_every_field() -> None:
    page = PAGE.read_text("utf-8")
    named = set(re.findall(r"`([a-z_]+)`", page))
    fields = {
        field
        for part in ("position", "player", "setup", "vector", "step")
        for field in DEFS[part]["properties"]
    }
    kinds = enumerated("expectation", "kind") | enumerated("chance", "kind")
    kinds |= enumerated("decision", "action") | set(DEFS["phase"]["enum"])
    assert (fields | kinds | alternatives("quantity")) - named == set()


def test_every_field_of_a_position_is_in_the_schema() -> None:
    elsewhere = {"config", "pending", "turn"}
    assert set(DEFS["position"]["properties"]) == set(State.__struct_fields__) - elsewhere
    assert set(DEFS["player"]["properties"]) == set(Player.__struct_fields__)


def test_every_phrase_with_a_list_of_cards_says_of_which_kind() -> None:
    rules = vocabulary("uprising").parser.rules
    listing = {
        str(each.alias)
        for each in rules
        if each.origin.name in ("fact", "observed")
        and any(part.name == "cards" for part in each.expansion)
    }
    assert listing <= {*CARDS, *EFFECTS}


# The library


def test_the_export_is_the_same_everywhere_and_names_no_path_of_the_machine(
    tmp_path: Path,
) -> None:
    again = subprocess.run(
        [sys.executable, "-m", "truthsayer", "export"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(LIBRARY.parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout == library_text()
    assert str(LIBRARY.parent) not in library_text()
    assert list(library()) == sorted(library())


def test_every_scenario_is_a_vector_or_is_left_out_for_a_reason() -> None:
    titles = sum(
        line.startswith("scenario ")
        for file in LIBRARY.rglob("*.scenario")
        for line in file.read_text("utf-8").splitlines()
    )
    written = {(each["file"], each["line"]) for each in vectors()}
    reasons = [each["reason"] for each in library()["left_out"]]
    assert set(reasons) <= {ASKS_ONLY, PLAYS_A_CASE}
    assert len(written) + len(reasons) == titles
    ids = [each["id"] for each in vectors()]
    assert len(ids) == len(set(ids))


def test_every_id_that_the_library_says_is_in_the_table_of_ids() -> None:
    known = {
        product: {each["id"] for kind in ids_of(product).values() for each in kind}
        for product in {vector["setup"]["product"] for vector in vectors()}
    }
    lacking = {
        (vector["id"], said)
        for vector in vectors()
        for said in ids_said(vector) - known[vector["setup"]["product"]]
    }
    assert lacking == set()


def test_what_knows_only_the_json_plays_the_whole_library() -> None:
    found = [problem for each in vectors() for problem in problems(each)]
    assert found == []


def test_every_event_of_the_library_is_found_again_by_its_sentence() -> None:
    unfound = []
    for file in LIBRARY.rglob("*.scenario"):
        for case in read(file.name, file.read_text("utf-8"))[0]:
            if not case.variables and not case.asks:
                run = Run(case, Environment(), lambda *_: None)
                run.play()
                told = [(each, event_words(run.state, each)) for each in run.events]
                unfound += [s for each, s in told if not tells(each, event_told(run, s))]
    assert unfound == []


# Faults that the player of vectors reports


def spoilt(change: Callable[[Json], bool]) -> list[Json]:
    """Copies of the vectors that a change applies to, changed."""
    copies = (json.loads(json.dumps(each)) for each in vectors())
    return [each for each in copies if change(each)]


def _other_amount(found: Json) -> bool:
    for step in found["steps"]:
        for each in step["expect"]:
            if "amount" in each:
                each["amount"] += 1
                return True
    return False


def _other_possibility(found: Json) -> bool:
    for step in found["steps"]:
        for each in step["expect"]:
            if each["kind"] in ("can", "cannot"):
                each["kind"] = {"can": "cannot", "cannot": "can"}[each["kind"]]
                return True
    return False


def _other_rule(found: Json) -> bool:
    for step in found["steps"]:
        for each in step["expect"]:
            if each["because"]:
                each["because"] = ["UPR-NONE-999"]
                return True
    return False


def _no_first_input(found: Json) -> bool:
    """Without its first decision, a step that expects a gain does not come to it."""
    step = found["steps"][0]
    gains = any(each["kind"] == "gains" and each["amount"] for each in step["expect"])
    if gains and len(step["inputs"]) == 1:
        step["inputs"] = []
        return True
    return False


def _no_chance(found: Json) -> bool:
    """An answer of chance before a decision, which cannot be taken while chance is asked."""
    for step in found["steps"]:
        for given, following in zip(step["inputs"], step["inputs"][1:], strict=False):
            if "do" in following and any("outcome" in each for each in given["chance"]):
                given["chance"] = []
                return True
    return False


@pytest.mark.parametrize(
    "change", [_other_amount, _other_possibility, _other_rule, _no_first_input, _no_chance]
)
def test_a_vector_that_says_something_else_is_reported(change: Callable[[Json], bool]) -> None:
    changed = spoilt(change)
    assert len(changed) > 10
    assert [each["id"] for each in changed if not problems(each)] == []


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (combat, "reward_of", lambda *_: "third"),
        (influence, "_alliance_after_gain", lambda state, *_: Step(state)),
    ],
    ids=["ranking", "alliance"],
)
def test_an_engine_that_plays_otherwise_is_reported(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, wrong: object
) -> None:
    assert vectors()
    monkeypatch.setattr(module, name, wrong)
    wrong_ones = [each["id"] for each in vectors() if problems(each)]
    assert 10 < len(wrong_ones) < len(vectors())


# Files of one's own

WALL = """\
scenario "The wall keeps sandworms out"
cites UPR-WALL-003
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
card "Trial" with city icon, cost 3: agent "gain 2 spice", reveal "1 sword"
given Abby has hand "Trial"
when Abby plays "Trial" to Arrakeen
 and Abby resolves all effects
 and Abby draws "Dagger"
then Abby gains 2 spice
 and "Abby gains 2 spice" happens
 and "Abby draws Dagger" happens
 but "Abby removes the Shield Wall" does not happen
 and Abby cannot summon 1 sandworm because UPR-WALL-003
"""


def test_a_vector_has_everything_that_a_client_needs(tmp_path: Path) -> None:
    (found,) = exported(tmp_path, WALL)["vectors"]
    assert (found["file"], found["line"]) == ("own.scenario", 1)
    assert found["setup"]["cards"][0]["agent"] == ["gain 2 spice"]
    assert found["setup"]["rulings"]["recruit_shortage_makeup"] == "lost"
    assert found["to_move"] == 1
    assert "players.0.hand" in found["unknown"]
    assert "hand" not in found["position"]["players"][0]
    (step,) = found["steps"]
    assert {"kind": "draw", "player": 1, "outcome": "dagger"} in [
        answer for given in step["inputs"] for answer in given["chance"]
    ]
    resolved = [given["do"].get("effect") for given in step["inputs"] if "do" in given]
    assert "gain 2 spice" in resolved
    gains, happens, draws, _, cannot = step["expect"]
    assert gains == {
        "kind": "gains",
        "player": 1,
        "quantity": "resource",
        "what": "spice",
        "amount": 2,
        "because": [],
        "says": "Abby gains 2 spice",
    }
    assert happens["facts"] == {"amount": 2, "what": "spice"}
    assert (draws["event"], draws["facts"]) == ("draws", {"card": "dagger"})
    assert cannot["effect"] == {"player": 1, "effects": ["summon 1 sandworm"]}
    assert cannot["because"] == ["UPR-WALL-003"]
    assert problems(found) == []


def test_an_event_that_is_told_otherwise_is_reported(tmp_path: Path) -> None:
    (found,) = exported(tmp_path, WALL)["vectors"]
    found["steps"][0]["expect"][1]["facts"]["amount"] = 3
    assert len(problems(found)) == 1


def test_the_expectation_is_what_the_text_says_not_what_the_engine_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine at fault makes the scenario fail; it never gets into a vector."""
    monkeypatch.setattr(combat, "reward_of", lambda *_: "third")
    (tmp_path / "own.scenario").write_text(TIES, "utf-8")
    result = CliRunner().invoke(main, ["export", str(tmp_path / "own.scenario")])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["vectors"] == []


TIES = """\
scenario "The strongest wins"
cites UPR-COMBAT-011
game uprising with John, Abby, Ned
for any j, a from 0
where j > a
given strength of John is j, Abby is a, Ned is 0
when combat resolves
then John gains the first reward
"""


def test_a_scenario_for_all_values_has_an_instance_for_each_way_it_can_go(tmp_path: Path) -> None:
    found = exported(tmp_path, TIES)["vectors"]
    assert 2 <= len(found) == found[0]["instance_of"]["ways"] <= MOST_INSTANCES
    assert [each["id"].rpartition("#")[2] for each in found] == [
        str(number) for number in range(1, len(found) + 1)
    ]
    assert found[0]["values"] == {"j": 2, "a": 0}, "nobody has a strength of 1"
    assert all(each["values"]["j"] > each["values"]["a"] for each in found)
    assert any(each["values"]["a"] > 0 for each in found)
    assert found[0]["instance_of"]["where"] == ["j > a"]
    assert found[0]["position"]["players"][0]["strength"] == 2
    assert found[0]["steps"][0]["stops"] == {
        "before": "give_rewards",
        "unknown": "the Conflict card",
    }
    assert [problem for each in found for problem in problems(each)] == []


LISTS = """\
scenario "What there is, and what there is at least"
cites UPR-ICON-011
game uprising with John, Abby, Ned
given John has hand "Dagger", "Diplomacy"
  and John has "Reconnaissance", "Seek Allies" in deck
  and John has trashed "Dagger"
  and John has 3 spice
  and strength of Abby is 6
when John resolves the effect "trash 1 card"
 and John trashes "Diplomacy" from hand
then John has hand "Dagger"
 and John has trashed "Dagger", "Diplomacy"
 and John has at least "Seek Allies" in deck
 and at least "Dagger" is out of the game
 and John has at least 2 spice
 and strength of Abby is at least 5
"""


def test_a_list_is_complete_and_at_least_says_less(tmp_path: Path) -> None:
    (found,) = exported(tmp_path, LISTS)["vectors"]
    expected = found["steps"][0]["expect"]
    assert [each.get("at_least", False) for each in expected] == [False] * 2 + [True] * 3 + [False]
    assert [each.get("at_least") for each in expected[5]["strengths"]] == [True]
    assert expected[1]["cards"] == ["diplomacy"], "what was trashed before is in the position"
    assert problems(found) == []
    for each in (*expected[2:5], *expected[5]["strengths"]):
        del each["at_least"]
    assert len(problems(found)) == 4


TABLE = """\
scenario "Swords count"
cites UPR-STR-006
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
  and Abby has <troops> troops in conflict
when Abby reveals
then strength of Abby is <strength>

examples
| troops | strength |
| 1 | 3 |
| 2 | 5 |
"""


def test_each_row_of_a_table_is_a_vector(tmp_path: Path) -> None:
    found = exported(tmp_path, TABLE)["vectors"]
    assert [(each["row"], each["id"]) for each in found] == [
        (1, "own.swords_count#1"),
        (2, "own.swords_count#2"),
    ]
    assert found[1]["steps"][0]["expect"][0]["strengths"] == [{"player": 1, "amount": 5}]


RARE = """\
scenario "What is dealt before the first round"
cites UPR-ROUND-003
game uprising with John, Abby, Ned
when the game begins
 and John gets objective "Crysknife Objective"
 and Abby gets objective "Desert Mouse Objective (First Player)"
 and Ned gets objective "Ornithopter Objective"
then John has objective "Crysknife Objective"
 and Abby is first player
 and it is round 0
 and "Ned gets the Ornithopter Objective" happens
 and chance is asked

scenario "What is seen and what is not"
cites UPR-ICON-004
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given Abby has hand "Dagger"
  and Abby has intrigue "Detonation"
  and the first reward also gives "gain 1 spice"
  and the conflict deck is empty
  and the imperium deck is empty
  and the intrigue deck is empty
  and nobody has won "Skirmish (Crysknife)"
  and John has won nothing
  and Abby has won nothing
  and Ned has won nothing
  and it is the turn of Abby
  and Ned has trashed "Dagger"
then Abby sees the hand of Abby
 and John does not see the hand of Abby
 and John does not see the intrigue cards of Abby
 and the first reward also gives "gain 1 spice"
 and the conflict deck is empty
 and the imperium deck is empty
 and the intrigue deck is empty
 and the contract deck is empty
 and nobody has won "Skirmish (Crysknife)"
 and Abby has not revealed
 and Abby does not sit on the high council

scenario "A deck that has run out is shuffled"
cites UPR-ICON-003
game uprising with John, Abby, Ned
conflict "Siege of Arrakeen"
given Abby has hand "Diplomacy"
  and Abby has "Convincing Argument", "Convincing Argument", "Dagger", "Dagger" in discard
  and Abby has nothing in deck
when Abby resolves the effect "draw 1 card"
 and Abby shuffles the discard pile
 and Abby draws "Dagger"
then Abby has 3 cards in deck
 and Abby has hand "Diplomacy", "Dagger"
 and Abby has trashed nothing

scenario "Nobody is asked while chance is not either"
cites UPR-COMBAT-011
game uprising with John, Abby, Ned
given strength of John is 4, Abby is 3, Ned is 2
when combat resolves
then rewards are John first, Abby second

scenario "The Makers phase asks nobody"
cites UPR-MAKER-003
game uprising with John, Abby, Ned
when the makers phase begins
then nobody is asked
 and John gains nothing
 and "Abby removes the Shield Wall" does not happen
 and "Abby deploys 2 troops" does not happen
"""
"""What the library may not show."""


def test_every_kind_of_expectation_is_played(tmp_path: Path) -> None:
    rare = exported(tmp_path, RARE)["vectors"]
    assert [problem for each in rare for problem in problems(each)] == []
    expected = [e for each in (*rare, *vectors()) for step in each["steps"] for e in step["expect"]]
    assert {each["kind"] for each in expected} == enumerated("expectation", "kind")


def test_a_question_is_left_out(tmp_path: Path) -> None:
    text = 'scenario "A question"\ngame uprising with John, Abby, Ned\nask what can John do\n'
    assert exported(tmp_path, text)["left_out"] == [{"id": "own.a_question", "reason": ASKS_ONLY}]


# The command


def test_a_scenario_that_does_not_hold_is_told_and_left_out(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.scenario", tmp_path / "bad.scenario"
    good.write_text(WALL, "utf-8")
    bad.write_text(TABLE.replace("| 3 |", "| 4 |"), "utf-8")
    out = tmp_path / "out.json"
    result = CliRunner().invoke(main, ["export", str(tmp_path), "--out", str(out)])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "TS0120" in result.stderr
    assert "bad.scenario:11:" in result.stderr
    written = json.loads(out.read_text("utf-8"))
    assert [each["file"] for each in written["vectors"]] == ["good.scenario"]
    assert written["left_out"] == [{"id": "bad.swords_count", "reason": "it does not hold"}]


def test_a_file_with_a_mistake_is_told_and_the_others_are_written(tmp_path: Path) -> None:
    (tmp_path / "good.scenario").write_text(WALL, "utf-8")
    (tmp_path / "bad.scenario").write_text(TABLE.replace("Dagger", "Daggr"), "utf-8")
    (tmp_path / "worse.scenario").write_bytes(b"\xff\xfe")
    result = CliRunner().invoke(main, ["export", str(tmp_path)])
    assert result.exit_code == 2
    assert "TS0103" in result.stderr
    assert "TS0704" in result.stderr
    assert [each["file"] for each in json.loads(result.stdout)["vectors"]] == ["good.scenario"]


def test_the_schema_can_be_had() -> None:
    assert CliRunner().invoke(main, ["export", "--schema"]).stdout == schema_text()
