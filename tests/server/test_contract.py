"""Every method of the contract over the wire: batches, look-ups, exports, and what is refused."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from rules_engine.rulebook.rulings import answers, no_choices, rulings, settled
from scenarios.finding import library_files
from scenarios.vectors.export import export_text, exported
from server.answers import engine, fields
from server.answers.limits import LONGEST_POSITION, MOST_CASES, MOST_INPUTS, MOST_REPLAYED
from server.authorising import ALLOWED
from tests.server.running import server_in_thread
from tests.server.test_service import SCENARIO, refused
from truthsayer.v1 import (
    common_pb2,
    engine_pb2,
    engine_pb2_grpc,
    rules_pb2,
    rules_pb2_grpc,
    scenario_pb2,
    scenario_pb2_grpc,
    verifier_pb2,
    verifier_pb2_grpc,
)

NAMES = ["Paul", "Jessica", "Leto"]
BUF = Path(sys.executable).parent / "buf"
PROTO = Path(__file__).parents[2] / "proto"
GET_RULE = "truthsayer.v1.RuleService/GetRule"


def a_game() -> str:
    """The position of a game that was just set up."""
    return engine.new_game(engine_pb2.NewGameRequest(product="uprising", players=NAMES)).position


def first_inputs(position: str, count: int) -> tuple[list[str], list[str], str]:
    """Inputs that are allowed one after the other, the events' keys, and where they lead."""
    inputs, keys = [], []
    for _ in range(count):
        given = engine.actions(engine_pb2.ActionsRequest(position=position)).inputs[0]
        done = engine.step(engine_pb2.StepRequest(position=position, input=given)).accepted
        inputs.append(given)
        keys += [event.key for event in done.events]
        position = done.position
    return inputs, keys, position


REVEAL = '{"action": "reveal", "by": 0}'


# Evaluate


@pytest.fixture
def play(channel: grpc.Channel) -> Any:
    return engine_pb2_grpc.EngineServiceStub(channel)


def test_inputs_are_taken_one_after_the_other_in_each_position(play: Any) -> None:
    position = a_game()
    inputs, keys, last = first_inputs(position, 6)
    cases = [
        engine_pb2.EvaluateCase(position=position, inputs=inputs),
        engine_pb2.EvaluateCase(position=position, inputs=[REVEAL, inputs[0]]),
        engine_pb2.EvaluateCase(position=position),
    ]
    whole, refused_first, nothing = play.Evaluate(
        engine_pb2.EvaluateRequest(cases=cases, positions=True)
    ).results
    outcomes = [each.WhichOneof("outcome") for each in whole.evaluated.inputs]
    assert outcomes == ["happened"] * len(inputs)
    found = [event.key for each in whole.evaluated.inputs for event in each.happened.events]
    assert (found, whole.evaluated.position) == (keys, last)
    before, after = refused_first.evaluated.inputs
    assert [reason.key for reason in before.refused.reasons] == ["not_own_turn", "not_asked"]
    assert after.WhichOneof("outcome") == "happened"
    assert nothing.evaluated.position == position
    assert nothing.evaluated.asked.chance


def test_a_step_and_a_case_with_one_input_say_the_same(play: Any) -> None:
    position = a_game()
    for _ in range(20):
        given = engine.actions(engine_pb2.ActionsRequest(position=position)).inputs[-1]
        step = play.Step(engine_pb2.StepRequest(position=position, input=given)).accepted
        case = engine_pb2.EvaluateCase(position=position, inputs=[given])
        request = engine_pb2.EvaluateRequest(cases=[case], positions=True)
        found = play.Evaluate(request).results[0].evaluated
        assert found.position == step.position
        assert found.inputs[0].happened.events == step.events
        assert found.asked == step.asked
        position = step.position


def test_positions_come_back_only_if_they_are_wanted(play: Any) -> None:
    case = engine_pb2.EvaluateCase(position=a_game())
    (result,) = play.Evaluate(engine_pb2.EvaluateRequest(cases=[case])).results
    assert result.evaluated.position == ""


@pytest.mark.parametrize(
    ("code", "position", "inputs"),
    [
        ("TS0804", "", []),
        ("TS0804", "{", []),
        ("TS0802", " " * (LONGEST_POSITION + 1), []),
        ("TS0804", None, ["nonsense"]),
        ("TS0804", None, [REVEAL, ""]),
        ("TS0802", None, [" " * 100_000]),
        ("TS0802", None, [REVEAL] * (MOST_INPUTS + 1)),
    ],
)
def test_a_bad_case_spoils_no_other(
    play: Any, code: str, position: str | None, inputs: list[str]
) -> None:
    good = engine_pb2.EvaluateCase(position=a_game(), inputs=[REVEAL])
    text = good.position if position is None else position
    bad = engine_pb2.EvaluateCase(position=text, inputs=inputs)
    results = play.Evaluate(engine_pb2.EvaluateRequest(cases=[good, bad, good])).results
    assert [each.WhichOneof("result") for each in results] == ["evaluated", "problem", "evaluated"]
    assert results[1].problem.code == code
    assert results[1].problem.help
    assert results[0] == results[2]


