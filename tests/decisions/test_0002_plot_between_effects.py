"""Decision 0002: a Plot card may come between two effects, never inside one."""

from __future__ import annotations

from rules_engine.imperium.actions import Choose, PlayAgent, PlayIntrigue, Resolve
from rules_engine.imperium.frames import AgentTurn, ChooseOption, DrawFromDeck, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import Answer, legal
from tests.imperium.positions import after, at, bare, giving, in_turn, owner, refused

PLOT = PlayIntrigue(0, "contingency_plan", 0)


def visiting(card: str, space: str) -> State:
    """The first player was just sent to a space, with a Plot card in hand."""
    state = giving(bare(), 0, hand=(card,), intrigues=("contingency_plan",), water=3)
    state = at(in_turn(state, 0, kind="undecided"), Turn(0))
    return after(state, PlayAgent(0, card, space))


def test_a_plot_card_comes_before_between_or_after_the_effects_of_a_space() -> None:
    # Arrakeen recruits a troop and draws a card.
    arrived = visiting("reconnaissance", "arrakeen")
    assert isinstance(arrived.pending[-1], AgentTurn)
    first = after(arrived, PLOT, Resolve(0, 0), Resolve(0, 0), Answer("dagger"))
    between = after(arrived, Resolve(0, 0), PLOT, Resolve(0, 0), Answer("dagger"))
    last = after(arrived, Resolve(0, 0), Resolve(0, 0), Answer("dagger"), PLOT)
    assert first == between == last
    assert (owner(between).solari, owner(between).garrison) == (2, 4)


def test_no_plot_card_inside_the_choice_of_an_effect() -> None:
    # Hagga Basin gives its bonus spice, and a choice between spice and a sandworm.
    arrived = visiting("dune_the_desert_planet", "hagga_basin")
    choosing = after(arrived, Resolve(0, 1))
    assert isinstance(choosing.pending[-1], ChooseOption)
    assert refused(choosing, PLOT).rules
    chosen = after(choosing, Choose(0, 0))
    assert legal(IMPERIUM, chosen, PLOT) is None


def test_no_plot_card_while_a_card_is_being_drawn() -> None:
    drawing = after(visiting("reconnaissance", "arrakeen"), Resolve(0, 1))
    assert isinstance(drawing.pending[-1], DrawFromDeck)
    assert refused(drawing, PLOT).rules
