"""Which cases are played: those about certain rules, with certain tags, or of certain names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from conformance.cases import Case
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook.index import rules


def selected(
    cases: Iterable[Case], wanted: Sequence[str], tags: Sequence[str], ids: Sequence[str]
) -> list[Case]:
    """The cases that cite one of the rules, have one of the tags and are among those named."""
    _check("rule", wanted, [rule.id for rule in rules()], "TS0902")
    cases = tuple(cases)
    _check("tag", tags, sorted({tag for case in cases for tag in case.tags}), "TS0903")
    _check("case", ids, [case.id for case in cases], "TS0905")
    found = [
        case
        for case in cases
        if (not wanted or set(wanted) & set(case.rules))
        and (not tags or set(tags) & set(case.tags))
        and (not ids or case.id in ids)
    ]
    if not found:
        raise TruthsayerError(
            "TS0903", "there is no case that is about all of this", help="ask for less at once"
        )
    return found


LONGEST_NAME = 200


def _check(what: str, names: Iterable[str], known: Sequence[str], code: str) -> None:
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name[:LONGEST_NAME], known, n=1)
            help = f"did you mean `{near[0]}`?" if near else f"see that the {what} is right"
            raise TruthsayerError(code, f"no {what} `{name[:LONGEST_NAME]}`", help=help)
