"""A rule that a test plants something into: a player takes resources from the bank."""

from __future__ import annotations
import __future__

from pathlib import Path
from types import CodeType

import pytest

from rules_engine.imperium import resources
from verifier.obligations import Manner, obligations, settle_obligation
from verifier.registry import registered
from verifier.sources import imported
from verifier.verdicts import Settled

RICHER = "the_bank_never_runs_dry"
PATH = Path(str(resources.__file__))
BODY = '    """A player takes resources from the bank. UPR-COST-007, UPR-COST-008"""\n'


class Gain:
    """The rule that gives a player resources, with other text around and in it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch

    def plant(self, around: str, condition: str, first: str = "") -> None:
        lines = f"    {first}\n    if {condition}:\n        amount = amount + 1\n"
        text = imported().content[PATH].decode().replace(BODY, BODY + lines)
        whole = f"{text}\n\nimport functools\n{around}\n"
        self.patch.setitem(imported().content, PATH, whole.encode())
        self._run_around(whole, around)
        (code,) = (
            each
            for each in compile(whole, str(PATH), "exec").co_consts
            if isinstance(each, CodeType) and each.co_name == "gain"
        )
        self.patch.setattr(resources.gain, "__code__", code)

    def _run_around(self, whole: str, around: str) -> None:
        """Run what is around the function, and let what it gave names go with the test."""
        before = {*vars(resources)}
        lines = whole[: whole.rindex(f"import functools\n{around}")].count("\n")
        text = "\n" * lines + f"import functools\n{around}"
        annotations = __future__.annotations.compiler_flag
        names = {**vars(resources)}
        exec(compile(text, str(PATH), "exec", annotations), vars(resources), names)
        for name in names.keys() - before:
            self.patch.setattr(resources, name, names[name], raising=False)


def settled() -> Settled:
    """What comes of the property that a player who gains has what the bank gave."""
    (outcome,) = settle_obligation(obligations([registered()[RICHER]])[0], Manner())
    return outcome.settled
