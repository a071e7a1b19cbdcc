"""What each kind of effect does: what its sentence says, and nothing else.

An effect is run once, in any position. What it leaves to be decided comes next, as a frame; the
steps of those frames are settled here too.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.state import AgentAt, Player, SpyAt, State, follows
from rules_engine.kernel.decks import possibly_in
from rules_engine.kernel.game import Frame
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.records import change
from verifier.any_position import LIMITS, OWNER, worth
from verifier.changes import (
    nothing_changed,
    only,
    player_kept,
    players_kept,
    table_kept,
)
from verifier.current import claim
from verifier.numbers import all_of, implies
from verifier.positions import printed
from verifier.registry import Params, Twin, proves
from verifier.steps import take_step

ANY_AMOUNT = f"any amount, every shape that is printed; {LIMITS}"


def _cases(*steps: str) -> tuple[Params, ...]:
    return tuple({"step": step} for step in steps)


def _run(step: str) -> tuple[Any, State, State]:
    """The effect that a step runs, and the positions before and after it."""
    before, after, _ = take_step(step)
    frame: Any = before.pending[-1]
    return frame.item.effect if isinstance(frame, Run) else frame, before, after


def _owners(before: State, after: State) -> tuple[Player, Player]:
    return before.players[OWNER], after.players[OWNER]


def _comes_next(before: State, after: State, *expected: Frame) -> bool:
    """Whether just these frames have taken the place of the one that was handled."""
    return after.pending == (*before.pending[:-1], *expected)


def _now(effect: Any, before: State) -> Run:
    """An effect that happens next, from the same source."""
    frame: Any = before.pending[-1]
    return Run(OWNER, Item(effect, frame.item.source))


# Resources


@proves(
    {
        "UPR-COST-007": Twin(
            "rules_engine.imperium.resources",
            "**{what: owned(owner, what) + amount})",
            "**{what: amount})",
        ),
        "UPR-ACQ-005": Twin(
            "rules_engine.imperium.effects",
            "persuasion=owner.persuasion + amount",
            "persuasion=amount",
        ),
        "UPR-END-007": Twin(
            "rules_engine.imperium.points",
            "victory_points=owner.victory_points + points",
            "victory_points=owner.victory_points + 1",
        ),
    },
    bounds=ANY_AMOUNT,
    cases=_cases("Run Gain"),
)
def a_gain_is_so_much_more_and_nothing_else(step: str) -> None:
    """Unsatisfiable iff a gain gives its owner so much of what it names, and changes nothing else.

    It may be a resource, Persuasion or Victory Points; nothing is left to be decided.
    """
    effect, before, after = _run(step)
    what = "victory_points" if effect.what == "vp" else effect.what
    had = getattr(before.players[OWNER], what)
    claim(only(before, after, OWNER, **{what: had + effect.amount}), "it is so much more")
    claim(_comes_next(before, after), "nothing comes of it")


@proves(
    {
        "UPR-COST-007": Twin(
            "rules_engine.imperium.resources",
            "**{what: owned(owner, what) - amount})",
            "**{what: owned(owner, what)})",
        )
    },
    bounds=f"{ANY_AMOUNT}; what is paid is there",
    cases=_cases("Run Pay"),
)
def a_payment_is_so_much_less_and_nothing_else(step: str) -> None:
    """Unsatisfiable iff a payment takes all of it from its owner, and changes nothing else."""
    effect, before, after = _run(step)
    had = getattr(before.players[OWNER], effect.what)
    claim(only(before, after, OWNER, **{effect.what: had - effect.amount}), "it is so much less")
    claim(_comes_next(before, after), "nothing comes of it")


@proves(
    {
        "UPR-COST-003": Twin(
            "rules_engine.imperium.effects",
            """        return Step(state, (Event("cannot_pay", NOT_PAID, seat),))
    then = Run(seat, Item(effect.effect, source))
""",
            """        return Step(push(state, Run(seat, Item(effect.effect, source))))
    then = Run(seat, Item(effect.effect, source))
