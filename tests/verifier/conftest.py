"""What several tests of the verifier begin with."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tests.verifier.planted_gain import Gain
from verifier.numbers import WHOLE
from verifier.registry import Property, registered

ALIAS = "__orig_class__"


@pytest.fixture
def table() -> Iterator[dict[str, Property]]:
    """The table of properties, put right afterwards."""
    known = registered()
    before = dict(known)
    yield known
    known.clear()
    known.update(before)


@pytest.fixture
def gain(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gain]:
    yield Gain(monkeypatch)
    monkeypatch.undo()
    # `type[int](n)` leaves its alias behind on what it gives: the class of the symbol.
    for kind in WHOLE:
        if ALIAS in vars(kind):
            delattr(kind, ALIAS)
    gc.collect()