# Replay


def test_a_game_is_played_again_to_where_it_led(play: Any) -> None:
    position = a_game()
    inputs, _, last = first_inputs(position, 8)
    once = play.Replay(
        engine_pb2.ReplayRequest(
            position=position, inputs=[engine_pb2.ReplayInput(input=each) for each in inputs]
        )
    )
    assert (len(once.fingerprints), once.differs_at, once.position) == (8, 0, last)
    known = [
        engine_pb2.ReplayInput(input=each, fingerprint=mark)
        for each, mark in zip(inputs, once.fingerprints, strict=True)
    ]
    assert play.Replay(engine_pb2.ReplayRequest(position=position, inputs=known)) == once
    known[4].fingerprint = "0" * 32
    other = play.Replay(engine_pb2.ReplayRequest(position=position, inputs=known))
    assert (other.differs_at, list(other.fingerprints)) == (5, list(once.fingerprints)[:5])
    known[2].input = REVEAL
    stopped = play.Replay(engine_pb2.ReplayRequest(position=position, inputs=known))
    assert (stopped.differs_at, len(stopped.fingerprints)) == (3, 2)
    assert [reason.key for reason in stopped.refused.reasons] == ["not_own_turn", "not_asked"]


# Look-ups


@pytest.fixture
def books(channel: grpc.Channel) -> Any:
    return rules_pb2_grpc.RuleServiceStub(channel)


def test_every_ruling_is_listed_with_its_kind(books: Any) -> None:
    found = {each.name: each for each in books.ListRulings(rules_pb2.ListRulingsRequest()).rulings}
    assert list(found) == list(answers())
    for kind, names in (
        (rules_pb2.RULING_KIND_CHOICE, rulings()),
        (rules_pb2.RULING_KIND_SETTLED, settled()),
        (rules_pb2.RULING_KIND_NO_CHOICE, no_choices()),
    ):
        assert {each.name for each in found.values() if each.kind == kind} == set(names)
    tie = found["alliance_loss_tie"]
    assert tuple(each.value for each in tie.readings) == rulings()["alliance_loss_tie"].values
    assert all(each.says for each in tie.readings)


def test_a_ruling_is_found_with_the_scenarios_that_use_it(books: Any) -> None:
    found = books.GetRuling(rules_pb2.GetRulingRequest(name="alliance_loss_tie"))
    assert found.ruling.rules[0].source
    texts = dict(library_files("uprising"))
    assert found.scenarios
    assert all("alliance_loss_tie" in texts[each.file] for each in found.scenarios)


def test_a_card_is_found_by_its_name_and_by_its_id(books: Any) -> None:
    (card,) = books.GetCard(rules_pb2.GetCardRequest(name="Seek Allies")).things
    assert (card.id, card.kind) == ("seek_allies", "cards")
    assert json.loads(card.data)["name"] == "Seek Allies"
    assert card.sentences
    assert all(sentence.rules for sentence in card.sentences)
    assert card.scenarios
    same = books.GetCard(rules_pb2.GetCardRequest(name="seek_allies", product="uprising"))
    assert list(same.things) == [card]


def test_what_settles_a_rule_is_found_without_running_anything(books: Any) -> None:
    found = books.GetCoverage(rules_pb2.GetCoverageRequest(rule="UPR-WALL-003"))
    assert found.rule.id == "UPR-WALL-003"
    assert found.shown_by_scenarios
    texts = dict(library_files("uprising"))
    assert found.scenarios
    assert all("UPR-WALL-003" in texts[each.file] for each in found.scenarios)
    assert any(each.place.startswith("rules_engine/imperium/") for each in found.functions)
    assert any(each.place.startswith("verifier/properties/") for each in found.properties)


