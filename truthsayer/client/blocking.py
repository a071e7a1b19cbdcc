"""The client that waits for each answer."""

from __future__ import annotations

from collections.abc import Callable, Generator
from queue import SimpleQueue

import grpc

from truthsayer.client.blocking_calls import Calls
from truthsayer.client.blocking_session import Session
from truthsayer.client.connecting import Tls, channel_options
from truthsayer.client.failures import told
from truthsayer.v1 import (
    adapter_pb2,
    conformance_pb2,
    conformance_pb2_grpc,
    engine_pb2_grpc,
    rules_pb2_grpc,
    scenario_pb2_grpc,
    session_pb2_grpc,
    verifier_pb2_grpc,
)


class Client:
    """The service at an address. Use it as a context manager, or close it.

    Every method of the contract (proto/truthsayer/v1) is here under its name, written like
    `get_rule`. It takes the request message and gives the response, or yields responses one by one.
    """

    def __init__(
        self,
        address: str,
        *,
        token: str | None = None,
        tls: Tls | None = None,
        timeout: float | None = None,
    ) -> None:
        """`timeout` is the most seconds that any one call may take, but for subscriptions."""
        options = channel_options()
        channel = (
            grpc.insecure_channel(address, options)
            if tls is None
            else grpc.secure_channel(address, tls.credentials(), options)
        )
        self._calls = calls = Calls(address, channel, token, timeout)

        rules = rules_pb2_grpc.RuleServiceStub(channel)
        self.get_rule = calls.one(rules.GetRule)
        self.search_rules = calls.one(rules.SearchRules)
        self.search = calls.one(rules.Search)
        self.list_rules = calls.one(rules.ListRules)
        self.get_ruling = calls.one(rules.GetRuling)
        self.list_rulings = calls.one(rules.ListRulings)
        self.get_card = calls.one(rules.GetCard)
        self.get_coverage = calls.one(rules.GetCoverage)

        scenarios = scenario_pb2_grpc.ScenarioServiceStub(channel)
        self.check = calls.many(scenarios.Check)
        self.ask = calls.one(scenarios.Ask)
        self.format = calls.one(scenarios.Format)
        self.export = calls.many(scenarios.Export)

        verifier = verifier_pb2_grpc.VerifierServiceStub(channel)
        self.list_properties = calls.one(verifier.ListProperties)
        self.prove = calls.many(verifier.Prove)

        engine = engine_pb2_grpc.EngineServiceStub(channel)
        self.new_game = calls.one(engine.NewGame)
        self.step = calls.one(engine.Step)
        self.actions = calls.one(engine.Actions)
        self.view = calls.one(engine.View)
        self.evaluate = calls.one(engine.Evaluate)
        self.replay = calls.one(engine.Replay)

        sessions = session_pb2_grpc.SessionServiceStub(channel)
        self.create_session = calls.keyed(sessions.CreateSession)
        self.get_session = calls.one(sessions.GetSession)
        self.list_session_actions = calls.one(sessions.ListSessionActions)
        self.send_input = calls.keyed(sessions.SendInput)
        self.undo = calls.keyed(sessions.Undo)
        self.subscribe = calls.many(sessions.Subscribe, endless=True)
        self.replay_session = calls.one(sessions.ReplaySession)
        self.list_sessions = calls.one(sessions.ListSessions)
        self.delete_session = calls.one(sessions.DeleteSession)

        self._conformance = conformance_pb2_grpc.ConformanceServiceStub(channel)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; calls in progress are given up."""
        self._calls.channel.close()

    def session(self, id: str, token: str) -> Session:
        """A session for the seat, or the observer, whose token it is; over the same connection."""
        return Session(id, self._calls.of(token))

    def conform(
        self,
        start: conformance_pb2.ConformStart,
        answer: Callable[[adapter_pb2.PlayRequest], adapter_pb2.PlayResponse],
    ) -> Generator[conformance_pb2.ConformResponse, None, None]:
        """Be tested: `answer` is given each batch of calls, and results and the report come out."""
        said: SimpleQueue[conformance_pb2.ConformRequest | None] = SimpleQueue()
        said.put(conformance_pb2.ConformRequest(start=start))
        call = self._conformance.Conform(
            iter(said.get, None), timeout=self._calls.timeout, metadata=self._calls.metadata
        )
        try:
            for response in call:
                if response.HasField("calls"):
                    answers = answer(response.calls)
                    said.put(conformance_pb2.ConformRequest(answers=answers))
                else:
                    yield response
        except grpc.RpcError as error:
            raise told(self._calls.address, error) from None
        finally:
            call.cancel()
            said.put(None)