""",
        ),
        "UPR-COST-002": Twin(
            "rules_engine.imperium.effects",
            "push(state, then, Run(seat, Item(effect.cost, source)))",
            "push(state, Run(seat, Item(effect.cost, source)), then)",
        ),
    },
    bounds=f"{ANY_AMOUNT}; costs of several parts as they are printed",
    cases=_cases("Run Arrow"),
)
def a_cost_is_paid_whole_before_its_effect_or_not_at_all(step: str) -> None:
    """Unsatisfiable iff an arrow brings all of its cost and then its effect, or nothing at all.

    It changes nothing by itself. A payment comes exactly if it is there; of other costs it is
    claimed that cost and effect come together or not at all.
    """
    effect, before, after = _run(step)
    both = _comes_next(before, after, _now(effect.effect, before), _now(effect.cost, before))
    claim(nothing_changed(before, after), "nothing is paid yet")
    claim(both or _comes_next(before, after), "cost and effect come together, or neither")
    if isinstance(effect.cost, tree.Pay):
        there = getattr(before.players[OWNER], effect.cost.what) >= effect.cost.amount
        claim(there == both, "they come if what is to be paid is there")


@proves(
    {
        "UPR-MAKER-005": Twin(
            "rules_engine.imperium.resources",
            "change(each, bonus_spice=0) if each.space == source else each",
            "each",
        )
    },
    bounds=f"any bonus spice, the visited space a Maker space; {LIMITS}",
    cases=_cases("Run GainBonusSpice"),
)
def bonus_spice_goes_to_the_visitor_all_of_it(step: str) -> None:
    """Unsatisfiable iff all bonus spice of the space goes to the owner, and that is all."""
    _, before, after = _run(step)
    frame: Any = before.pending[-1]
    for old, new in zip(before.makers, after.makers, strict=True):
        if old.space == frame.item.source:
            spice = before.players[OWNER].spice + old.bonus_spice
            claim(new.bonus_spice == 0, "none is left there")
            claim(after.players[OWNER].spice == spice, "the visitor has it")
        else:
            claim(old is new, "what lies elsewhere stays")
    claim(player_kept(before, after, OWNER, "spice"), "nothing else changes for the visitor")
    claim(players_kept(before, after, OWNER), "nothing changes for the others")
    claim(table_kept(before, after, "makers"), "nothing else changes on the board")


@proves(
    {
        "UPR-CHOAM-006": Twin("rules_engine.imperium.contracts", "INSTEAD = 2", "INSTEAD = 3"),
        "UPR-CHOAM-007": Twin(
            "rules_engine.imperium.contracts",
            "    if not state.config.choam:\n",
            "    if state.config.choam:\n",
        ),
    },
    bounds=f"with and without the module; {LIMITS}",
    cases=_cases("Run TakeContract"),
)
def a_contract_icon_is_a_contract_or_two_solari(step: str) -> None:
    """Unsatisfiable iff the icon lets its owner pick a contract, or gives 2 Solari and no more.

    Without the module it is always the Solari. With it, it is a contract while any is face up.
    """
    _, before, after = _run(step)
    solari = only(before, after, OWNER, solari=before.players[OWNER].solari + 2)
    picks = _comes_next(before, after, frames.PickContract(OWNER))
    if not before.config.choam:
        claim(all_of(solari, _comes_next(before, after)), "without the module it is 2 Solari")
    elif before.contract_row:
        claim(picks, "a contract is picked")
        claim(nothing_changed(before, after), "nothing else changes")
    else:
        claim(picks or all_of(solari, _comes_next(before, after)), "it is a contract or 2 Solari")


# Units


@proves(
    {
        "UPR-UNIT-005": Twin(
            "rules_engine.imperium.units",
            "supply=owner.supply - recruited, garrison=owner.garrison + recruited)",
            "supply=owner.supply - recruited, troops=owner.troops + recruited)",
        ),
        "UPR-UNIT-006": Twin(
            "rules_engine.imperium.units",
            "recruited = smaller(wanted, owner.supply)",
            "recruited = pick(wanted <= owner.supply, wanted, 0)",
        ),
    },
    bounds=ANY_AMOUNT,
    cases=_cases("Run Recruit"),
)
def a_recruit_moves_what_the_supply_has_of_it(step: str) -> None:
    """Unsatisfiable iff so many troops, or all that the supply has, go to the garrison.

    Nothing else changes.
    """
    effect, before, after = _run(step)
    owner = before.players[OWNER]
    came = pick(effect.amount < owner.supply, effect.amount, owner.supply)
    claim(
        only(before, after, OWNER, supply=owner.supply - came, garrison=owner.garrison + came),
        "they go from the supply to the garrison",
    )
    claim(_comes_next(before, after), "nothing comes of it")


@proves(
    {
        "UPR-WORM-001": Twin(
            "rules_engine.imperium.sandworms",
            "sandworms=owner.sandworms + sandworms)",
            "sandworms=owner.sandworms + 1)",
        ),
        "UPR-WALL-003": Twin(
            "rules_engine.imperium.sandworms",
            "    if protects_conflict(state):\n"
            '        return Step(state, (Event("no_sandworm", PROTECTS, seat),))\n',
            "    if not state.shield_wall:\n"
            '        return Step(state, (Event("no_sandworm", PROTECTS, seat),))\n',
        ),
    },
    bounds=ANY_AMOUNT,
    cases=_cases("Run Summon"),
)
def a_summons_puts_all_its_sandworms_into_the_conflict_or_none(step: str) -> None:
    """Unsatisfiable iff all the sandworms come, or none where something keeps them out.

    That is the Wall, for its three locations, or an effect that keeps the owner's units out for the
    turn. But for the marker, which goes with them, nothing else changes.
    """
    effect, before, after = _run(step)
    old, new = _owners(before, after)
    if _kept_out(before):
        claim(nothing_changed(before, after), "nothing changes")
    else:
        came = old.sandworms + effect.amount
        claim(only(before, after, OWNER, sandworms=came, strength=worth(new)), "all of them come")
    claim(_comes_next(before, after), "nothing comes of it")


PROTECTED = ("arrakeen", "spice_refinery", "imperial_basin")
"""The locations behind the Wall. UPR-WALL-002"""


def _kept_out(state: State) -> bool:
    """Whether the Wall or an effect keeps the owner's sandworms out of the Conflict."""
    conflict = state.conflict if state.shield_wall else None
    if conflict is not None and printed().conflicts[conflict].location in PROTECTED:
        return True
    turn = state.turn
    return turn is not None and turn.seat == OWNER and turn.forbidden


