"""Which adapter is tested, the way to it, and whether what it says of itself can be used."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from conformance.faults import CHANGED, GARBAGE, AdapterFault
from conformance.features import things_of
from conformance.framing import Delimited, JsonLines
from conformance.messages import (
    CAPABILITIES,
    INJECT,
    PROTOCOL,
    REPORT,
    STEPS,
    Describe,
    Described,
)
from conformance.observing import FIELDS, PLAYER_FIELDS
from conformance.over_grpc import OverGrpc
from conformance.pipe import Pipe
from conformance.playing import Connection
from rules_engine.catalogue.load import products
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record
from rules_engine.rulebook.rulings import rulings
from scenarios.imperium.features import FEATURES

MOST_LISTED = 60
"""So many known words are listed where one is unknown."""


class Target(Record):
    """A program with its arguments, or the address of a server; and what it is allowed.

    `seconds` are for the answers to a batch, `start_seconds` to start and to say what it is.
    """

    command: tuple[str, ...] = ()
    address: str = ""
    protobuf: bool = False
    seconds: float = 10.0
    start_seconds: float = 60.0
    most_bytes: int = 64 * 1024 * 1024


def connect(target: Target, mark: str = "") -> Connection:
    """Start the program, or connect to the server; by its mark, a program can be ended."""
    if target.address:
        return OverGrpc(
            target.address,
            seconds=target.seconds,
            start_seconds=target.start_seconds,
            most_bytes=target.most_bytes,
        )
    framing = Delimited() if target.protobuf else JsonLines()
    return Pipe(
        target.command,
        framing,
        seconds=target.seconds,
        most_bytes=target.most_bytes,
        mark=mark,
    )


def greeted(connection: Connection, target: Target, before: Described | None = None) -> Described:
    """What the adapter says of itself, if it makes sense; `before` is what it said last time."""
    (about,) = connection.ask((Describe(),), target.start_seconds)
    if not isinstance(about, Described):
        tag = about.__struct_config__.tag
        raise AdapterFault(GARBAGE, f"it answered `{tag}` where it was to describe itself")
    if before is not None:
        _check_unchanged(before, about)
    _check_protocol(about)
    _check_words(about)
    _check_rulings(about)
    _check_features(about)
    return about


def _check_unchanged(before: Described, about: Described) -> None:
    for field in Described.__struct_fields__:
        old, new = getattr(before, field), getattr(about, field)
        if old != new:
            raise AdapterFault(
                CHANGED, f"its {field} was `{old}`, and is `{new}` now that it was started anew"
            )


def _check_protocol(about: Described) -> None:
    if about.protocol != PROTOCOL:
        raise TruthsayerError(
            "TS0820",
            f"the adapter speaks version {about.protocol} of the protocol",
            help=f"this kit speaks version {PROTOCOL}",
        )
    for field in ("name", "version", "products"):
        if not getattr(about, field):
            raise TruthsayerError(
                "TS0821",
                f"the adapter describes itself without `{field}`",
                help="it has to say its name, its version and what it plays",
            )


def _check_words(about: Described) -> None:
    """Every word has to be one that means something."""
    _check("product", about.products, products())
    _check("way to take chance", [about.chance], (INJECT, REPORT))
    _check("step", [about.step], STEPS)
    _check("capability", about.capabilities, CAPABILITIES)
    _check("field", about.fields, (*FIELDS, *(f"players.{each}" for each in PLAYER_FIELDS)))


def _check_rulings(about: Described) -> None:
    known = rulings()
    _check("ruling", about.rulings, known)
    for name, value in about.rulings.items():
        _check(f"reading of `{name}`", [value], known[name].values)


def _check_features(about: Described) -> None:
    _check("feature", about.features, FEATURES)
    for kind, things in about.features.items():
        _check(f"thing among its `{kind}`", things, things_of(kind, about.products))


def _check(what: str, said: Iterable[str], known: Iterable[str]) -> None:
    known = list(known)
    for word in said:
        if word not in known:
            close = difflib.get_close_matches(word, known, n=1)
            listed = "known: " + ", ".join(f"`{each}`" for each in known[:MOST_LISTED])
            listed += ", …; `truthsayer export --ids` has all" if known[MOST_LISTED:] else ""
            raise TruthsayerError(
                "TS0822",
                f"the adapter names a {what} that there is not: `{word}`",
                help=f"did you mean `{close[0]}`?" if close else listed,
            )
