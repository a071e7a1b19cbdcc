"""The report on mutants as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from truthsayer.mutation.checks import SIDES
from truthsayer.mutation.report import (
    Count,
    Report,
    counted,
    of_chapter,
    of_file,
    of_kind,
    of_rule,
    share,
)

GROUPS = {"rule": of_rule, "chapter": of_chapter, "file": of_file, "kind": of_kind}
"""The tables of a report, the last one last."""


def mutants_text(report: Report) -> str:
    """Survivors with their diffs, then the tables, then the score."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    for each in report.survivors:
        yield f"unnoticed: {each.function}: {each.kind}: {each.change} ({each.file}:{each.line})"
        if each.rules:
            yield f"  rules: {', '.join(each.rules)}"
        yield from (f"  {line}" for line in each.diff.splitlines()[2:])
        yield ""
    for heading, groups in GROUPS.items():
        if report.found:
            yield from _table(heading, report.by(groups))
            yield ""
    yield from (f"note: {each}" for each in report.notes)
    yield from (f"wrong excuse: {each}" for each in report.wrong_excuses)
    yield _summary(report)


def _table(heading: str, counts: Mapping[str, Count]) -> Iterator[str]:
    width = max(map(len, (heading, *counts)))
    yield f"{heading:<{width}}  mutants  scenarios   proofs     laws  neither  excused    score"
    for name, count in counts.items():
        yield (
            f"{name:<{width}}  {count.counted:>7}  {_share(count.scenarios, count):>9}"
            f"  {_share(count.proofs, count):>7}  {_share(count.laws, count):>7}"
            f"  {count.neither:>7}  {count.excused:>7}  {_share(count.killed, count):>7}"
        )


def _share(part: int, count: Count) -> str:
    return f"{share(part, count.counted):.1f} %"


def _summary(report: Report) -> str:
    count = counted(report.found)
    tried = len(report.found)
    of_all = "" if tried == report.all_mutants else f" of {report.all_mutants}, evenly spread"
    missing = [side for side in SIDES if side not in report.sides]
    not_run = f"; {' and '.join(missing)} were not run" if missing else ""
    return (
        f"{tried} mutant{'' if tried == 1 else 's'}{of_all}: "
        f"{count.scenarios} noticed by scenarios alone ({_share(count.scenarios, count)}), "
        f"{count.proofs} by proofs alone ({_share(count.proofs, count)}), "
        f"{count.laws} by laws alone ({_share(count.laws, count)}), "
        f"{count.neither} by none of them, {count.excused} excused; "
        f"score {count.score:.1f} %{not_run}"
    )


def mutants_json(report: Report) -> str:
    """Everything as JSON."""
    data: dict[str, Any] = {
        "mutants": len(report.found),
        "all_mutants": report.all_mutants,
        "sides": report.sides,
        "kept": report.kept,
        **_numbers(counted(report.found)),
        **{f"by_{name}": _numbers_of(report.by(groups)) for name, groups in GROUPS.items()},
        "notes": report.notes,
        "wrong_excuses": report.wrong_excuses,
        "found": [msgspec.to_builtins(each) for each in report.found],
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _numbers(count: Count) -> dict[str, int | float]:
    return {**count._asdict(), "score": round(count.score, 2)}


def _numbers_of(counts: Mapping[str, Count]) -> dict[str, dict[str, int | float]]:
    return {name: _numbers(count) for name, count in counts.items()}
