"""Games in sessions: from the first deal to the last score, one input at a time."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from rules_engine.imperium.setup import new_game
from rules_engine.kernel.fingerprint import encoded
from rules_engine.kernel.rulings import Rulings
from tests.server.sessions.tables import NAMES, Sessions, Table, code, refused, setup
from truthsayer.v1 import session_pb2


def test_a_whole_game_is_played_and_its_log_leads_to_its_end(sessions: Sessions) -> None:
    table, choice = sessions.begin(), random.Random(7)
    at, inputs = table.get(), 0
    revision, seats = at.revision, at.asked.seats
    while seats:
        seat = choice.choice(seats)
        taken = table.send(seat, choice.choice(table.actions(seat)), revision).taken
        assert taken.revision > revision
        assert not taken.asked.chance
        revision, seats, inputs = taken.revision, taken.asked.seats, inputs + 1
    assert inputs > 50
    assert table.view()["winners"]
    replayed = sessions.replay(table.id)
    assert replayed == session_pb2.ReplaySessionResponse(played=revision)
    kinds = [session_pb2.RecordKind.Name(each.kind) for each in table.log()]
    assert kinds[0] == "RECORD_KIND_START"
    assert kinds.count("RECORD_KIND_INPUT") == inputs
    assert set(kinds[1:]) == {"RECORD_KIND_INPUT", "RECORD_KIND_CHANCE"}


def test_chance_deals_at_once(table: Table) -> None:
    at = table.get(0)
    assert at.asked.seats
    assert not at.asked.chance
    assert at.revision == table.made.revision > 20
    assert len(json.loads(at.view)["players"][0]["hand"]) == 5


def test_a_session_begins_in_a_position(sessions: Sessions) -> None:
    position = encoded(new_game("uprising", NAMES, Rulings())).decode()
    other = sessions.begin(session_pb2.CreateSessionRequest(position=position))
    assert other.view()["round"] == 1
    assert len(other.made.seat_tokens) == 3
    assert other.view()["players"][0]["name"] == "Paul"


def test_two_games_are_dealt_differently(sessions: Sessions) -> None:
    rows = {tuple(sessions.begin().view()["row"]) for _ in range(4)}
    assert len(rows) > 1


def test_a_session_says_by_what_it_is_played(sessions: Sessions) -> None:
    request = setup()
    request.setup.rulings["alliance_loss_below_4"] = "kept"
    by = sessions.begin(request).get().played_by
    assert by.engine
    assert len(by.catalogue) == 32
    assert by.rulings["alliance_loss_below_4"] == "kept"
    assert len(by.rulings) > 1


def test_a_refused_input_says_why_and_changes_nothing(table: Table) -> None:
    seat, before = table.asked(), table.get()
    for by in (seat, (seat + 1) % 3):
        given = json.dumps({"action": "end_turn", "by": by})
        answer = table.send(by, given, key=f"refused {by}")
        assert answer.refused.reasons[0].rules
    assert table.get() == before


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('{"action": "reveal", "by": 1}', ("PERMISSION_DENIED", "TS0836")),
        ('{"action": "answer", "outcome": "dagger"}', ("PERMISSION_DENIED", "TS0836")),
        ("{", ("INVALID_ARGUMENT", "TS0804")),
        ('{"action": "nonsense", "by": 0}', ("INVALID_ARGUMENT", "TS0804")),
        (" " * 100_000, ("RESOURCE_EXHAUSTED", "TS0802")),
    ],
)
def test_an_input_that_is_none_of_the_seat_is_an_error(
    table: Table, given: str, expected: tuple[str, str]
) -> None:
    assert code(lambda: table.send(0, given)) == expected


def test_a_stale_input_is_aborted_and_changes_nothing(table: Table) -> None:
    seat, before = table.asked(), table.get()
    given = table.actions(seat)[0]
    for revision in (before.revision - 1, before.revision + 1, 0, -1):
        status, problem = refused(lambda revision=revision: table.send(seat, given, revision))
        assert (status, problem.code) == ("ABORTED", "TS0831")
        assert "read the session again" in problem.help
    assert table.get() == before


def test_of_two_inputs_for_one_revision_exactly_one_is_taken(sessions: Sessions) -> None:
    with ThreadPoolExecutor(8) as clients:
        for _ in range(5):
            table = sessions.begin()
            seat, revision = table.asked(), table.revision
            given = (table.actions(seat) * 8)[:8]

            def send(one: str, table: Table = table, seat: int = seat, at: int = revision) -> str:
                try:
                    return table.send(seat, one, at).WhichOneof("outcome") or ""
                except Exception as error:
                    return str(error.code().name)  # type: ignore[attr-defined]

            assert sorted(clients.map(send, given)) == ["ABORTED"] * 7 + ["taken"]
            own = [each for each in table.log() if each.HasField("seat")]
            assert [each.revision for each in own] == [revision + 1]
            assert sessions.replay(table.id).differs_at == 0


def test_a_request_without_a_start_is_refused(sessions: Sessions) -> None:
    request = session_pb2.CreateSessionRequest()
    assert code(lambda: sessions.begin(request)) == ("INVALID_ARGUMENT", "TS0838")


def test_a_hostile_position_is_refused(sessions: Sessions) -> None:
    position = json.loads(encoded(new_game("uprising", NAMES, Rulings())))
    position["players"][0]["hand"] = ["no_such_card"]
    request = session_pb2.CreateSessionRequest(position=json.dumps(position))
    assert code(lambda: sessions.begin(request)) == ("INVALID_ARGUMENT", "TS0805")