@pytest.mark.parametrize(
    ("method", "request_", "code"),
    [
        ("GetRuling", rules_pb2.GetRulingRequest(name="alliance_loss_ti"), "TS0871"),
        ("GetCard", rules_pb2.GetCardRequest(name="Seek Alies"), "TS0714"),
        ("GetCoverage", rules_pb2.GetCoverageRequest(rule="UPR-WALL-03"), "TS0201"),
    ],
)
def test_what_is_not_there_is_not_found(
    books: Any, method: str, request_: Message, code: str
) -> None:
    status, problem = refused(lambda: getattr(books, method)(request_))
    assert (status, problem.code) == (grpc.StatusCode.NOT_FOUND, code)
    assert "did you mean" in problem.help


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (rules_pb2.SearchRequest(), "TS0736"),
        (rules_pb2.SearchRequest(question="can I"), "TS0736"),
        (rules_pb2.SearchRequest(question="worm", product="chess"), "TS0738"),
        (rules_pb2.SearchRequest(question="worm", most=-1), "TS0870"),
        (rules_pb2.SearchRequest(question="worm", most=101), "TS0870"),
        (rules_pb2.SearchRulesRequest(), "TS0736"),
        (rules_pb2.SearchRulesRequest(words="worm", product="chess"), "TS0738"),
        (rules_pb2.GetCardRequest(name="spice"), "TS0737"),
    ],
)
def test_a_search_for_nothing_is_refused(books: Any, request_: Message, code: str) -> None:
    method = type(request_).__name__.removesuffix("Request")
    status, problem = refused(lambda: getattr(books, method)(request_))
    assert (status, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, code)
    assert problem.help


def test_a_question_is_answered_by_rules_rulings_cards_and_scenarios(books: Any) -> None:
    found = books.Search(rules_pb2.SearchRequest(question="can I ride a worm into Arrakeen?"))
    kinds = {answer.WhichOneof("answer") for answer in found.answers}
    assert kinds == {"rule", "ruling"}
    assert [each.id for each in found.printed] == ["arrakeen"]
    texts = dict(library_files("uprising"))
    assert all(f'scenario "{each.title}"' in texts[each.file] for each in found.scenarios)
    few = books.Search(rules_pb2.SearchRequest(question="a worm", product="uprising", most=2))
    assert (len(few.answers), len(few.scenarios)) == (2, 2)


