"""Who may call what: every method with every kind of token, in both modes of a server."""

from __future__ import annotations

import json
import multiprocessing
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from grpc_status import rpc_status

from server import authorising
from server.answers import rules
from server.answers.limits import MOST_NAMES
from server.callers import Caller, caller
from server.run import SERVICES
from server.settings import Limits, Settings
from server.store.database import open_database
from server.store.tokens import Tokens
from tests.server.postgres import new_database
from tests.server.running import UNLIMITED, server_in_thread
from tests.server.test_observing import configured
from tests.server.test_stopping import eventually
from truthsayer.v1 import (
    common_pb2,
    engine_pb2,
    rules_pb2,
    session_pb2,
    session_pb2_grpc,
    verifier_pb2,
    verifier_pb2_grpc,
)

MAY = {
    "grpc.health.v1.Health/Check": "everybody",
    "grpc.health.v1.Health/List": "everybody",
    "grpc.health.v1.Health/Watch": "everybody",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": "everybody",
    "truthsayer.v1.ConformanceService/Conform": "run",
    "truthsayer.v1.EngineService/NewGame": "run",
    "truthsayer.v1.EngineService/Step": "run",
    "truthsayer.v1.EngineService/Actions": "run",
    "truthsayer.v1.EngineService/View": "run",
    "truthsayer.v1.EngineService/Evaluate": "run",
    "truthsayer.v1.EngineService/Replay": "run",
    "truthsayer.v1.RuleService/GetRule": "run play observe",
    "truthsayer.v1.RuleService/Search": "run play observe",
    "truthsayer.v1.RuleService/SearchRules": "run play observe",
    "truthsayer.v1.RuleService/ListRules": "run play observe",
    "truthsayer.v1.RuleService/GetRuling": "run play observe",
    "truthsayer.v1.RuleService/ListRulings": "run play observe",
    "truthsayer.v1.RuleService/GetCard": "run play observe",
    "truthsayer.v1.RuleService/GetCoverage": "run play observe",
    "truthsayer.v1.ScenarioService/Check": "run",
    "truthsayer.v1.ScenarioService/Ask": "run",
    "truthsayer.v1.ScenarioService/Format": "run",
    "truthsayer.v1.ScenarioService/Export": "run",
    "truthsayer.v1.SessionService/CreateSession": "run",
    "truthsayer.v1.SessionService/GetSession": "play observe",
    "truthsayer.v1.SessionService/ListSessionActions": "play",
    "truthsayer.v1.SessionService/SendInput": "play",
    "truthsayer.v1.SessionService/Undo": "play",
    "truthsayer.v1.SessionService/Subscribe": "play observe",
    "truthsayer.v1.SessionService/ReplaySession": "administer",
    "truthsayer.v1.SessionService/ListSessions": "administer",
    "truthsayer.v1.SessionService/DeleteSession": "administer",
    "truthsayer.v1.VerifierService/ListProperties": "run prove",
    "truthsayer.v1.VerifierService/Prove": "prove",
}
"""The scopes of which one is needed, as the manual tells it; nothing but the test reads this."""

OPEN_SERVICES = ("grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection")
METHODS: dict[str, MethodDescriptor] = {
    f"{service}/{method.name}": method
    for service in (*SERVICES, *OPEN_SERVICES)
    for method in Default().FindServiceByName(service).methods
}

TO_RUN = frozenset({"run", "prove", "administer"})
ADMITTED = "admitted"
NO_TOKEN = grpc.StatusCode.UNAUTHENTICATED.name
NO_SCOPE = grpc.StatusCode.PERMISSION_DENIED.name
NO_SESSION = grpc.StatusCode.NOT_FOUND.name
BROKEN = {grpc.StatusCode[name] for name in ("UNIMPLEMENTED", "INTERNAL", "UNKNOWN")}
IN_NAME_ONLY = "grpc.health.v1.Health/List"
"""gRPC's library does not answer it."""

