"""Functions, printed things and properties are found under every rule that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_engine.rulebook.waiting import waiting
from scenarios.coverage import rules_to_cover
from scenarios.naming import (
    ENGINE,
    RuleFunction,
    names_by_rule,
    overloaded,
    property_place,
    rule_functions,
    rules_in,
)
from verifier.api import properties


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Nothing is named.", ()),
        ("One. UPR-X-001", ("UPR-X-001",)),
        ("UPR-X-001, UPR-Y2-007", ("UPR-X-001", "UPR-Y2-007")),
        ("UPR-X-009 to UPR-X-011", ("UPR-X-009", "UPR-X-010", "UPR-X-011")),
        ("UPR-X-001 to -003, -007, UPR-Y-001", tuple(
            f"UPR-{each}" for each in ("X-001", "X-002", "X-003", "X-007", "Y-001")
        )),
        ("UPR-X-001, -004\n    to -005", ("UPR-X-001", "UPR-X-004", "UPR-X-005")),
        ("UPR-X-001 to UPR-X-002, UPR-X-002", ("UPR-X-001", "UPR-X-002")),
        ("from -100 to -200", ()),
    ],
)  # fmt: skip
def test_ids_and_ranges_are_read(text: str, named: tuple[str, ...]) -> None:
    assert rules_in(text) == named


def planted(folder: Path, source: str) -> list[RuleFunction]:
    (folder / "planted.py").write_text(source, encoding="utf-8")
    return rule_functions(folder)


def test_a_planted_function_with_six_rules_is_found(tmp_path: Path) -> None:
    functions = planted(
        tmp_path,
        'def five():\n    """Fine. UPR-X-001 to UPR-X-005"""\n\n\n'
        '@cache\ndef six():\n    """Too many. UPR-X-001 to UPR-X-005, UPR-Y-001"""\n\n\n'
        'def none():\n    """UPR is no id."""\n',
    )
    assert [(each.name, each.line, len(each.rules)) for each in functions] == [
        ("five", 1, 5),
        ("six", 5, 6),
    ]
    assert [each.name for each in overloaded(functions)] == ["six"]


def test_a_function_names_what_it_cites(tmp_path: Path) -> None:
    functions = planted(
        tmp_path,
        'PASS = cite("UPR-X-001", "UPR-X-002")\nWORDS: dict = {"UPR-X-009": 1}\n'
        'TABLE = {"pass": PASS, "play": cite("UPR-X-003")}\n\n\n'
        'def passes():\n    """Passing. UPR-X-001"""\n    return event(PASS), PASS\n\n\n'
        "def looks(kind):\n    return TABLE[kind]\n\n\n"
        "def says(kind):\n    return WORDS[kind]\n",
    )
    assert [(each.name, each.rules, each.cites) for each in functions] == [
        ("passes", ("UPR-X-001",), ("UPR-X-001", "UPR-X-002")),
        ("looks", (), ("UPR-X-001", "UPR-X-002", "UPR-X-003")),
    ]


def test_what_a_function_cites_does_not_make_it_overloaded(tmp_path: Path) -> None:
    ids = ", ".join(f'"UPR-X-00{number}"' for number in range(1, 8))
    functions = planted(tmp_path, f"MANY = cite({ids})\n\n\ndef many():\n    return MANY\n")
    assert [len(each.cites) for each in functions] == [7]
    assert overloaded(functions) == []


# Everything under its rule


def test_a_rule_has_its_functions_printed_things_and_properties() -> None:
    names = names_by_rule("uprising", rule_functions())
    wall = names["UPR-WALL-003"]
    functions = {(each.place.partition(":")[0], each.name) for each in wall.functions}
    assert ("rules_engine/imperium/shield_wall.py", "protects_conflict") in functions
    properties = {each.name for each in wall.properties}
    assert "no_sandworm_enters_behind_a_standing_wall" in properties
    assert [each.name for each in names["UPR-BOARD-003"].printed] == ["Arrakeen"]


def test_every_rule_that_does_not_wait_is_named_by_a_function_or_in_print() -> None:
    names = names_by_rule("uprising", rule_functions())
    nameless = {
        each.id
        for each in rules_to_cover("uprising")
        if each.id not in names or not (names[each.id].functions or names[each.id].printed)
    }
    assert nameless == set(waiting("uprising"))


def test_places_are_those_of_the_source() -> None:
    named = properties()[0]
    for place, name in [
        (property_place(named), named.name),
        *((each.place, each.name) for each in rule_functions()),
    ]:
        file, _, line = place.rpartition(":")
        source = (ENGINE.parent / file).read_text(encoding="utf-8").splitlines()
        first = next(each for each in source[int(line) - 1 :] if "def " in each)
        assert f"def {name}(" in first, place
