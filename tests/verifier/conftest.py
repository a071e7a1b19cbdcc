"""What several tests of the verifier begin with."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tests.verifier.planted_gain import Gain
from verifier.registry import Property, registered


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
    gc.collect()