SCENARIO = """\
scenario "A Dagger gives a sword"
game uprising with John, Abby, Ned
given Abby has hand "Dagger"
when Abby reveals
then Abby has 1 sword
"""
ENDLESS = ("Watch", "Subscribe")
"""Methods that answer until their caller goes."""


class Holder(NamedTuple):
    """Somebody with a token, or without: what it allows, and in which session."""

    token: str | None
    scopes: frozenset[str]
    session: str | None = None


class World:
    """A server, two sessions on it, and holders of all kinds of tokens."""

    def __init__(self, address: str, channel: grpc.Channel, store: str, tokens: bool) -> None:
        self.address = address
        self.channel = channel
        self.store = store
        self._database = open_database(store)
        self._tokens = Tokens(self._database)
        self._creator = self._tokens.add(["run"], 1)[0]
        game = {"product": "uprising", "players": ["John", "Abby", "Ned"]}
        self.setup = engine_pb2.NewGameRequest(**game)  # type: ignore[arg-type]
        self.position = self.call(
            "truthsayer.v1.EngineService/NewGame", self._creator, self.setup
        ).position
        own, other = self.begin(), self.begin()
        self.session = own.session
        anonymous = frozenset[str]() if tokens else TO_RUN
        self.holders = {
            "nobody": Holder(None, anonymous),
            "run": self._given("run"),
            "prove": self._given("prove"),
            "administer": self._given("administer"),
            "run, prove, administer": self._given("run", "prove", "administer"),
            "play": self._given("play", session=own.session, seat=0),
            "observe": self._given("observe", session=own.session),
            "play elsewhere": self._given("play", session=other.session, seat=0),
            "observe elsewhere": self._given("observe", session=other.session),
            **{
                f"seat {seat}": Holder(token, frozenset({"play"}), own.session)
                for seat, token in enumerate(own.seat_tokens)
            },
            "observer": Holder(own.observer_token, frozenset({"observe"}), own.session),
            **{
                f"seat {seat} elsewhere": Holder(token, frozenset({"play"}), other.session)
                for seat, token in enumerate(other.seat_tokens)
            },
            "observer elsewhere": Holder(
                other.observer_token, frozenset({"observe"}), other.session
            ),
        }

    def close(self) -> None:
        self._database.close()

    def _given(self, *scopes: Any, **bound: Any) -> Holder:
        return Holder(
            self._tokens.add(scopes, 1, **bound)[0], frozenset(scopes), bound.get("session")
        )

    def begin(self) -> session_pb2.CreateSessionResponse:
        """A new session."""
        request = session_pb2.CreateSessionRequest(setup=self.setup)
        found: session_pb2.CreateSessionResponse = self.call(
            "truthsayer.v1.SessionService/CreateSession", self._creator, request
        )
        return found

    def call(self, method: str, token: str | None, request: Any) -> Any:
        """Call a method by its name; of an endless answer, only the beginning is awaited."""
        found = METHODS[method]
        metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        channel: Any = self.channel
        kinds = {
            (False, False): channel.unary_unary,
            (False, True): channel.unary_stream,
            (True, True): channel.stream_stream,
        }
        call = kinds[found.client_streaming, found.server_streaming](
            f"/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(found.output_type).FromString,
        )
        given = iter([request]) if found.client_streaming else request
        if not found.server_streaming:
            return call(given, metadata=metadata, timeout=60)
        answer = call(given, metadata=metadata, timeout=60)
        try:
            return next(answer) if found.name in ENDLESS else list(answer)
        finally:
            answer.cancel()

    def request(self, method: str) -> Any:
        """A request that the method can answer, and soon."""
        kind = GetMessageClass(METHODS[method].input_type)
        name = method.rpartition("/")[2]
        if method.startswith("grpc.reflection."):
            return kind(list_services="")
        if name == "DeleteSession":
            return kind(session=self.begin().session)
        if "session" in kind.DESCRIPTOR.fields_by_name:
            more: dict[str, Any] = {"revision": 1, "input": "{}"} if name == "SendInput" else {}
            return kind(session=self.session, **more)
        file = common_pb2.SourceFile(name="a.scenario", text=SCENARIO)
        requests: dict[str, dict[str, Any]] = {
            "GetRule": {"id": "UPR-WALL-003"},
            "Search": {"question": "can I summon a worm"},
            "SearchRules": {"words": "wall"},
            "GetRuling": {"name": "trashed_intrigue_zone"},
            "GetCard": {"name": "Dagger"},
            "GetCoverage": {"rule": "UPR-WALL-003"},
            "CreateSession": {"setup": self.setup},
            "NewGame": {"product": "uprising", "players": ["John", "Abby", "Ned"]},
            "Step": {"position": self.position, "input": '{"action": "answer", "outcome": ""}'},
            "Actions": {"position": self.position},
            "View": {"position": self.position},
            "Evaluate": {"cases": [{"position": self.position}]},
            "Replay": {"position": self.position},
            "Ask": {"file": file},
            "Format": {"file": file},
            "Prove": {
                "names": ["a_payment_is_so_much_less_and_nothing_else"],
                "limits": {"paths": 1},
            },
            # Refused for its number, before the cases are made, which takes long.
            "Conform": {"start": {"most_cases": -1}},
        }
        if name in ("Check", "Export") and "Scenario" in method:
            return kind(files=[file])
        return kind(**requests.get(name, {}))

    def ends(self, method: str, holder: Holder) -> str:
        """How a call of a holder ends: let in, or refused with a status."""
        try:
            self.call(method, holder.token, self.request(method))
        except grpc.RpcError as error:
            code, _ = told(error)
        else:
            return ADMITTED
        assert code not in BROKEN or method == IN_NAME_ONLY
        return code.name if code.name in (NO_TOKEN, NO_SCOPE, NO_SESSION) else ADMITTED


