"""Prove properties by name."""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec

from rules_engine.kernel.case import Case
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from rules_engine.rulebook.index import rules
from verifier import properties as _files
from verifier.claim_lines import place_of
from verifier.covered import Covered, joined, together
from verifier.dependencies import by_key, memory, rule_functions
from verifier.explorer import Budget
from verifier.kept import Kept
from verifier.obligations import (
    Manner,
    Obligation,
    Outcome,
    obligations,
    outdated,
    say_unsettled,
    settle_obligation,
)
from verifier.pool import DIED, settle_all
from verifier.registry import CLAIM, THEOREMS, Params, Property, Twin, kind_of, registered
from verifier.replay import NO_CRASH, Replay, replay
from verifier.twins import BadTwin, run_twin
from verifier.verdicts import (
    CHECKED,
    PROVED,
    REFUTED,
    UNKNOWN,
    UNSUPPORTED,
    CaseVerdict,
    RulingsRead,
    Settled,
    Verdict,
    in_one_line,
)

GAME = "imperium"

NEVER_CLAIMED = "no path of any case gets to a claim within the assumptions"


class Progress(Record):
    """An obligation is settled: its title, how many are by now, and how many there are."""

    title: str
    number: int
    total: int


class TwinRun(Record):
    """What a property says of the engine with the rule of a twin changed."""

    name: str
    rule: str
    twin: Twin | None
    """What was changed; nothing where a file of properties cannot be loaded."""
    verdict: str
    """Refuted, as it must be, or what came instead."""
    detail: str = ""


class UnknownProperty(TruthsayerError):
    """Somebody asked for a property that does not exist."""

    def __init__(self, name: str) -> None:
        if any(rule.id == name for rule in rules()):
            help_ = f"`truthsayer coverage --rule {name}` says what else looks at it"
            super().__init__("TS0501", f"no property settles {name}", help=help_)
            return
        # The name may be in a file of which nothing is known.
        unread = [f"{file} cannot be loaded: {why}" for file, why in _files.BROKEN.items()]
        what = "rule" if LIKE_A_RULE.fullmatch(name) else "property"
        hint = "; ".join([*unread, _meant_by(name)])
        super().__init__("TS0501", f"no {what} `{name}`", help=hint)


LIKE_A_RULE = re.compile(r"[A-Za-z]+-[A-Za-z]+-\w+")
"""How ids of rules are written; they are in capitals."""


def _meant_by(name: str) -> str:
    """The nearest rule or property; if none is near, where they all are."""
    if LIKE_A_RULE.fullmatch(name):
        near = difflib.get_close_matches(name.upper(), [rule.id for rule in rules()], n=1)
    else:
        near = difflib.get_close_matches(name, registered(), n=1, cutoff=0.4)
    return f"did you mean `{near[0]}`?" if near else "`truthsayer prove --list` names them all"


def properties() -> tuple[Property, ...]:
    """Every property, in the order of the files."""
    return tuple(registered().values())


def property_named(name: str) -> Property:
    """The property of this name."""
    found = registered().get(name)
    if found is None:
        raise UnknownProperty(name)
    return found


def properties_named(names: Iterable[str]) -> list[Property]:
    """The properties of these names, and for the id of a rule all that settle it, each once."""
    found: dict[str, Property] = {}
    for name in names:
        of_rule = [each for each in properties() if name in each.rules]
        found.update((each.name, each) for each in of_rule or [property_named(name)])
    return list(found.values())


def prove(
    name: str,
    *,
    twin_of: str | None = None,
    manner: Manner | None = None,
    stop: Callable[[], bool] | None = None,
) -> Verdict:
    """Settle one property; with `twin_of`, against the engine with the twin's edit of that rule.

    A twin's counterexample has to fail on the changed engine and to pass on the true one.
    """
    prop = property_named(name)
    manner = manner or Manner()
    if twin_of is not None:
        found = run_twin(prop, prop.twins[twin_of], manner.budget)
        return _passes_on_the_true_engine(prop, found)
    outcomes: dict[str, Outcome] = {}
    for case in prop.case:
        (outcomes[case],) = settle_obligation(Obligation((name,), case), manner, stop)
        if outcomes[case].settled.verdict == REFUTED:
            break
    return _verdict(prop, outcomes)


