"""A typed client of the service: a request message goes in, response messages come out.

    with Client("127.0.0.1:50051") as client:
        print(client.get_rule(GetRuleRequest(id="UPR-WALL-003")).rule.statement)

Whatever goes wrong is a `ServiceError` with a code, a message and a remedy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any, TypeVar

import grpc
from grpc_status import rpc_status

from truthsayer.errors import ServiceError
from truthsayer.v1 import (
    adapter_pb2,
    common_pb2,
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

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")


class Client:
    """The service at an address. Use it as a context manager, or close it."""

    def __init__(self, address: str, *, timeout: float | None = None) -> None:
        """`timeout` is the most seconds that any one call may take."""
        self._address = address
        self._timeout = timeout
        self._channel = grpc.insecure_channel(address)
        self._rules = rules_pb2_grpc.RuleServiceStub(self._channel)
        self._scenarios = scenario_pb2_grpc.ScenarioServiceStub(self._channel)
        self._verifier = verifier_pb2_grpc.VerifierServiceStub(self._channel)
        self._engine = engine_pb2_grpc.EngineServiceStub(self._channel)
        self._conformance = conformance_pb2_grpc.ConformanceServiceStub(self._channel)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; calls in progress are given up."""
        self._channel.close()

    def get_rule(self, request: rules_pb2.GetRuleRequest) -> rules_pb2.GetRuleResponse:
        """One rule by its id."""
        return self._one(self._rules.GetRule, request)

    def search_rules(self, request: rules_pb2.SearchRulesRequest) -> rules_pb2.SearchRulesResponse:
        """The rules in which all the words occur."""
        return self._one(self._rules.SearchRules, request)

    def list_rules(self, request: rules_pb2.ListRulesRequest) -> rules_pb2.ListRulesResponse:
        """Every rule."""
        return self._one(self._rules.ListRules, request)

    def check(self, request: scenario_pb2.CheckRequest) -> Iterator[scenario_pb2.CheckResponse]:
        """Run scenarios: a result for each, then the summary."""
        return self._many(self._scenarios.Check, request)

    def ask(self, request: scenario_pb2.AskRequest) -> scenario_pb2.AskResponse:
        """Answer the questions of a file."""
        return self._one(self._scenarios.Ask, request)

    def format_text(self, request: scenario_pb2.FormatRequest) -> scenario_pb2.FormatResponse:
        """Lay a file out."""
        return self._one(self._scenarios.Format, request)

    def list_properties(
        self, request: verifier_pb2.ListPropertiesRequest
    ) -> verifier_pb2.ListPropertiesResponse:
        """Every property."""
        return self._one(self._verifier.ListProperties, request)

    def prove(self, request: verifier_pb2.ProveRequest) -> Iterator[verifier_pb2.ProveResponse]:
        """Prove properties: progress before each, then its verdict."""
        return self._many(self._verifier.Prove, request)

    def new_game(self, request: engine_pb2.NewGameRequest) -> engine_pb2.NewGameResponse:
        """Set a game up."""
        return self._one(self._engine.NewGame, request)

    def step(self, request: engine_pb2.StepRequest) -> engine_pb2.StepResponse:
        """Take one input."""
        return self._one(self._engine.Step, request)

    def actions(self, request: engine_pb2.ActionsRequest) -> engine_pb2.ActionsResponse:
        """Every input that is allowed now."""
        return self._one(self._engine.Actions, request)

    def view(self, request: engine_pb2.ViewRequest) -> engine_pb2.ViewResponse:
        """The position as one player, or a spectator, may see it."""
        return self._one(self._engine.View, request)

    def conform(
        self,
        start: conformance_pb2.ConformStart,
        answer: Callable[[adapter_pb2.PlayRequest], adapter_pb2.PlayResponse],
    ) -> Iterator[conformance_pb2.ConformResponse]:
        """Be tested: `answer` is given each batch of calls, and results and the report come out."""
        said: SimpleQueue[conformance_pb2.ConformRequest | None] = SimpleQueue()
        said.put(conformance_pb2.ConformRequest(start=start))
        call = self._conformance.Conform(iter(said.get, None), timeout=self._timeout)
        try:
            for response in call:
                if response.HasField("calls"):
                    answers = answer(response.calls)
                    said.put(conformance_pb2.ConformRequest(answers=answers))
                else:
                    yield response
        except grpc.RpcError as error:
            raise self._told(error) from None
        finally:
            call.cancel()
            said.put(None)

    def _one(
        self, method: grpc.UnaryUnaryMultiCallable[RequestT, ResponseT], request: RequestT
    ) -> ResponseT:
        try:
            return method(request, timeout=self._timeout)
        except grpc.RpcError as error:
            raise self._told(error) from None

    def _many(
        self, method: grpc.UnaryStreamMultiCallable[RequestT, ResponseT], request: RequestT
    ) -> Iterator[ResponseT]:
        call = method(request, timeout=self._timeout)
        try:
            yield from call
        except grpc.RpcError as error:
            raise self._told(error) from None
        finally:
            call.cancel()

    def _told(self, error: Any) -> ServiceError:
        """What a failed call says, in our terms."""
        status: grpc.StatusCode = error.code()
        return ServiceError(status.name, _detail(error) or self._own_problem(status, error))

    def _own_problem(self, status: grpc.StatusCode, error: Any) -> common_pb2.Problem:
        """A failure that gRPC tells of, not the service."""
        if status is grpc.StatusCode.UNAVAILABLE:
            return common_pb2.Problem(
                code="TS0707",
                message=f"no service answers at `{self._address}`",
                help=f"start one: truthsayer serve --listen {self._address}",
            )
        if status is grpc.StatusCode.RESOURCE_EXHAUSTED:
            return common_pb2.Problem(
                code="TS0708",
                message=f"the message is too large: {error.details()}",
                help="send fewer files at a time",
            )
        return common_pb2.Problem(
            code="TS0709",
            message=f"the call to `{self._address}` failed: {status.name}: {error.details()}",
            help="see that a `truthsayer serve` of this version runs there",
        )


def _detail(error: Any) -> common_pb2.Problem | None:
    """The problem that the service attached."""
    found = common_pb2.Problem()
    status = _status_of(error)
    for detail in status.details if status is not None else ():
        if detail.Unpack(found):
            return found
    return None


_status_of: Callable[[Any], Any] = rpc_status.from_call