@proves(
    {
        "UPR-STR-006": Twin(
            "rules_engine.imperium.strength",
            "change(owner, swords=owner.swords + swords)",
            "change(owner, swords=owner.swords + 1)",
        )
    },
    bounds=ANY_AMOUNT,
    cases=_cases("Run Swords"),
)
def swords_count_one_each(step: str) -> None:
    """Unsatisfiable iff so many swords are added, the marker goes with them, and nothing else."""
    effect, before, after = _run(step)
    old, new = _owners(before, after)
    swords = old.swords + effect.amount
    claim(only(before, after, OWNER, swords=swords, strength=worth(new)), "so many are added")
    claim(_comes_next(before, after), "nothing comes of it")


@proves(
    {
        "UPR-COMBAT-041": Twin(
            "rules_engine.imperium.units",
            "change(before, garrison=before.garrison + troops, troops=before.troops - troops)",
            "change(before, supply=before.supply + troops, troops=before.troops - troops)",
        ),
    },
    bounds=ANY_AMOUNT,
    cases=_cases("PickRetreat <- Retreat", "PickRetreat"),
)
def who_retreats_goes_from_the_conflict_to_the_garrison(step: str) -> None:
    """Unsatisfiable iff a retreat moves troops to the garrison, as many as the effect allows.

    They are at least and at most as many as it says, or all that there are, if those are fewer than
    the least. Swords, as a ruling says, and the marker go with the last unit; nothing else changes.
    """
    before, after, _ = take_step(step)
    frame: Any = before.pending[-1]
    old, new = _owners(before, after)
    gone = old.troops - new.troops
    few = pick(frame.least < old.troops, frame.least, old.troops)
    claim(all_of(gone >= pick(few < frame.most, few, frame.most), gone >= 0), "enough retreat")
    claim(gone <= frame.most, "not too many retreat")
    claim(new.garrison == old.garrison + gone, "they are in the garrison")
    claim(
        player_kept(before, after, OWNER, "troops", "garrison", "strength", "swords"),
        "nothing else changes for their owner",
    )
    left = new.troops + new.sandworms > 0
    claim(implies(left, new.swords == old.swords), "swords stay with units")
    claim(players_kept(before, after, OWNER), "nothing changes for the others")
    claim(table_kept(before, after), "nothing changes on the board")