def prove_all(
    names: Iterable[str] = (),
    *,
    manner: Manner | None = None,
    jobs: int = 1,
    kept: Kept | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Progress | Verdict]:
    """Settle several properties; without names, all of them, and give each when it is settled.

    With several `jobs` processes work side by side. Proofs that are `kept` are not made again.
    """
    manner = manner or Manner()
    asked = [*names]
    chosen = properties_named(asked) or list(properties())
    missing = [] if _are_properties(asked) else [*_cannot_be_loaded()]
    outcomes = Outcomes({each.name: {} for each in chosen})
    told = 0
    for progress, found in _settled(chosen, manner, jobs, kept, stop):
        yield progress
        for outcome in found:
            for name in outcome.obligation.names:
                outcomes[name][outcome.obligation.case] = outcome
        while told < len(chosen) and _is_settled(chosen[told], outcomes):
            yield _judged(chosen[told], outcomes, manner)
            told += 1
    yield from missing


Outcomes = dict[str, dict[str, Outcome]]
"""What came of each property that is to be settled, by case."""


def _is_settled(prop: Property, outcomes: Outcomes) -> bool:
    """Whether all of it is settled, and all that it takes for granted and is settled as well."""
    own = outcomes[prop.name]
    if len(own) < len(prop.cases):
        return False
    others = (each for each in _granted_by(own) if each in outcomes)
    return all(len(outcomes[each]) == len(property_named(each).cases) for each in others)


def _judged(prop: Property, outcomes: Outcomes, manner: Manner) -> Verdict:
    """The verdict: nothing is known where what it takes for granted is not so."""
    found = _verdict(prop, outcomes[prop.name])
    granted_by = [each for each in _granted_by(outcomes[prop.name]) if each != prop.name]
    for each in (other for other in granted_by if other in outcomes):
        shown = _verdict(property_named(each), outcomes[each]).verdict
        if found.verdict in (PROVED, CHECKED) and shown not in (PROVED, CHECKED):
            detail = f"it takes for granted what {each} says, and that is {shown}"
            found = msgspec.structs.replace(found, verdict=UNKNOWN, detail=detail)
    if found.verdict == UNKNOWN:
        _say_unknown(prop, outcomes[prop.name], manner, found.detail)
    missing = tuple(each for each in granted_by if each not in outcomes)
    return msgspec.structs.replace(found, granted_by=missing)


def _granted_by(outcomes: Mapping[str, Outcome]) -> list[str]:
    every = (each.settled.granted_by for each in outcomes.values())
    return sorted({name for names in every for name in names})


def _say_unknown(prop: Property, outcomes: Mapping[str, Outcome], manner: Manner, why: str) -> None:
    """Let no file of a property call it proved about which nothing is known."""
    proved = {each.obligation for each in outcomes.values() if each.settled.verdict == PROVED}
    with contextlib.suppress(OSError):
        say_unsettled(sorted(proved, key=lambda each: each.title), manner, f"{prop.name}: {why}")


def run_twins(
    names: Iterable[str] = (), *, budget: Budget | None = None, jobs: int = 1
) -> Iterator[Progress | TwinRun]:
    """Run the twins of several properties, so many at a time; without names, of all of them."""
    asked = [*names]
    chosen = properties_named(asked) or list(properties())
    every = [(prop, rule) for prop in chosen for rule in prop.twins]
    budget = budget or Budget()
    with ThreadPoolExecutor(jobs) as threads:
        # Each is a process of its own. What it found is replayed here, where there is one solver.
        verdicts = threads.map(partial(_twin_verdict, budget=budget), every)
        for number, ((prop, rule), found) in enumerate(zip(every, verdicts, strict=True), start=1):
            yield Progress(f"{prop.name}, {rule}", number, len(every))
            if isinstance(found, Verdict):
                found = _passes_on_the_true_engine(prop, found)
                yield TwinRun(prop.name, rule, prop.twins[rule], found.verdict, found.detail)
            else:
                yield TwinRun(prop.name, rule, prop.twins[rule], UNSUPPORTED, str(found))
    if not _are_properties(asked):
        yield from (TwinRun(file, "", None, UNSUPPORTED, why) for file, why in unread().items())


