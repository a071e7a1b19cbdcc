"""Encrypted connections and tokens, of the clients and of the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import click
import grpc
import pytest
from click.testing import CliRunner, Result

from tests.client.certificates import Authority
from tests.client.hosting import Host, hosted
from truthsayer.cli import COMMANDS, main
from truthsayer.client import AsyncClient, Client, ServiceError, Tls
from truthsayer.v1 import engine_pb2, rules_pb2, session_pb2

RULE = rules_pb2.GetRuleRequest(id="UPR-WALL-003")
SECRET = "tsk.a-token-that-nobody-may-see"


class Keys:
    """The files of a test."""

    def __init__(self, folder: Path) -> None:
        ours, strange = Authority(folder, "ours"), Authority(folder, "strange")
        self.ca, self.strange_ca = ours.certificate, strange.certificate
        self.server = ours.sign("server")
        self.client = ours.sign("client")
        self.stranger = strange.sign("stranger")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """Certificates of two authorities."""
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def encrypted(keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server with TLS."""
    certificate, key = keys.server
    credentials = grpc.ssl_server_credentials([(key.read_bytes(), certificate.read_bytes())])
    with hosted(tmp_path_factory.mktemp("store") / "s.sqlite", credentials) as running:
        yield running


@pytest.fixture(scope="module")
def mutual(keys: Keys, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A server that asks its callers for a certificate."""
    certificate, key = keys.server
    credentials = grpc.ssl_server_credentials(
        [(key.read_bytes(), certificate.read_bytes())],
        root_certificates=keys.ca.read_bytes(),
        require_client_auth=True,
    )
    with hosted(tmp_path_factory.mktemp("store") / "s.sqlite", credentials) as running:
        yield running


def rule_id(address: str, tls: Tls | None) -> str:
    """What both clients are told, which has to be the same."""

    async def ask() -> rules_pb2.GetRuleResponse:
        async with AsyncClient(address, tls=tls, timeout=30) as client:
            return await client.get_rule(RULE)

    with Client(address, tls=tls, timeout=30) as client:
        waited = client.get_rule(RULE)
    assert asyncio.run(ask()) == waited
    return waited.rule.id


def refusal(address: str, tls: Tls | None) -> str:
    """The code with which a call fails."""
    with pytest.raises(ServiceError) as raised, Client(address, tls=tls, timeout=30) as client:
        client.get_rule(RULE)
    return raised.value.code


def test_a_server_with_tls_is_reached_by_those_who_trust_it(encrypted: Host, keys: Keys) -> None:
    assert rule_id(encrypted.address, Tls(ca=keys.ca)) == RULE.id
    assert refusal(encrypted.address, Tls(ca=keys.strange_ca)) == "TS0880"
    assert refusal(encrypted.address, Tls()) == "TS0880"
    assert refusal(encrypted.address, None) == "TS0707"


def test_a_certificate_is_shown_where_it_is_asked_for(mutual: Host, keys: Keys) -> None:
    assert rule_id(mutual.address, Tls(keys.ca, *keys.client)) == RULE.id
    for shown in ((), keys.stranger):
        with pytest.raises(ServiceError) as raised:
            rule_id(mutual.address, Tls(keys.ca, *shown))
        assert raised.value.status == "UNAVAILABLE"


def test_a_server_without_tls_is_no_secure_one(address: str, keys: Keys) -> None:
    assert refusal(address, Tls(ca=keys.ca)) == "TS0880"


def test_sessions_are_played_over_tls_with_their_tokens(encrypted: Host, keys: Keys) -> None:
    game = engine_pb2.NewGameRequest(product="uprising", players=["A", "B", "C"])
    with Client(encrypted.address, tls=Tls(keys.ca), timeout=30) as client:
        made = client.create_session(session_pb2.CreateSessionRequest(setup=game))
        assert client.session(made.session, made.seat_tokens[0]).view()
        own = Client(encrypted.address, tls=Tls(keys.ca), token=made.seat_tokens[1], timeout=30)
        with own:
            request = session_pb2.GetSessionRequest(session=made.session)
            assert own.get_session(request).revision == made.revision
    assert encrypted.recorder.shown[-3:] == [
        ("CreateSession", ""),
        ("GetSession", f"Bearer {made.seat_tokens[0]}"),
        ("GetSession", f"Bearer {made.seat_tokens[1]}"),
    ]


@pytest.mark.parametrize("files", [("ca",), ("certificate", "key")])
def test_files_that_cannot_be_used_are_told(files: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(ServiceError) as raised:
        Client("127.0.0.1:1", tls=Tls(**dict.fromkeys(files, tmp_path / "none.pem")))
    assert raised.value.code == "TS0881"
    assert "none.pem" in raised.value.message


def test_a_certificate_without_its_key_is_told(keys: Keys) -> None:
    with pytest.raises(ServiceError) as raised:
        Client("127.0.0.1:1", tls=Tls(certificate=keys.client[0]))
    assert raised.value.code == "TS0881"


@pytest.mark.parametrize("token", ["", " ", "a b", "a\n", "ä", "a\0"])
def test_what_cannot_be_a_token_is_told_and_not_shown(token: str) -> None:
    with pytest.raises(ServiceError) as raised:
        Client("127.0.0.1:1", token=token)
    assert raised.value.code == "TS0882"
    assert repr(token) not in str(raised.value)


# The command line


def run(*arguments: str, **environment: str) -> Result:
    """What a command says."""
    return CliRunner(env=environment).invoke(main, ["rules", RULE.id, *arguments])


def test_the_command_line_connects_with_tls(mutual: Host, keys: Keys) -> None:
    certificate, key = map(str, keys.client)
    server = ("--server", mutual.address)
    files = ("--client-certificate", certificate, "--client-key", key)
    shown = run(*server, "--tls-ca", str(keys.ca), *files)
    assert shown.exit_code == 0
    assert shown.output == run().output
    by_environment = run(
        *server,
        TRUTHSAYER_TLS_CA=str(keys.ca),
        TRUTHSAYER_CLIENT_CERTIFICATE=certificate,
        TRUTHSAYER_CLIENT_KEY=key,
    )
    assert by_environment.output == shown.output
    failed = run(*server, "--tls")
    assert (failed.exit_code, failed.stderr[:6]) == (2, "TS0880")


def test_the_command_line_shows_its_token_to_the_server(host: Host) -> None:
    server = ("--server", host.address)
    one, two = host.token(), host.token()
    assert run(*server, "--token", one).exit_code == 0
    assert run(*server, TRUTHSAYER_TOKEN=two).exit_code == 0
    assert run(*server).exit_code == 0
    assert run(*server, "--token", "none").stderr[:6] == "TS0851"
    shown = [token for method, token in host.recorder.shown if method == "GetRule"]
    assert shown == [f"Bearer {one}", f"Bearer {two}", "", "Bearer none"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--server", "127.0.0.1:1"),
        ("--server", "127.0.0.1:1", "--tls-ca", "none.pem"),
        ("--help",),
        ("--nonsense",),
        (),
    ],
)
def test_a_token_is_never_printed(arguments: tuple[str, ...]) -> None:
    by_flag = run("--token", SECRET, *arguments)
    by_environment = run(*arguments, TRUTHSAYER_TOKEN=SECRET, TRUTHSAYER_DEBUG="1")
    assert SECRET not in by_flag.output + by_flag.stderr
    assert SECRET not in by_environment.output + by_environment.stderr


def test_options_for_a_server_need_one_but_the_environment_may_have_them() -> None:
    assert "--tls is for --server" in run("--tls").stderr
    assert "--client-key is for --server" in run("--client-key", "a").stderr
    assert run(TRUTHSAYER_TOKEN=SECRET, TRUTHSAYER_TLS="1").exit_code == 0


def test_every_command_that_asks_a_server_has_all_the_options() -> None:
    context = click.Context(main)
    remote = [
        {option for each in command.params for option in each.opts}
        for name in COMMANDS
        if (command := main.get_command(context, name)) is not None
        if any("--server" in each.opts for each in command.params)
    ]
    assert len(remote) >= 5
    wanted = {"--token", "--tls", "--tls-ca", "--client-certificate", "--client-key"}
    assert all(wanted <= options for options in remote)
