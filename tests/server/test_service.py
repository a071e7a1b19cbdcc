"""The service as any gRPC client meets it: health, reflection, answers and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from grpc_status import rpc_status

from rules_engine.kernel.errors import TruthsayerError
from scenarios.language.statements import MOST_CHARACTERS
from server import run
from server.answers.limits import LONGEST_FILE_NAME, LONGEST_SEARCH, MOST_FILES
from server.run import SERVICES
from server.settings import Limits
from server.store.sessions import SessionStore
from tests.server.running import server_in_thread
from truthsayer.v1 import (
    common_pb2,
    rules_pb2,
    rules_pb2_grpc,
    scenario_pb2,
    scenario_pb2_grpc,
    verifier_pb2,
    verifier_pb2_grpc,
)
from verifier.kept import user_folder

PROPERTY = "the_endgame_comes_with_ten_points_or_without_conflicts"
SCENARIO = """\
scenario "John fights as hard as he can"
game uprising with John, Abby, Ned
first player John
conflict "Secure Imperial Basin"
given John has 3 troops in garrison
  and John has hand "Dune, the Desert Planet"
when John plays "Dune, the Desert Planet" to Imperial Basin
then John gains 1 spice
 but John cannot deploy 3 troops because UPR-UNIT-013
"""


def refused(call: Callable[[], Any]) -> tuple[grpc.StatusCode, common_pb2.Problem]:
    """The status of a call that is refused, and the problem that comes with it."""
    with pytest.raises(grpc.RpcError) as raised:
        list(call())
    error: Any = raised.value
    status: Any = rpc_status.from_call(error)
    problem = common_pb2.Problem()
    assert len(status.details) == 1
    assert status.details[0].Unpack(problem)
    assert "Traceback" not in error.details()
    return error.code(), problem


@pytest.mark.parametrize("name", ["", *SERVICES])
def test_every_service_is_healthy(channel: grpc.Channel, name: str) -> None:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = stub.Check(health_pb2.HealthCheckRequest(service=name))
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


class Reflected:
    """A client that knows nothing but an address: reflection tells it the rest."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._channel = channel
        self._database = ProtoReflectionDescriptorDatabase(channel)
        self._pool = DescriptorPool(self._database)

    def services(self) -> set[str]:
        """The services there are."""
        return set(self._database.get_services())

    def call(self, service: str, method: str, **fields: Any) -> list[Any]:
        """The responses to a request with these fields."""
        found = self._pool.FindServiceByName(service).FindMethodByName(method)
        request = GetMessageClass(found.input_type)(**fields)
        channel: Any = self._channel
        make = channel.unary_stream if found.server_streaming else channel.unary_unary
        answer = make(
            f"/{service}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(found.output_type).FromString,
        )(request)
        return list(answer) if found.server_streaming else [answer]


@pytest.fixture(scope="module")
def reflected(channel: grpc.Channel) -> Reflected:
    return Reflected(channel)


def test_reflection_tells_all_services(reflected: Reflected) -> None:
    assert {*SERVICES, "grpc.health.v1.Health"} <= reflected.services()


def test_a_client_made_by_reflection_runs_a_scenario(reflected: Reflected) -> None:
    answers = reflected.call(
        "truthsayer.v1.ScenarioService",
        "Check",
        files=[{"name": "a.scenario", "text": SCENARIO}],
    )
    assert [answer.WhichOneof("answer") for answer in answers] == ["result", "summary"]
    assert answers[0].result.verdict == common_pb2.VERDICT_PASSED
    assert (answers[1].summary.scenarios, answers[1].summary.passed) == (1, 1)


def test_a_client_made_by_reflection_streams_a_proof(reflected: Reflected) -> None:
    service = "truthsayer.v1.VerifierService"
    listed = reflected.call(service, "ListProperties")[0].properties
    known = {each.name: each for each in listed}
    *steps, verdict = reflected.call(service, "Prove", names=[PROPERTY])
    total = len(steps)
    assert [each.progress.number for each in steps] == list(range(1, total + 1))
    assert {each.progress.total for each in steps} == {total}
    found = verdict.verdict
    assert (found.name, found.verdict) == (PROPERTY, common_pb2.VERDICT_PROVED)
    assert known[PROPERTY].kind == verifier_pb2.PROPERTY_KIND_CLAIM
    assert found.kind == verifier_pb2.PROPERTY_KIND_THEOREM
    assert found.bounds.startswith("3 players in 1 of 2 cases, 4 players in 1; ")
    assert {3, 4} <= {*found.covered.players}
    assert {each.needs for each in found.cases} == {verifier_pb2.NEEDS_SOLVER}
    assert known[PROPERTY].file == "verifier/properties/recall.py"
    assert found.paths == sum(case.paths for case in found.cases) > 0
    assert all(case.verdict == common_pb2.VERDICT_PROVED for case in found.cases)
    assert len(found.cases) == total
    assert "endgame.triggered" in found.cases[0].rests_on
    assert not found.confirmed
    assert not found.from_kept


