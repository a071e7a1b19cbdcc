"""Both clients have every method that is served, and both give what the service says."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Iterable

import pytest
from google.protobuf.descriptor import MethodDescriptor

from server.run import SERVICES
from truthsayer.client import AsyncClient, Client, ServiceError
from truthsayer.client.connecting import REPEATED, STATELESS
from truthsayer.client.keys import KeyedT
from truthsayer.v1 import (
    common_pb2,
    conformance_pb2,
    engine_pb2,
    rules_pb2,
    scenario_pb2,
    session_pb2,
    verifier_pb2,
)

FILES = (conformance_pb2, engine_pb2, rules_pb2, scenario_pb2, session_pb2, verifier_pb2)
METHODS = {
    method.full_name: method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
NOT_REPEATED = {
    "truthsayer.v1.ConformanceService.Conform",
    "truthsayer.v1.SessionService.DeleteSession",
}
RULE = rules_pb2.GetRuleRequest(id="UPR-WALL-003")
SCENARIO = 'scenario "A tie"\ngame uprising with John, Abby, Ned\nthen John has 0 spice\n'
FILE = scenario_pb2.CheckRequest(files=[common_pb2.SourceFile(name="a.scenario", text=SCENARIO)])


def own_name(method: MethodDescriptor) -> str:
    """What a method is called in Python."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", method.name).lower()


def lacking(has: Iterable[str]) -> set[str]:
    """The methods that a client with these names does not have."""
    names = set(has)
    return {name for name, method in METHODS.items() if own_name(method) not in names}


def test_the_files_here_are_those_of_all_services() -> None:
    assert {name.rpartition(".")[0] for name in METHODS} == set(SERVICES)


def test_no_two_methods_have_one_name() -> None:
    assert len({own_name(method) for method in METHODS.values()}) == len(METHODS)


def test_the_waiting_client_has_every_method() -> None:
    with Client("127.0.0.1:1") as client:
        assert lacking(name for name in dir(client) if callable(getattr(client, name))) == set()


def test_the_async_client_has_every_method() -> None:
    async def names() -> list[str]:
        async with AsyncClient("127.0.0.1:1") as client:
            return [name for name in dir(client) if callable(getattr(client, name))]

    assert lacking(asyncio.run(names())) == set()


def test_a_method_that_lacks_is_found() -> None:
    names = {own_name(method) for method in METHODS.values()}
    assert lacking(names - {"get_rule"}) == {"truthsayer.v1.RuleService.GetRule"}


def test_for_every_method_it_is_decided_whether_it_is_repeated() -> None:
    sessions = {f"truthsayer.v1.SessionService.{name}" for name in REPEATED}
    stateless = {name for name in METHODS if name.split(".")[2] in STATELESS}
    assert not sessions & NOT_REPEATED
    assert sessions | stateless | NOT_REPEATED == set(METHODS)


def test_every_request_with_a_key_is_given_one() -> None:
    with_field = {
        method.input_type.name
        for method in METHODS.values()
        if "idempotency_key" in method.input_type.fields_by_name
    }
    assert with_field == {kind.__name__ for kind in KeyedT.__constraints__}


def test_both_give_the_same(address: str, client: Client) -> None:
    async def asked() -> tuple[object, object]:
        async with AsyncClient(address, timeout=60) as other:
            assert inspect.isasyncgen(other.check(FILE))
            return await other.get_rule(RULE), [each async for each in other.check(FILE)]

    rule, checked = asyncio.run(asked())
    assert rule == client.get_rule(RULE)
    assert [each.WhichOneof("answer") for each in client.check(FILE)][-1] == "summary"
    assert isinstance(checked, list)
    assert checked[-1] == list(client.check(FILE))[-1]


def test_an_error_says_the_same_in_both_with_all_its_parts(address: str, client: Client) -> None:
    unknown = rules_pb2.GetRuleRequest(id="UPR-WALL-03")

    async def ask() -> None:
        async with AsyncClient(address, timeout=60) as other:
            await other.get_rule(unknown)

    with pytest.raises(ServiceError) as here:
        client.get_rule(unknown)
    with pytest.raises(ServiceError) as there:
        asyncio.run(ask())
    assert here.value.problem == there.value.problem
    assert (here.value.status, here.value.code) == ("NOT_FOUND", "TS0201")
    assert "UPR-WALL-003" in here.value.help
    assert (here.value.place, here.value.rules) == ("", ())


def test_an_error_in_a_file_has_its_place(client: Client) -> None:
    file = scenario_pb2.FormatRequest()
    file.file.name, file.file.text = "a.scenario", SCENARIO + "thn\n"
    with pytest.raises(ServiceError) as raised:
        client.format(file)
    assert raised.value.place.startswith("a.scenario:4:")
    assert raised.value.message
