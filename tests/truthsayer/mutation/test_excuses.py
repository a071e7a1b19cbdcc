"""An excuse has to be about a mutant that there is, that nobody notices, and there are few."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_engine.kernel.errors import TruthsayerError
from tests.truthsayer.mutation.samples import of_allowance
from truthsayer.mutation.excuses import ONE_IN, Excuse, excused_by, excuses, wrong_excuses

LINE = "return turn.recruited + others + turn.deployed"
RIGHT = Excuse("units.allowance", "`+` for `-`", LINE, "a reason")
FUNCTIONS = ("units.allowance",)


def test_an_excuse_is_about_one_mutant() -> None:
    mutants = of_allowance()
    (key,) = excused_by(mutants, [RIGHT])
    assert [each.what for each in mutants if each.key == key] == ["`+` for `-`"]
    assert wrong_excuses([RIGHT], {key: RIGHT}, {}, FUNCTIONS, ONE_IN) == []


def test_an_excuse_for_nothing_is_wrong() -> None:
    stale = Excuse("units.allowance", "`+` for `-`", "another line", "a reason")
    assert excused_by(of_allowance(), [stale]) == {}
    (told,) = wrong_excuses([stale], {}, {}, FUNCTIONS, ONE_IN)
    assert told.startswith("units.allowance: no mutant")
    assert wrong_excuses([stale], {}, {}, (), ONE_IN) == [], "its function was not mutated"


def test_an_excuse_for_what_is_noticed_is_wrong() -> None:
    found = excused_by(of_allowance(), [RIGHT])
    (told,) = wrong_excuses([RIGHT], found, dict.fromkeys(found, "full"), FUNCTIONS, ONE_IN)
    assert told.endswith("is noticed by full")


def test_too_many_excuses_are_wrong() -> None:
    found = excused_by(of_allowance(), [RIGHT])
    (told,) = wrong_excuses([RIGHT], found, {}, FUNCTIONS, ONE_IN - 1)
    assert told == f"1 of {ONE_IN - 1} mutants are excused: at most one in {ONE_IN} may be"


def test_ours_can_be_read() -> None:
    assert all(each.reason for each in excuses())


@pytest.mark.parametrize(
    "text", ["[[excused]]\nfunction = 1\n", "[[excused\n", '[[excused]]\nfunction = "a"\n']
)
def test_excuses_that_cannot_be_read_are_told(text: str, tmp_path: Path) -> None:
    file = tmp_path / "excused.toml"
    file.write_text(text)
    with pytest.raises(TruthsayerError, match="cannot read the excuses") as error:
        excuses(file)
    assert error.value.code == "TS0732"
