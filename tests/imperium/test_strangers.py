"""An input that names what does not exist is refused with its reasons, whatever is pending."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

import pytest

from rules_engine.imperium.actions import AnyInput
from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.game import Action, Answer, Frame, legal
from rules_engine.kernel.outcomes import Seat
from tests.imperium.positions import by_frame

STRANGE: dict[type, tuple[object, ...]] = {
    int: (-1_000_000, 10**30),
    str: ("", "no such thing", "any" * 1000, "hand\0"),
}


def strange_inputs(seat: Seat) -> Iterator[Action | Answer]:
    """Every kind of input with values in it that mean nothing."""
    for values in zip(STRANGE[str], STRANGE[int] * 2, strict=True):
        by_type = dict(zip((str, int), values, strict=True))
        for kind in typing.get_args(AnyInput):
            hints = typing.get_type_hints(kind)
            fields = [name for name in kind.__struct_fields__ if name != "by"]
            named: dict[str, Any] = {
                name: by_type[int if hints[name] is int else str] for name in fields
            }
            if named:
                yield kind(**named) if kind is Answer else kind(by=seat, **named)


@pytest.mark.parametrize("kind", IMPERIUM.frames, ids=lambda kind: kind.__name__)
def test_nothing_strange_is_allowed_on(kind: type[Frame]) -> None:
    for state in by_frame(3)[kind]:
        for seat in (*range(3), -1, 99):
            for given in strange_inputs(seat):
                refused = legal(IMPERIUM, state, given)
                assert refused is not None, given
                assert refused.rules


def test_every_kind_of_input_with_fields_was_tried() -> None:
    tried = {type(given) for given in strange_inputs(0)}
    bare = {kind for kind in typing.get_args(AnyInput) if kind.__struct_fields__ == ("by",)}
    assert tried == set(typing.get_args(AnyInput)) - bare
