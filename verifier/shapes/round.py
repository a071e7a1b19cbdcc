"""Any frame of the round and its phases, from setup to the Endgame."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.imperium import actions, frames
from rules_engine.kernel.decks import shuffled
from rules_engine.kernel.game import Answer, Frame
from verifier.any_position import ANY_INTRIGUE, Slots, kept_intrigue, row_with_gaps
from verifier.current import choose
from verifier.positions import printed
from verifier.shapes.common import (
    Shape,
    holds_intrigue,
    no_turn,
    offered,
    plain,
    plays_intrigue,
    won,
)
from verifier.tables import actor, everyone, neighbour, table, third
from verifier.watched import Lazy


def _next_phases(*upper: Callable[[], Frame]) -> Callable[[], tuple[Frame, ...]]:
    """What is still to come of a round below a frame."""
    return lambda: (frames.Recall(), frames.Makers(), *(make() for make in upper))


def _turns() -> Frame:
    return frames.PlayerTurns(actor())


def _objectives() -> Slots:
    dealt = sorted(
        face.id for face in printed().objectives.values() if table().players in face.players
    )
    return {"turn": None, "objectives": tuple(dealt)}


def _passed() -> tuple[int, ...]:
    return choose("passed", ((), (neighbour(),), (neighbour(), third())))


def _takings() -> tuple[frames.Taking, ...]:
    reward = choose("reward", ("first", "second", "third"))
    return choose(
        "takings", ((), (frames.Taking(actor(), reward), frames.Taking(neighbour(), "second")))
    )


def _any_conflict() -> Slots:
    return {"turn": None, "conflict": Lazy("conflict", (None, *printed().conflicts))}


def _any_conflict_to_reveal() -> Slots:
    cards = tuple(printed().conflicts)
    return {
        "turn": None,
        "conflict": None,
        "conflict_deck": Lazy("conflict_deck", (shuffled(cards), ())),
    }


ROUND: dict[type[Frame], Shape] = {
    frames.DealObjectives: Shape(
        lambda: frames.DealObjectives(choose("seat", everyone())),
        {Answer: offered(Answer)},
        slots=_objectives,
        owner=lambda: {"won": ()},
        others=lambda: {"won": ()},
    ),
    frames.FillRow: Shape(
        frames.FillRow, {Answer: offered(Answer)}, alone=True, slots=row_with_gaps
    ),
    frames.RoundStart: Shape(frames.RoundStart, alone=True, slots=no_turn),
    frames.RevealConflict: Shape(
        frames.RevealConflict,
        {Answer: offered(Answer)},
        alone=True,
        below=_next_phases(frames.Combat, _turns, frames.DrawHands),
        slots=_any_conflict_to_reveal,
    ),
    frames.Defend: Shape(
        lambda: frames.Defend(actor()),
        {actions.Accept: plain(actions.Accept), actions.Decline: plain(actions.Decline)},
        below=lambda: (frames.PlayerTurns(actor()), frames.DrawHands()),
        slots=no_turn,
    ),
    frames.DrawHands: Shape(
        frames.DrawHands, alone=True, below=lambda: (frames.PlayerTurns(actor()),), slots=no_turn
    ),
    frames.PlayerTurns: Shape(
        lambda: frames.PlayerTurns(choose("next", everyone())),
        alone=True,
        below=_next_phases(frames.Combat),
        slots=no_turn,
    ),
    frames.Combat: Shape(frames.Combat, alone=True, below=_next_phases(), slots=no_turn),
    frames.CombatIntrigues: Shape(
        lambda: frames.CombatIntrigues(actor(), _passed(), choose("played", (False, True))),
        {
            actions.PlayIntrigue: plays_intrigue("combat"),
            actions.Pass: plain(actions.Pass),
            actions.EndTurn: plain(actions.EndTurn),
        },
        alone=True,
        below=_next_phases(frames.ResolveCombat),
        slots=no_turn,
        owner=holds_intrigue,
    ),
    frames.ResolveCombat: Shape(
        frames.ResolveCombat, alone=True, below=_next_phases(), slots=no_turn
    ),
    frames.GiveRewards: Shape(
        lambda: frames.GiveRewards(_takings()),
        alone=True,
        below=_next_phases(frames.EndCombat, lambda: frames.TakeConflictCard(actor())),
        slots=_any_conflict,
    ),
    frames.TakeConflictCard: Shape(
        lambda: frames.TakeConflictCard(actor()),
        alone=True,
        below=_next_phases(frames.EndCombat, lambda: frames.WinIntrigues(actor())),
        slots=_any_conflict,
    ),
    frames.WinIntrigues: Shape(
        lambda: frames.WinIntrigues(actor()),
        {
            actions.PlayIntrigue: plays_intrigue("won"),
            actions.Pass: plain(actions.Pass),
        },
        alone=True,
        below=_next_phases(frames.EndCombat),
        slots=no_turn,
        owner=lambda: {"intrigues": Lazy("intrigues", ((ANY_INTRIGUE.id, kept_intrigue()), ()))},
    ),
    frames.EndCombat: Shape(frames.EndCombat, alone=True, below=_next_phases(), slots=no_turn),
    frames.Makers: Shape(
        frames.Makers, alone=True, below=lambda: (frames.Recall(),), slots=no_turn
    ),
    frames.Recall: Shape(frames.Recall, alone=True, slots=no_turn),
    frames.EndgameIntrigues: Shape(
        lambda: frames.EndgameIntrigues(actor()),
        {
            actions.PlayIntrigue: plays_intrigue("endgame"),
            actions.Flip: offered(actions.Flip),
            actions.Pass: plain(actions.Pass),
        },
        below=lambda: (frames.FinalScore(),),
        slots=no_turn,
        owner=lambda: {**holds_intrigue(), **won()},
    ),
    frames.FinalScore: Shape(
        frames.FinalScore,
        alone=True,
        slots=lambda: {"turn": None, "reveal_order": everyone()},
    ),
}
"""The frames of setup, of the phases and of the Endgame."""
