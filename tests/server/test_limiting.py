"""Requests are counted for each caller, in bounded memory, and time gives them back."""

from __future__ import annotations

import pytest

from server.addresses import address_of
from server.errors import TryLater
from server.limiting import Limiter


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def taken(limiter: Limiter, caller: str, most: int = 1000) -> int:
    """How many requests a caller can make now."""
    for number in range(most):
        try:
            limiter.count(caller)
        except TryLater:
            return number
    return most


def test_a_burst_is_ten_seconds_worth_and_each_second_gives_its_own_back() -> None:
    clock = Clock()
    limiter = Limiter(5, clock)
    assert taken(limiter, "a") == 50
    clock.now += 2
    assert taken(limiter, "a") == 10
    clock.now += 3600
    assert taken(limiter, "a") == 50


def test_each_caller_has_requests_of_their_own() -> None:
    limiter = Limiter(1, Clock())
    assert taken(limiter, "a") == 10
    assert taken(limiter, "b") == 10


def test_who_is_refused_is_told_when_to_try_again() -> None:
    clock = Clock()
    limiter = Limiter(0.5, clock)
    assert taken(limiter, "a") == 5
    clock.now += 0.5
    with pytest.raises(TryLater) as raised:
        limiter.count("a")
    assert raised.value.code == "TS0853"
    assert raised.value.seconds == pytest.approx(1.5)
    assert raised.value.help == "try again in 1.5 seconds"
    clock.now += raised.value.seconds
    assert taken(limiter, "a") == 1


def test_looking_takes_nothing_but_refuses_too() -> None:
    limiter = Limiter(1, Clock())
    for _ in range(100):
        limiter.check("a")
    assert taken(limiter, "a") == 10
    with pytest.raises(TryLater):
        limiter.check("a")


def test_0_is_no_limit() -> None:
    limiter = Limiter(0, Clock())
    assert taken(limiter, "a") == 1000
    assert len(limiter) == 0


def test_a_slow_limit_still_lets_one_in() -> None:
    assert taken(Limiter(0.001, Clock()), "a") == 1


def test_many_callers_take_bounded_memory_and_the_busiest_is_not_forgotten() -> None:
    limiter = Limiter(1, Clock(), most_callers=100)
    assert taken(limiter, "busy") == 10
    for number in range(10_000):
        limiter.count(f"caller {number}")
        if number % 50 == 0:
            with pytest.raises(TryLater):
                limiter.count("busy")
    assert len(limiter) == 100


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:127.0.0.1:41234", "127.0.0.1"),
        ("ipv6:%5B::1%5D:41234", "::/64"),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:41234", "2001:db8:1:2::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:41234", "fe80::/64"),
        ("unix:", "unix"),
        ("unix:/run/truthsayer.sock", "unix"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_the_port_of_a_caller_does_not_count(peer: str, address: str) -> None:
    assert address_of(peer) == address
