"""The gRPC services. Each method hands its request to the function that answers it.

Rules and the engine answer in a thread, or at once where that takes no longer than to start one;
scenarios, proofs, tests of implementations and batches of positions run in worker processes. So the
event loop is always free to answer, to notice that a caller has gone, and to stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from server.answers import engine, rules, rulings, searching
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

USUAL_POSITION = 32 * 1024
"""The characters of a position in which a step takes less than to hand it over to a thread.

Whatever is in it, a step takes some milliseconds at most: no position that can have more happen by
itself passes the check of its contents.
"""


class RuleService(rules_pb2_grpc.RuleServiceServicer):
    """Looks rules up, rulings, and everything printed."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def GetRule(
        self, request: rules_pb2.GetRuleRequest, context: Context
    ) -> rules_pb2.GetRuleResponse:
        """One rule."""
        return await asyncio.to_thread(rules.get_rule, request)

    async def SearchRules(
        self, request: rules_pb2.SearchRulesRequest, context: Context
    ) -> rules_pb2.SearchRulesResponse:
        """The rules that fit some words."""
        return await asyncio.to_thread(rules.search_rules, request)

    async def Search(
        self, request: rules_pb2.SearchRequest, context: Context
    ) -> rules_pb2.SearchResponse:
        """What there is about a question."""
        return await asyncio.to_thread(searching.search, request)

    async def ListRules(
        self, request: rules_pb2.ListRulesRequest, context: Context
    ) -> rules_pb2.ListRulesResponse:
        """Every rule."""
        return await asyncio.to_thread(rules.list_rules, request)

    async def GetRuling(
        self, request: rules_pb2.GetRulingRequest, context: Context
    ) -> rules_pb2.GetRulingResponse:
        """One ruling, and the scenarios that use it."""
        return await _only(self._workers, "get_ruling", request, rules_pb2.GetRulingResponse)

    async def ListRulings(
        self, request: rules_pb2.ListRulingsRequest, context: Context
    ) -> rules_pb2.ListRulingsResponse:
        """Every ruling."""
        return await asyncio.to_thread(rulings.list_rulings, request)

    async def GetCard(
        self, request: rules_pb2.GetCardRequest, context: Context
    ) -> rules_pb2.GetCardResponse:
        """All that is printed under a name."""
        return await _only(self._workers, "get_card", request, rules_pb2.GetCardResponse)

    async def GetCoverage(
        self, request: rules_pb2.GetCoverageRequest, context: Context
    ) -> rules_pb2.GetCoverageResponse:
        """What settles a rule."""
        return await _only(self._workers, "get_coverage", request, rules_pb2.GetCoverageResponse)


class EngineService(engine_pb2_grpc.EngineServiceServicer):
    """Plays by the rules."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def NewGame(
        self, request: engine_pb2.NewGameRequest, context: Context
    ) -> engine_pb2.NewGameResponse:
        """A game, set up."""
        return await asyncio.to_thread(engine.new_game, request)

    async def Step(
        self, request: engine_pb2.StepRequest, context: Context
    ) -> engine_pb2.StepResponse:
        """What comes of an input."""
        if len(request.position) <= USUAL_POSITION:
            return engine.step(request)
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

    async def Evaluate(
        self, request: engine_pb2.EvaluateRequest, context: Context
    ) -> engine_pb2.EvaluateResponse:
        """What comes of inputs in many positions."""
        return await _only(self._workers, "evaluate", request, engine_pb2.EvaluateResponse)

    async def Replay(
        self, request: engine_pb2.ReplayRequest, context: Context
    ) -> engine_pb2.ReplayResponse:
        """Where a game leads."""
        return await _only(self._workers, "replay", request, engine_pb2.ReplayResponse)


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

    async def Export(
        self, request: scenario_pb2.ExportRequest, context: Context
    ) -> AsyncIterator[scenario_pb2.ExportResponse]:
        """Each scenario as data, then what they have in common."""
        async with aclosing(self._workers.run("export", request.SerializeToString())) as replies:
            async for reply in replies:
                yield scenario_pb2.ExportResponse.FromString(reply)


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
