"""Where answers come from: this process, or a server. Both give the same messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

import click
from click.core import ParameterSource

from truthsayer.v1 import rules_pb2, scenario_pb2, verifier_pb2

if TYPE_CHECKING:
    from truthsayer.client import Tls

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


class Service(Protocol):
    """What commands ask."""

    def get_rule(self, request: rules_pb2.GetRuleRequest, /) -> rules_pb2.GetRuleResponse:
        """One rule by its id."""

    def search_rules(
        self, request: rules_pb2.SearchRulesRequest, /
    ) -> rules_pb2.SearchRulesResponse:
        """The rules that fit some words."""

    def search(self, request: rules_pb2.SearchRequest, /) -> rules_pb2.SearchResponse:
        """What there is about a question."""

    def list_rules(self, request: rules_pb2.ListRulesRequest, /) -> rules_pb2.ListRulesResponse:
        """Every rule."""

    def check(self, request: scenario_pb2.CheckRequest, /) -> Iterator[scenario_pb2.CheckResponse]:
        """Run scenarios."""

    def ask(self, request: scenario_pb2.AskRequest, /) -> scenario_pb2.AskResponse:
        """Answer the questions of a file."""

    def format(self, request: scenario_pb2.FormatRequest, /) -> scenario_pb2.FormatResponse:
        """Lay a file out."""

    def list_properties(
        self, request: verifier_pb2.ListPropertiesRequest, /
    ) -> verifier_pb2.ListPropertiesResponse:
        """Every property."""

    def prove(self, request: verifier_pb2.ProveRequest, /) -> Iterator[verifier_pb2.ProveResponse]:
        """Prove properties."""


class Local:
    """Answers in this process. Each imports only what it needs: the solver takes a while."""

    def get_rule(self, request: rules_pb2.GetRuleRequest) -> rules_pb2.GetRuleResponse:
        """One rule by its id."""
        from server.answers import rules

        return rules.get_rule(request)

    def search_rules(self, request: rules_pb2.SearchRulesRequest) -> rules_pb2.SearchRulesResponse:
        """The rules that fit some words."""
        from server.answers import rules

        return rules.search_rules(request)

    def search(self, request: rules_pb2.SearchRequest) -> rules_pb2.SearchResponse:
        """What there is about a question."""
        from server.answers import searching

        return searching.search(request)

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

    def format(self, request: scenario_pb2.FormatRequest) -> scenario_pb2.FormatResponse:
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


class Server(NamedTuple):
    """A running service, and how it is reached."""

    address: str
    token: str | None
    tls: Tls | None


@contextmanager
def service_at(server: Server | None) -> Iterator[Service]:
    """The service at an address, or in this process if there is none."""
    if server is None:
        yield Local()
        return
    from truthsayer.client import Client

    with Client(server.address, token=server.token, tls=server.tls) as client:
        yield client


OPTIONS = (
    click.option(
        "--server",
        metavar="HOST:PORT",
        help="Ask a running `truthsayer serve` instead of answering here.",
    ),
    click.option(
        "--token",
        metavar="TOKEN",
        envvar="TRUTHSAYER_TOKEN",
        show_envvar=True,
        help="The token to show to the server; others cannot see one in the environment.",
    ),
    click.option(
        "--tls",
        is_flag=True,
        envvar="TRUTHSAYER_TLS",
        show_envvar=True,
        help="Connect to the server with encryption; the options below imply it.",
    ),
    click.option(
        "--tls-ca",
        metavar="FILE",
        envvar="TRUTHSAYER_TLS_CA",
        show_envvar=True,
        help="The authorities that are trusted, if not the usual ones.",
    ),
    click.option(
        "--client-certificate",
        metavar="FILE",
        envvar="TRUTHSAYER_CLIENT_CERTIFICATE",
        show_envvar=True,
        help="A certificate to show to the server.",
    ),
    click.option(
        "--client-key",
        metavar="FILE",
        envvar="TRUTHSAYER_CLIENT_KEY",
        show_envvar=True,
        help="The key of that certificate.",
    ),
)


def server_option(function: FunctionT) -> FunctionT:
    """The options for a server; the command gets all of them as its argument `server`."""

    @wraps(function)
    def command(
        *args: Any,
        server: str | None,
        token: str | None,
        tls: bool,
        tls_ca: str | None,
        client_certificate: str | None,
        client_key: str | None,
        **values: Any,
    ) -> Any:
        files = (tls_ca, client_certificate, client_key)
        if server is None:
            _refuse_without_server()
            return function(*args, server=None, **values)
        encrypted = _tls(*files) if tls or any(files) else None
        return function(*args, server=Server(server, token, encrypted), **values)

    for option in reversed(OPTIONS):
        option(command)
    return cast(FunctionT, command)


def _refuse_without_server() -> None:
    """How to reach a server means nothing without one; the environment may say it all the same."""
    context = click.get_current_context()
    for name in ("token", "tls", "tls_ca", "client_certificate", "client_key"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} is for --server")


def _tls(ca: str | None, certificate: str | None, key: str | None) -> Tls:
    from truthsayer.client import Tls

    return Tls(ca, certificate, key)