@proves(
    {
        "UPR-UNIT-011": Twin(
            "rules_engine.imperium.units",
            "change(owner, garrison=owner.garrison - troops, troops=owner.troops + troops)",
            "change(owner, supply=owner.supply - troops, troops=owner.troops + troops)",
        ),
    },
    bounds=ANY_AMOUNT,
    cases=_cases("PickDeploy <- Deploy"),
)
def who_is_deployed_by_an_effect_comes_from_the_garrison(step: str) -> None:
    """Unsatisfiable iff the troops named, at most as many as the effect says, go to the Conflict.

    They come from the garrison. The marker goes with them; nothing else changes.
    """
    before, after, _ = take_step(step)
    frame: Any = before.pending[-1]
    old, new = _owners(before, after)
    came = new.troops - old.troops
    claim(all_of(came >= 1, came <= frame.most, came <= old.garrison), "it is an allowed number")
    claim(
        only(
            before,
            after,
            OWNER,
            troops=old.troops + came,
            garrison=old.garrison - came,
            strength=worth(new),
        ),
        "they come from the garrison",
    )


# Influence


@proves(
    {
        "UPR-FACTION-003": Twin(
            "rules_engine.imperium.influence",
            "after = larger(before - amount, 0)",
            "after = larger(before - 1, 0)",
        ),
        "UPR-FACTION-015": Twin(
            "rules_engine.imperium.influence",
            "        change(track, influence=value) if track.faction == faction else track\n",
            "        change(track, influence=value)\n",
        ),
    },
    bounds=f"any amount, each of the four Factions named; {LIMITS}",
    cases=_cases("Run GainInfluence", "Run LoseInfluence"),
)
def influence_moves_by_so_much_with_the_faction_named(step: str) -> None:
    """Unsatisfiable iff the owner's cube of the Faction named moves by so much, and no other cube.

    It stops at the end of its track. Besides cubes, tokens and Victory Points nothing changes; an
    effect that names no Faction, or several, changes nothing by itself.
    """
    effect, before, after = _run(step)
    gains = isinstance(effect, tree.GainInfluence)
    named = effect.faction in printed().tracks
    if not named:
        claim(nothing_changed(before, after), "the owner has yet to pick")
        return
    old, new = _owners(before, after)
    for was, now in zip(old.tracks, new.tracks, strict=True):
        if was.faction == effect.faction:
            claim(now.influence == _moved(was.influence, effect.amount, gains), "it moves so far")
        else:
            claim(was is now, "the other cubes stay")
    claim(player_kept(before, after, OWNER, "tracks", "victory_points"), "nothing else is moved")
    for seat in range(len(after.players)):
        if seat != OWNER:
            claim(player_kept(before, after, seat, "victory_points"), "nobody else's cube moves")
    claim(table_kept(before, after, "alliances"), "nothing else changes on the board")


END_OF_TRACK = 6


