"""Messages that nobody means well with, drawn from what a method takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

DEEPEST = 3
"""So deep are messages within messages filled."""

NASTY = (
    "", "\0", "../../etc/passwd", "'; DROP TABLE sessions; --", "%s%n{0}${x}", "\ud7ff\u202e",
    "[" * 2_000, '{"a":' * 2_000, "null", "-1", "NaN", "1e999", "x" * 70_000, "ts_000000000000_x",
    'scenario "', "UPR-WALL-003", "uprising",
)  # fmt: skip

_KIND = FieldDescriptor
NUMBERS: Mapping[int, st.SearchStrategy[Any]] = {
    _KIND.CPPTYPE_INT32: st.sampled_from((0, 1, -1, 2**31 - 1, -(2**31))),
    _KIND.CPPTYPE_INT64: st.sampled_from((0, 1, -1, 2**63 - 1, -(2**63))),
    _KIND.CPPTYPE_UINT32: st.sampled_from((0, 1, 2**32 - 1)),
    _KIND.CPPTYPE_UINT64: st.sampled_from((0, 1, 2**64 - 1)),
    _KIND.CPPTYPE_DOUBLE: st.floats(),
    _KIND.CPPTYPE_FLOAT: st.floats(width=32),
    _KIND.CPPTYPE_BOOL: st.booleans(),
    _KIND.CPPTYPE_ENUM: st.sampled_from((0, 1, 99, -1)),
}


def texts(known: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Any text, what has tripped others, and what is nearly right."""
    right = st.sampled_from(known)
    cut = st.tuples(right, st.integers(0, 200)).map(lambda each: each[0][: -each[1] or None])
    return st.one_of(
        right, cut, st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]))
    )


@st.composite
def messages(
    draw: st.DrawFn, kind: Descriptor, text: st.SearchStrategy[str], depth: int = 0
) -> Message:
    """A message of a kind, with some of its fields set to anything that the wire can carry."""
    made: Any = GetMessageClass(kind)()
    for field in kind.fields:
        if depth >= DEEPEST or not draw(st.booleans()):
            continue
        value = getattr(made, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            value.update(draw(st.dictionaries(text, text, max_size=3)))
        elif field.is_repeated:
            value.extend(draw(st.lists(_values(field, text, depth), max_size=3)))
        elif field.message_type is not None:
            value.CopyFrom(draw(messages(field.message_type, text, depth + 1)))
        else:
            setattr(made, field.name, draw(_values(field, text, depth)))
    return made  # type: ignore[no-any-return]


def _values(field: FieldDescriptor, text: st.SearchStrategy[str], depth: int) -> Any:
    if field.message_type is not None:
        return messages(field.message_type, text, depth + 1)
    if field.cpp_type == _KIND.CPPTYPE_STRING:
        return st.binary(max_size=64) if field.type == _KIND.TYPE_BYTES else text
    return NUMBERS[field.cpp_type]


@st.composite
def damaged(draw: st.DrawFn, message: st.SearchStrategy[Message]) -> bytes:
    """A message that was cut off, changed or made up."""
    whole = draw(message).SerializeToString()
    how = draw(st.sampled_from(("whole", "cut", "changed", "made up")))
    if how == "made up" or not whole:
        return draw(st.binary(max_size=300))
    at = draw(st.integers(0, len(whole) - 1))
    if how == "cut":
        return whole[:at]
    if how == "changed":
        return whole[:at] + draw(st.binary(min_size=1, max_size=4)) + whole[at + 1 :]
    return whole
