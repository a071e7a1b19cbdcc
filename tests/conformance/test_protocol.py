"""What the protocol's page says, and no other test shows; and that every sentence has its test."""

from __future__ import annotations

import functools
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import scenarios
from conformance import messages as say
from conformance.adapters.reference import ABOUT, Adapter
from conformance.cases import Case, cases_of
from conformance.comparing import differences, is_count, same
from conformance.framing import Garbage, JsonLines
from conformance.games import set_up
from conformance.observing import DECKS, FIELDS, PLAYER_FIELDS, observe, observe_as
from conformance.playing import play
from conformance.reference import Reference, drawn, stated
from conformance.results import FAIL, GOOD, UNSUPPORTED
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import rulings
from scenarios.coverage import coverage_of
from scenarios.vectors.export import exported
from scenarios.vectors.positions import position
from tests.conformance import liars, own_chance
from tests.conformance.in_process import SETUP, InProcess, small_case
from tests.conformance.sentences import PAGE, backed, missing, sentences, stale, unbacked
from tests.conformance.whole_units import InUnits
from truthsayer.cli import main
from truthsayer.cli.progress import NowAndThen
from truthsayer.reports.conform_json import read_report

MANUAL = PAGE.read_text("utf-8")
LIBRARY = Path(scenarios.__file__).parent / "library" / "uprising"

OWN_READING = """\
scenario "Another reading"
game uprising with John, Abby, Ned
ruling {ruling} is {value}
given John has hand "Dagger"
when John reveals
then John has 1 sword
"""


# Every sentence


def test_every_sentence_of_the_page_has_a_test() -> None:
    assert unbacked(PAGE.read_text("utf-8"), backed()) == []


def test_no_sentence_is_backed_that_there_is_not() -> None:
    assert stale(PAGE.read_text("utf-8"), backed()) == []


def test_every_test_behind_a_sentence_is_there() -> None:
    assert missing(each for tests in backed().values() for each in tests) == []
    assert all(backed().values())


def test_a_new_sentence_a_lost_one_and_a_lost_test_are_found() -> None:
    table_of_one = "| a | b |\n|---|---|\n| `x` | y. Z |"
    text = f"# Head\n\nIt is so. And\nso.\n\n{table_of_one}\n\n- One.\n  Two.\n- Three"
    assert sentences(text) == ["It is so.", "And so.", "| `x` | y.", "Z |", "One.", "Two.", "Three"]
    table = ["It is", "And so", "| `x`", "Z", "One", "Two"]
    assert unbacked(text, table) == ["Three"]
    assert stale(text, [*table, "Three", "Four"]) == ["Four"]
    assert unbacked("It is so.", ["It", "It is"]) == ["It is so."]
    here = "conformance/test_protocol.py::"
    found = [
        f"{here}{backed.__name__}",
        f"{here}test_no_sentence_is_backed_that_there_is_not",
        "no.py::x",
    ]
    assert missing(found) == [found[0], found[2]]


# Runs


def test_the_adapter_is_started_before_anything_is_prepared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepared: list[object] = []

    def prepares(*_: object) -> None:
        prepared.append(_)
        raise KeyboardInterrupt

    monkeypatch.setattr("truthsayer.cli.conform.corpus", prepares)
    done = CliRunner().invoke(main, ["conform", "--", "no-such-program"])
    assert ("TS0906" in done.output, prepared) == (True, [])
    monkeypatch.setattr("truthsayer.cli.conform._described", lambda *_: ABOUT)
    CliRunner().invoke(main, ["conform", "--", "no-such-program"])
    assert len(prepared) == 1


def test_the_report_counts_the_rules_that_coverage_counts(tmp_path: Path) -> None:
    (tmp_path / "own.scenario").write_text(OWN_READING.replace("ruling {ruling} is {value}\n", ""))
    ours = [sys.executable, "-m", "conformance.adapters.reference"]
    options = ["--cases", str(tmp_path), "--json", str(tmp_path / "report.json"), "--", *ours]
    CliRunner().invoke(main, ["conform", *options])
    report = read_report((tmp_path / "report.json").read_bytes(), "report.json")
    counted = [each.rule.id for each in coverage_of(report.product, (), frozenset(), {})]
    assert list(report.rules) == counted