def _moved(start: Quantity, amount: Quantity, up: bool) -> Quantity:
    if up:
        return pick(start + amount < END_OF_TRACK, start + amount, END_OF_TRACK)
    return pick(amount < start, start - amount, 0)


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
    bounds=ANY_AMOUNT,
    cases=_cases("Run DrawCards", "Run DrawIntrigue"),
)
def so_many_cards_are_to_be_drawn(step: str) -> None:
    """Unsatisfiable iff just so many cards of the right deck come next, and nothing changes."""
    effect, before, after = _run(step)
    own = isinstance(effect, tree.DrawCards)
    draws = frames.DrawFromDeck if own else frames.DrawFromIntrigue
    claim(_comes_next(before, after, draws(OWNER, effect.amount)), "so many are drawn")
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
    bounds=f"decks of three cards; {LIMITS}",
    cases=_cases("DrawFromDeck <- Answer"),
)
def a_card_drawn_comes_from_the_top_of_the_deck_to_the_hand(step: str) -> None:
    """Unsatisfiable iff the card that chance names leaves the deck for its owner's hand.

    In the own Reveal turn it is put into play at once, if the ruling `draw_during_reveal` says so.
    One card fewer is still to be drawn, and nothing else changes.
    """
    before, after, events = take_step(step)
    card = next(event.facts["card"] for event in events if event.key == "draws")
    old, new = _owners(before, after)
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
    bounds=f"a deck of two cards, one Intrigue card in hand; {LIMITS}",
    cases=_cases("DrawFromIntrigue <- Answer"),
)
def an_intrigue_card_drawn_comes_from_the_deck_to_the_hand(step: str) -> None:
    """Unsatisfiable iff the card that chance names leaves the Intrigue Deck for its owner's hand.

    One card fewer is still to be drawn, and nothing else changes.
    """
    before, after, events = take_step(step)
    card = next(event.facts["card"] for event in events if event.key == "draws_intrigue")
    old, new = _owners(before, after)
    was, now = possibly_in(before.intrigue_deck), possibly_in(after.intrigue_deck)
    claim(Counter(was) == Counter((card, *now)), "it was in the deck")
    claim(Counter(new.intrigues) == Counter((card, *old.intrigues)), "it is in the hand")
    claim(player_kept(before, after, OWNER, "intrigues"), "nothing else changes for its owner")
    claim(players_kept(before, after, OWNER), "nothing changes for others")
    claim(table_kept(before, after, "intrigue_deck"), "nothing else changes on the board")
    frame: Any = before.pending[-1]
    one_less = frames.DrawFromIntrigue(OWNER, frame.count - 1)
    claim(_comes_next(before, after, one_less), "one fewer is to be drawn")


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
    bounds=LIMITS,
    cases=_cases("SpyPlacement <- PlaceSpy", "SpyPlacement <- RecallSpy", "PickSpies <- RecallSpy"),
)
def a_spy_moves_between_supply_and_post_and_nothing_else_does(step: str) -> None:
    """Unsatisfiable iff a Spy placed leaves the supply for the post, and one recalled comes back.

    Nothing else changes. After a recall for a placement the placement comes again; after one of
    several recalls one fewer is due.
    """
    before, after, events = take_step(step)
    (told,) = events
    spy = SpyAt(told.facts["post"], OWNER)
    places = told.key == "places_spy"
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
        return _comes_next(before, after)
    if isinstance(frame, frames.SpyPlacement):
        return _comes_next(before, after, change(frame, recalled=True))
    if frame.count > 1:
        return _comes_next(before, after, change(frame, count=frame.count - 1))
    return _comes_next(before, after)


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
    bounds=LIMITS,
    cases=_cases("PickAgent <- RecallAgent", "Run TakeSwordmaster"),
)
def an_agent_more_is_at_home_and_nothing_else_changes(step: str) -> None:
    """Unsatisfiable iff one Agent more is at home: recalled from its space, or the Swordmaster.

    It is never the Agent sent this turn that is recalled. Who has the Swordmaster gets no other.
    """
    before, after, events = take_step(step)
    old, new = _owners(before, after)
    if step == "Run TakeSwordmaster":
        first = not old.swordmaster
        agents = old.agents + (1 if first else 0)
        claim(only(before, after, OWNER, swordmaster=True, agents=agents), "there is a third Agent")
        return
    (told,) = events
    at = AgentAt(told.facts["space"], OWNER)
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
        "UPR-WALL-005": Twin(
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
    bounds=LIMITS,
    cases=_cases("Run TakeControl", "Run RemoveShieldWall", "Run TakeMakerHooks", "Run TakeSeat"),
)
def a_token_is_taken_once_and_nothing_else_changes(step: str) -> None:
    """Unsatisfiable iff the location is the owner's, the Wall gone, the hooks or the seat taken.

    Whoever had it, the location has no other marker; a token that is there, or gone, stays so.
    """
    effect, before, after = _run(step)
    match effect:
        case tree.TakeControl(space):
            for old, new in zip(before.controls, after.controls, strict=True):
                mine = new.holder == OWNER if new.space == space else old is new
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


