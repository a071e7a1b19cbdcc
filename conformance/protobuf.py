"""The messages as protobuf: the same fields, with JSON in strings."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.messages import (
    INJECT,
    INPUT,
    PROTOCOL,
    Answers,
    AnyAnswer,
    AnyCall,
    Apply,
    ApplyUnit,
    Calls,
    Describe,
    Described,
    Done,
    Failed,
    Finish,
    Json,
    ListActions,
    Listed,
    Observe,
    Refused,
    Start,
    Undo,
    Unsupported,
)
from truthsayer.v1 import adapter_pb2

# Calls


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
        case ApplyUnit(inputs, chance, revision, observe):
            told = _text(chance) if chance else ""
            unit = adapter_pb2.ApplyUnit(
                inputs=map(_text, inputs), chance=told, revision=revision, observe=observe
            )
            return adapter_pb2.Call(apply_unit=unit)
        case Observe(seat):
            return adapter_pb2.Call(observe=adapter_pb2.Observe(seat=seat))
    found = adapter_pb2.Call()
    getattr(found, str(call.__struct_config__.tag)).SetInParent()
    return found


def calls_of(message: adapter_pb2.PlayRequest) -> Calls:
    """A batch of calls, as an adapter reads it."""
    return Calls(message.id, tuple(_call_of(each) for each in message.calls))


def _call_of(message: adapter_pb2.Call) -> AnyCall:
    match message.WhichOneof("call"):
        case "start":
            start = message.start
            return Start(
                _one(start.setup),
                _one(start.position) if start.position else None,
                start.to_move if start.HasField("to_move") else None,
                _several(start.chance),
                start.observe,
            )
        case "apply":
            apply = message.apply
            return Apply(_one(apply.input), _several(apply.chance), apply.revision, apply.observe)
        case "apply_unit":
            unit = message.apply_unit
            inputs = tuple(map(_one, unit.inputs))
            return ApplyUnit(inputs, _several(unit.chance), unit.revision, unit.observe)
        case "observe":
            return Observe(message.observe.seat if message.observe.HasField("seat") else None)
        case "describe":
            return Describe()
        case "list_actions":
            return ListActions()
        case "undo":
            return Undo()
        case "finish":
            return Finish()
    raise msgspec.ValidationError("a call that asks for nothing")


# Answers


def answers_message(batch: Answers) -> adapter_pb2.PlayResponse:
    """A batch of answers."""
    return adapter_pb2.PlayResponse(id=batch.id, answers=map(_answer, batch.answers))


def _answer(answer: AnyAnswer) -> adapter_pb2.CallAnswer:
    match answer:
        case Described():
            return adapter_pb2.CallAnswer(described=_described(answer))
        case Done(observation, chance):
            done = adapter_pb2.Done(
                observation="" if observation is None else _text(observation),
                chance=_text(chance) if chance else "",
            )
            return adapter_pb2.CallAnswer(done=done)
        case Refused(reason):
            return adapter_pb2.CallAnswer(refused=adapter_pb2.AdapterRefused(reason=reason))
        case Listed(actions):
            return adapter_pb2.CallAnswer(listed=adapter_pb2.Listed(actions=map(_text, actions)))
        case Unsupported(what):
            return adapter_pb2.CallAnswer(unsupported=adapter_pb2.Unsupported(what=what))
        case Failed(message):
            return adapter_pb2.CallAnswer(failed=adapter_pb2.Failed(message=message))


def _described(said: Described) -> adapter_pb2.Described:
    features = {kind: adapter_pb2.Things(ids=ids) for kind, ids in said.features.items()}
    return adapter_pb2.Described(**{**msgspec.structs.asdict(said), "features": features})


def answers_of(message: adapter_pb2.PlayResponse) -> Answers:
    """A batch of answers; msgspec says what is wrong with one that is none."""
    return Answers(message.id, tuple(_answer_of(each) for each in message.answers))


def _answer_of(message: adapter_pb2.CallAnswer) -> AnyAnswer:
    match message.WhichOneof("answer"):
        case "described":
            return _described_of(message.described)
        case "done":
            done = message.done
            return Done(_one(done.observation) if done.observation else None, _several(done.chance))
        case "refused":
            return Refused(message.refused.reason)
        case "listed":
            return Listed(tuple(map(_one, message.listed.actions)))
        case "unsupported":
            return Unsupported(message.unsupported.what)
        case "failed":
            return Failed(message.failed.message)
    raise msgspec.ValidationError("an answer that says nothing")


def _described_of(said: adapter_pb2.Described) -> Described:
    """A description; what is not said is as the records have it."""
    return Described(
        name=said.name,
        version=said.version,
        products=tuple(said.products),
        protocol=said.protocol or PROTOCOL,
        chance=said.chance or INJECT,
        step=said.step or INPUT,
        capabilities=tuple(said.capabilities),
        rulings=dict(said.rulings),
        fields=tuple(said.fields),
        features={kind: tuple(things.ids) for kind, things in said.features.items()},
    )


# JSON in strings

_OBJECT = msgspec.json.Decoder(Json)
_OBJECTS = msgspec.json.Decoder(tuple[Json, ...])


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _one(text: str) -> Json:
    return _OBJECT.decode(text)


def _several(text: str) -> tuple[Json, ...]:
    return _OBJECTS.decode(text) if text else ()