def test_in_a_log_progress_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    log = NowAndThen()
    log.say("1 of 9")
    log.say("2 of 9")
    assert capsys.readouterr().err == "… 1 of 9\n"


# Starts


@functools.cache
def cases() -> tuple[Case, ...]:
    """Those of some chapters, in which phases are begun."""
    names = ("combat", "makers", "recall", "round")
    files = [file for name in names for file in LIBRARY.rglob(f"{name}.scenario")]
    found = exported([(each.name, each.read_text("utf-8")) for each in files])
    made = cases_of(vector for each in found for vector in each.vectors)
    return tuple(each for each in made if isinstance(each, Case))


def first_input(case: Case) -> dict[str, Any]:
    return case.moves[0].given if case.moves else {}


def begun(case: Case, to_move: int | None) -> State:
    """The position after the first input, if this seat was to move."""
    game = Reference.start(case.followed, case.position, to_move)
    if to_move is not None:
        game.begin(stated(case.chance))
    game.give(first_input(case), stated(case.moves[0].chance))
    return game.state


def test_whose_turn_it_is_does_not_matter_where_a_phase_is_begun() -> None:
    kinds = {(each.to_move is None) for each in cases() if "begin" in first_input(each)}
    assert kinds == {True, False}
    for case in cases():
        if "begin" in first_input(case) and case.to_move is not None and not case.chance:
            assert observe(begun(case, case.to_move)) == observe(begun(case, None)), case.id
        elif "do" in first_input(case):
            assert case.to_move is not None, case.id


def test_after_combat_and_makers_that_were_begun_nothing_follows() -> None:
    for case in cases():
        game = Reference.start(case.followed, case.position, case.to_move)
        phases = [move.given["begin"] for move in case.moves if "begin" in move.given]
        if len(phases) != 1 or first_input(case) != {"begin": phases[0]}:
            continue
        before = game.observation()["round"]
        if case.to_move is not None:
            game.begin(stated(case.chance))
        for move in case.moves:
            game.give(move.given, stated(move.chance))
        now = game.observation()
        if phases[0] in ("combat_begins", "combat_resolves", "makers_begin"):
            assert (now["round"], now["turn"]) == (before, None), case.id
    made = [each for each in cases() if first_input(each) == {"begin": "makers_begin"}]
    assert all(observe(begun(each, each.to_move))["asked"] == [] for each in made)


def test_a_recall_and_a_round_that_were_begun_go_on_to_the_first_turn() -> None:
    for phase in ("recall_begins", "round_begins"):
        turns = {
            observe(begun(each, each.to_move))["turn"]
            for each in cases()
            if first_input(each) == {"begin": phase}
        }
        assert turns - {None}, phase


class Told(InProcess):
    """Our adapter, which says something else to some calls; it keeps what it was asked."""

    def __init__(self, instead: Callable[[say.AnyCall], say.AnyAnswer | None]) -> None:
        super().__init__()
        self.instead = instead
        self.calls: list[say.AnyCall] = []

    def ask(
        self, calls: Sequence[say.AnyCall], seconds: float | None = None
    ) -> list[say.AnyAnswer]:
        """Its answers, or others in their place."""
        self.calls += calls
        return [
            self.instead(call) or answer
            for call, answer in zip(calls, super().ask(calls, seconds), strict=True)
        ]