def told(error: Any) -> tuple[grpc.StatusCode, common_pb2.Problem]:
    """The status of an error and the problem that comes with it."""
    status: Any = rpc_status.from_call(error)
    assert status is not None, error
    problem = common_pb2.Problem()
    assert status.details[0].Unpack(problem)
    assert "Traceback" not in error.details()
    return error.code(), problem


@contextmanager
def world(store: str, tokens: bool) -> Iterator[World]:
    settings = Settings(store=store, tokens=tokens, limits=UNLIMITED)
    with server_in_thread(settings) as address, grpc.insecure_channel(address) as channel:
        found = World(address, channel, store, tokens)
        yield found
        found.close()


@pytest.fixture(scope="module")
def strict(postgres: str) -> Iterator[World]:
    """A server on which every call needs a token; it shares its store, as those for others do."""
    with world(new_database(postgres), tokens=True) as found:
        yield found


@pytest.fixture(scope="module")
def lenient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server on which only sessions need tokens; its store is a file."""
    store = tmp_path_factory.mktemp("lenient") / "store.sqlite"
    with world(str(store), tokens=False) as found:
        yield found


# The matrix


def expected(world: World, method: str, holder: Holder) -> set[str]:
    """How a call has to end, by the table."""
    may = set(MAY[method].split())
    if may == {"everybody"}:
        return {ADMITTED}
    if not may & holder.scopes:
        return {NO_SCOPE if holder.token else NO_TOKEN}
    bound = "session" in METHODS[method].input_type.fields_by_name and may <= {"play", "observe"}
    if bound and holder.session != world.session:
        return {NO_SESSION, NO_SCOPE}
    return {ADMITTED}


def wrong(world: World, method: str) -> dict[str, str]:
    """The holders whose calls do not end as the table says."""
    ends = {name: world.ends(method, holder) for name, holder in world.holders.items()}
    return {
        name: end
        for name, end in ends.items()
        if end not in expected(world, method, world.holders[name])
    }


@pytest.mark.parametrize("method", METHODS)
def test_a_method_lets_in_whom_the_table_says_where_tokens_are_needed(
    strict: World, method: str
) -> None:
    assert wrong(strict, method) == {}


@pytest.mark.parametrize("method", METHODS)
def test_a_method_lets_in_whom_the_table_says_where_they_are_not(
    lenient: World, method: str
) -> None:
    assert wrong(lenient, method) == {}


def test_every_method_that_is_served_has_a_row(strict: World) -> None:
    served = {
        f"{service}/{method.name}"
        for service in ProtoReflectionDescriptorDatabase(strict.channel).get_services()
        for method in Default().FindServiceByName(service).methods
    }
    assert served == set(METHODS) == set(MAY)
    allowed = {
        method.removeprefix("/"): " ".join(sorted(scopes)) or "everybody"
        for method, scopes in authorising.ALLOWED.items()
    }
    # Sessions ask for the scope once more, so that no call would show a row that lets in too many.
    assert allowed == {method: " ".join(sorted(may.split())) for method, may in MAY.items()}


def test_a_method_without_a_row_is_refused_to_all(
    strict: World, lenient: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = "truthsayer.v1.RuleService/ListRules"
    monkeypatch.delitem(authorising.ALLOWED, f"/{method}")
    for found in (strict, lenient):
        ends = {found.ends(method, holder) for holder in found.holders.values()}
        assert ends == {NO_SCOPE}


@pytest.mark.parametrize(
    ("method", "scopes"),
    [
        ("truthsayer.v1.RuleService/ListRules", {"prove"}),
        ("truthsayer.v1.SessionService/GetSession", {"play"}),
        ("truthsayer.v1.VerifierService/ListProperties", {"prove"}),
    ],
)
def test_the_matrix_notices_a_row_that_is_wrong(
    strict: World, method: str, scopes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(authorising.ALLOWED, f"/{method}", frozenset(scopes))
    assert wrong(strict, method)


# Tokens that are no good

RULE = "truthsayer.v1.RuleService/GetRule"


def refusal(world: World, metadata: tuple[tuple[str, str], ...], method: str = RULE) -> Any:
    """The status and problem of a call with this metadata, which must fail."""
    call: Any = world.channel.unary_unary(f"/{method}")
    with pytest.raises(grpc.RpcError) as raised:
        call(world.request(method).SerializeToString(), metadata=metadata)
    return told(raised.value)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),)


def test_whatever_is_wrong_with_a_token_is_told_in_the_same_words(
    strict: World, lenient: World
) -> None:
    for found in (strict, lenient):
        database = open_database(found.store)
        tokens = Tokens(database)
        revoked, one = tokens.add(["run"], 1)
        tokens.revoke(one.id)
        expired, other = tokens.add(["run"], 1)
        with database.transaction() as store:
            store.run("UPDATE tokens SET expires = ? WHERE id = ?", int(time.time()) - 1, other.id)
        database.close()
        good = found.holders["run"].token or ""
        seat = found.holders["seat 0"].token or ""
        bad = [
            bearer(revoked),
            bearer(expired),
            bearer(good[:-4] + "0000"),
            bearer(seat[:-4] + "AAAA"),
            bearer(f"ts_{'0' * 12}_{'0' * 64}"),
            bearer("nonsense"),
            bearer(""),
            bearer("x" * 3000),
            (("authorization", good),),
            (("authorization", f"Basic {good}"),),
            (*bearer(good), *bearer(good)),
        ]
        told_of = [refusal(found, metadata) for metadata in bad]
        assert {code for code, _ in told_of} == {grpc.StatusCode.UNAUTHENTICATED}
        assert {problem.code for _, problem in told_of} == {"TS0851"}
        assert len({problem.SerializeToString() for _, problem in told_of}) == 1


def test_a_call_without_a_token_is_told_what_it_needs(strict: World, lenient: World) -> None:
    code, problem = refusal(strict, ())
    assert (code, problem.code) == (grpc.StatusCode.UNAUTHENTICATED, "TS0850")
    assert "`authorization: Bearer TOKEN`" in problem.help
    assert "the scope `play` or `observe` or `run`" in problem.help
    code, problem = refusal(lenient, (), "truthsayer.v1.SessionService/GetSession")
    assert (code, problem.code) == (grpc.StatusCode.UNAUTHENTICATED, "TS0850")


def test_a_token_without_the_scope_is_told_which_one_it_needs(strict: World) -> None:
    metadata = bearer(strict.holders["prove"].token or "")
    code, problem = refusal(strict, metadata, "truthsayer.v1.EngineService/NewGame")
    assert (code, problem.code) == (grpc.StatusCode.PERMISSION_DENIED, "TS0852")
    assert problem.help == "use one that has the scope `run`"


def test_the_scheme_may_be_written_in_any_case(strict: World) -> None:
    call: Any = strict.channel.unary_unary(f"/{RULE}")
    token = strict.holders["run"].token
    assert call(
        strict.request(RULE).SerializeToString(), metadata=(("authorization", f"bearer {token}"),)
    )


def test_a_request_that_is_refused_is_not_read(strict: World) -> None:
    call: Any = strict.channel.unary_unary(f"/{RULE}")
    with pytest.raises(grpc.RpcError) as raised:
        call(b"\xff\xff\xff")
    assert told(raised.value)[1].code == "TS0850"


def test_an_unknown_method_is_unimplemented_and_not_refused(strict: World) -> None:
    call: Any = strict.channel.unary_unary("/truthsayer.v1.RuleService/Forget")
    with pytest.raises(grpc.RpcError) as raised:
        call(b"")
    assert raised.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_token_that_is_revoked_soon_opens_nothing(strict: World) -> None:
    database = open_database(strict.store)
    tokens = Tokens(database)
    text, made = tokens.add(["run"], 1)
    holder = Holder(text, frozenset({"run"}))
    assert strict.ends(RULE, holder) == ADMITTED
    tokens.revoke(made.id)
    database.close()
    assert eventually(lambda: strict.ends(RULE, holder) == NO_TOKEN)


def test_a_token_that_is_revoked_hears_no_more_of_what_it_follows(
    strict: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authorising, "KEPT_SECONDS", 0.0)
    database = open_database(str(strict.store))
    tokens = Tokens(database)
    own = strict.begin()
    revoked, made = tokens.add(["observe"], 1, session=own.session)
    kept, _ = tokens.add(["observe"], 1, session=own.session)
    stub: Any = session_pb2_grpc.SessionServiceStub(strict.channel)
    follow = session_pb2.SubscribeRequest(session=own.session, after=own.revision - 1)
    ends, goes_on = (stub.Subscribe(follow, metadata=bearer(each)) for each in (revoked, kept))
    assert next(ends).revision == next(goes_on).revision == own.revision
    tokens.revoke(made.id)
    database.close()
    play_something(stub, own)
    assert next(goes_on).revision == own.revision + 1
    goes_on.cancel()
    with pytest.raises(grpc.RpcError) as raised:
        next(ends)
    assert told(raised.value)[1].code == "TS0851"


def play_something(stub: Any, own: session_pb2.CreateSessionResponse) -> None:
    """One input of whoever is asked."""
    looks_on = bearer(own.observer_token)
    get = session_pb2.GetSessionRequest(session=own.session)
    now = stub.GetSession(get, metadata=looks_on)
    plays = bearer(own.seat_tokens[now.asked.seats[0]])
    listing = session_pb2.ListSessionActionsRequest(session=own.session)
    first = stub.ListSessionActions(listing, metadata=plays).inputs[0]
    send = session_pb2.SendInputRequest(session=own.session, revision=now.revision, input=first)
    assert stub.SendInput(send, metadata=plays).HasField("taken")


# Who a method sees


def test_a_method_sees_who_calls_in_its_thread(
    strict: World, lenient: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Caller] = []

    def get_rule(_: rules_pb2.GetRuleRequest) -> rules_pb2.GetRuleResponse:
        seen.append(caller())
        return rules_pb2.GetRuleResponse()

    monkeypatch.setattr(rules, "get_rule", get_rule)
    for found, name in ((strict, "run"), (strict, "seat 1"), (strict, "observer")):
        assert found.ends(RULE, found.holders[name]) == ADMITTED
    assert lenient.ends(RULE, lenient.holders["nobody"]) == ADMITTED
    token = strict.holders["run"].token or ""
    run, seat, observer, nobody = seen
    assert run == Caller(token.split("_")[1], frozenset({"run"}))
    assert seat == Caller(seat.id, frozenset({"play"}), strict.session, 1)
    assert observer == Caller(observer.id, frozenset({"observe"}), strict.session)
    assert len({each.id for each in seen}) == 4
    assert nobody == Caller("127.0.0.1", frozenset({"run", "prove", "administer"}))


def test_no_token_is_in_the_log(
    strict: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: rules_pb2.GetRuleRequest) -> rules_pb2.GetRuleResponse:
        raise RuntimeError("a fault")

    good, seat = strict.holders["run"].token or "", strict.holders["seat 0"].token or ""
    bad = f"ts_{'1' * 12}_{'2' * 64}"
    refusal(strict, bearer(bad))
    refusal(strict, bearer(seat), "truthsayer.v1.EngineService/NewGame")
    monkeypatch.setattr(rules, "get_rule", fail)
    for token in (good, seat):
        code, _ = refusal(strict, bearer(token))
        assert code is grpc.StatusCode.INTERNAL
    logged = capsys.readouterr().err
    assert logged.count("event=fault") == 2
    for token in (good, seat, bad):
        assert token not in logged
        assert token[-20:] not in logged


def test_who_was_refused_is_in_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (
        configured("json", "info"),
        world(str(tmp_path / "sessions.sqlite"), tokens=True) as logged,
    ):
        token = logged.holders["run"].token or ""
        capsys.readouterr()
        refusal(logged, ())
        refusal(logged, bearer(f"ts_{'1' * 12}_{'2' * 64}"))
        refusal(logged, bearer(token), "truthsayer.v1.SessionService/ListSessions")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["status"], line["caller"]) for line in lines if "status" in line] == [
        ("UNAUTHENTICATED", "127.0.0.1"),
        ("UNAUTHENTICATED", "127.0.0.1"),
        ("PERMISSION_DENIED", token.split("_")[1]),
    ]


# Limits


@contextmanager
def limited(folder: Path, tokens: bool) -> Iterator[tuple[grpc.Channel, Path]]:
    """A server that lets a caller make a request each 1,000 seconds, and one at once."""
    store = folder / "store.sqlite"
    limits = Limits(requests_per_second=0.001)
    settings = Settings(store=str(store), tokens=tokens, limits=limits)
    with server_in_thread(settings) as address, grpc.insecure_channel(address) as channel:
        yield channel, store


def get_rule(channel: grpc.Channel, token: str | None = None) -> Callable[[], Any]:
    call: Any = channel.unary_unary(f"/{RULE}")
    request = rules_pb2.GetRuleRequest(id="UPR-WALL-003").SerializeToString()
    return lambda: call(request, metadata=bearer(token) if token else ())


def too_often(call: Callable[[], Any]) -> None:
    """Assert that a call is refused because there were too many before, and for how long."""
    with pytest.raises(grpc.RpcError) as raised:
        call()
    code, problem = told(raised.value)
    assert (code, problem.code) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TS0853")
    status: Any = rpc_status.from_call(raised.value)  # type: ignore[arg-type]
    retry = RetryInfo()
    assert status.details[1].Unpack(retry)
    assert 900 <= retry.retry_delay.seconds <= 1000
    assert problem.help.startswith("try again in ")


def test_callers_without_tokens_are_counted_by_where_they_are(tmp_path: Path) -> None:
    with limited(tmp_path, tokens=False) as (channel, _):
        get_rule(channel)()
        too_often(get_rule(channel))
        health: Any = channel.unary_unary("/grpc.health.v1.Health/Check")
        for _ in range(20):
            assert health(health_pb2.HealthCheckRequest().SerializeToString())


def test_callers_with_tokens_are_counted_by_their_tokens(tmp_path: Path) -> None:
    with limited(tmp_path, tokens=True) as (channel, file):
        database = open_database(str(file))
        one, other = (Tokens(database).add(["run"], 1)[0] for _ in range(2))
        database.close()
        for token in (one, other):
            assert get_rule(channel, token)()
            too_often(get_rule(channel, token))


def test_who_guesses_tokens_soon_cannot_ask_the_store_any_more(tmp_path: Path) -> None:
    with limited(tmp_path, tokens=True) as (channel, file):
        database = open_database(str(file))
        good = Tokens(database).add(["run"], 1)[0]
        database.close()
        get_rule(channel, good)()
        guess = f"ts_{'0' * 12}_{'0' * 64}"
        with pytest.raises(grpc.RpcError) as raised:
            get_rule(channel, guess)()
        assert told(raised.value)[1].code == "TS0851"
        too_often(get_rule(channel, guess))


def test_reflection_answers_who_has_no_token(strict: World) -> None:
    method = "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
    (answer,) = strict.call(method, None, reflection_pb2.ServerReflectionRequest(list_services=""))
    names = {each.name for each in answer.list_services_response.service}
    assert set(SERVICES) <= names


def test_the_manual_has_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "authorisation.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+Service/\w+)` \| (.*) \|$", page, re.MULTILINE)
    told_of = {f"truthsayer.v1.{method}": set(re.findall(r"\w+", may)) for method, may in rows}
    ours = {method: set(may.split()) for method, may in MAY.items() if may != "everybody"}
    assert len(rows) == len(told_of)
    assert told_of == ours


# Limits of what is asked for


def test_a_call_that_proves_for_too_long_is_ended(tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    limits = Limits(proof_seconds=3, requests_per_second=0)
    settings = Settings(store=str(tmp_path / "store.sqlite"), limits=limits)
    with server_in_thread(settings) as address, grpc.insecure_channel(address) as channel:
        stub = verifier_pb2_grpc.VerifierServiceStub(channel)
        with pytest.raises(grpc.RpcError) as raised:
            list(stub.Prove(verifier_pb2.ProveRequest(), timeout=60))
        code, problem = told(raised.value)
        assert (code, problem.code) == (grpc.StatusCode.DEADLINE_EXCEEDED, "TS0854")
        assert "for 3 seconds" in problem.message
        get_rule(channel)()
    assert eventually(lambda: before.issuperset(multiprocessing.active_children()))


DEEP = 100_000


@pytest.mark.parametrize("method", ["Step", "Actions", "View"])
@pytest.mark.parametrize(
    "deep", ["[" * DEEP + "]" * DEEP, '{"a":' * DEEP, '{"pending":' + "[" * DEEP]
)
def test_a_position_may_be_nested_however_deep(lenient: World, method: str, deep: str) -> None:
    full = f"truthsayer.v1.EngineService/{method}"
    more = {"input": "{}"} if method == "Step" else {}
    request = GetMessageClass(METHODS[full].input_type)(position=deep, **more)
    with pytest.raises(grpc.RpcError) as raised:
        lenient.call(full, None, request)
    assert told(raised.value)[1].code in ("TS0802", "TS0804")


def test_an_input_may_be_nested_however_deep(lenient: World) -> None:
    request = engine_pb2.StepRequest(position=lenient.position, input='{"a":' + "[" * 60_000)
    with pytest.raises(grpc.RpcError) as raised:
        lenient.call("truthsayer.v1.EngineService/Step", None, request)
    assert told(raised.value)[1].code == "TS0804"


def test_more_properties_than_there_can_be_are_refused(lenient: World) -> None:
    request = verifier_pb2.ProveRequest(names=["a"] * (MOST_NAMES + 1))
    with pytest.raises(grpc.RpcError) as raised:
        lenient.call("truthsayer.v1.VerifierService/Prove", None, request)
    code, problem = told(raised.value)
    assert (code, problem.code) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TS0802")
