"""The messages as protobuf: the same fields, with JSON in strings."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.messages import (
    Answers,
    AnyAnswer,
    AnyCall,
    Apply,
    Calls,
    Observe,
    Start,
)
from truthsayer.v1 import adapter_pb2

IN_JSON = {"done": ("observation", "chance"), "listed": ("actions",)}


def calls_message(batch: Calls) -> adapter_pb2.PlayRequest:
    """A batch of calls."""
    return adapter_pb2.PlayRequest(id=batch.id, calls=map(_call, batch.calls))


def _call(call: AnyCall) -> adapter_pb2.Call:
    match call:
        case Start(setup, position, to_move, chance, observe):
            start = adapter_pb2.Start(
                setup=_text(setup),
                position="" if position is None else _text(position),
                to_move=to_move,
                chance=_text(chance) if chance else "",
                observe=observe,
            )
            return adapter_pb2.Call(start=start)
        case Apply(given, chance, revision, observe):
            told = _text(chance) if chance else ""
            apply = adapter_pb2.Apply(
                input=_text(given), chance=told, revision=revision, observe=observe
            )
            return adapter_pb2.Call(apply=apply)
        case Observe(seat):
            return adapter_pb2.Call(observe=adapter_pb2.Observe(seat=seat))
    found = adapter_pb2.Call()
    getattr(found, str(call.__struct_config__.tag)).SetInParent()
    return found


def answers_of(message: adapter_pb2.PlayResponse) -> Answers:
    """A batch of answers; msgspec says what is wrong with one that is none."""
    return Answers(message.id, tuple(_answer(each) for each in message.answers))


def _answer(message: adapter_pb2.CallAnswer) -> AnyAnswer:
    kind = message.WhichOneof("answer")
    if kind is None:
        raise msgspec.ValidationError("an answer that says nothing")
    said = getattr(message, kind)
    found: dict[str, Any] = {"answer": kind}
    for field in said.DESCRIPTOR.fields:
        value = getattr(said, field.name)
        if value:
            found[field.name] = _plain(value, field.name in IN_JSON.get(kind, ()))
    answer: AnyAnswer = msgspec.convert(found, AnyAnswer)
    return answer


def _plain(value: Any, is_json: bool) -> Any:
    if isinstance(value, str):
        return msgspec.json.decode(value) if is_json else value
    if hasattr(value, "items"):
        return dict(value)
    if isinstance(value, int):
        return value
    return [msgspec.json.decode(each) if is_json else each for each in value]


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
