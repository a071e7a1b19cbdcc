"""Maker spaces: where bonus spice gathers, and who takes it."""

from __future__ import annotations

from itertools import product
from typing import Any

from rules_engine.imperium.actions import Choose
from rules_engine.imperium.frames import Makers
from rules_engine.imperium.state import AgentAt, Player, State
from verifier.current import assume, claim
from verifier.play import play_out
from verifier.positions import printed, symbolic_state
from verifier.registry import DATA_CHECK, Twin, proves
from verifier.seats import claim_told
from verifier.visits import (
    TABLE,
    VISITOR,
    Visit,
    about_to_visit,
    claim_changes,
    has,
    visit,
)
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.makers"
MAKER_SPACES = ("deep_desert", "hagga_basin", "imperial_basin")
"""UPR-MAKER-001"""
PLAYERS = 3


@proves(
    {
        "UPR-MAKER-001": Twin(
            "rules_engine/catalogue/uprising/spaces.toml",
            'maker = true\ncontrol_bonus = ["gain 1 spice"]',
            'control_bonus = ["gain 1 spice"]',
        )
    },
    kind=DATA_CHECK,
)
def the_maker_spaces_are_these_three() -> None:
    """Unsatisfiable iff Deep Desert, Hagga Basin and Imperial Basin are the Maker spaces.

    They are marked so on the board, no other is, and just they have a place for bonus spice.
    """
    marked = sorted(space.id for space in printed().spaces.values() if space.maker)
    claim(tuple(marked) == MAKER_SPACES, "these and no others are marked")
    gathering = sorted(maker.space for maker in symbolic_state(PLAYERS).makers)
    claim(tuple(gathering) == MAKER_SPACES, "bonus spice can lie on these and on no others")


# Phase 4


def _phase_4(times: int) -> State:
    """So many Makers phases are to come; an Agent of some player may be on each Maker space.

    Or two players are on the first of them.
    """
    name = "Agents"
    agents = [AgentAt(space, seat) for seat, space in enumerate(MAKER_SPACES)]
    boards = tuple(
        tuple(at for at, there in zip(agents, taken, strict=True) if there)
        for taken in product((False, True), repeat=len(agents))
    )
    boards = (*boards, (agents[0], AgentAt(MAKER_SPACES[0], 1)))

    def at_home(owner: Player) -> dict[str, Any]:
        counts = tuple(2 - sum(at.seat == owner.seat for at in board) for board in boards)
        return {"agents": Lazy(name, counts)}

    return symbolic_state(PLAYERS, at_home, agents=Lazy(name, boards), pending=(Makers(),) * times)


def _without_agent(state: State) -> list[str]:
    taken = [at.space for at in state.agents]
    return [space for space in MAKER_SPACES if space not in taken]


@proves(
    {
        "UPR-MAKER-003": Twin(
            MODULE,
            "for maker in state.makers if not agents_at(state, maker.space)]",
            "for maker in state.makers]",
        )
    },
)
def a_spice_comes_to_each_maker_space_without_an_agent() -> None:
    """Unsatisfiable iff Phase 4 adds one bonus spice to each Maker space without an Agent.

    One with an Agent gets none. Nothing else changes for anybody.
    """
    before = _phase_4(1)
    after, events = play_out(before)
    claim_changes(before, after, {TABLE: dict.fromkeys(_without_agent(before), 1)})
    (told,) = (sorted(each.facts["spaces"]) for each in events)
    claim(told == _without_agent(before), "just these spaces are named")
    claim_told(events, "bonus_spice", None)


@proves(
    {"UPR-MAKER-004": Twin(MODULE, "bonus_spice=maker.bonus_spice + 1", "bonus_spice=1")},
)
def bonus_spice_piles_up_from_round_to_round() -> None:
    """Unsatisfiable iff bonus spice is added to what lies there, and a second one to the first.

    However much it is, none is lost and there is no most.
    """
    before = _phase_4(2)
    after, _ = play_out(before)
    claim_changes(before, after, {TABLE: dict.fromkeys(_without_agent(before), 2)})


# Taking it


WATER = {"deep_desert": 3, "hagga_basin": 1, "imperial_basin": 0}
SPICE = {"deep_desert": 4, "hagga_basin": 2, "imperial_basin": 1}
"""What a visit costs, and what it gives besides the bonus spice unless sandworms are picked."""


def _other_spice(done: Visit) -> int:
    """The visitor's spice besides the bonus spice: from the space, and as its controller."""
    sandworms = done.times(Choose) == 1 and done.option() == 1
    controlled = [each.holder for each in done.before.controls if each.space == done.space]
    return (0 if sandworms else SPICE[done.space]) + controlled.count(VISITOR)


@proves(
    {
        "UPR-MAKER-005": Twin(
            "rules_engine.imperium.resources",
            "change(each, bonus_spice=0) if each.space == source else each",
            "change(each, bonus_spice=0)",
        )
    },
    cases=tuple({"space": space} for space in MAKER_SPACES),
)
def a_visitor_takes_all_bonus_spice(space: str) -> None:
    """Unsatisfiable iff the visitor of a Maker space gets all bonus spice there, and it is gone.

    That is so whatever is picked besides. What lies on the other Maker spaces stays.
    """
    conflicts = printed().conflicts.values()
    open_ground = next(card.id for card in conflicts if card.location is None)
    before = about_to_visit(space, "spice_trade", conflict=open_ground)
    assume(has(before, "water") >= WATER[space])
    done = visit(before, space)
    for old, new in zip(before.makers, done.after.makers, strict=True):
        if old.space == space:
            claim(new.bonus_spice == 0, "no bonus spice is left there")
            taken = has(done.after, "spice") - has(before, "spice") - _other_spice(done)
            claim(taken == old.bonus_spice, "all of it is the visitor's")
        else:
            claim(new.bonus_spice == old.bonus_spice, f"what lies on {old.space} stays")
