"""What `service.py` measures: a server with an echo beside its services, and a client.

The echo is served by the very server that serves the rest, behind the same interceptors and with
the same options. A request to it begins with the sizes of the messages that are to come back.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import grpc

from server import authorising, run, serve
from server.settings import Limits, Settings

ECHO = "truthsayer.bench.Echo"
UNARY, STREAM = f"/{ECHO}/Unary", f"/{ECHO}/Stream"
ANY_PORT = "127.0.0.1:0"


# The server


def _sizes(request: bytes) -> list[int]:
    sizes: list[int] = json.loads(request.partition(b"\n")[0])
    return sizes


async def _unary(request: bytes, _: Any) -> bytes:
    return b"x" * _sizes(request)[0]


async def _stream(request: bytes, _: Any) -> AsyncIterator[bytes]:
    for size in _sizes(request):
        yield b"x" * size


def _with_echo(add_services: Callable[..., Any]) -> Callable[..., Any]:
    """What adds our services, and then the echo."""

    def add(server: grpc.aio.Server, *given: Any) -> Any:
        handlers = {
            "Unary": grpc.unary_unary_rpc_method_handler(_unary, bytes, bytes),
            "Stream": grpc.unary_stream_rpc_method_handler(_stream, bytes, bytes),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(ECHO, handlers),))
        return add_services(server, *given)

    return add


# The client


class Load(NamedTuple):
    """Requests to send over and over, so many at a time."""

    method: str
    requests: tuple[bytes, ...]
    streamed: bool
    at_a_time: int
    seconds: float


def answers_to(address: str, load: Load) -> list[list[int]]:
    """The sizes of the messages that come back for each request."""

    async def ask() -> list[list[int]]:
        async with _channel(address) as channel:
            call = _call(channel, load)
            return [await call(request) for request in load.requests]

    return asyncio.run(ask())


def echo_of(load: Load, sizes: Sequence[Sequence[int]]) -> Load:
    """The same load with requests and answers of the same sizes, for the echo."""
    requests = []
    for request, answer in zip(load.requests, sizes, strict=True):
        head = json.dumps(list(answer)).encode() + b"\n"
        requests.append(head.ljust(len(request), b"x"))
    method = STREAM if load.streamed else UNARY
    return load._replace(method=method, requests=tuple(requests))


def calls_a_second(address: str, load: Load) -> float:
    """How many calls are answered in a second."""
    return asyncio.run(_driven(address, load))


async def _driven(address: str, load: Load) -> float:
    done = 0
    async with _channel(address) as channel:
        call = _call(channel, load)
        await call(load.requests[0])
        begun = time.perf_counter()
        end = begun + load.seconds

        async def caller(first: int) -> None:
            nonlocal done
            at = first
            while time.perf_counter() < end:
                await call(load.requests[at % len(load.requests)])
                at += load.at_a_time
                done += 1

        await asyncio.gather(*map(caller, range(load.at_a_time)))
        return done / (time.perf_counter() - begun)


def _channel(address: str) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(address, [("grpc.max_receive_message_length", -1)])


def _call(channel: grpc.aio.Channel, load: Load) -> Callable[[bytes], Any]:
    """Makes a call with raw bytes, and gives the sizes of what comes back."""
    method: Any = (channel.unary_stream if load.streamed else channel.unary_unary)(load.method)

    async def streamed(request: bytes) -> list[int]:
        return [len(each) async for each in method(request)]

    async def single(request: bytes) -> list[int]:
        return [len(await method(request))]

    return streamed if load.streamed else single


if __name__ == "__main__":
    vars(run).update(_add_services=_with_echo(vars(run)["_add_services"]))
    for echo in (UNARY, STREAM):
        authorising.ALLOWED[echo] = authorising.RUN
    with TemporaryDirectory() as folder:
        settings = Settings(
            listen=ANY_PORT,
            store=f"{folder}/sessions.sqlite",
            limits=Limits(requests_per_second=0),
            log_level="warning",
        )
        serve(settings, lambda address: print(f"this serves on {address}", flush=True))
