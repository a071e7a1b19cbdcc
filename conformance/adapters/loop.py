"""Answers batch after batch: over pipes as lines of JSON or as protobuf, until the input ends."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import IO, Protocol

import msgspec

from conformance.collecting import uncollected
from conformance.framing import varint
from conformance.messages import Answers, AnyAnswer, AnyCall, Calls, Failed
from conformance.protobuf import answers_message, calls_of
from truthsayer.v1 import adapter_pb2


class Answering(Protocol):
    """An adapter: it answers one call after the other."""

    def answer(self, call: AnyCall) -> AnyAnswer:
        """Do what a call asks for."""
        ...


def answered(adapter: Answering, asked: Calls) -> Answers:
    """The answers to a batch, in the order of its calls."""
    return Answers(asked.id, tuple(_answer(adapter, call) for call in asked.calls))


def _answer(adapter: Answering, call: AnyCall) -> AnyAnswer:
    """The answer to a call; what goes wrong with it is told, and does not end the adapter."""
    try:
        return adapter.answer(call)
    except Exception as fault:
        return Failed(f"{type(fault).__name__}: {fault}")


def over_lines(adapter: Answering, source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer each line by a line."""
    reader, writer = msgspec.json.Decoder(Calls), msgspec.json.Encoder()
    for line in source:
        with uncollected():
            sink.write(writer.encode(answered(adapter, reader.decode(line))) + b"\n")
        sink.flush()


def over_protobuf(adapter: Answering, source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer each message by a message; both have their length first."""
    for said in _messages(source):
        with uncollected():
            asked = calls_of(adapter_pb2.PlayRequest.FromString(said))
            answer = answers_message(answered(adapter, asked)).SerializeToString()
        sink.write(varint(len(answer)) + answer)
        sink.flush()


def _messages(source: IO[bytes]) -> Iterator[bytes]:
    length, place = 0, 0
    while byte := source.read(1):
        length |= (byte[0] & 0x7F) << place
        place += 7
        if byte[0] < 0x80:
            yield source.read(length)
            length, place = 0, 0


def run(adapter: Answering) -> None:
    """Talk over standard input and output, as the program's options say."""
    options = argparse.ArgumentParser(description="An adapter for the conformance kit.")
    options.add_argument("--protobuf", action="store_true", help="protobuf instead of JSON lines")
    over = over_protobuf if options.parse_args().protobuf else over_lines
    over(adapter, sys.stdin.buffer, sys.stdout.buffer)
