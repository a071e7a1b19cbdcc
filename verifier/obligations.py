"""What has to be settled: the cases of properties, those of one step explored together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from verifier.dependencies import Dependencies, dependencies, traced
from verifier.explorer import Budget, Stopped, told
from verifier.registry import Params, Property, registered
from verifier.verdicts import PROVED, UNKNOWN, UNSUPPORTED, Settled, settle

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
    export = partial(_write, obligation, manner.smtlib) if manner.smtlib else None
    with traced() as seen:
        try:
            settled = settle(
                function_of(obligation),
                budget=manner.budget,
                stop=stop,
                export=export,
                confirm=manner.confirm,
            )
        except Stopped:
            raise
        except TruthsayerError as error:
            settled = Settled(UNSUPPORTED, str(error))
        except Exception as fault:
            # One bad obligation never ends the run.
            settled = Settled(UNKNOWN, f"the verifier itself failed: {told(fault)}")
    return Outcome(obligation, settled, dependencies(seen))


def function_of(obligation: Obligation) -> Callable[[], object]:
    """What is explored for it."""
    first = properties_of(obligation)[0]
    params = params_of(obligation)
    if first.family is None or len(obligation.names) == 1:
        return partial(first.run, **params)
    return partial(first.family.run, obligation.names, **params)


def _write(obligation: Obligation, folder: str, certificate: str) -> None:
    name = re.sub(r"\W+", "_", obligation.title).strip("_")[:LONGEST_NAME]
    digest = hashlib.blake2b(obligation.title.encode(), digest_size=4).hexdigest()
    Path(folder, f"{name}.{digest}.smt2").write_text(certificate, encoding="utf-8")
