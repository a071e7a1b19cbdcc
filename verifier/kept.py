"""Proofs kept from earlier runs, each with all that it rests on.

Only what is proved is kept. An entry counts if everything it rests on is as it was; one that was
damaged by accident does not fit its digest, is thrown away, and is proved anew. The digest has no
key: whoever can write the folder can put there what was never proved, so the folder is trusted.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec
import platformdirs

from rules_engine.kernel.records import Record
from verifier.covered import Covered
from verifier.dependencies import (
    Dependencies,
    everything_else,
    files_are_as_imported,
    still_hold,
    whole,
)
from verifier.explorer import Budget
from verifier.obligations import Manner, Obligation, Outcome
from verifier.verdicts import PROVED, RulingsRead, Settled

VARIABLE = "TRUTHSAYER_CACHE_DIR"
"""Where to keep proofs instead of the user's cache directory."""


class Entry(Record):
    """A proof as it is kept."""

    names: tuple[str, ...]
    case: str
    budget: Budget
    confirmed: bool
    everything_else: str
    dependencies: Dependencies
    paths: int
    seconds: float
    rulings: tuple[RulingsRead, ...]
    claimed_of: tuple[str, ...]
    claimed_at: tuple[str, ...]
    never_claimed: tuple[str, ...]
    needs: str
    depending: tuple[str, ...]
    granted_by: tuple[str, ...]
    covered: Covered
    elsewhere: Covered
    elsewhere_of: tuple[str, ...]


def user_folder(what: str = "proofs") -> Path:
    """The folder in which this user keeps results of one kind."""
    chosen = os.environ.get(VARIABLE)
    top = Path(chosen) if chosen else platformdirs.user_cache_path("truthsayer", False)
    return top / what


class Kept:
    """The proofs in a folder. A folder that cannot be written keeps nothing, and nothing fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged = 0
        """Entries that did not fit their digest: cut off, or damaged by accident."""
        self.not_written = ""
        """Why the system did not let a proof be kept, if it once did not."""

    def find(self, obligations: Iterable[Obligation], manner: Manner) -> dict[Obligation, Outcome]:
        """Those of the obligations that are proved already.

        No certificate is kept, so where certificates are wanted everything is proved anew.
        """
        rest = everything_else()
        if manner.smtlib or not rest:
            return {}
        found = ((each, self._find(each, manner, rest)) for each in obligations)
        return {each: outcome for each, outcome in found if outcome is not None}

    def keep(self, outcome: Outcome, manner: Manner) -> None:
        """Keep a proof; anything else is never kept, nor what was proved of other code."""
        settled, obligation = outcome.settled, outcome.obligation
        if settled.verdict != PROVED or not _is_of_this_code(outcome):
            return
        entry = Entry(
            names=obligation.names,
            case=obligation.case,
            budget=manner.budget,
            confirmed=manner.confirm,
            everything_else=outcome.everything_else,
            dependencies=outcome.dependencies,
            paths=settled.paths,
            seconds=settled.seconds,
            rulings=settled.rulings,
            claimed_of=settled.claimed_of,
            claimed_at=settled.claimed_at,
            never_claimed=settled.never_claimed,
            needs=settled.needs,
            depending=settled.depending,
            granted_by=settled.granted_by,
            covered=settled.covered,
            elsewhere=settled.elsewhere,
            elsewhere_of=settled.elsewhere_of,
        )
        body = msgspec.json.encode(entry)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _replace(self._file(obligation), _digest(body).encode() + b"\n" + body)
        except OSError as why:
            self.not_written = why.strerror or str(why)

    def _find(self, obligation: Obligation, manner: Manner, rest: str) -> Outcome | None:
        file = self._file(obligation)
        entry = self._read(file)
        if entry is None or entry.everything_else != rest:
            return None
        if not _counts(entry, obligation, manner):
            return None
        settled = Settled(
            PROVED,
            paths=entry.paths,
            seconds=entry.seconds,
            rulings=entry.rulings,
            claimed_of=entry.claimed_of,
            claimed_at=entry.claimed_at,
            never_claimed=entry.never_claimed,
            needs=entry.needs,
            depending=entry.depending,
            granted_by=entry.granted_by,
            covered=entry.covered,
            elsewhere=entry.elsewhere,
            elsewhere_of=entry.elsewhere_of,
            confirmed=entry.confirmed,
        )
        return Outcome(obligation, settled, entry.dependencies, entry.everything_else, kept=True)

    def _read(self, file: Path) -> Entry | None:
        try:
            digest, _, body = file.read_bytes().partition(b"\n")
        except OSError:
            return None
        try:
            if _digest(body).encode() == digest:
                return msgspec.json.decode(body, type=Entry)
        except msgspec.DecodeError:
            pass
        self.damaged += 1
        file.unlink(missing_ok=True)
        return None

    def _file(self, obligation: Obligation) -> Path:
        named = msgspec.json.encode(obligation)
        return self.folder / hashlib.blake2b(named, digest_size=16).hexdigest()


def _is_of_this_code(outcome: Outcome) -> bool:
    """Whether the process that settled it had imported what we have, and nothing changed since."""
    rest = outcome.everything_else
    return rest == whole() and files_are_as_imported() and all(outcome.dependencies.values())


def _counts(entry: Entry, obligation: Obligation, manner: Manner) -> bool:
    """Whether the entry is about this obligation, settled as is asked for, and still true."""
    return (
        (entry.names, entry.case) == (obligation.names, obligation.case)
        and entry.budget == manner.budget
        and (entry.confirmed or not manner.confirm)
        and bool(entry.dependencies)
        and still_hold(entry.dependencies)
    )


def _digest(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=16).hexdigest()


def _replace(file: Path, content: bytes) -> None:
    """Write a file as a whole or not at all, whoever else writes it."""
    opened, name = tempfile.mkstemp(dir=file.parent)
    try:
        with open(opened, "wb") as made:
            made.write(content)
        os.replace(name, file)
    except OSError:
        # The disk may be full, or a folder stand in its place.
        os.unlink(name)
        raise
