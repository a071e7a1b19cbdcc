"""Servers that are killed lose nothing: the short form of `python -m tests.server.crash`."""

from __future__ import annotations

from tests.server.crash.rounds import crash

ROUNDS = 8


def test_what_was_acknowledged_survives_a_kill_and_nothing_is_doubled(own_store: str) -> None:
    report = crash(own_store, ROUNDS)
    assert report.rounds == ROUNDS
    assert report.in_flight > 0
    assert report.acknowledged > 0
    assert report.repeated > 0