def _twin_verdict(which: tuple[Property, str], budget: Budget) -> Verdict | BadTwin:
    prop, rule = which
    try:
        return run_twin(prop, prop.twins[rule], budget)
    except BadTwin as mistake:
        return mistake


def _settled(
    chosen: list[Property],
    manner: Manner,
    jobs: int,
    kept: Kept | None,
    stop: Callable[[], bool] | None,
) -> Iterator[tuple[Progress, list[Outcome]]]:
    """What comes of all obligations, those first that are proved already."""
    every = obligations(chosen)
    with contextlib.suppress(OSError):  # What cannot be written makes its obligation unknown.
        say_unsettled([*every, *outdated(every, manner)], manner)
    known = kept.find(every, manner) if kept is not None else {}
    number = 0
    for number, (each, outcome) in enumerate(known.items(), start=1):
        yield Progress(each.title, number, len(every)), [outcome]
    waiting = [each for each in every if each not in known]
    for found in settle_all(waiting, manner, jobs=jobs, stop=stop):
        number += 1
        for outcome in found:
            if outcome.settled.detail == DIED:
                with contextlib.suppress(OSError):
                    say_unsettled([outcome.obligation], manner, DIED)
            if kept is not None:
                kept.keep(outcome, manner)
        yield Progress(found[0].obligation.title, number, len(every)), found


def _are_properties(asked: Sequence[str]) -> bool:
    """Whether every property is named: of a rule, some may be in a file that cannot be loaded."""
    return bool(asked) and all(name in registered() for name in asked)


def _cannot_be_loaded() -> Iterator[Verdict]:
    """A verdict for each file of properties with a mistake, so that nobody thinks it is proved."""
    for file, why in unread().items():
        yield Verdict(file, (), UNSUPPORTED, 0, 0.0, (), CLAIM, detail=why)


def unread() -> dict[str, str]:
    """Why files of properties cannot be loaded, by file."""
    return {
        file: f"verifier/properties/{file}.py cannot be loaded: {why}"
        for file, why in _files.BROKEN.items()
    }


def replay_case(name: str, verdict: Verdict) -> Replay:
    """Run a property once more with the values of a counterexample, on the engine in use."""
    prop = property_named(name)
    params = prop.case[verdict.params]
    return replay(partial(prop.run, **params), {each.name: each.value for each in verdict.values})


# From the cases of a property to its verdict


def _verdict(prop: Property, outcomes: Mapping[str, Outcome]) -> Verdict:
    settled = {case: outcomes[case].settled for case in prop.case if case in outcomes}
    at = _telling(settled)
    last = _with_every_line(settled.values(), settled[at])
    covered = joined(_covered(prop.name, each) for each in settled.values())
    depends = any(_depends(prop, each) for each in outcomes.values())
    kind = _kind(prop, last, covered, depends)
    found = Verdict(
        name=prop.name,
        rules=prop.rules,
        verdict=_word(last.verdict, kind),
        paths=sum(each.paths for each in settled.values()),
        seconds=sum(each.seconds for each in settled.values()),
        rulings=_joined(settled.values()),
        kind=kind,
        covered=covered,
        detail=last.detail,
        values=last.values,
        confirmed=all(each.confirmed for each in settled.values()),
        cases=tuple(_case_verdict(prop, case, outcomes[case]) for case in settled),
        from_kept=all(each.kept for each in outcomes.values()),
    )
    if last.verdict != REFUTED:
        return found
    case = Case(
        game=GAME,
        title=prop.name.replace("_", " "),
        position=last.position,
        inputs=last.inputs,
        claim=in_one_line(last.failed[0]),
        rules=prop.rules,
    )
    return msgspec.structs.replace(found, case=case, params=at)


