"""The engine over gRPC: a game from the first deal to the last score, and hostile positions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from rules_engine.kernel.errors import TruthsayerError
from server.answers import engine
from tests.server.running import server_process
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
    assert [reason.key for reason in refused.reasons] == ["not_own_turn", "not_asked"]
    assert [rule.id for rule in refused.reasons[0].rules] == ["UPR-ROUND-003", "UPR-ROUND-001"]


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


def a_view_for(**viewer: Any) -> Any:
    position = json.loads(new_game().position)
    position["players"][0].update(hand=["dagger"], deck=[])
    request = engine_pb2.ViewRequest(position=json.dumps(position), **viewer)
    return json.loads(engine.view(request).view)


def test_a_spectator_sees_what_everybody_sees() -> None:
    for seat in (0, 7):
        view = a_view_for(seat=seat, spectator=True)
        assert [each["hand"] for each in view["players"]] == [{"count": 1}] + [{"count": 0}] * 2
    assert a_view_for(seat=0)["players"][0]["hand"] == ["dagger"]


LEADERS = ["feyd_rautha_harkonnen", "lady_jessica", "shaddam_corrino_iv"]


def a_game_with_everything() -> dict[str, Any]:
    request = engine_pb2.NewGameRequest(
        product="uprising", players=NAMES, leaders=LEADERS, choam=True, promos=True
    )
    position: dict[str, Any] = json.loads(engine.new_game(request).position)
    return position


def test_a_game_has_the_leaders_and_modules_that_were_asked_for() -> None:
    position = a_game_with_everything()
    assert [each["leader"] for each in position["players"]] == LEADERS
    assert position["contract_deck"][0]["count"] == 18
    assert position["config"]["promos"]


def run(effect: dict[str, Any]) -> dict[str, Any]:
    """An effect that happens next."""
    return {"frame": "run", "seat": 0, "item": {"effect": effect, "source": "dagger"}}


def retreat(least: int, most: int) -> dict[str, Any]:
    """A choice between so many amounts."""
    return {"frame": "pick_retreat", "seat": 0, "least": least, "most": most}


SPICE: dict[str, Any] = {"kind": "gain", "amount": 1, "what": "spice"}


def nested(depth: int, kind: str = "may") -> dict[str, Any]:
    """An effect in an effect in an effect."""
    effect = SPICE
    for _ in range(depth):
        effect = {"kind": kind, "effect": effect}
    return effect


def several(count: int) -> dict[str, Any]:
    """An effect that is many."""
    return {"kind": "all", "effects": [SPICE] * count}


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
        ("TS0805", lambda p: p["contract_deck"][0].update(count=21)),
        ("TS0805", lambda p: p["contract_deck"][0].update(count=-1)),
        ("TS0805", lambda p: p["contract_deck"][0]["cards"].append("harvest_9")),
        ("TS0805", lambda p: p["contract_row"].append("harvest_9")),
        ("TS0805", lambda p: p["players"][0]["contracts"].append("harvest_9")),
        ("TS0805", lambda p: p["players"][0]["hand"].append("no_such_card")),
        ("TS0805", lambda p: p["players"][0]["intrigues"].append("dagger")),
        ("TS0805", lambda p: p["players"][1].update(training="start")),
        ("TS0805", lambda p: p["players"][0].update(training="nowhere")),
        ("TS0805", lambda p: p["players"][0].update(training=None)),
        ("TS0805", lambda p: p["players"][0].update(spice=10**9)),
        ("TS0805", lambda p: p.update(first_player=-1)),
        ("TS0805", lambda p: p.update(winners=[3])),
        ("TS0805", lambda p: p.update(pending=[{"frame": "turn", "seat": -1}])),
        ("TS0805", lambda p: p.update(pending=[retreat(0, 10**9)])),
        ("TS0805", lambda p: p.update(pending=[run({"kind": "negotiate", "amount": 1})])),
        ("TS0805", lambda p: p.update(pending=[run({"kind": "summon", "amount": 10**9})])),
        ("TS0805", lambda p: p.update(pending=[run(nested(2, "each_opponent"))])),
        ("TS0805", lambda p: p.update(pending=[run(several(50))])),
        ("TS0805", lambda p: p.update(pending=[run(several(5))] * 10)),
        ("TS0805", lambda p: p.update(pending=[{"frame": "recall"}] * 101)),
        ("TS0805", lambda p: p["config"].update(cards=[{"id": "own", "name": "Own"}])),
        ("TS0205", lambda p: p["players"][0].update(leader="nobody")),
        ("TS0205", lambda p: p["players"][0].update(leader="")),
        ("TS0205", lambda p: p["players"][0].update(leader="lady_jessica")),
        ("TS0205", lambda p: p["config"].update(choam=False)),
        ("TS0806", lambda p: p["config"].update(product="../uprising")),
        ("TS0202", lambda p: p["config"]["rulings"].update(chosen=[["nonsense", "kept"]])),
    ],
)
def test_an_impossible_position_is_refused(code: str, change: Change) -> None:
    position = a_game_with_everything()
    change(position)
    with pytest.raises(TruthsayerError) as raised:
        engine.actions(engine_pb2.ActionsRequest(position=json.dumps(position)))
    assert raised.value.code == code
    assert raised.value.help


@pytest.mark.parametrize("effect", [several(49), nested(1, "each_opponent")])
def test_an_effect_that_is_printed_nowhere_is_taken(effect: dict[str, Any]) -> None:
    position = a_game_with_everything()
    position.update(pending=[run(effect)])
    viewed = engine.view(engine_pb2.ViewRequest(position=json.dumps(position))).view
    assert json.loads(viewed)["pending"][0]["item"]["effect"] == effect


def test_an_effect_that_is_nested_beyond_reason_is_refused() -> None:
    position = a_game_with_everything()
    position.update(pending=[run(nested(700))])
    with pytest.raises(TruthsayerError) as raised:
        engine.view(engine_pb2.ViewRequest(position=json.dumps(position)))
    assert raised.value.code == "TS0805"


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
        ("TS0204", "uprising", [], {}),
        ("TS0204", "uprising", NAMES[:1], {}),
        ("TS0204", "uprising", NAMES[:2], {}),
        ("TS0204", "uprising", [*NAMES, "Chani", "Stilgar", "Alia"], {}),
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


@pytest.mark.parametrize(
    ("leaders", "choam", "help_"),
    [
        (["nobody", *LEADERS[:2]], True, "muad_dib"),
        (["", *LEADERS[:2]], True, "muad_dib"),
        (["reverend_mother_jessica", *LEADERS[1:]], True, "lady_jessica"),
        (["lady_jessica", *LEADERS[1:]], True, "muad_dib"),
        (LEADERS, False, "staban_tuek"),
        (LEADERS[:2], True, "one Leader for each player"),
        ([*LEADERS, "muad_dib"], True, "one Leader for each player"),
    ],
)
def test_leaders_that_cannot_be_are_refused(leaders: list[str], choam: bool, help_: str) -> None:
    request = engine_pb2.NewGameRequest(
        product="uprising", players=NAMES, leaders=leaders, choam=choam
    )
    with pytest.raises(TruthsayerError) as raised:
        engine.new_game(request)
    assert raised.value.code == "TS0205"
    assert help_ in raised.value.help


def test_one_or_two_players_are_told_what_they_wait_for() -> None:
    with pytest.raises(TruthsayerError) as raised:
        engine.new_game(engine_pb2.NewGameRequest(product="uprising", players=NAMES[:2]))
    assert "wait for Rivals" in raised.value.help


def test_a_bad_leader_is_a_bad_argument_over_the_wire(channel: grpc.Channel) -> None:
    stub = engine_pb2_grpc.EngineServiceStub(channel)
    request = engine_pb2.NewGameRequest(product="uprising", players=NAMES, leaders=["nobody"] * 3)
    with pytest.raises(grpc.RpcError) as raised:
        stub.NewGame(request)
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "TS0205" in str(raised.value.details())


# Positions with something wrong in them

ROUNDS = 40
CHANGES = 15
STRANGE: tuple[Any, ...] = (
    None, True, -1, 0, 3, 999, 10**12, "", "any", "dagger", "nobody", [], {}, [0], ["dagger"],
)  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in a position that can be replaced: what holds it, and where."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def spoilt(position: str, choice: random.Random) -> str:
    """The position with one thing replaced, or put where another was."""
    changed = json.loads(position)
    everything = list(places(changed))
    holder, key = choice.choice(everything)
    other, where = choice.choice(everything)
    holder[key] = choice.choice((*STRANGE, json.loads(json.dumps(other[where]))))
    return json.dumps(changed)


def test_whatever_is_wrong_in_a_position_is_told_with_a_code() -> None:
    choice = random.Random(3)
    position, remedies = json.dumps(a_game_with_everything()), []
    for _ in range(ROUNDS):
        for _ in range(CHANGES):
            try:
                play_on(spoilt(position, choice), choice)
            except TruthsayerError as error:
                remedies.append(error.help)
        position = play_on(position, choice)
    assert all(remedies)
    assert len(remedies) > ROUNDS * CHANGES / 2


def play_on(position: str, choice: random.Random) -> str:
    """One step further, looked at by everybody."""
    engine.view(engine_pb2.ViewRequest(position=position, spectator=True))
    inputs = engine.actions(engine_pb2.ActionsRequest(position=position)).inputs
    if not inputs:
        return position
    request = engine_pb2.StepRequest(position=position, input=choice.choice(inputs))
    return engine.step(request).accepted.position


@pytest.mark.parametrize("seat", [-1, 3, 2**31 - 1])
def test_a_seat_that_is_none_sees_nothing(seat: int) -> None:
    request = engine_pb2.ViewRequest(position=new_game().position, seat=seat)
    with pytest.raises(TruthsayerError) as raised:
        engine.view(request)
    assert raised.value.code == "TS0807"


def test_the_first_calls_of_a_server_may_come_all_at_once() -> None:
    """Records are read in many threads then, and nothing of it may be for the first time."""
    command = ("-m", "truthsayer", "serve", "--listen", "127.0.0.1:0")
    with server_process(*command) as (process, address), grpc.insecure_channel(address) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        request = engine_pb2.ActionsRequest(position=new_game().position)
        calls: list[Any] = [stub.Actions.future(request, wait_for_ready=True) for _ in range(30)]
        assert all(call.result(timeout=60).inputs for call in calls)
        assert process.poll() is None