def prove(channel: grpc.Channel, **fields: Any) -> verifier_pb2.PropertyVerdict:
    """The verdict on a property."""
    stub = verifier_pb2_grpc.VerifierServiceStub(channel)
    *_, last = stub.Prove(verifier_pb2.ProveRequest(names=[PROPERTY], **fields))
    return last.verdict


def test_the_second_solver_is_asked_if_a_call_wants_it(channel: grpc.Channel) -> None:
    found = prove(channel, confirm=True)
    assert (found.verdict, found.confirmed) == (common_pb2.VERDICT_PROVED, True)


def test_limits_of_a_call_end_its_proofs(channel: grpc.Channel) -> None:
    found = prove(channel, limits=verifier_pb2.Limits(paths=1))
    assert found.verdict == common_pb2.VERDICT_UNKNOWN
    assert found.detail.startswith("more than 1 path;")
    assert prove(channel).verdict == common_pb2.VERDICT_PROVED


def test_a_server_keeps_no_proof_in_the_folder_of_its_user(channel: grpc.Channel) -> None:
    before = set(user_folder().parent.rglob("*"))
    for _ in range(2):
        assert not prove(channel).from_kept
    assert set(user_folder().parent.rglob("*")) == before


def test_a_result_comes_before_the_whole_corpus_has_run(channel: grpc.Channel) -> None:
    files = [
        common_pb2.SourceFile(name=f"{number}.scenario", text=SCENARIO) for number in range(300)
    ]
    call = scenario_pb2_grpc.ScenarioServiceStub(channel).Check(
        scenario_pb2.CheckRequest(files=files)
    )
    assert next(call).result.file == "0.scenario"
    assert call.is_active()
    call.cancel()


def test_an_unknown_rule_is_not_found(channel: grpc.Channel) -> None:
    stub = rules_pb2_grpc.RuleServiceStub(channel)
    code, problem = refused(lambda: stub.GetRule(rules_pb2.GetRuleRequest(id="UPR-WALL-03")))
    assert code is grpc.StatusCode.NOT_FOUND
    assert (problem.code, problem.help) == ("TS0201", "did you mean `UPR-WALL-003`?")


def test_an_unknown_property_is_not_found(channel: grpc.Channel) -> None:
    stub = verifier_pb2_grpc.VerifierServiceStub(channel)
    code, problem = refused(lambda: stub.Prove(verifier_pb2.ProveRequest(names=["nonsense"])))
    assert code is grpc.StatusCode.NOT_FOUND
    assert problem.code == "TS0501"


def test_a_mistake_in_a_file_has_its_place_and_remedy(channel: grpc.Channel) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    file = common_pb2.SourceFile(name="a.scenario", text='scenario "A"\nwhenn John passes\n')
    code, problem = refused(lambda: stub.Format(scenario_pb2.FormatRequest(file=file)))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert (problem.file, problem.line) == ("a.scenario", 2)
    assert problem.help


@pytest.mark.parametrize("method", ["Check", "Ask", "Format"])
def test_a_malformed_message_is_an_invalid_argument(channel: grpc.Channel, method: str) -> None:
    path = f"/truthsayer.v1.ScenarioService/{method}"
    make: Any = channel.unary_stream if method == "Check" else channel.unary_unary
    code, problem = refused(lambda: make(path)(b"\xff\xff\xff"))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert problem.code == "TS0801"
    assert path in problem.message


def test_an_oversized_message_is_refused(channel: grpc.Channel) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    file = common_pb2.SourceFile(name="a.scenario", text=" " * Limits().message_bytes)
    with pytest.raises(grpc.RpcError) as raised:
        stub.Format(scenario_pb2.FormatRequest(file=file))
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_a_file_that_is_too_long_is_refused(channel: grpc.Channel) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    file = common_pb2.SourceFile(name="a.scenario", text=" " * (MOST_CHARACTERS + 1))
    code, problem = refused(lambda: stub.Format(scenario_pb2.FormatRequest(file=file)))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (problem.code, problem.file) == ("TS0100", "a.scenario")


def test_too_many_files_are_refused(channel: grpc.Channel) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    request = scenario_pb2.CheckRequest(files=[common_pb2.SourceFile()] * (MOST_FILES + 1))
    code, problem = refused(lambda: stub.Check(request))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert problem.code == "TS0802"


def test_a_long_search_is_refused_and_holds_nobody_up(channel: grpc.Channel) -> None:
    stub: Any = rules_pb2_grpc.RuleServiceStub(channel)
    request = rules_pb2.SearchRulesRequest(words="a " * 500_000)
    calls = [stub.SearchRules.future(request, timeout=20) for _ in range(8)]
    assert stub.GetRule(rules_pb2.GetRuleRequest(id="UPR-WALL-003"), timeout=10).rule.title
    for call in calls:
        code, problem = refused(call.result)
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert problem.code == "TS0802"


