"""Mutants of the real engine: made, told apart, and put where the function is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_engine.imperium import units
from rules_engine.imperium.state import ThisTurn
from truthsayer.mutation import in_process
from truthsayer.mutation.changes import units_of
from truthsayer.mutation.mutants import (
    LEFT_OUT,
    ONLY_FOR_LAWS,
    RULES,
    TOP,
    Mutant,
    all_mutants,
    mutants_of,
    rule_files,
)
from truthsayer.mutation.tables import users

UNITS = RULES / "units.py"


@pytest.fixture(scope="module")
def of_units() -> list[Mutant]:
    return list(all_mutants([UNITS]))


def test_no_two_mutants_are_the_same_and_none_is_the_true_code(of_units: list[Mutant]) -> None:
    assert len({mutant.key for mutant in of_units}) == len(of_units)
    assert all(mutant.mutated != mutant.source for mutant in of_units)


def test_changes_that_make_equal_code_count_once() -> None:
    source = b"def rule(a, b):\n    return a if True else b\n"
    (unit,) = units_of(source)
    made = list(mutants_of(Path("rule.py"), source, unit))
    assert (len(made), len(unit.changes)) == (1, 2)


def test_every_function_that_is_mutated_is_found_where_it_is(of_units: list[Mutant]) -> None:
    functions = [mutant for mutant in of_units if mutant.unit.function]
    assert functions
    assert all(in_process.lives(mutant) for mutant in functions)
    assert not any(in_process.lives(mutant) for mutant in of_units if not mutant.unit.function)


def test_a_changed_function_is_changed_for_everybody(of_units: list[Mutant]) -> None:
    (mutant,) = (
        each
        for each in of_units
        if each.function == "units.allowance" and each.what == "`+` for `-`"
    )
    code = units.allowance.__code__
    turn = ThisTurn(seat=0, recruited=3, deployed=1)
    assert units.allowance(turn) == 2
    try:
        in_process.change_function(mutant)
        assert units.allowance(turn) == 4
    finally:
        units.allowance.__code__ = code


def test_a_diff_shows_the_change(of_units: list[Mutant]) -> None:
    (mutant,) = (
        each
        for each in of_units
        if each.function == "units.allowance" and each.what == "`+` for `-`"
    )
    assert "-    return turn.recruited + others - turn.deployed" in mutant.diff()
    assert "+    return turn.recruited + others + turn.deployed" in mutant.diff()


def test_what_is_left_out_is_there() -> None:
    assert all((TOP / RULES / name).exists() for name in LEFT_OUT)
    assert not {file.name for file in rule_files()} & set(LEFT_OUT)
    for file, names in ONLY_FOR_LAWS.items():
        assert names <= {unit.name for unit in units_of((TOP / RULES / file).read_bytes())}


def test_the_functions_that_use_a_constant_are_known() -> None:
    line = units.allowance.__code__.co_firstlineno
    assert (UNITS.as_posix(), line) in users("FROM_GARRISON")
    assert (UNITS.as_posix(), line) not in users("TROOPS")