# Effects that consist of others


@proves(
    {
        "UPR-WALL-004": Twin(
            "rules_engine.imperium.effects",
            "    return Step(push(state, Decide(seat, Item(effect.effect, source))))",
            "    return Step(push(state, Run(seat, Item(effect.effect, source))))",
        ),
        "UPR-AGENT-009": Twin(
            "rules_engine.imperium.effects",
            "for part in reversed(effect.effects))",
            "for part in effect.effects)",
        ),
        "UPR-FACTION-014": Twin(
            "rules_engine.imperium.conditions",
            "return influence(state, seat, faction) >= amount",
            "return influence(state, seat, faction) > amount",
        ),
        "UPR-FACTION-013": Twin(
            "rules_engine.imperium.conditions",
            "return holder_of(state, faction) == seat",
            "return holder_of(state, faction) is not None",
        ),
    },
    bounds=f"{ANY_AMOUNT}; of the conditions it is said which hold for Influence and Alliances",
    cases=_cases("Run May", "Run All", "Run If", "Run Choose", "Run EachOpponent"),
)
def an_effect_hands_on_what_is_inside_it(step: str) -> None:
    """Unsatisfiable iff an effect that consists of others changes nothing and brings just those.

    `may` lets its owner decide; several that are one come in their order; of a choice the owner
    picks as many as it says; what opponents do comes for each of them clockwise; a condition brings
    its effect, or what stands otherwise, or nothing. It brings its effect exactly if the owner has
    the Influence that it asks for, or holds the Alliance of the Faction that it names.
    """
    effect, before, after = _run(step)
    claim(nothing_changed(before, after), "nothing has changed yet")
    source = _now(effect, before).item.source
    match effect:
        case tree.May(inner):
            claim(_comes_next(before, after, frames.Decide(OWNER, Item(inner, source))), "a choice")
        case tree.All(parts):
            runs = [_now(part, before) for part in reversed(parts)]
            claim(_comes_next(before, after, *runs), "all of them in their order")
        case tree.Choose(options, 1):
            pick_one = frames.ChooseOption(OWNER, options, source)
            claim(_comes_next(before, after, pick_one), "one is picked")
        case tree.Choose(options, picks):
            several = frames.PickSeveral(OWNER, options, picks, source)
            claim(_comes_next(before, after, several), "so many are picked")
        case tree.EachOpponent(inner):
            others = (Run(seat, Item(inner, source)) for seat in (2, 1))
            claim(_comes_next(before, after, *others), "each opponent does it")
        case _:
            _claim_condition(effect, before, after)


def _claim_condition(effect: tree.If, before: State, after: State) -> None:
    yes = _comes_next(before, after, _now(effect.effect, before))
    no = () if effect.otherwise is None else (_now(effect.otherwise, before),)
    claim(yes or _comes_next(before, after, *no), "the effect comes, or what stands otherwise")
    match effect.condition:
        case tree.InfluenceAtLeast(faction, amount):
            tracks = before.players[OWNER].tracks
            (own,) = (track.influence for track in tracks if track.faction == faction)
            claim((own >= amount) == yes, "it comes with enough Influence")
        case tree.HoldsAlliance(faction) if faction != tree.ANY_FACTION:
            (holder,) = (each.holder for each in before.alliances if each.faction == faction)
            claim((holder == OWNER) == yes, "it comes for the holder of the Alliance")


