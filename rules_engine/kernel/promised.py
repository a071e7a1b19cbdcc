"""What a class of records declares: only classes that a module names are asked."""

from __future__ import annotations

import typing

from rules_engine.kernel.records import Record


def promised(kind: type[Record]) -> dict[str, typing.Any]:
    """The fields of a record type, each with the type and the marks that it is declared with."""
    return typing.get_type_hints(kind, include_extras=True)
