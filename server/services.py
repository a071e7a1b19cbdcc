"""The gRPC services. Each method hands its request to the function that answers it.

Rules and the engine answer in a thread, at once; scenarios, proofs and tests of implementations
run in worker processes. So the event loop is always free to answer, to notice that a caller has
gone, and to stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from server.answers import engine, rules
from server.worker import JobName
from server.workers import Workers
from truthsayer.v1 import (
    conformance_pb2,
    conformance_pb2_grpc,
    engine_pb2,
    engine_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    scenario_pb2,
    scenario_pb2_grpc,
    verifier_pb2,
    verifier_pb2_grpc,
)

Context = grpc.aio.ServicerContext[Any, Any]
ReplyT = TypeVar("ReplyT", bound=Message)


class RuleService(rules_pb2_grpc.RuleServiceServicer):
    """Looks rules up."""

    async def GetRule(
        self, request: rules_pb2.GetRuleRequest, context: Context
    ) -> rules_pb2.GetRuleResponse:
        """One rule."""
        return await asyncio.to_thread(rules.get_rule, request)

    async def SearchRules(
        self, request: rules_pb2.SearchRulesRequest, context: Context
    ) -> rules_pb2.SearchRulesResponse:
        """The rules in which all the words occur."""
        return await asyncio.to_thread(rules.search_rules, request)

    async def ListRules(
        self, request: rules_pb2.ListRulesRequest, context: Context
    ) -> rules_pb2.ListRulesResponse:
        """Every rule."""
        return await asyncio.to_thread(rules.list_rules, request)


class EngineService(engine_pb2_grpc.EngineServiceServicer):
    """Plays by the rules."""

    async def NewGame(
        self, request: engine_pb2.NewGameRequest, context: Context
    ) -> engine_pb2.NewGameResponse:
        """A game, set up."""
        return await asyncio.to_thread(engine.new_game, request)

    async def Step(
        self, request: engine_pb2.StepRequest, context: Context
    ) -> engine_pb2.StepResponse:
        """What comes of an input."""
        return await asyncio.to_thread(engine.step, request)

    async def Actions(
        self, request: engine_pb2.ActionsRequest, context: Context
    ) -> engine_pb2.ActionsResponse:
        """What is allowed now."""
        return await asyncio.to_thread(engine.actions, request)

    async def View(
        self, request: engine_pb2.ViewRequest, context: Context
    ) -> engine_pb2.ViewResponse:
        """What a player may see."""
        return await asyncio.to_thread(engine.view, request)


class ScenarioService(scenario_pb2_grpc.ScenarioServiceServicer):
    """Runs scenarios, answers the questions in them and lays them out."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def Check(
        self, request: scenario_pb2.CheckRequest, context: Context
    ) -> AsyncIterator[scenario_pb2.CheckResponse]:
        """A result for each scenario, then the summary."""
        async with aclosing(self._workers.run("check", request.SerializeToString())) as replies:
            async for reply in replies:
                yield scenario_pb2.CheckResponse.FromString(reply)

    async def Ask(
        self, request: scenario_pb2.AskRequest, context: Context
    ) -> scenario_pb2.AskResponse:
        """Answers to the questions of a file."""
        return await _only(self._workers, "ask", request, scenario_pb2.AskResponse)

    async def Format(
        self, request: scenario_pb2.FormatRequest, context: Context
    ) -> scenario_pb2.FormatResponse:
        """A file, laid out."""
        return await _only(self._workers, "format", request, scenario_pb2.FormatResponse)


class VerifierService(verifier_pb2_grpc.VerifierServiceServicer):
    """Proves properties."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def ListProperties(
        self, request: verifier_pb2.ListPropertiesRequest, context: Context
    ) -> verifier_pb2.ListPropertiesResponse:
        """Every property."""
        kind = verifier_pb2.ListPropertiesResponse
        return await _only(self._workers, "list_properties", request, kind)

    async def Prove(
        self, request: verifier_pb2.ProveRequest, context: Context
    ) -> AsyncIterator[verifier_pb2.ProveResponse]:
        """Progress and verdicts."""
        async with aclosing(self._workers.run("prove", request.SerializeToString())) as replies:
            async for reply in replies:
                yield verifier_pb2.ProveResponse.FromString(reply)


class ConformanceService(conformance_pb2_grpc.ConformanceServiceServicer):
    """Tests implementations."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def Conform(
        self, request_iterator: AsyncIterator[conformance_pb2.ConformRequest], context: Context
    ) -> AsyncIterator[conformance_pb2.ConformResponse]:
        """Calls for the caller to answer, results, and the report."""
        said = (each.SerializeToString() async for each in request_iterator)
        start = await self._workers.heard(said)
        async with aclosing(self._workers.run("conform", start.body, said)) as replies:
            async for reply in replies:
                yield conformance_pb2.ConformResponse.FromString(reply)


async def _only(workers: Workers, job: JobName, request: Message, kind: type[ReplyT]) -> ReplyT:
    """The one reply of a job."""
    async with aclosing(workers.run(job, request.SerializeToString())) as replies:
        (reply,) = [each async for each in replies]
    return kind.FromString(reply)
