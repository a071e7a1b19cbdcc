"""Prove properties by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import msgspec

from rules_engine.kernel.case import Case
from rules_engine.kernel.errors import TruthsayerError
from verifier import properties as _files
from verifier.explorer import Budget
from verifier.registry import DATA_CHECK, Params, Property, registered
from verifier.replay import Replay, replay
from verifier.twins import run_twin
from verifier.verdicts import (
    CHECKED,
    PROVED,
    REFUTED,
    UNKNOWN,
    UNSUPPORTED,
    RulingsRead,
    Settled,
    Verdict,
    settle,
)

GAME = "imperium"

Progress = Callable[[str, int, int], None]
"""Told before each property: its name, its number from 1 on, and how many there are."""


class UnknownProperty(TruthsayerError):
    """Somebody asked for a property that does not exist."""

    def __init__(self, name: str) -> None:
        near = difflib.get_close_matches(name, registered(), n=1, cutoff=0.4)
        hint = f"did you mean `{near[0]}`?" if near else "`truthsayer prove --list` names them all"
        super().__init__("TS0501", f"no property `{name}`", help=hint)


def properties() -> tuple[Property, ...]:
    """Every property, in the order of the files."""
    assert _files
    return tuple(registered().values())


def property_named(name: str) -> Property:
    """The property of this name."""
    found = registered().get(name)
    if found is None:
        raise UnknownProperty(name)
    return found


def prove(
    name: str,
    *,
    twin_of: str | None = None,
    budget: Budget | None = None,
    stop: Callable[[], bool] | None = None,
) -> Verdict:
    """Settle one property; with `twin_of`, against the engine with the twin's edit of that rule.

    A twin's counterexample has to fail on the changed engine and to pass on the true one.
    """
    prop = property_named(name)
    budget = budget or Budget()
    if twin_of is not None:
        twin = prop.twins[twin_of]
        return _passes_on_the_true_engine(prop, run_twin(prop, twin, budget))
    settled: list[Settled] = []
    for params in prop.cases:
        settled.append(settle(partial(prop.run, **params), budget=budget, stop=stop))
        if settled[-1].verdict == REFUTED:
            return _verdict(prop, settled, params)
    return _verdict(prop, settled, None)


def prove_all(
    names: Iterable[str] = (),
    on_progress: Progress | None = None,
    *,
    budget: Budget | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Verdict]:
    """Settle several properties one after the other; without names, all of them."""
    chosen = [property_named(name) for name in names] or list(properties())
    for number, prop in enumerate(chosen, start=1):
        if on_progress is not None:
            on_progress(prop.name, number, len(chosen))
        yield prove(prop.name, budget=budget, stop=stop)


def replay_case(name: str, verdict: Verdict) -> Replay:
    """Run a property once more with the values of a counterexample, on the engine in use."""
    prop = property_named(name)
    params = next(each for each in prop.cases if told(each) == verdict.params)
    return replay(partial(prop.run, **params), {each.name: each.value for each in verdict.values})


def told(params: Params) -> str:
    """The parameters of a case in words."""
    return ", ".join(f"{name} {value}" for name, value in params.items())


# From the cases of a property to its verdict


def _verdict(prop: Property, settled: list[Settled], refuted_for: Params | None) -> Verdict:
    last = _telling(settled)
    found = Verdict(
        name=prop.name,
        rules=prop.rules,
        verdict=CHECKED if _looked_up(prop, last) else last.verdict,
        bounds=prop.bounds,
        paths=sum(each.paths for each in settled),
        seconds=sum(each.seconds for each in settled),
        rulings=_joined(settled),
        kind=prop.kind,
        detail=last.detail,
        values=last.values,
    )
    if refuted_for is None:
        return found
    case = Case(
        game=GAME,
        title=prop.name.replace("_", " "),
        position=last.position,
        inputs=last.inputs,
        claim=last.failed[0],
        rules=prop.rules,
    )
    return msgspec.structs.replace(found, case=case, params=told(refuted_for))


def _looked_up(prop: Property, found: Settled) -> bool:
    """Whether a table was found to be right, which proves nothing about a function."""
    return prop.kind == DATA_CHECK and found.verdict == PROVED


def _telling(settled: list[Settled]) -> Settled:
    """The case that decides: one refutation refutes, and one doubt is enough to prove nothing."""
    for verdict in (REFUTED, UNSUPPORTED, UNKNOWN):
        for each in settled:
            if each.verdict == verdict:
                return each
    return settled[-1] if settled else Settled(UNKNOWN, "it is run for no case at all")


def _joined(settled: list[Settled]) -> tuple[RulingsRead, ...]:
    """The rulings read in any case."""
    found: dict[str, RulingsRead] = {}
    for each in (read for one in settled for read in one.rulings):
        before = found.get(each.name)
        if before is None or each.fails_under:
            found[each.name] = each
    return tuple(found[name] for name in sorted(found))


def _passes_on_the_true_engine(prop: Property, found: Verdict) -> Verdict:
    """A twin is refuted by the rule it changes, so the true rule has to pass."""
    if found.verdict != REFUTED:
        return found
    shown = replay_case(prop.name, found)
    if shown.failed:
        detail = f"the counterexample of the twin fails on the true engine too: {shown.failed[0]}"
        return msgspec.structs.replace(found, verdict=UNKNOWN, detail=detail)
    if not shown.claims:
        detail = "the property says nothing about the counterexample of the twin on the true engine"
        return msgspec.structs.replace(found, verdict=UNKNOWN, detail=detail)
    return found


__all__ = [
    "CHECKED",
    "PROVED",
    "REFUTED",
    "UNKNOWN",
    "UNSUPPORTED",
    "UnknownProperty",
    "properties",
    "property_named",
    "prove",
    "prove_all",
    "replay_case",
]
