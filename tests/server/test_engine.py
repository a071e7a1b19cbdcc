"""The engine over gRPC: a game from the first deal to the last score, and hostile positions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from rules_engine.kernel.errors import TruthsayerError
from server.answers import engine
from truthsayer.v1 import engine_pb2, engine_pb2_grpc

NAMES = ["Paul", "Jessica", "Leto"]


def new_game(**rulings: str) -> engine_pb2.NewGameResponse:
    return engine.new_game(
        engine_pb2.NewGameRequest(product="uprising", players=NAMES, rulings=rulings)
    )


def test_a_whole_game_is_played_over_the_wire(channel: grpc.Channel) -> None:
    stub = engine_pb2_grpc.EngineServiceStub(channel)
    choice = random.Random(7)
    started = stub.NewGame(engine_pb2.NewGameRequest(product="uprising", players=NAMES))
    assert started.asked.chance
    position, steps = started.position, 0
    while inputs := stub.Actions(engine_pb2.ActionsRequest(position=position)).inputs:
        taken = stub.Step(engine_pb2.StepRequest(position=position, input=choice.choice(inputs)))
        assert taken.WhichOneof("outcome") == "accepted"
        assert all(rule.source for event in taken.accepted.events for rule in event.rules)
        position = taken.accepted.position
        steps += 1
    assert steps > 50
    assert json.loads(position)["winners"]
    assert not taken.accepted.asked.seats
    assert not taken.accepted.asked.chance


def test_a_refusal_cites_its_rules() -> None:
    request = engine_pb2.StepRequest(
        position=new_game().position, input='{"action": "reveal", "by": 0}'
    )
    refused = engine.step(request).refused
    assert [reason.key for reason in refused.reasons] == ["not_asked"]
    assert [rule.id for rule in refused.reasons[0].rules] == ["UPR-ROUND-003"]


def test_a_view_hides_what_the_player_may_not_see() -> None:
    position = json.loads(new_game().position)
    position["players"][0].update(hand=["dagger"], deck=[])
    request = engine_pb2.ViewRequest(position=json.dumps(position), seat=1)
    view = json.loads(engine.view(request).view)
    assert view["players"][0]["hand"] == {"count": 1}
    assert view["players"][1]["hand"] == []


def test_a_ruling_is_chosen_by_name() -> None:
    position = json.loads(new_game(alliance_loss_below_4="kept").position)
    assert position["config"]["rulings"]["chosen"] == [["alliance_loss_below_4", "kept"]]


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("TS0804", lambda p: p.pop("players")),
        ("TS0804", lambda p: p.update(round="first")),
        ("TS0804", lambda p: p.update(pending=[{"frame": "nonsense"}])),
        ("TS0805", lambda p: p["players"].pop()),
        ("TS0805", lambda p: p["players"][1].update(seat=7)),
        ("TS0805", lambda p: p["players"][0].update(garrison=13)),
        ("TS0805", lambda p: p["alliances"][0].update(holder=9)),
        ("TS0805", lambda p: p.update(pending=[{"frame": "turn", "seat": 9}])),
        ("TS0805", lambda p: p["imperium_deck"][0].update(count=10**12)),
        ("TS0806", lambda p: p["config"].update(product="../uprising")),
        ("TS0202", lambda p: p["config"]["rulings"].update(chosen=[["nonsense", "kept"]])),
    ],
)
def test_an_impossible_position_is_refused(code: str, change: Change) -> None:
    position = json.loads(new_game().position)
    change(position)
    with pytest.raises(TruthsayerError) as raised:
        engine.actions(engine_pb2.ActionsRequest(position=json.dumps(position)))
    assert raised.value.code == code
    assert raised.value.help


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("TS0804", ""),
        ("TS0804", "{"),
        ("TS0804", "[" * 100_000),
        ("TS0804", "null"),
        ("TS0802", " " * 2_000_000),
    ],
)
def test_a_position_that_is_none_is_refused(code: str, text: str) -> None:
    with pytest.raises(TruthsayerError) as raised:
        engine.actions(engine_pb2.ActionsRequest(position=text))
    assert raised.value.code == code


def test_an_input_that_is_too_long_is_refused() -> None:
    request = engine_pb2.StepRequest(position=new_game().position, input=" " * 100_000)
    with pytest.raises(TruthsayerError) as raised:
        engine.step(request)
    assert raised.value.code == "TS0802"


@pytest.mark.parametrize(
    ("code", "product", "players", "rulings"),
    [
        ("TS0806", "chess", NAMES, {}),
        ("TS0806", "", NAMES, {}),
        ("TS0808", "uprising", NAMES[:2], {}),
        ("TS0808", "uprising", ["Paul", "Paul", "Leto"], {}),
        ("TS0808", "uprising", ["Paul", " ", "Leto"], {}),
        ("TS0202", "uprising", NAMES, {"nonsense": "kept"}),
        ("TS0202", "uprising", NAMES, {"alliance_loss_below_4": "nonsense"}),
    ],
)
def test_a_game_that_cannot_be_is_refused(
    code: str, product: str, players: list[str], rulings: dict[str, str]
) -> None:
    request = engine_pb2.NewGameRequest(product=product, players=players, rulings=rulings)
    with pytest.raises(TruthsayerError) as raised:
        engine.new_game(request)
    assert raised.value.code == code


@pytest.mark.parametrize("seat", [-1, 3, 2**31 - 1])
def test_a_seat_that_is_none_sees_nothing(seat: int) -> None:
    request = engine_pb2.ViewRequest(position=new_game().position, seat=seat)
    with pytest.raises(TruthsayerError) as raised:
        engine.view(request)
    assert raised.value.code == "TS0807"