def test_a_scenario_has_its_own_rulings_whatever_the_adapter_claims() -> None:
    name, ruling = next((name, each) for name, each in rulings().items() if len(each.values) > 1)
    other = next(value for value in ruling.values if value != ruling.default)
    text = OWN_READING.format(ruling=name, value=other)
    (found,) = exported([("own.scenario", text)])
    (case,) = (each for each in cases_of(found.vectors) if isinstance(each, Case))
    claims = change(ABOUT, rulings={name: ruling.default})
    listening = Told(lambda _: None)
    play(case, claims, listening)
    start = next(each for each in listening.calls if isinstance(each, say.Start))
    assert start.setup["rulings"][name] == other
    assert start.setup["rulings"].keys() == rulings().keys()


def resolving() -> Case:
    """A case in which an effect is resolved by a decision."""
    return next(each for each in cases() if any(_resolves(move.given) for move in each.moves))


def _resolves(given: dict[str, Any]) -> bool:
    return bool(given.get("do", {}).get("action") == "resolve")


def test_a_resolve_that_is_never_asked_for_is_unsupported_and_a_refusal_is_a_divergence() -> None:
    def resolve(call: say.AnyCall) -> bool:
        return isinstance(call, say.Apply) and _resolves(call.input)

    unsupported = Told(lambda call: say.Unsupported("resolve") if resolve(call) else None)
    refusing = Told(lambda call: say.Refused("not due") if resolve(call) else None)
    assert play(resolving(), ABOUT, unsupported).outcome == UNSUPPORTED
    assert play(resolving(), ABOUT, refusing).outcome == FAIL


def test_a_generated_game_follows_the_rulings_that_are_claimed() -> None:
    name, ruling = next((name, each) for name, each in rulings().items() if len(each.values) > 1)
    for value in ruling.values:
        claims = change(ABOUT, rulings={name: value})
        made = set_up(random.Random(1).randrange, "games.1.0", claims).setup["rulings"]
        assert {**{each.id: each.default for each in rulings().values()}, name: value} == made


@pytest.mark.parametrize("modules", [(), ("choam",)])
def test_a_game_from_its_setup_is_dealt_in_the_order_that_is_told(modules: Sequence[str]) -> None:
    game = Reference.start({**SETUP, "modules": list(modules)}, None, None)
    dealt = game.begin(drawn(random.Random(1))).chance
    seats = [(each["kind"], each.get("player")) for each in dealt]
    assert seats[:3] == [("objective", seat) for seat in range(3)]
    kinds = [kind for kind, _ in seats[3:]]
    assert kinds == ["row"] * 5 + ["contract"] * 2 * len(modules) + ["conflict"] + ["draw"] * 15
    drawers = [seat for kind, seat in seats if kind == "draw"]
    assert all(drawers.count(seat) == 5 for seat in range(3))


# Observations


@functools.cache
def states() -> tuple[State, ...]:
    """The positions of the cases: at their start, and after each input."""
    found: list[State] = []
    for case in cases():
        game = Reference.start(case.followed, case.position, case.to_move)
        found.append(game.state)
        if case.to_move is not None:
            game.begin(stated(case.chance))
        for move in case.moves:
            game.give(move.given, stated(move.chance))
            found.append(game.state)
    return tuple(found)


def test_a_field_has_what_the_position_of_a_vector_has_there() -> None:
    compared: set[str] = set()
    for state in states():
        seen, told = observe(state), position(state)
        pairs = [("", seen, told)]
        pairs += [
            ("players.", *each) for each in zip(seen["players"], told["players"], strict=True)
        ]
        for prefix, shown, stands in pairs:
            for field in shown.keys() & stands.keys() - {"players"}:
                if "deck" not in field:
                    assert same(stands[field], shown[field]), field
                    compared.add(f"{prefix}{field}")
    every = {*FIELDS, *(f"players.{each}" for each in PLAYER_FIELDS)}
    assert every - compared == {"asked", "turn", *DECKS, "players.deck"}


