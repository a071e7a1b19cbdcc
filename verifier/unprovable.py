"""Rules that are declared unprovable, each with the reason."""

from __future__ import annotations

import functools
from importlib import resources

import msgspec

from rules_engine.rulebook.index import cite

MOST = 10
"""A longer list would be a way around the work."""


@functools.cache
def reasons() -> dict[str, str]:
    """Why no property can settle a rule, by its id."""
    return read(resources.files("verifier").joinpath("unprovable.toml").read_bytes())


def read(text: bytes) -> dict[str, str]:
    """The reasons in a file; a rule that there is not is an error."""
    found = msgspec.toml.decode(text, type=dict[str, str])
    cite(*found)
    return found
