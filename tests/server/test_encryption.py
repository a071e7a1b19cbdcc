"""A server with a certificate encrypts; with authorities for its callers, it asks for theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

from server.settings import Settings, Tls
from tests.server.certificates import Authority, Pair
from tests.server.running import server_in_thread
from truthsayer.v1 import rules_pb2, rules_pb2_grpc


def rule(channel: grpc.Channel) -> str:
    """The id of a rule that is asked for."""
    stub: Any = rules_pb2_grpc.RuleServiceStub(channel)
    answer = stub.GetRule(rules_pb2.GetRuleRequest(id="UPR-WALL-003"), timeout=10)
    return str(answer.rule.id)


def called(address: str, authority: Authority, own: Pair | None = None) -> str:
    """The answer to a caller who trusts an authority and may have a certificate."""
    credentials = grpc.ssl_channel_credentials(
        authority.certificate.read_bytes(),
        own.key.read_bytes() if own else None,
        own.certificate.read_bytes() if own else None,
    )
    with grpc.secure_channel(address, credentials) as channel:
        return rule(channel)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "authority")


def test_a_server_with_a_certificate_encrypts(authority: Authority, tmp_path: Path) -> None:
    pair = authority.pair("server")
    settings = Settings(tls=Tls(str(pair.certificate), str(pair.key)))
    with server_in_thread(settings) as address:
        assert called(address, authority) == "UPR-WALL-003"
        with pytest.raises(grpc.RpcError), grpc.insecure_channel(address) as plain:
            rule(plain)
        with pytest.raises(grpc.RpcError):
            called(address, Authority(tmp_path, "somebody else"))


def test_callers_need_a_certificate_of_the_right_authority(
    authority: Authority, tmp_path: Path
) -> None:
    pair = authority.pair("server")
    theirs = Authority(tmp_path, "of callers")
    tls = Tls(str(pair.certificate), str(pair.key), str(theirs.certificate))
    with server_in_thread(Settings(tls=tls)) as address:
        assert called(address, authority, theirs.pair("caller")) == "UPR-WALL-003"
        for wrong in (None, authority.pair("stranger")):
            with pytest.raises(grpc.RpcError) as raised:
                called(address, authority, wrong)
            assert raised.value.code() is grpc.StatusCode.UNAVAILABLE
