"""Immutable records: a changed record is a new one, and equal positions are equal values."""

from __future__ import annotations

import typing

import msgspec


@typing.dataclass_transform(frozen_default=True)
class Record(msgspec.Struct, frozen=True, gc=False):
    """A frozen value with named fields. Checks are functions elsewhere, never constructors.

    Records never refer to each other in a circle, so the garbage collector need not follow them.
    """


change = msgspec.structs.replace
"""`change(record, field=value)` gives a copy of the record that differs in the named fields."""