def _with_every_line(settled: Iterable[Settled], last: Settled) -> Settled:
    """What decides; nothing is known if there is a claim that no path of any case gets to."""
    every = [*settled]
    reached = {line for each in every for line in each.claimed_at}
    missing = sorted({line for each in every for line in each.never_claimed} - reached)
    if last.verdict != PROVED or not missing:
        return last
    where = ", ".join(place_of(each, by_key().values()) for each in missing)
    return msgspec.structs.replace(last, verdict=UNKNOWN, detail=f"{NEVER_CLAIMED}: {where}")


def _covered(name: str, found: Settled) -> Covered:
    """What a property covers in one case: other tables only if it says something of them."""
    if name in found.elsewhere_of:
        return together(found.covered, found.elsewhere)
    return found.covered


def _case_verdict(prop: Property, case: str, outcome: Outcome) -> CaseVerdict:
    found = outcome.settled
    return CaseVerdict(
        params=case,
        verdict=_word(found.verdict, _kind(prop, found, found.covered, _depends(prop, outcome))),
        paths=found.paths,
        seconds=found.seconds,
        detail=found.detail,
        rests_on=rule_functions(outcome.dependencies),
        granted=_granted(prop, prop.case[case]),
        needs=found.needs,
        obligation=outcome.obligation.title,
    )


def _granted(prop: Property, params: Params) -> tuple[str, ...]:
    family = prop.family
    return () if family is None or family.granted is None else family.granted(**params)


def _kind(prop: Property, found: Settled, covered: Covered, depends: bool) -> str:
    """What a property turned out to be; what it says itself counts only until that is known."""
    if found.verdict in (UNKNOWN, UNSUPPORTED) and not depends:
        return prop.kind
    return kind_of(prop.kind, depends=depends, unknowns=bool(covered.numbers or covered.choices))


def _depends(prop: Property, outcome: Outcome) -> bool:
    """Whether what is said of the property depends on an unknown number.

    Where several are explored together only their own claims count.
    """
    if len(outcome.obligation.names) == 1:
        return bool(outcome.settled.depending)
    return prop.name in outcome.settled.depending


def _word(verdict: str, kind: str) -> str:
    """What holds for all numbers is proved; what was gone through or looked up is checked."""
    return CHECKED if verdict == PROVED and kind not in THEOREMS else verdict


def _telling(settled: Mapping[str, Settled]) -> str:
    """The case that decides: one refutation refutes, and one doubt is enough to prove nothing."""
    for verdict in (REFUTED, UNSUPPORTED, UNKNOWN):
        for case, each in settled.items():
            if each.verdict == verdict:
                return case
    return next(iter(settled))


def _joined(settled: Iterable[Settled]) -> tuple[RulingsRead, ...]:
    """The rulings read in any case."""
    found: dict[str, RulingsRead] = {}
    for each in (read for one in settled for read in one.rulings):
        before = found.get(each.name, each)
        found[each.name] = RulingsRead(
            name=each.name,
            values=max(before.values, each.values, key=len),
            fails_under=each.fails_under or before.fails_under,
            only_as=before.only_as or each.only_as,
        )
    return tuple(found[name] for name in sorted(found))


def _passes_on_the_true_engine(prop: Property, found: Verdict) -> Verdict:
    """A twin is refuted by the rule it changes, so the true rule has to pass.

    It has to be a claim that fails: whatever a property claims, a rule that crashes is refuted.
    """
    if found.verdict != REFUTED:
        return found
    assert found.case is not None
    if found.case.claim.startswith(NO_CRASH):
        detail = f"no claim notices the twin, it makes the engine crash: {found.detail}"
        return msgspec.structs.replace(found, verdict=UNKNOWN, detail=detail)
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
    "Progress",
    "TwinRun",
    "UnknownProperty",
    "properties",
    "property_named",
    "prove",
    "prove_all",
    "replay_case",
    "run_twins",
]


# Whatever is replaced once all is imported is noticed.
memory()
