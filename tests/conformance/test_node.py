"""The example in node: an implementation of a few rules with its own shuffles, and its adapter."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conformance.cases import Case, Move
from conformance.framing import JsonLines
from conformance.messages import (
    REPORT,
    AnyCall,
    Describe,
    Described,
    Done,
    ListActions,
    Observe,
    Start,
    Undo,
    Unsupported,
)
from conformance.observing import FIELDS, PLAYER_FIELDS
from conformance.pipe import Pipe
from conformance.playing import play, play_on
from conformance.results import FAIL, GOOD, UNSUPPORTED, Divergence, Result
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import Pool
from rules_engine.kernel.game import actions
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from scenarios.vectors.inputs import decision as decision_json
from tests.conformance.own_chance import Listening, case, decision, rounds, setup
from tests.node import node

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "node"
ADAPTER_LINES = 150


@contextmanager
def started(folder: Path = EXAMPLE, seed: int = 1) -> Iterator[tuple[Described, Pipe]]:
    """The adapter, running."""
    command = (node(), str(folder / "adapter.mjs"), str(seed))
    pipe = Pipe(command, JsonLines(), seconds=30, most_bytes=1 << 20)
    try:
        (about,) = pipe.ask([Describe()])
        assert isinstance(about, Described)
        yield about, pipe
    finally:
        pipe.close()


def played(given: Case, folder: Path = EXAMPLE, seed: int = 1) -> Result:
    """How a case ends."""
    with started(folder, seed) as (about, pipe):
        return play(given, about, pipe)


def faulty(folder: Path, right: str, wrong: str) -> Path:
    """A copy of the example with one mistake."""
    shutil.copytree(EXAMPLE, folder)
    game = folder / "game.mjs"
    text = game.read_text("utf-8")
    assert text.count(right) == 1
    game.write_text(text.replace(right, wrong), "utf-8")
    return folder


# It conforms


def test_it_describes_itself_truly() -> None:
    with started() as (about, _):
        assert (about.chance, about.products, about.protocol) == (REPORT, ("uprising",), 1)
        known = {*FIELDS, *(f"players.{name}" for name in PLAYER_FIELDS)}
        assert set(about.fields) < known


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("names", [("John", "Abby", "Ned"), ("John", "Abby", "Ned", "Mark")])
def test_it_plays_whole_rounds_as_the_reference_does(names: tuple[str, ...], seed: int) -> None:
    moves = rounds(3, len(names))
    with started(seed=seed) as (about, pipe):
        connection = Listening(pipe)
        result = play(case(*moves, players=names), about, connection)
    assert result.divergence is None
    assert result.outcome in GOOD
    assert connection.last["round"] >= 4
    assert any(player["discard"] for player in connection.last["players"])
    assert connection.accepted > 60


@pytest.mark.parametrize("seed", range(3))
def test_turns_out_of_order_are_refused_by_both(seed: int) -> None:
    twice = [decision("reveal", seat) for seat in (0, 1, 2, 0, 1, 2)]
    early = [decision("end_turn", seat) for seat in range(3)]
    assert played(case(*early, *twice, *early), seed=seed).outcome in GOOD


@pytest.mark.parametrize("seed", range(4))
def test_what_it_does_not_know_is_left_out_of_a_game_that_goes_on(seed: int) -> None:
    draw = random.Random(seed)

    def choose(state: State) -> Move | None:
        if state.round > 2:
            return None
        return Move({"do": decision_json(state, draw.choice(actions(IMPERIUM, state)))})

    with started(seed=seed) as (about, pipe):
        result, done = play_on(case(), about, pipe, choose)
    assert result.outcome in GOOD
    assert len(done.moves) > 20
    assert not any(move.refused for move in done.moves)
    assert {"UPR-ROUND-003", "UPR-REVEAL-003", "UPR-RECALL-003"} <= set(result.rules)


def test_its_adapter_is_short() -> None:
    lines = (EXAMPLE / "adapter.mjs").read_text("utf-8").splitlines()
    assert len(lines) <= ADAPTER_LINES


def test_it_knows_the_cards_that_there_are() -> None:
    cards = json.loads((EXAMPLE / "cards.json").read_text("utf-8"))
    (pool,) = starting_state("uprising", ("A", "B", "C"), Rulings()).imperium_deck
    assert isinstance(pool, Pool)
    assert sorted(cards["imperium"]) == sorted(pool.cards)
    printed = catalogue("uprising")
    for number, level in enumerate(cards["conflicts"], 1):
        assert level == [face.id for face in printed.conflicts.values() if face.level == number]
    assert cards["objectives"] == {
        face.id: {"icon": face.icon, "players": list(face.players)}
        for face in printed.objectives.values()
    }


# What it does not know


POSITION = change(case(), position={})
LEADERS = change(case(), setup=setup("A", "B", "C") | {"leaders": ["muad_dib", None, None]})
MODULE = change(case(), setup=setup("A", "B", "C") | {"modules": ["choam"]})
RULING = change(case(), setup=setup("A", "B", "C") | {"rulings": {"agent_turn_end": "last_effect"}})
BEGIN = case(Move({"begin": "makers_begin"}))
ACQUIRE = case(
    *(decision("reveal", seat) for seat in range(3)),
    *(decision("acquire", seat, card="prepare_the_way") for seat in range(3)),
)


@pytest.mark.parametrize("given", [POSITION, LEADERS, MODULE, RULING, BEGIN, ACQUIRE])
def test_everything_else_is_unsupported(given: Case) -> None:
    assert played(given).outcome == UNSUPPORTED


def test_it_shows_the_whole_position_and_nothing_that_it_cannot() -> None:
    with started() as (_, pipe):
        calls: list[AnyCall] = [
            Start(setup("A", "B", "C")),
            Observe(),
            Observe(0),
            ListActions(),
            Undo(),
        ]
        begun, shown, *rest = pipe.ask(calls)
    assert isinstance(begun, Done)
    assert isinstance(shown, Done)
    assert shown.observation == begun.observation
    assert all(isinstance(each, Unsupported) for each in rest)


# Mistakes


def found_in(folder: Path) -> Divergence:
    """The divergence of an example with a mistake, within three rounds of some games."""
    for seed in range(8):
        result = played(case(*rounds(3)), folder, seed)
        if result.outcome == FAIL:
            assert result.divergence is not None
            return result.divergence
    pytest.fail("the mistake is not found")


@pytest.mark.parametrize(
    ("right", "wrong", "path", "rule"),
    [
        ("=== 2) player.points", "=== 1) player.points", "victory_points", "UPR-FACTION-002"),
        ("this.makers.imperial_basin = 0", "", "makers", "UPR-MAKER-005"),
        ("player.garrison + 1]", "player.garrison + 2]", "garrison", "UPR-UNIT-005"),
        ("player.persuasion = 0;", "", "persuasion", "UPR-ACQ-007"),
        (
            "[player.agents, player.swords] = [2, 0]",
            "player.agents = 2",
            "swords",
            "UPR-COMBAT-032",
        ),
        ("(this.first + 1)", "(this.first + 2)", "first_player", "UPR-RECALL-003"),
        ("water: 1, ", "water: 0, ", "water", ""),
    ],
)
def test_a_planted_mistake_is_a_divergence_with_its_rule(
    right: str, wrong: str, path: str, rule: str, tmp_path: Path
) -> None:
    found = found_in(faulty(tmp_path / "node", right, wrong))
    assert found.kind == "field"
    assert found.path.endswith(path)
    assert not rule or rule in found.rules


@pytest.mark.parametrize(
    ("right", "wrong", "kind", "rule"),
    [
        ("this.draw(seat, 5);", "this.draw(seat, 4);", "chance", "UPR-ROUND-002"),
        ("this.draw(seat, 5);", "this.draw(seat, 6);", "chance", "UPR-ROUND-002"),
        ("player.deck.pop());", "'steersman');", "chance", "UPR-ICON-003"),
        ("player.hand.push(player.deck.pop());", "player.hand.push(player.deck.at(-1));", "chance",
         "UPR-ICON-003"),
        (".slice(0, 5);", ".slice(0, 4);", "chance", "UPR-ACQ-010"),
        ("if (this.kind !== null) throw new NotAllowed('a turn is in progress');\n    const shown",
         "const shown", "accepted", "UPR-REVEAL-009"),
        ("if (player.agents === 0)", "if (player.agents === 1)", "refused", "UPR-AGENT-001"),
        ("if (this.due.some(({ effect }) => this.isPossible(effect))) throw", "if (false) throw",
         "accepted", "UPR-AGENT-009"),
        ("const player = this.players[this.turn];\n    const [, amount",
         "const player = undefined;\n    const [, amount", "failure", ""),
    ],
)  # fmt: skip
def test_an_impossible_draw_or_input_is_a_divergence_with_its_rule(
    right: str, wrong: str, kind: str, rule: str, tmp_path: Path
) -> None:
    found = found_in(faulty(tmp_path / "node", right, wrong))
    assert found.kind == kind
    assert not rule or rule in found.rules
