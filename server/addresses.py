"""Addresses: HOST:PORT, and those with a password in them, which nobody is to read."""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import unquote

from rules_engine.kernel.errors import TruthsayerError

MASK = "***"

_PASSWORD = re.compile(r"(?<=://)([^/?#@]*?):([^/?#]*)@")
_PASSWORD_OPTION = re.compile(r"(?i)([?&][^=&]*password=)[^&#]*")


class Address(NamedTuple):
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def bare_host(self) -> str:
        """The host without the brackets around an address of IPv6."""
        return self.host.removeprefix("[").removesuffix("]")

    @property
    def is_loopback(self) -> bool:
        """Whether only programs on this machine reach it."""
        try:
            return ipaddress.ip_address(self.bare_host).is_loopback
        except ValueError:
            return self.host == "localhost"


def read_address(text: str) -> Address:
    """The address that `HOST:PORT` is."""
    host, _, port = text.rpartition(":")
    # An address of IPv6 has colons of its own, and so stands in brackets.
    is_host = bool(host) and (":" not in host or (host[0] == "[" and host[-1] == "]"))
    if not (is_host and port.isascii() and port.isdecimal() and int(port) < 2**16):
        raise TruthsayerError(
            "TS0706", f"`{text}` is not HOST:PORT", help="for example 127.0.0.1:50051"
        )
    return Address(host, int(port))


def masked(address: str) -> str:
    """An address without its password."""
    hidden = _PASSWORD.sub(rf"\1:{MASK}@", address)
    return _PASSWORD_OPTION.sub(rf"\1{MASK}", hidden)


def address_of(peer: str) -> str:
    """Where a call comes from, as gRPC tells it, without the port.

    Who has one address of IPv6 has as many as there are behind its first half, and they count as
    one.
    """
    kind, _, rest = unquote(peer).partition(":")
    host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return kind
    if found.version == 6:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
