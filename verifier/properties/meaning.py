"""What the effects of the other areas mean: cards, Spies, Agents, tokens, Leaders and contracts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, SpyAt, State, follows
from rules_engine.kernel.decks import possibly_in
from rules_engine.kernel.game import Frame, handle, legal
from rules_engine.kernel.numbers import Quantity, pick, smaller
from rules_engine.kernel.outcomes import Event, Refusal, Step
from rules_engine.kernel.records import change
from verifier.any_position import OWNER
from verifier.changes import (
    left_alone,
    nothing_changed,
    only,
    player_kept,
    players_kept,
    table_kept,
)
from verifier.current import assume, claim, stage
from verifier.effect_steps import (
    cases,
    comes_next,
    owners,
    run_effect,
    source_of,
)
from verifier.numbers import all_of
from verifier.positions import TOP, printed, unchanged
from verifier.registry import Twin, proves
from verifier.relied_on import assume_relied_on
from verifier.seats import claim_told
from verifier.steps import open_position, shape_and_input, take_step


def given_step(step: str) -> tuple[Any, State, State, tuple[Event, ...]]:
    """The input of a step, if there is one, the positions before and after, and what happened.

    What is claimed rests on the input and on what players have, not on what the engine tells.
    """
    shape, kind = shape_and_input(step)
    if kind is None:
        return None, *take_step(step)
    before = open_position(step)
    assume_relied_on(before)
    given = shape.inputs[kind](before)
    stage(before, (given,))
    done = handle(IMPERIUM, before, given)
    allowed = legal(IMPERIUM, before, given) is None
    claim(isinstance(done, Refusal) != allowed, "an input is refused if it is not allowed")
    assume(allowed)
    assert isinstance(done, Step), f"what is allowed is refused: {done}"
    return given, before, done.state, done.events


# What is left to its owner


@proves(
    {
        "UPR-ICON-001": Twin(
            "rules_engine.imperium.discarding",
            "PickDiscard(seat, effect.amount, source)",
            "PickDiscard(seat, 1, source)",
        ),
        "UPR-ICON-010": Twin(
            "rules_engine.imperium.held_intrigue",
            "PickIntrigue(seat, 1, trash=True)",
            "PickIntrigue(seat, 1)",
        ),
        "UPR-SPY-007": Twin(
            "rules_engine.imperium.spies",
            "SpyPlacement(seat, on=effect.on, sharing=effect.sharing, source=source)",
            "SpyPlacement(seat, sharing=effect.sharing, source=source)",
        ),
        "UPR-SPY-009": Twin(
            "rules_engine.imperium.spies",
            "PickSpies(seat, effect.amount)",
            "PickSpies(seat, 1)",
        ),
        "UPR-FACTION-017": Twin(
            "rules_engine.imperium.influence",
            "PickTrack(seat, effect.amount, gain=True)",
            "PickTrack(seat, 1, gain=True)",
        ),
    },
    cases=cases(
        "Run DiscardCards",
        "Run DiscardIntrigue",
        "Run TrashIntrigue",
        "Run TrashCard",
        "Run PlaceSpy",
        "Run RecallSpies",
        "Run RecallAgents",
        "Run DeployTroops",
        "Run Retreat",
        "Run AcquireCard",
        "Run TakeFromRow",
        "Run FlipIcon",
        "Run GainInfluence",
    ),
)
def an_effect_asks_its_owner_just_what_it_says(step: str) -> None:
    """Unsatisfiable iff an effect that leaves something to its owner asks just what it says.

    It changes nothing itself, and the question of its kind comes next, to its owner, with the
    effect's own number, places and conditions. What can be answered to a question, and what comes
    of the answer, properties of each say. Of Influence that is so where the owner picks the
    Faction.
    """
    effect, before, after = run_effect(step)
    if isinstance(effect, tree.GainInfluence) and effect.faction != tree.ANY_FACTION:
        return
    claim(nothing_changed(before, after), "nothing has changed yet")
    if isinstance(effect, tree.RecallSpies) and effect.amount < 1:
        claim(comes_next(before, after), "no Spy is recalled")
    else:
        claim(comes_next(before, after, _question(effect, before)), "it asks what it says")


def _question(effect: Any, before: State) -> Frame:
    """What an effect asks its owner, in the words of the frame that asks."""
    source = source_of(before)
    match effect:
        case tree.DiscardCards(amount):
            return frames.PickDiscard(OWNER, amount, source)
        case tree.DiscardIntrigue(amount):
            return frames.PickIntrigue(OWNER, amount)
        case tree.TrashIntrigue():
            return frames.PickIntrigue(OWNER, 1, trash=True)
        case tree.TrashCard(faction, zone, other):
            return frames.PickTrash(OWNER, faction, zone, other, source)
        case tree.PlaceSpy(on, sharing):
            return frames.SpyPlacement(OWNER, False, on, sharing, source)
        case tree.RecallSpies(amount):
            return frames.PickSpies(OWNER, amount)
        case tree.RecallAgents(amount):
            return frames.PickAgent(OWNER, amount)
        case tree.DeployTroops(most):
            return frames.PickDeploy(OWNER, most)
        case tree.Retreat(least, most):
            there = before.players[OWNER].troops
            return frames.PickRetreat(OWNER, least, there if most is None else most)
        case tree.AcquireCard():
            return frames.PickCard(OWNER, effect, source)
        case tree.TakeFromRow():
            return frames.PickFromRow(OWNER)
        case tree.FlipIcon(icon):
            return frames.PickFlip(OWNER, icon)
        case _:
            return frames.PickTrack(OWNER, effect.amount, gain=True)


# Draws


@proves(
    {
        "UPR-ICON-003": Twin(
            "rules_engine.imperium.cards",
            "Step(push(state, DrawFromDeck(seat, effect.amount)))",
            "Step(push(state, DrawFromDeck(seat, 1)))",
        ),
        "UPR-ICON-004": Twin(
            "rules_engine.imperium.cards",
            "Step(push(state, DrawFromIntrigue(seat, effect.amount)))",
            "Step(push(state, DrawFromDeck(seat, effect.amount)))",
        ),
    },
    cases=cases("Run DrawCards", "Run DrawIntrigue"),
)
def so_many_cards_are_to_be_drawn(step: str) -> None:
    """Unsatisfiable iff just so many cards of the right deck come next, and nothing changes."""
    effect, before, after = run_effect(step)
    own = isinstance(effect, tree.DrawCards)
    draws = frames.DrawFromDeck if own else frames.DrawFromIntrigue
    claim(comes_next(before, after, draws(OWNER, effect.amount)), "so many are drawn")
    claim(nothing_changed(before, after), "nothing has changed yet")


@proves(
    {
        "UPR-ICON-003": Twin(
            "rules_engine.imperium.cards",
            "owner = change(owner, deck=without_top(owner.deck, card), "
            "hand=with_card(owner.hand, card))",
            "owner = change(owner, deck=without_top(owner.deck, card), "
            "discard=with_card(owner.discard, card))",
        ),
        "UPR-REVEAL-005": Twin(
            "rules_engine.imperium.cards",
            '    state = move_card(state, seat, card, "hand", "in_play")\n    if state.turn',
            "    if state.turn",
        ),
    },
    cases=cases("DrawFromDeck <- Answer"),
)
def a_card_drawn_comes_from_the_top_of_the_deck_to_the_hand(step: str) -> None:
    """Unsatisfiable iff the card that chance names leaves the deck for its owner's hand.

    In the own Reveal turn it is put into play at once, if the ruling `draw_during_reveal` says so.
    One card fewer is still to be drawn, and nothing else changes.
    """
    given, before, after, events = given_step(step)
    card = given.outcome
    claim_told(events, "draws", OWNER, secret=("card",), card=card)
    old, new = owners(before, after)
    claim(Counter(possibly_in(old.deck)) == Counter((card, *possibly_in(new.deck))), "it was there")
    to = "in_play" if _reveals_draws(before) else "hand"
    has = Counter(getattr(new, to)) == Counter((card, *getattr(old, to)))
    claim(has, f"it comes to {to.replace('_', ' ')}")
    claim(player_kept(before, after, OWNER, "deck", to), "nothing else changes for its owner")
    claim(all_of(players_kept(before, after, OWNER), table_kept(before, after)), "nor for others")
    frame: Any = before.pending[-1]
    left = after.pending[len(before.pending) - 1]
    claim(left == frames.DrawFromDeck(OWNER, frame.count - 1), "one fewer is to be drawn")


def _reveals_draws(state: State) -> bool:
    turn = state.turn
    revealing = turn is not None and turn.seat == OWNER and turn.kind == "reveal"
    return revealing and follows(state, "draw_during_reveal") == "revealed"


@proves(
    {
        "UPR-ICON-004": Twin(
            "rules_engine.imperium.cards",
            "owner = change(owner, intrigues=with_card(owner.intrigues, card))\n    deck",
            "owner = change(owner, intrigues=(card,))\n    deck",
        ),
    },
    cases=cases("DrawFromIntrigue <- Answer"),
)
def an_intrigue_card_drawn_comes_from_the_deck_to_the_hand(step: str) -> None:
    """Unsatisfiable iff the card that chance names leaves the Intrigue Deck for its owner's hand.

    One card fewer is still to be drawn, and nothing else changes.
    """
    given, before, after, events = given_step(step)
    card = given.outcome
    claim_told(events, "draws_intrigue", OWNER, secret=("card",), card=card)
    old, new = owners(before, after)
    was, now = possibly_in(before.intrigue_deck), possibly_in(after.intrigue_deck)
    claim(Counter(was) == Counter((card, *now)), "it was in the deck")
    claim(Counter(new.intrigues) == Counter((card, *old.intrigues)), "it is in the hand")
    claim(player_kept(before, after, OWNER, "intrigues"), "nothing else changes for its owner")
    claim(players_kept(before, after, OWNER), "nothing changes for others")
    claim(table_kept(before, after, "intrigue_deck"), "nothing else changes on the board")
    frame: Any = before.pending[-1]
    one_less = frames.DrawFromIntrigue(OWNER, frame.count - 1)
    claim(comes_next(before, after, one_less), "one fewer is to be drawn")


# Cards that go elsewhere


@proves(
    {
        "UPR-ICON-001": Twin(
            "rules_engine.imperium.discarding",
            'move_card(state, seat, card, "hand", "discard")',
            'move_card(state, seat, card, "hand", "in_play")',
        ),
        "UPR-CLAR-008": Twin(
            "rules_engine.imperium.discarding",
            "    if items:\n        state = push(state, Effects(seat, items))\n",
            "",
        ),
    },
    cases=cases("PickDiscard <- Discard"),
)
def an_effect_discards_just_the_card_picked(step: str) -> None:
    """Unsatisfiable iff the card named goes to the discard pile, and what it says about it comes.

    That waits until all cards are discarded: one fewer is due. Nothing else changes.
    """
    given, before, after, events = given_step(step)
    card = given.card
    claim_told(events, "discards", OWNER, card=card)
    _claim_card_moved(before, after, card, "hand", "discard")
    claim(all_of(players_kept(before, after, OWNER), table_kept(before, after)), "that is all")
    said = tuple(Item(effect, card) for effect in printed().cards[card].when_discarded)
    frame: Any = before.pending[-1]
    then: list[Frame] = [frames.Effects(OWNER, said)] if said else []
    if frame.count > 1:
        then.append(change(frame, count=frame.count - 1))
    claim(comes_next(before, after, *then), "one fewer is due, then what the card says")


def _claim_card_moved(before: State, after: State, card: str, start: str, end: str) -> None:
    """One card has gone from a zone of the owner to another, and nothing else of the owner."""
    old, new = owners(before, after)
    claim(Counter(getattr(old, start)) == Counter((card, *getattr(new, start))), f"out of {start}")
    claim(Counter(getattr(new, end)) == Counter((card, *getattr(old, end))), f"into {end}")
    claim(player_kept(before, after, OWNER, start, end), "nothing else changes for its owner")


@proves(
    {
        "UPR-ICON-011": Twin(
            "rules_engine.imperium.trashing",
            "return change(state, trashed=with_card(state.trashed, card)), TRASH",
            "return state, TRASH",
        ),
        "UPR-ICON-012": Twin(
            "rules_engine.imperium.trashing",
            "    if all(stack.card != card for stack in state.reserve):\n",
            "    if state.reserve:\n",
        ),
    },
    cases=cases("PickTrash <- Trash", "Run TrashSelf"),
)
def a_trashed_card_leaves_the_game_or_goes_back_to_its_stack(step: str) -> None:
    """Unsatisfiable iff the card leaves its zone for good, one of the Reserve for its stack.

    Nothing else changes; a card that is to trash itself and is no longer in play changes nothing.
    """
    given, before, after, events = given_step(step)
    old, new = owners(before, after)
    itself = step == "Run TrashSelf"
    card, zone = (source_of(before), "in_play") if itself else (given.card, given.zone)
    if card not in getattr(old, zone):
        claim(itself and events == (), "only a card that is gone cannot be trashed")
        claim(nothing_changed(before, after), "there is nothing to trash")
        return
    claim_told(events, "trashes", OWNER, card=card, zone=zone)
    claim(Counter(getattr(old, zone)) == Counter((card, *getattr(new, zone))), "it leaves its zone")
    claim(player_kept(before, after, OWNER, zone), "nothing else changes for its owner")
    claim(players_kept(before, after, OWNER), "nothing changes for others")
    if printed().cards[card].reserve:
        back = tuple(
            change(stack, left=stack.left + 1) if stack.card == card else stack
            for stack in before.reserve
        )
        claim(after.reserve == back, "it is back on its stack")
        claim(table_kept(before, after, "reserve"), "nothing else changes on the board")
    else:
        claim(Counter(after.trashed) == Counter((card, *before.trashed)), "it is out of the game")
        claim(table_kept(before, after, "trashed"), "nothing else changes on the board")


@proves(
    {
        "UPR-ICON-009": Twin(
            "rules_engine.imperium.held_intrigue",
            "    state = take_from_hand(state, victim, card)\n",
            "",
        ),
    },
    cases=cases("Steal <- Answer", "Run StealIntrigue"),
)
def a_stolen_intrigue_card_changes_hands(step: str) -> None:
    """Unsatisfiable iff each opponent with enough Intrigue cards loses one to the thief, clockwise.

    The effect itself changes nothing; with each theft one card goes from hand to hand, and nothing
    else changes.
    """
    given, before, after, events = given_step(step)
    frame: Any = before.pending[-1]
    if isinstance(frame, Run):
        least: Any = frame.item.effect
        claim(nothing_changed(before, after), "nothing has changed yet")
        victims = [seat for seat in (2, 1) if len(before.players[seat].intrigues) >= least.least]
        thefts = (frames.Steal(OWNER, seat) for seat in victims)
        claim(comes_next(before, after, *thefts), "everybody who has enough is robbed")
        return
    card = given.outcome
    claim_told(events, "steals_intrigue", OWNER, secret=("card",), victim=frame.victim, card=card)
    claim_told(events, "loses_intrigue", frame.victim, secret=("card",), card=card)
    had, has = before.players[frame.victim].intrigues, after.players[frame.victim].intrigues
    old, new = owners(before, after)
    claim(Counter(had) == Counter((card, *has)), "the victim has lost it")
    claim(Counter(new.intrigues) == Counter((card, *old.intrigues)), "the thief has it")
    for seat in (OWNER, frame.victim):
        claim(player_kept(before, after, seat, "intrigues"), "nothing else changes for the two")
    claim(players_kept(before, after, OWNER, frame.victim), "nothing changes for others")
    claim(table_kept(before, after), "nothing changes on the board")


# Spies and Agents


@proves(
    {
        "UPR-SPY-002": Twin(
            "rules_engine.imperium.spies",
            "            placed = move_spy(state, seat, start=None, end=post)\n",
            "            placed = change(state, spies=(*state.spies, SpyAt(post, seat)))\n",
        ),
        "UPR-SPY-008": Twin(
            "rules_engine.imperium.spies",
            "    state = move_spy(state, seat, start=post, end=None)\n    counts",
            "    state = change(state, spies=tuple(s for s in state.spies if s.post != post))\n"
            "    counts",
        ),
        "UPR-SPY-005": Twin(
            "rules_engine.imperium.spies",
            "            return Step(push(done.state, change(frame, recalled=True)), done.events)",
            "            return Step(done.state, done.events)",
        ),
    },
    cases=cases("SpyPlacement <- PlaceSpy", "SpyPlacement <- RecallSpy", "PickSpies <- RecallSpy"),
)
def a_spy_moves_between_supply_and_post_and_nothing_else_does(step: str) -> None:
    """Unsatisfiable iff a Spy placed leaves the supply for the post, and one recalled comes back.

    Nothing else changes. After a recall for a placement the placement comes again; after one of
    several recalls one fewer is due.
    """
    given, before, after, events = given_step(step)
    spy = SpyAt(given.post, OWNER)
    places = step.endswith("PlaceSpy")
    claim_told(events, "places_spy" if places else "recalls_spy", OWNER, post=given.post)
    few, many = (before.spies, after.spies) if places else (after.spies, before.spies)
    claim(Counter(many) == Counter((*few, spy)), "one Spy has moved")
    supply = before.players[OWNER].spies + (-1 if places else 1)
    claim(after.players[OWNER].spies == supply, "the supply has one less, or one more")
    claim(player_kept(before, after, OWNER, "spies"), "nothing else changes for its owner")
    claim(players_kept(before, after, OWNER), "nothing changes for others")
    claim(table_kept(before, after, "spies"), "nothing else changes on the board")
    claim(_rest_of_spies(before, after, places), "what is still due comes next")


def _rest_of_spies(before: State, after: State, placed: bool) -> bool:
    frame: Any = before.pending[-1]
    if placed:
        return comes_next(before, after)
    if isinstance(frame, frames.SpyPlacement):
        return comes_next(before, after, change(frame, recalled=True))
    if frame.count > 1:
        return comes_next(before, after, change(frame, count=frame.count - 1))
    return comes_next(before, after)


@proves(
    {
        "UPR-AGENT-013": Twin(
            "rules_engine.imperium.agents",
            "    if action.space == visited(state, frame.seat):\n",
            "    if action.space is None:\n",
        ),
        "UPR-BOARD-026": Twin(
            "rules_engine.imperium.council",
            "change(owner, swordmaster=True, agents=owner.agents + 1)",
            "change(owner, swordmaster=True)",
        ),
    },
    cases=cases("PickAgent <- RecallAgent", "Run TakeSwordmaster"),
)
def an_agent_more_is_at_home_and_nothing_else_changes(step: str) -> None:
    """Unsatisfiable iff one Agent more is at home: recalled from its space, or the Swordmaster.

    It is never the Agent sent this turn that is recalled. Who has the Swordmaster gets no other.
    """
    given, before, after, events = given_step(step)
    old, new = owners(before, after)
    if step == "Run TakeSwordmaster":
        first = not old.swordmaster
        agents = old.agents + (1 if first else 0)
        claim(only(before, after, OWNER, swordmaster=True, agents=agents), "there is a third Agent")
        return
    (told,) = events
    claim((told.player, told.facts["space"]) == (OWNER, given.space), "all are told which one")
    at = AgentAt(given.space, OWNER)
    claim(Counter(before.agents) == Counter((*after.agents, at)), "one Agent left its space")
    turn = before.turn
    sent = None if turn is None or turn.seat != OWNER else turn.space
    claim(at.space != sent, "it is not the one sent this turn")
    claim(new.agents == old.agents + 1, "one more is at home")
    claim(player_kept(before, after, OWNER, "agents"), "nothing else changes for its owner")
    claim(players_kept(before, after, OWNER), "nothing changes for others")
    claim(table_kept(before, after, "agents"), "nothing else changes on the board")


# Tokens


@proves(
    {
        "UPR-CTRL-002": Twin(
            "rules_engine.imperium.control",
            "change(control, holder=seat) if control.space == space else control",
            "change(control, holder=seat) if control.holder is None else control",
        ),
        "UPR-WALL-004": Twin(
            "rules_engine.imperium.shield_wall",
            "return Step(change(state, shield_wall=False), ",
            "return Step(state, ",
        ),
        "UPR-ICON-007": Twin(
            "rules_engine.imperium.sandworms",
            "change(owner, maker_hooks=True)",
            "change(owner, maker_hooks=True, water=owner.water + 1)",
        ),
        "UPR-BOARD-023": Twin(
            "rules_engine.imperium.council",
            "    state = with_player(state, change(owner, high_council=True))\n",
            "",
        ),
    },
    cases=cases("Run TakeControl", "Run RemoveShieldWall", "Run TakeMakerHooks", "Run TakeSeat"),
)
def a_token_is_taken_once_and_nothing_else_changes(step: str) -> None:
    """Unsatisfiable iff the location is the owner's, the Wall gone, the hooks or the seat taken.

    Whoever had it, the location has no other marker; a token that is there, or gone, stays so.
    """
    effect, before, after = run_effect(step)
    match effect:
        case tree.TakeControl(space):
            for old, new in zip(before.controls, after.controls, strict=True):
                mine = new.holder == OWNER if new.space == space else left_alone(old, new)
                claim(mine, "the location named is the owner's, the others are as they were")
            claim(table_kept(before, after, "controls"), "nothing else changes on the board")
            claim(players_kept(before, after), "nothing changes for the players")
        case tree.RemoveShieldWall():
            claim(not after.shield_wall, "the Wall is gone")
            claim(table_kept(before, after, "shield_wall"), "nothing else changes on the board")
            claim(players_kept(before, after), "nothing changes for the players")
        case tree.TakeMakerHooks():
            claim(only(before, after, OWNER, maker_hooks=True), "the owner has hooks")
        case _:
            claim(only(before, after, OWNER, high_council=True), "the owner has a seat")


# Leaders and contracts


def _made_up(before: State) -> Quantity:
    """How many troops that the supply lacked this turn the memories make up for."""
    turn, owner = before.turn, before.players[OWNER]
    lost = follows(before, "recruit_shortage_makeup") == "lost"
    if lost or turn is None or turn.seat != OWNER:
        return 0
    return smaller(turn.short, owner.supply + owner.memories)


def _counted_as_recruits(before: State, after: State, made_up: Quantity) -> Any:
    """Whether the turn counts them as recruits, and no longer as lacking."""
    was, now = before.turn, after.turn
    if was is None or now is None:
        return was is None and now is None
    kept = all_of(now.short == was.short, now.recruited == was.recruited)
    if was.seat != OWNER:
        return kept
    return all_of(now.short == was.short - made_up, now.recruited == was.recruited + made_up)


@proves(
    {
        "UPR-UNIT-006": Twin(
            "rules_engine.imperium.leaders",
            "moved = smaller(1, owner.supply)",
            "moved = 1",
        ),
        "UPR-CLAR-003": Twin(
            "rules_engine.imperium.leaders",
            "changed = change(owner, leader=face.turns_into, memories=0, "
            "supply=owner.supply + memories)",
            "changed = change(owner, leader=face.turns_into, supply=owner.supply + memories)",
        ),
    },
    cases=cases("Run Memorise", "Run FlipLeader"),
)
def memories_come_from_the_supply_and_go_back_to_it(step: str) -> None:
    """Unsatisfiable iff a troop of the supply becomes a memory, and all go back with the flip.

    A card is drawn for each of them, and the Leader shows the other side. Troops that the supply
    lacked in the owner's turn may be made up for, as a ruling says: then they go on to the
    garrison, and the turn lacks so many fewer. Nothing else changes.
    """
    _, before, after = run_effect(step)
    old, new = owners(before, after)
    if step == "Run Memorise":
        moved = pick(old.supply > 0, 1, 0)
        kept = only(before, after, OWNER, supply=old.supply - moved, memories=old.memories + moved)
        claim(kept, "a troop is moved, if there is one")
        return
    claim(new.memories == 0, "no memory is left")
    made_up = _made_up(before)
    claim(new.garrison == old.garrison + made_up, "what the turn lacked is recruited, if so ruled")
    claim(new.supply == old.supply + old.memories - made_up, "the others are in the supply")
    claim(_counted_as_recruits(before, after, made_up), "the turn lacks what it still lacks")
    claim(new.leader == printed().leaders[str(old.leader)].turns_into, "the Leader is turned over")
    fields = ("memories", "supply", "garrison", "leader")
    claim(player_kept(before, after, OWNER, *fields), "nothing else changes for the owner")
    claim(all_of(players_kept(before, after, OWNER), table_kept(before, after)), "nor for others")
    draws = frames.DrawFromDeck(OWNER, old.memories)
    claim(after.pending[-1] == draws, "a card is drawn for each")


@proves(
    {
        "UPR-CHOAM-015": Twin(
            "rules_engine.imperium.contracts",
            "        contracts=without_card(owner.contracts, contract),\n",
            "",
        ),
        "UPR-CHOAM-016": Twin(
            "rules_engine.imperium.contracts",
            "        completed=with_card(owner.completed, contract),\n",
            "",
        ),
    },
    cases=cases("Run CompleteContract"),
)
def a_completed_contract_is_turned_down_and_stays(step: str) -> None:
    """Unsatisfiable iff a contract that is held is turned down, stays, and its reward comes next.

    Nothing else changes, and of a contract that is not held nothing comes.
    """
    effect, before, after = run_effect(step)
    contract = effect.contract
    if contract not in before.players[OWNER].contracts:
        claim(nothing_changed(before, after), "nothing changes")
        claim(comes_next(before, after), "nothing comes of it")
        return
    _claim_card_moved(before, after, contract, "contracts", "completed")
    claim(all_of(players_kept(before, after, OWNER), table_kept(before, after)), "that is all")
    reward = tuple(Item(each, contract) for each in printed().contracts[contract].reward)
    claim(after.pending[-1] == frames.Effects(OWNER, reward), "the reward comes next")


@proves(
    {
        "UPR-AGENT-014": Twin(
            "rules_engine.imperium.leaders",
            "    items = tuple(Item(effect, source) for effect in face.signet)\n",
            "    items = tuple(Item(effect, source) for effect in face.ability.effects)\n",
        ),
        "UPR-CLAR-002": Twin(
            "rules_engine.imperium.leaders",
            'return Step(state, (Event("training_over", TRAINING, seat),))',
            "return Step(push(state, PickTraining(seat)))",
        ),
    },
    cases=cases("Run UseSignet", "Run Train"),
)
def a_leader_acts_as_the_face_says(step: str) -> None:
    """Unsatisfiable iff the Signet icon brings the Leader's Signet ability, and training a space.

    The token goes on to the one space that comes next, and what it shows comes; of two its owner
    picks one; at the end it stays. A player without a Leader has none of this. That is all.
    """
    effect, before, after = run_effect(step)
    old, _ = owners(before, after)
    if old.leader is None:
        claim(nothing_changed(before, after), "there is no Leader")
        claim(comes_next(before, after), "nothing comes of it")
        return
    face = printed().leaders[old.leader]
    if isinstance(effect, tree.UseSignet):
        claim(nothing_changed(before, after), "nothing has changed yet")
        ability = tuple(Item(each, source_of(before)) for each in face.signet)
        claim(comes_next(before, after, frames.Effects(OWNER, ability)), "the ability comes next")
        return
    (at,) = (space for space in face.training if space.id == old.training)
    if len(at.next) != 1:
        claim(nothing_changed(before, after), "the token stays as yet")
        asks = (frames.PickTraining(OWNER),) if at.next else ()
        claim(comes_next(before, after, *asks), "the owner picks a path, if there is one")
        return
    (on,) = (space for space in face.training if space.id == at.next[0])
    claim(only(before, after, OWNER, training=on.id), "the token goes on")
    reward = tuple(Item(each, old.leader) for each in on.reward)
    claim(comes_next(before, after, frames.Effects(OWNER, reward)), "what it shows comes next")


# What is only noted


@proves(
    {
        "UPR-CLAR-007": Twin(
            "rules_engine.imperium.units", "change(turn, forbidden=True)", "change(turn, copy=1)"
        ),
        "UPR-COMBAT-011": Twin(
            "rules_engine.imperium.conflict_cards",
            "first_reward=(*state.first_reward, effect.effect)",
            "first_reward=(effect.effect,)",
        ),
    },
    cases=cases(
        "Run ForbidDeployment", "Run DeployRecruits", "Run AddFirstReward", "Run WhenAcquiring"
    ),
)
def what_is_for_later_is_noted_and_nothing_else_changes(step: str) -> None:
    """Unsatisfiable iff such an effect is noted for later, and nobody's things change.

    The owner's turn remembers that no unit may enter the Conflict, or that recruits may, and all
    else that it knew; that of another remembers nothing of it. The first reward grows by what is
    added; what waits for cards to be acquired changes nothing as yet.
    """
    effect, before, after = run_effect(step)
    claim(players_kept(before, after), "nothing changes for the players")
    claim(table_kept(before, after, "first_reward"), "nothing changes on the board")
    claim(comes_next(before, after), "nothing comes of it")
    more = (effect.effect,) if isinstance(effect, tree.AddFirstReward) else ()
    claim(
        after.first_reward == (*before.first_reward, *more), "the first reward is as it should be"
    )
    was, now = before.turn, after.turn
    if was is None or now is None:
        claim(was is None and now is None, "no turn begins")
        return
    noted = NOTED.get(type(effect), ()) if was.seat == OWNER else ()
    claim(all(getattr(now, name) for name in noted), "the own turn remembers it")
    claim(unchanged(was, now, *noted), "and all else that it knew")


NOTED = {tree.ForbidDeployment: ("forbidden",), tree.DeployRecruits: ("deployable",)}
"""What the own turn remembers of an effect: no unit may enter, or recruits may be deployed."""


@proves(
    {
        "UPR-FACTION-002": Twin(
            "rules_engine.imperium.influence",
            "return gain(state, seat, space.icon, effect.amount - 1, VISIT_INSTEAD)",
            "return gain(state, seat, space.icon, effect.amount, VISIT_INSTEAD)",
        ),
    },
    cases=cases("Run VisitInfluence"),
)
def a_visit_gives_so_much_influence_in_all(step: str) -> None:
    """Unsatisfiable iff the Influence of this turn's visit comes to so much, with its Faction only.

    If the 1 that it gives anyway is still due, that falls away and all of it comes now; else one
    less comes. Without a visit to a Faction's space in the own turn nothing changes.
    """
    effect, before, after = run_effect(step)
    turn = before.turn
    visited = turn.space if turn is not None and turn.seat == OWNER else None
    faction = None if visited is None else printed().spaces[visited].icon
    if faction not in printed().tracks:
        claim(nothing_changed(before, after), "no Faction was visited")
        return
    due = Item(tree.GainInfluence(1, str(faction)), str(visited))
    extra = effect.amount - (0 if _is_due(before, due) else 1)
    claim(not _is_due(after, due), "the 1 of the visit is no longer due")
    old, new = owners(before, after)
    for was, is_now in zip(old.tracks, new.tracks, strict=True):
        rises = extra if was.faction == faction else 0
        top = pick(was.influence + rises < TOP, was.influence + rises, TOP)
        claim(is_now.influence == top, "the cube of that Faction rises so far, and no other")


def _is_due(state: State, item: Item) -> bool:
    groups = (frame for frame in state.pending if isinstance(frame, frames.AgentTurn))
    return any(item in frame.items for frame in groups)


@proves(
    {
        "UPR-REVEAL-010": Twin(
            "rules_engine.imperium.trashing",
            'move_card(state, seat, source, "in_play", "hand")',
            'move_card(state, seat, source, "in_play", "discard")',
        ),
    },
    cases=cases("Run ReturnSelf", "Run SortTopCards", "Run DoubleBonusSpice", "Run RepeatSpace"),
)
def cards_of_their_own_words_do_just_what_they_say(step: str) -> None:
    """Unsatisfiable iff these do what they say and nothing else.

    A card in play comes back to the hand; three cards are looked at if the deck has them; the bonus
    spice that this turn's Agent took comes once more; else nothing comes of them. A space that is
    repeated changes nothing as yet: `what_a_space_shows_is_due_once_more` says what is due.
    """
    effect, before, after = run_effect(step)
    old = before.players[OWNER]
    match effect:
        case tree.ReturnSelf() if source_of(before) in old.in_play:
            _claim_card_moved(before, after, source_of(before), "in_play", "hand")
            claim(players_kept(before, after, OWNER), "nothing changes for others")
        case tree.SortTopCards() if len(possibly_in(old.deck)) >= LOOKED_AT:
            look = frames.LookAtTop(OWNER, LOOKED_AT)
            claim(comes_next(before, after, look), "three cards are looked at")
            claim(nothing_changed(before, after), "nothing has changed yet")
        case tree.DoubleBonusSpice():
            turn = before.turn
            again = turn.harvested if turn is not None and turn.seat == OWNER else 0
            claim(only(before, after, OWNER, spice=old.spice + again), "as much comes again")
        case tree.RepeatSpace():
            claim(nothing_changed(before, after), "nothing has changed yet")
        case _:
            claim(nothing_changed(before, after), "nothing changes")
            claim(comes_next(before, after), "nothing comes of it")
    claim(table_kept(before, after), "nothing changes on the board")


LOOKED_AT = 3
