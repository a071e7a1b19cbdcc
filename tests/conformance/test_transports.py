"""One adapter over every transport: the same messages, the same answers."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import conformance.adapters.reference as example
from conformance.adapters.loop import over_lines, over_protobuf
from conformance.adapters.reference import Adapter
from conformance.adapters.serving import serve
from conformance.framing import Delimited, JsonLines
from conformance.messages import (
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
    ListActions,
    Listed,
    Observe,
    Refused,
    Start,
    Undo,
    Unsupported,
)
from conformance.playing import Connection, play
from conformance.protobuf import answers_message, answers_of, calls_message, calls_of
from conformance.results import PASS
from conformance.target import Target, connect, greeted
from tests.conformance.games import random_game
from truthsayer.v1 import adapter_pb2

PROGRAM = (sys.executable, "-m", "conformance.adapters.reference")

CALLS: tuple[AnyCall, ...] = (
    Describe(),
    Start({"product": "uprising"}, None, None, (), observe=False),
    Start({"product": "uprising"}, {"round": 1}, 0, ({"kind": "draw"},), observe=True),
    Apply({"do": {"action": "pass"}}, ({"kind": "draw"},), 7, observe=False),
    Apply({"begin": "combat_begins"}),
    ApplyUnit(({"do": {"action": "pass"}}, {}), ({"kind": "draw"},), 7, observe=False),
    ApplyUnit(()),
    Observe(),
    Observe(0),
    ListActions(),
    Undo(),
    Finish(),
)

ANSWERS: tuple[AnyAnswer, ...] = (
    Described("a", "1", ("uprising",)),
    Described("a", "1", (), 2, "report", "turn", ("undo",), {"x": "y"}, ("round",)),
    Described("a", "1", ("uprising",), features={"spies": (), "cards": ("dagger", "diplomacy")}),
    Done(),
    Done({"round": 1, "name": "Ünï"}, ({"kind": "draw"},)),
    Refused(),
    Refused("no"),
    Listed(()),
    Listed(({"action": "pass"},)),
    Unsupported(""),
    Failed(""),
)


@pytest.fixture(params=["lines", "protobuf", "grpc"])
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """The reference adapter, reached in each way."""
    if request.param != "grpc":
        options = ("--protobuf",) if request.param == "protobuf" else ()
        yield Target((*PROGRAM, *options), protobuf=bool(options))
        return
    server, port = serve(Adapter)
    yield Target(address=f"127.0.0.1:{port}")
    server.stop(None).wait()


@pytest.fixture
def connection(target: Target) -> Iterator[Connection]:
    """A way to it."""
    found = connect(target)
    yield found
    found.close()


def test_a_game_passes_over_every_transport(target: Target, connection: Connection) -> None:
    about = greeted(connection, target)
    assert about.name == "truthsayer"
    game = random_game(1, most_moves=60)
    result = play(game, about, connection)
    assert (result.outcome, result.inputs) == (PASS, 60)


@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_calls_are_the_same_after_protobuf(call: AnyCall) -> None:
    batch = Calls(3, (call,))
    said = calls_message(batch).SerializeToString()
    assert calls_of(adapter_pb2.PlayRequest.FromString(said)) == batch


@pytest.mark.parametrize("answer", ANSWERS, ids=repr)
def test_answers_are_the_same_after_protobuf(answer: AnyAnswer) -> None:
    batch = Answers(3, (answer,))
    said = answers_message(batch).SerializeToString()
    assert answers_of(adapter_pb2.PlayResponse.FromString(said)) == batch


def test_a_call_that_asks_for_nothing_is_none() -> None:
    with pytest.raises(msgspec.ValidationError, match="asks for nothing"):
        calls_of(adapter_pb2.PlayRequest(calls=[adapter_pb2.Call()]))


class Echo:
    """Answers every call by the same."""

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Name the call."""
        return Failed(str(call.__struct_config__.tag) * 100)


@pytest.mark.parametrize("number", [1, 2, 300])
def test_a_loop_answers_batch_after_batch_until_the_input_ends(number: int) -> None:
    batches = [Calls(each, (Describe(), Finish())) for each in range(number)]
    for framing, loop in ((JsonLines(), over_lines), (Delimited(), over_protobuf)):
        sink = io.BytesIO()
        loop(Echo(), io.BytesIO(b"".join(map(framing.encode, batches))), sink)
        came = bytearray(sink.getvalue())
        found = [framing.take(came) for _ in batches]
        assert [each.id for each in found if each] == list(range(number))
        assert all(
            each and each.answers == (Failed("describe" * 100), Failed("finish" * 100))
            for each in found
        )
        assert not came


def test_the_example_can_be_read_in_a_minute() -> None:
    assert len(Path(example.__file__).read_text("utf-8").splitlines()) <= 60
