"""What has to be settled: the cases of properties, those of one step explored together."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from verifier.dependencies import Dependencies, dependencies, in_memory, traced
from verifier.explorer import Budget, Stopped, told
from verifier.reached import also_traced, refused_in
from verifier.refused_calls import rulings_are_named
from verifier.registry import Params, Property, registered
from verifier.texts import made_of_other_text
from verifier.verdicts import (
    PROVED,
    UNKNOWN,
    UNSUPPORTED,
    Settled,
    commented,
    settle,
    without_certificate,
)

NOT_SETTLED = "it was not settled: the run did not get to its end"
"""What a file says until its obligation is settled."""

LONGEST_NAME = 150
"""A file name may not be longer than a few hundred characters."""


class Obligation(Record):
    """One exploration: a case of a property, or of several that are explored together."""

    names: tuple[str, ...]
    case: str
    """The parameters in words."""

    @property
    def title(self) -> str:
        """How files and progress name it."""
        first = properties_of(self)[0]
        name = first.family.name if first.family and len(self.names) > 1 else first.name
        return f"{name} ({self.case})" if self.case else name


class Manner(Record):
    """How obligations are settled."""

    budget: Budget = Budget()
    confirm: bool = False
    """Whether a second solver has to agree."""
    smtlib: str = ""
    """A folder for the certificates."""


class Outcome(Record):
    """An obligation, what came of it, and the functions that it rests on."""

    obligation: Obligation
    settled: Settled
    dependencies: Dependencies = {}
    everything_else: str = ""
    """The digest of what else the process had imported that settled it; only of what is proved."""
    kept: bool = False
    """Whether it was settled in an earlier run."""


def properties_of(obligation: Obligation) -> tuple[Property, ...]:
    """The properties that it is about."""
    return tuple(registered()[name] for name in obligation.names)


def params_of(obligation: Obligation) -> Params:
    """The parameters of its case."""
    return properties_of(obligation)[0].case[obligation.case]


def obligations(properties: Iterable[Property]) -> list[Obligation]:
    """One for each case of a property; the properties of a family share theirs."""
    found: list[Obligation] = []
    families: dict[str, list[Property]] = {}
    for each in properties:
        if each.family is None:
            found += (Obligation((each.name,), case) for case in each.case)
        else:
            families.setdefault(each.family.name, []).append(each)
    for together in families.values():
        names = tuple(each.name for each in together)
        found += (Obligation(names, case) for case in together[0].case)
    return found


def settle_obligation(
    obligation: Obligation, manner: Manner, stop: Callable[[], bool] | None = None
) -> list[Outcome]:
    """Settle it; what was explored together and is not proved is settled one by one."""
    outcome = _settle(obligation, manner, stop)
    if len(obligation.names) == 1 or _proved_for_all(outcome):
        return [outcome]
    alone = [Obligation((name,), obligation.case) for name in obligation.names]
    return [_settle(each, manner, stop) for each in alone]


def _proved_for_all(outcome: Outcome) -> bool:
    """Whether it is proved, and every one of the properties claimed something."""
    settled = outcome.settled
    return settled.verdict == PROVED and {*outcome.obligation.names} <= {*settled.claimed_of}


def _settle(obligation: Obligation, manner: Manner, stop: Callable[[], bool] | None) -> Outcome:
    if other := made_of_other_text():
        return Outcome(obligation, _lost(obligation, manner, Settled(UNSUPPORTED, other)))
    export = partial(_write, obligation, manner.smtlib) if manner.smtlib else None
    with traced() as seen, also_traced(seen), rulings_are_named():
        try:
            say_unsettled([obligation], manner)
            settled = settle(
                function_of(obligation),
                budget=manner.budget,
                stop=stop,
                export=export,
                confirm=manner.confirm,
                seen=seen,
            )
        except Stopped:
            raise
        except TruthsayerError as error:
            settled = _lost(obligation, manner, Settled(UNSUPPORTED, str(error)))
        except Exception as fault:
            # One bad obligation never ends the run.
            why = f"the verifier itself failed: {told(fault)}"
            settled = _lost(obligation, manner, Settled(UNKNOWN, why))
    if settled.verdict == PROVED and (refused := refused_in(seen)):
        what = Settled(UNSUPPORTED, refused, paths=settled.paths, seconds=settled.seconds)
        settled = _lost(obligation, manner, what)
    # Only what is proved is ever kept, so nobody asks what else the rest stands on.
    proved = settled.verdict == PROVED
    rest = in_memory() if proved else ""
    return Outcome(obligation, settled, dependencies(seen, proved=proved), rest)


def function_of(obligation: Obligation) -> Callable[[], object]:
    """What is explored for it."""
    first = properties_of(obligation)[0]
    params = params_of(obligation)
    if first.family is None or len(obligation.names) == 1:
        return partial(first.run, **params)
    return partial(first.family.run, obligation.names, **params)


# Certificates in files


def say_unsettled(
    obligations: Iterable[Obligation], manner: Manner, why: str = NOT_SETTLED
) -> None:
    """Write files that say that nothing is known, in the place of those of an earlier run.

    They are there until an obligation is settled, whatever happens to the process in between.
    """
    if manner.smtlib:
        for each in obligations:
            _write(each, manner.smtlib, without_certificate(Settled(UNKNOWN, why)))


def outdated(obligations: Iterable[Obligation], manner: Manner) -> list[Obligation]:
    """Those of earlier runs whose files name a property that is now explored with others, or alone.

    What such a file says of the property is not what comes of it now.
    """
    if not manner.smtlib:
        return []
    every = [*obligations]
    wanted = {*every}
    alone = {Obligation((name,), each.case) for each in every for name in each.names}
    together = {found for each in every if (found := _with_others(each, manner.smtlib))}
    outdated = {each for each in alone if _file(each, manner.smtlib).exists()} | together
    return sorted(outdated - wanted, key=lambda each: (each.title, each.names))


def _with_others(obligation: Obligation, folder: str) -> Obligation | None:
    """Its whole family, if the folder has a file of that which names the property."""
    family = properties_of(obligation)[0].family
    if family is None or len(obligation.names) > 1:
        return None
    every = tuple(each.name for each in registered().values() if each.family is family)
    whole = Obligation(every, obligation.case)
    return whole if {*obligation.names} & _named_in(_file(whole, folder)) else None


def _named_in(file: Path) -> set[str]:
    """The properties that a file is about, if there is one."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return set()
    head = commented("property", "").rstrip()
    return {line.removeprefix(head).strip() for line in lines if line.startswith(head)}


def _lost(obligation: Obligation, manner: Manner, settled: Settled) -> Settled:
    """Let the file of an obligation say that its certificate was lost, and why."""
    if manner.smtlib:
        with contextlib.suppress(OSError):
            _write(obligation, manner.smtlib, without_certificate(settled))
    return settled


def _write(obligation: Obligation, folder: str, certificate: str) -> None:
    """Write a file as a whole or not at all, with what it is about."""
    file = _file(obligation, folder)
    about = "".join(commented("property", name) for name in obligation.names)
    if obligation.case:
        about += commented("case", obligation.case)
    made = file.with_suffix(f".{os.getpid()}")
    made.write_text(about + certificate, encoding="utf-8")
    made.replace(file)


def _file(obligation: Obligation, folder: str) -> Path:
    name = re.sub(r"\W+", "_", obligation.title).strip("_")[:LONGEST_NAME]
    digest = hashlib.blake2b(obligation.title.encode(), digest_size=4).hexdigest()
    return Path(folder, f"{name}.{digest}.smt2")