@proves(
    {
        "UPR-SPY-004": Twin(
            "rules_engine.imperium.spies",
            'return Step(state, (Event("declines_spy", MAY_DECLINE, frame.seat),))',
            'return Step(push(state, frame), (Event("declines_spy", MAY_DECLINE, frame.seat),))',
        ),
        "UPR-WALL-004": Twin(
            "rules_engine.imperium.choices",
            'return Step(state, (Event("declines", _may(frame), frame.seat),))',
            "return Step(push(state, Run(frame.seat, frame.item)))",
        ),
        "UPR-CTRL-008": Twin(
            "rules_engine.imperium.control",
            "    if isinstance(action, Accept):\n        return deploy_from_supply",
            "    if action is not None:\n        return deploy_from_supply",
        ),
        "UPR-SPY-015": Twin(
            "rules_engine.imperium.spies",
            "    if not isinstance(action, RecallSpy):\n        return Step(state)\n    done = "
            'recall(state, frame.seat, action.post, "gather", GATHER)',
            "    if not isinstance(action, RecallSpy):\n"
            "        return Step(push(state, DrawFromDeck(frame.seat, 1)))\n    done = "
            'recall(state, frame.seat, action.post, "gather", GATHER)',
        ),
    },
    bounds=LIMITS,
    cases=_cases(
        "Decide <- Decline",
        "Defend <- Decline",
        "GatherIntelligence <- Decline",
        "SpyPlacement <- Decline",
        "PickDeploy <- Decline",
        "PickTrash <- Decline",
        "CombatIntrigues <- Pass",
        "WinIntrigues <- Pass",
    ),
)
def what_is_declined_changes_nothing(step: str) -> None:
    """Unsatisfiable iff what its owner leaves changes nothing and brings nothing.

    A pass in the Combat only passes the chance on.
    """
    before, after, _ = take_step(step)
    claim(nothing_changed(before, after), "nothing changes")
    if not isinstance(before.pending[-1], frames.CombatIntrigues):
        claim(_comes_next(before, after), "nothing comes of it")


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
    bounds=ANY_AMOUNT,
    cases=_cases(
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

    It changes nothing itself, and the question has the same number, places and conditions. Of
    Influence that is so where the owner picks the Faction.
    """
    effect, before, after = _run(step)
    if isinstance(effect, tree.GainInfluence) and effect.faction != tree.ANY_FACTION:
        return
    claim(nothing_changed(before, after), "nothing has changed yet")
    if isinstance(effect, tree.RecallSpies) and effect.amount < 1:
        claim(_comes_next(before, after), "no Spy is recalled")
    else:
        claim(_comes_next(before, after, _question(effect, before)), "it asks what it says")


def _question(effect: Any, before: State) -> Frame:
    """What an effect asks its owner, in the words of the frame that asks."""
    source = _now(effect, before).item.source
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
    bounds=f"two cards in hand, one of which says something about it; {LIMITS}",
    cases=_cases("PickDiscard <- Discard"),
)
def a_discarded_card_goes_from_the_hand_to_the_discard_pile(step: str) -> None:
    """Unsatisfiable iff the card named goes to the discard pile, and what it says about it comes.

    That waits until all cards are discarded: one fewer is due. Nothing else changes.
    """
    before, after, events = take_step(step)
    card = next(event.facts["card"] for event in events if event.key == "discards")
    _claim_card_moved(before, after, card, "hand", "discard")
    claim(all_of(players_kept(before, after, OWNER), table_kept(before, after)), "that is all")
    said = tuple(Item(effect, card) for effect in printed().cards[card].when_discarded)
    frame: Any = before.pending[-1]
    then: list[Frame] = [frames.Effects(OWNER, said)] if said else []
    if frame.count > 1:
        then.append(change(frame, count=frame.count - 1))
    claim(_comes_next(before, after, *then), "one fewer is due, then what the card says")


def _claim_card_moved(before: State, after: State, card: str, start: str, end: str) -> None:
    """One card has gone from a zone of the owner to another, and the owner has all else as before."""
    old, new = _owners(before, after)
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
    bounds=f"a card in each zone, one of the Reserve, equal ones in play; {LIMITS}",
    cases=_cases("PickTrash <- Trash", "Run TrashSelf"),
)
def a_trashed_card_leaves_the_game_or_goes_back_to_its_stack(step: str) -> None:
    """Unsatisfiable iff the card leaves its zone for good, one of the Reserve for its stack.

    Nothing else changes; a card that is to trash itself and is no longer in play changes nothing.
    """
    before, after, events = take_step(step)
    told = [event for event in events if event.key == "trashes"]
    if not told:
        claim(nothing_changed(before, after), "there is nothing to trash")
        return
    card, zone = told[0].facts["card"], told[0].facts["zone"]
    old, new = _owners(before, after)
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
    bounds=f"one card to steal; {LIMITS}",
    cases=_cases("Steal <- Answer", "Run StealIntrigue"),
)
def a_stolen_intrigue_card_changes_hands(step: str) -> None:
    """Unsatisfiable iff each opponent with enough Intrigue cards loses one to the thief, clockwise.

    The effect itself changes nothing; with each theft one card goes from hand to hand, and nothing
    else changes.
    """
    before, after, events = take_step(step)
    frame: Any = before.pending[-1]
    if isinstance(frame, Run):
        least: Any = frame.item.effect
        claim(nothing_changed(before, after), "nothing has changed yet")
        victims = [seat for seat in (2, 1) if len(before.players[seat].intrigues) >= least.least]
        thefts = (frames.Steal(OWNER, seat) for seat in victims)
        claim(_comes_next(before, after, *thefts), "everybody who has enough is robbed")
        return
    card = next(event.facts["card"] for event in events if event.key == "steals_intrigue")
    had, has = before.players[frame.victim].intrigues, after.players[frame.victim].intrigues
    old, new = _owners(before, after)
    claim(Counter(had) == Counter((card, *has)), "the victim has lost it")
    claim(Counter(new.intrigues) == Counter((card, *old.intrigues)), "the thief has it")
    for seat in (OWNER, frame.victim):
        claim(player_kept(before, after, seat, "intrigues"), "nothing else changes for the two")
    claim(players_kept(before, after, OWNER, frame.victim), "nothing changes for others")
    claim(table_kept(before, after), "nothing changes on the board")


# Leaders and contracts


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
    bounds=f"any number of memories; {LIMITS}",
    cases=_cases("Run Memorise", "Run FlipLeader"),
)
def memories_come_from_the_supply_and_go_back_to_it(step: str) -> None:
    """Unsatisfiable iff a troop of the supply becomes a memory, and all go back with the flip.

    A card is drawn for each of them, and the Leader shows the other side. Troops that the supply
    lacked this turn may be made up for, as a ruling says: then they go on to the garrison. Nothing
    else changes.
    """
    _, before, after = _run(step)
    old, new = _owners(before, after)
    if step == "Run Memorise":
        moved = pick(old.supply > 0, 1, 0)
        kept = only(before, after, OWNER, supply=old.supply - moved, memories=old.memories + moved)
        claim(kept, "a troop is moved, if there is one")
        return
    claim(new.memories == 0, "no memory is left")
    back = new.supply + new.garrison == old.supply + old.garrison + old.memories
    claim(all_of(back, new.garrison >= old.garrison), "they are in the supply, or recruited")
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
    bounds=LIMITS,
    cases=_cases("Run CompleteContract"),
)
def a_completed_contract_is_turned_down_and_stays(step: str) -> None:
    """Unsatisfiable iff a contract that is held is turned down, stays, and its reward comes next.

    Nothing else changes, and of a contract that is not held nothing comes.
    """
    effect, before, after = _run(step)
    contract = effect.contract
    if contract not in before.players[OWNER].contracts:
        claim(nothing_changed(before, after), "nothing changes")
        claim(_comes_next(before, after), "nothing comes of it")
        return
    _claim_card_moved(before, after, contract, "contracts", "completed")
    claim(all_of(players_kept(before, after, OWNER), table_kept(before, after)), "that is all")
    reward = tuple(Item(each, contract) for each in printed().contracts[contract].reward)
    claim(after.pending[-1] == frames.Effects(OWNER, reward), "the reward comes next")
