"""Where answers come from: this process, or a server. Both give the same messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import click

from truthsayer.v1 import rules_pb2, scenario_pb2, verifier_pb2

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class Service(Protocol):
    """What commands ask."""

    def get_rule(self, request: rules_pb2.GetRuleRequest) -> rules_pb2.GetRuleResponse:
        """One rule by its id."""

    def search_rules(self, request: rules_pb2.SearchRulesRequest) -> rules_pb2.SearchRulesResponse:
        """The rules in which all the words occur."""

    def list_rules(self, request: rules_pb2.ListRulesRequest) -> rules_pb2.ListRulesResponse:
        """Every rule."""

    def check(self, request: scenario_pb2.CheckRequest) -> Iterator[scenario_pb2.CheckResponse]:
        """Run scenarios."""

    def ask(self, request: scenario_pb2.AskRequest) -> scenario_pb2.AskResponse:
        """Answer the questions of a file."""

    def format_text(self, request: scenario_pb2.FormatRequest) -> scenario_pb2.FormatResponse:
        """Lay a file out."""

    def list_properties(
        self, request: verifier_pb2.ListPropertiesRequest
    ) -> verifier_pb2.ListPropertiesResponse:
        """Every property."""

    def prove(self, request: verifier_pb2.ProveRequest) -> Iterator[verifier_pb2.ProveResponse]:
        """Prove properties."""


class Local:
    """Answers in this process. Each imports only what it needs: the solver takes a while."""

    def get_rule(self, request: rules_pb2.GetRuleRequest) -> rules_pb2.GetRuleResponse:
        """One rule by its id."""
        from server.answers import rules

        return rules.get_rule(request)

    def search_rules(self, request: rules_pb2.SearchRulesRequest) -> rules_pb2.SearchRulesResponse:
        """The rules in which all the words occur."""
        from server.answers import rules

        return rules.search_rules(request)

    def list_rules(self, request: rules_pb2.ListRulesRequest) -> rules_pb2.ListRulesResponse:
        """Every rule."""
        from server.answers import rules

        return rules.list_rules(request)

    def check(self, request: scenario_pb2.CheckRequest) -> Iterator[scenario_pb2.CheckResponse]:
        """Run scenarios."""
        from server.answers import scenarios

        return scenarios.check(request)

    def ask(self, request: scenario_pb2.AskRequest) -> scenario_pb2.AskResponse:
        """Answer the questions of a file."""
        from server.answers import scenarios

        return scenarios.ask(request)

    def format_text(self, request: scenario_pb2.FormatRequest) -> scenario_pb2.FormatResponse:
        """Lay a file out."""
        from server.answers import scenarios

        return scenarios.format_text(request)

    def list_properties(
        self, request: verifier_pb2.ListPropertiesRequest
    ) -> verifier_pb2.ListPropertiesResponse:
        """Every property."""
        from server.answers import proofs

        return proofs.list_properties(request)

    def prove(self, request: verifier_pb2.ProveRequest) -> Iterator[verifier_pb2.ProveResponse]:
        """Prove properties."""
        from server.answers import proofs

        return proofs.prove(request)


@contextmanager
def service_at(server: str | None) -> Iterator[Service]:
    """The service at an address, or in this process if there is none."""
    if server is None:
        yield Local()
        return
    from truthsayer.client import Client

    with Client(server) as client:
        yield client


def server_option(function: FunctionT) -> FunctionT:
    """The option `--server` of a command."""
    option = click.option(
        "--server",
        metavar="HOST:PORT",
        help="Ask a running `truthsayer serve` instead of answering here.",
    )
    return option(function)