def test_the_longest_search_is_quick(channel: grpc.Channel) -> None:
    stub = rules_pb2_grpc.RuleServiceStub(channel)
    words = "".join(chr(ord("\u4e00") + number) + " " for number in range(LONGEST_SEARCH // 2 - 4))
    words += "wall"
    assert stub.SearchRules(rules_pb2.SearchRulesRequest(words=words), timeout=10).rules


@pytest.mark.parametrize("method", ["Check", "Ask", "Format"])
def test_a_file_name_that_is_too_long_is_refused(channel: grpc.Channel, method: str) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    file = common_pb2.SourceFile(name="a" * (LONGEST_FILE_NAME + 1), text=SCENARIO)
    requests: dict[str, Any] = {
        "Check": scenario_pb2.CheckRequest(files=[file]),
        "Ask": scenario_pb2.AskRequest(file=file),
        "Format": scenario_pb2.FormatRequest(file=file),
    }
    code, problem = refused(lambda: getattr(stub, method)(requests[method]))
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert problem.code == "TS0802"


@pytest.mark.parametrize("letter", ["U", "ä", "\U0001f41b"])
def test_what_is_not_found_may_have_a_long_name(channel: grpc.Channel, letter: str) -> None:
    long = letter * (1_000_000 // len(letter.encode()))
    rules = rules_pb2_grpc.RuleServiceStub(channel)
    code, problem = refused(lambda: rules.GetRule(rules_pb2.GetRuleRequest(id=long)))
    assert (code, problem.code) == (grpc.StatusCode.NOT_FOUND, "TS0201")
    assert problem.message.startswith(f"no rule `{letter}{letter}")
    verifier = verifier_pb2_grpc.VerifierServiceStub(channel)
    code, problem = refused(lambda: verifier.Prove(verifier_pb2.ProveRequest(names=[long])))
    assert (code, problem.code) == (grpc.StatusCode.NOT_FOUND, "TS0501")


@pytest.mark.parametrize("letter", ["U", "ä", "\U0001f41b"])
def test_a_name_beyond_reason_is_told_in_short(channel: grpc.Channel, letter: str) -> None:
    long = letter * (1_000_000 // len(letter.encode()))
    rules = rules_pb2_grpc.RuleServiceStub(channel)
    code, problem = refused(lambda: rules.GetRule(rules_pb2.GetRuleRequest(id=long)))
    assert (code, problem.code) == (grpc.StatusCode.NOT_FOUND, "TS0201")
    assert len(problem.message) < 10_000


def test_a_mistake_in_a_long_line_has_its_place(channel: grpc.Channel) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    text = f'scenario "A"\nwhen {"ä" * 20_000} passes\n'
    file = common_pb2.SourceFile(name="ä" * LONGEST_FILE_NAME, text=text)
    code, problem = refused(lambda: stub.Format(scenario_pb2.FormatRequest(file=file)))
    assert (code, problem.code) == (grpc.StatusCode.INVALID_ARGUMENT, "TS0101")
    assert (problem.line, problem.column) == (2, 6)
    assert problem.text.startswith("when ää")
    assert problem.ByteSize() < 3000


def test_the_mark_before_a_file_is_no_part_of_it(channel: grpc.Channel) -> None:
    stub = scenario_pb2_grpc.ScenarioServiceStub(channel)
    file = common_pb2.SourceFile(name="a.scenario", text="\ufeff" + SCENARIO)
    assert next(stub.Check(scenario_pb2.CheckRequest(files=[file]))).result.problems == []
    plain = common_pb2.SourceFile(name="a.scenario", text=SCENARIO)
    laid_out = [stub.Format(scenario_pb2.FormatRequest(file=each)).text for each in (file, plain)]
    assert laid_out[0] == laid_out[1]


def test_an_unknown_method_is_unimplemented(channel: grpc.Channel) -> None:
    method: Any = channel.unary_unary("/truthsayer.v1.RuleService/Forget")
    with pytest.raises(grpc.RpcError) as raised:
        method(b"")
    assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_health_can_be_watched(channel: grpc.Channel) -> None:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    call = stub.Watch(health_pb2.HealthCheckRequest(service=SERVICES[0]), timeout=20)
    assert next(call).status == health_pb2.HealthCheckResponse.SERVING
    call.cancel()


def test_sessions_are_not_healthy_while_the_store_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = True

    def count(*_: object) -> int:
        if broken:
            raise TruthsayerError("TS0840", "the store does not answer")
        return 0

    monkeypatch.setattr(run, "COUNT_SECONDS", 0.02)
    monkeypatch.setattr(SessionStore, "count", count)
    with server_in_thread() as address, grpc.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        call = stub.Watch(health_pb2.HealthCheckRequest(service=run.SESSIONS), timeout=60)
        told = (each.status for each in call)
        assert health_pb2.HealthCheckResponse.NOT_SERVING in told  # reads on until it is so
        rest = stub.Check(health_pb2.HealthCheckRequest(service=""))
        assert rest.status == health_pb2.HealthCheckResponse.SERVING
        broken = False
        assert next(told) == health_pb2.HealthCheckResponse.SERVING
        call.cancel()


def test_a_method_in_name_only_is_unimplemented(channel: grpc.Channel) -> None:
    method: Any = channel.unary_unary("/grpc.health.v1.Health/List")
    code, problem = refused(lambda: method(b""))
    assert (code, problem.code) == (grpc.StatusCode.UNIMPLEMENTED, "TS0857")