@pytest.mark.parametrize("product", ["chess", "../uprising"])
def test_an_unknown_product_is_refused(books: Any, product: str) -> None:
    for call in (
        lambda: books.GetCard(rules_pb2.GetCardRequest(name="Arrakeen", product=product)),
        lambda: books.GetCoverage(
            rules_pb2.GetCoverageRequest(rule="UPR-WALL-003", product=product)
        ),
    ):
        status, problem = refused(call)
        assert (status, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0806")


# Export


def test_an_export_has_the_vectors_that_the_command_writes(channel: grpc.Channel) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    broken = SCENARIO.replace("gains 1 spice", "gains 2 spice")
    texts = [("a.scenario", SCENARIO), ("b.scenario", broken)]
    files = [common_pb2.SourceFile(name=name, text=text) for name, text in texts]
    *found, end = stub.Export(scenario_pb2.ExportRequest(files=files))
    written = json.loads(export_text(exported(texts), end.summary.engine))
    vectors = [json.loads(text) for each in found for text in each.scenario.vectors]
    assert vectors == written["vectors"]
    assert (end.summary.format, end.summary.version) == (written["format"], written["version"])
    assert (end.summary.vectors, end.summary.left_out) == (1, 1)
    good, bad = (each.scenario for each in found)
    assert (good.verdict, good.left_out) == (common_pb2.VERDICT_PASSED, "")
    assert (bad.verdict, bool(bad.left_out)) == (common_pb2.VERDICT_FAILED, True)
    assert bad.problems[0].line


# Fields


def test_every_field_of_every_request_has_a_rule() -> None:
    files = (engine_pb2, rules_pb2, scenario_pb2, verifier_pb2)
    requests = {
        method.input_type
        for file in files
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }
    waiting, seen = list(requests), set()
    while waiting:
        kind = waiting.pop()
        if kind.full_name in seen or kind.GetOptions().map_entry:
            continue
        seen.add(kind.full_name)
        assert set(fields.RULES[kind.name]) == {field.name for field in kind.fields}, kind.name
        waiting += [field.message_type for field in kind.fields if field.message_type is not None]
    assert {name.rpartition(".")[2] for name in seen} == set(fields.RULES)


LONG = "x" * (fields.LONGEST_ID + 1)


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("id", rules_pb2.GetRuleRequest()),
        ("name", rules_pb2.GetRulingRequest()),
        ("name", rules_pb2.GetCardRequest()),
        ("product", rules_pb2.GetCardRequest(name="a", product=LONG)),
        ("rule", rules_pb2.GetCoverageRequest(rule=LONG)),
        ("product", engine_pb2.NewGameRequest(players=NAMES)),
        ("players", engine_pb2.NewGameRequest(product="uprising")),
        ("rulings", engine_pb2.NewGameRequest(product="a", players=NAMES, rulings={LONG: ""})),
        ("rulings", engine_pb2.NewGameRequest(product="a", players=NAMES, rulings={"a": LONG})),
        ("leaders", engine_pb2.NewGameRequest(product="a", players=NAMES, leaders=["a", LONG])),
        ("position", engine_pb2.StepRequest(input="{}")),
        ("input", engine_pb2.StepRequest(position="{}")),
        ("position", engine_pb2.ActionsRequest()),
        ("position", engine_pb2.ViewRequest(seat=1)),
        ("cases", engine_pb2.EvaluateRequest()),
        ("position", engine_pb2.ReplayRequest()),
        (
            "inputs[1].fingerprint",
            engine_pb2.ReplayRequest(
                position="{}",
                inputs=[
                    engine_pb2.ReplayInput(input="{}"),
                    engine_pb2.ReplayInput(input="{}", fingerprint="0" * 33),
                ],
            ),
        ),
        ("file", scenario_pb2.AskRequest()),
        ("file", scenario_pb2.FormatRequest()),
        ("limits.paths", verifier_pb2.ProveRequest(limits=verifier_pb2.Limits(paths=2**32 - 1))),
    ],
)
def test_a_bad_field_is_an_invalid_argument_that_names_it(
    channel: grpc.Channel, field: str, request_: Message
) -> None:
    status, problem = refused(lambda: call_with(channel, request_))
    assert (status, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0870")
    assert f"`{field}`" in problem.message
    assert problem.help


@pytest.mark.parametrize(
    ("field", "request_"),
    [
        ("cases", engine_pb2.EvaluateRequest(cases=[engine_pb2.EvaluateCase()] * (MOST_CASES + 1))),
        (
            "inputs",
            engine_pb2.ReplayRequest(
                position="{}", inputs=[engine_pb2.ReplayInput(input="{}")] * (MOST_REPLAYED + 1)
            ),
        ),
    ],
)
def test_more_than_is_taken_at_once_is_refused(
    channel: grpc.Channel, field: str, request_: Message
) -> None:
    status, problem = refused(lambda: call_with(channel, request_))
    assert (status, problem.code) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TS0802")
    assert f"`{field}`" in problem.message


STUBS = (
    engine_pb2_grpc.EngineServiceStub,
    rules_pb2_grpc.RuleServiceStub,
    scenario_pb2_grpc.ScenarioServiceStub,
    verifier_pb2_grpc.VerifierServiceStub,
)


def call_with(channel: grpc.Channel, request: Message) -> Any:
    """Call the method that takes this request."""
    method = request.DESCRIPTOR.name.removesuffix("Request")
    (stub,) = (stub for make in STUBS if hasattr(stub := make(channel), method))
    return getattr(stub, method)(request)


# Any tool


REFLECTION = ("--protocol", "grpc", "--http2-prior-knowledge")


def buf(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """What buf says."""
    command = [str(BUF), *arguments]
    return subprocess.run(
        command, input=stdin, cwd=PROTO, capture_output=True, timeout=60, check=False
    )


def buf_curl(address: str, method: str, data: str) -> subprocess.CompletedProcess[bytes]:
    """What buf says, which knows nothing but an address: reflection tells it the rest."""
    return buf("curl", *REFLECTION, "-d", data, f"http://{address}/{method}")


def test_buf_calls_the_service_by_reflection() -> None:
    with server_in_thread() as address:
        found = buf_curl(address, GET_RULE, '{"id": "UPR-WALL-003"}')
        assert found.returncode == 0, found.stderr
        assert json.loads(found.stdout)["rule"]["id"] == "UPR-WALL-003"
        files = {"files": [{"name": "a.scenario", "text": SCENARIO}]}
        checked = buf_curl(address, "truthsayer.v1.ScenarioService/Check", json.dumps(files))
        assert checked.returncode == 0, checked.stderr
        assert b'"verdict": "VERDICT_PASSED"' in checked.stdout


def test_buf_lists_every_method_by_reflection() -> None:
    with server_in_thread() as address:
        listed = buf("curl", *REFLECTION, "--list-methods", f"http://{address}")
    assert listed.returncode == 0, listed.stderr
    methods = {f"/{each}" for each in listed.stdout.decode().split()}
    assert methods == set(ALLOWED)


def test_buf_shows_why_a_call_is_refused() -> None:
    with server_in_thread() as address:
        refused = buf_curl(address, GET_RULE, '{"id": "UPR-WALL-03"}')
    assert refused.returncode != 0
    told = json.loads(refused.stderr)
    assert (told["code"], told["message"]) == ("not_found", "TS0201: no rule `UPR-WALL-03`")
    (detail,) = told["details"]
    packed = base64.b64decode(detail["value"] + "==")
    read = buf("convert", ".", "--type", detail["type"], "--from", "-#format=binpb", stdin=packed)
    assert json.loads(read.stdout) == {
        "code": "TS0201",
        "message": "no rule `UPR-WALL-03`",
        "help": "did you mean `UPR-WALL-003`?",
    }