def test_a_deck_is_the_list_of_its_cards_or_their_number() -> None:
    forms = set()
    for state in states():
        whole, told = observe(state), position(state)
        for shown, stands in [(whole, told), *zip(whole["players"], told["players"], strict=True)]:
            for field in shown.keys() & {*DECKS, "deck"}:
                parts = stands[field]
                cards = [each["card"] for each in parts if each["part"] == "known"]
                pools = [each for each in parts if each["part"] == "pool"]
                cards += [card for each in pools for card in each["cards"]]
                number = sum(each.get("count", 1) for each in parts)
                known = number == len(cards)
                assert same(sorted(cards) if known else {"count": number}, shown[field])
                forms.add(known)
    assert forms == {True, False}


def test_entries_have_the_keys_that_their_row_tells() -> None:
    told = {
        name: re.findall(r'"(\w+)"', shape)
        for names, shape in re.findall(r"^\| ([^|]+) \|[^|]*`(\{\"[^`]+\})`", MANUAL, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", names)
    }
    for field in ("agents", "spies", "makers", "controls", "alliances", "reserve", "tracks", "won"):
        entries = [
            entry
            for state in states()
            for part in (observe(state), *observe(state)["players"])
            for entry in (part.get(field) if isinstance(part.get(field), list) else ())
        ]
        assert entries, field
        assert {tuple(each) for each in entries} == {tuple(told[field])}


def test_who_has_to_decide_is_asked() -> None:
    kinds = set()
    for state in states():
        shown = observe(state)
        kinds.add((shown["asked"] == [], shown["turn"] is None))
        assert (shown["asked"] == []) == (not any(decides(state)))
    assert {(True, True), (False, False), (False, True)} <= kinds


def decides(state: State) -> list[bool]:
    """Whether anybody has something to do."""
    return [not state.winners and bool(actions(IMPERIUM, state))]


def test_a_view_has_the_number_of_what_others_hold() -> None:
    for state in states():
        for viewer in state.players:
            shown = observe_as(state, viewer.seat)
            assert shown.keys() == observe(state).keys()
            assert all(is_count(shown[each]) for each in DECKS)
            for owner in shown["players"]:
                assert is_count(owner["deck"])
                hidden = owner["seat"] != viewer.seat
                assert [is_count(owner[each]) for each in ("hand", "intrigues")] == [hidden] * 2


# Comparisons


def seen(**fields: Any) -> dict[str, Any]:
    """An observation, with something else in some fields."""
    return {**observe(states()[0]), **fields}


def test_the_order_of_a_list_means_nothing_and_true_is_not_one() -> None:
    assert differences(seen(row=["a", "b"]), seen(row=["b", "a"])) == []
    assert differences(seen(row=["a", "b"]), seen(row=["a", "a"])) != []
    assert differences(seen(shield_wall=True), seen(shield_wall=1)) != []
    won = {"card": "a", "icon": None}
    players = [{**each, "won": [{**won, "face_up": True}]} for each in seen()["players"]]
    others = [{**each, "won": [{**won, "face_up": 1}]} for each in seen()["players"]]
    assert differences(seen(players=players), seen(players=others)) != []


def test_of_a_deck_either_form_is_right() -> None:
    count = seen(imperium_deck={"count": 2})
    assert differences(count, seen(imperium_deck=["a", "b"])) == []
    assert differences(count, seen(imperium_deck=["a"])) != []


def test_only_declared_fields_are_compared_and_the_others_may_be_left_out() -> None:
    shown = {"round": seen()["round"]}
    assert differences(seen(), shown, ("round",)) == []
    assert differences(seen(), shown) != []


def test_what_is_left_out_of_an_answer_is_null_or_empty_and_what_is_not_told_is_a_mistake() -> None:
    decoder = JsonLines()
    found = decoder.take(bytearray(b'{"id":1,"answers":[{"answer":"done"}]}\n'))
    assert found == say.Answers(1, (say.Done(None, ()),))
    with pytest.raises(Garbage, match="colour"):
        decoder.take(bytearray(b'{"id":1,"answers":[{"answer":"done","colour":1}]}\n'))


class InBatches(InProcess):
    """Our adapter, which keeps each batch with its answers."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[tuple[say.AnyCall, say.AnyAnswer]]] = []

    def ask(
        self, calls: Sequence[say.AnyCall], seconds: float | None = None
    ) -> list[say.AnyAnswer]:
        """Its answers."""
        answers = super().ask(calls, seconds)
        self.batches.append(list(zip(calls, answers, strict=True)))
        return answers


def batches_of(case: Case, about: say.Described) -> list[list[tuple[type, type]]]:
    """What is asked in each batch of a case, and answered."""
    connection = InBatches()
    assert play(case, about, connection).outcome in GOOD
    return [[(type(call), type(answer)) for call, answer in each] for each in connection.batches]


def test_what_is_asked_after_an_input_that_ends_a_batch_comes_in_the_next() -> None:
    asked = [[call for call, _ in each] for each in batches_of(small_case(), ABOUT)]
    views = [say.Observe] * 3
    assert asked == [
        [say.Start, say.ListActions, say.Apply],
        [say.Observe, say.Apply],
        [say.ListActions, *views, say.Apply, say.Undo, say.Observe, say.Finish],
    ]


@pytest.mark.parametrize("number", range(3))
def test_a_batch_ends_after_a_refusal_and_the_input_behind_it_and_the_last_input(
    number: int,
) -> None:
    batches = batches_of(liars.game(number, 200), change(ABOUT, capabilities=()))
    inputs = [
        (answer, at == len(batch) - 1)
        for batch in batches
        for at, (call, answer) in enumerate(batch)
        if call is say.Apply
    ]
    refused = [answer is say.Refused for answer, _ in inputs]
    is_last = [at == len(inputs) - 1 for at in range(len(inputs))]
    behind = [False, *refused[:-1]]
    assert [end for _, end in inputs] == list(map(any, zip(refused, behind, is_last, strict=True)))
    assert refused.count(True) > 10
    assert [batch[0][0] for batch in batches].count(say.Start) == 1
    assert (batches[0][0][0], batches[-1][-1][0]) == (say.Start, say.Finish)


@pytest.mark.parametrize("answer", [say.Unsupported("that"), say.Done()])
def test_where_a_case_ends_early_nothing_more_of_it_is_asked(answer: say.AnyAnswer) -> None:
    ends = Told(lambda call: answer if isinstance(call, say.Apply) else None)
    assert play(small_case(), liars.PLAIN, ends).outcome in (UNSUPPORTED, FAIL)
    assert [type(each) for each in ends.calls] == [say.Start, say.Apply]


ASKED: dict[str, tuple[say.Described, Adapter]] = {
    "each input": (ABOUT, Adapter()),
    "a chance of its own": (change(ABOUT, chance=say.REPORT), own_chance.OwnChance(1)),
    "whole turns": (change(ABOUT, step=say.TURN), InUnits(say.TURN)),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_kit_always_asks_for_the_position(name: str) -> None:
    about, adapter = ASKED[name]
    asked: list[say.AnyCall] = []

    def keeps(call: say.AnyCall, answer: say.AnyAnswer) -> say.AnyAnswer:
        asked.append(call)
        return answer

    assert play(small_case(), about, own_chance.InProcess(adapter, keeps)).outcome in GOOD
    looks = [
        each.observe for each in asked if isinstance(each, say.Start | say.Apply | say.ApplyUnit)
    ]
    assert len(looks) > 2
    assert all(looks)


def test_revisions_count_what_was_accepted() -> None:
    listening = Told(lambda _: None)
    outcome = play(small_case(), change(ABOUT, capabilities=()), listening).outcome
    assert outcome in GOOD
    applied = [each.revision for each in listening.calls if isinstance(each, say.Apply)]
    assert applied == [0, 0]


def test_a_failed_answer_fails_the_case() -> None:
    fails = Told(lambda call: say.Failed("mine") if isinstance(call, say.Apply) else None)
    assert play(small_case(), ABOUT, fails).outcome == FAIL
