"""Typed clients of the service: a request message goes in, response messages come out.

    with Client("127.0.0.1:50051") as client:
        print(client.get_rule(GetRuleRequest(id="UPR-WALL-003")).rule.statement)

`AsyncClient` has the same methods for `await`. Whatever goes wrong is a `ServiceError` with a code,
a message and a remedy.
"""

from truthsayer.client.asynchronous import AsyncClient
from truthsayer.client.asynchronous_session import AsyncSession
from truthsayer.client.blocking import Client
from truthsayer.client.blocking_session import Session
from truthsayer.client.connecting import Tls
from truthsayer.errors import ServiceError

__all__ = ["AsyncClient", "AsyncSession", "Client", "ServiceError", "Session", "Tls"]
