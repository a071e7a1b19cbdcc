"""What each kind of effect does: what its sentence says, and nothing else.

An effect is run once, in any position. What it leaves to be decided comes next, as a frame; the
steps of those frames are settled here too.
"""

from __future__ import annotations

from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.game import Frame
from rules_engine.kernel.numbers import Quantity, pick
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
    """Unsatisfiable iff all bonus spice of the space goes to the owner, and nothing else changes."""
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
            "    if not state.config.choam:\n        return _solari_instead(state, seat, MODULE_OFF)\n",
            "    if state.config.choam:\n        return _solari_instead(state, seat, MODULE_OFF)\n",
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
    if state.shield_wall and state.conflict is not None:
        if printed().conflicts[state.conflict].location in PROTECTED:
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
    """Unsatisfiable iff just so many cards of the right deck are drawn next, and nothing changes."""
    effect, before, after = _run(step)
    own = isinstance(effect, tree.DrawCards)
    draws = frames.DrawFromDeck if own else frames.DrawFromIntrigue
    claim(_comes_next(before, after, draws(OWNER, effect.amount)), "so many are drawn")
    claim(nothing_changed(before, after), "nothing has changed yet")
