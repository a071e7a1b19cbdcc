"""What each kind of effect does: what its sentence says, and nothing else.

An effect is run once, in any position; what it leaves to be decided comes next, as a frame. Here
are resources, units, Influence and what consists of other effects; `meaning` has the other areas.
"""

from __future__ import annotations

from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium import actions, frames
from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, SpyAt, State, ThisTurn, follows
from rules_engine.kernel.game import legal
from rules_engine.kernel.numbers import Quantity, pick
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.records import change
from verifier.any_position import OWNER, worth
from verifier.changes import (
    changed,
    left_alone,
    nothing_changed,
    only,
    player_kept,
    players_kept,
    table_kept,
)
from verifier.current import choose, claim, quantity, stage
from verifier.effect_steps import (
    cases,
    comes_next,
    now,
    owners,
    run_effect,
    source_of,
)
from verifier.full_tables import (
    AWAY,
    POSTS,
    TABLES,
    any_seat,
    busy_turn,
    card_of,
    claim_just,
    full_table,
)
from verifier.numbers import all_of
from verifier.play import play_out
from verifier.positions import PROTECTED, influence_of, printed
from verifier.registry import ORDER, Twin, proves
from verifier.steps import shape_and_input, take_step

SOURCE = "imperial_basin"

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
    cases=cases("Run Gain"),
)
def a_gain_is_so_much_more_and_nothing_else(step: str) -> None:
    """Unsatisfiable iff a gain gives its owner so much of what it names, and changes nothing else.

    It may be a resource, Persuasion or Victory Points; nothing is left to be decided.
    """
    effect, before, after = run_effect(step)
    what = "victory_points" if effect.what == "vp" else effect.what
    had = getattr(before.players[OWNER], what)
    claim(only(before, after, OWNER, **{what: had + effect.amount}), "it is so much more")
    claim(comes_next(before, after), "nothing comes of it")


@proves(
    {
        "UPR-COST-007": Twin(
            "rules_engine.imperium.resources",
            "**{what: owned(owner, what) - amount})",
            "**{what: owned(owner, what)})",
        )
    },
    cases=cases("Run Pay"),
)
def a_payment_is_so_much_less_and_nothing_else(step: str) -> None:
    """Unsatisfiable iff a payment takes all of it from its owner, and changes nothing else."""
    effect, before, after = run_effect(step)
    had = getattr(before.players[OWNER], effect.what)
    claim(only(before, after, OWNER, **{effect.what: had - effect.amount}), "it is so much less")
    claim(comes_next(before, after), "nothing comes of it")


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
    cases=cases("Run Arrow"),
)
def a_cost_is_paid_whole_before_its_effect_or_not_at_all(step: str) -> None:
    """Unsatisfiable iff an arrow brings all of its cost and then its effect, or nothing at all.

    It changes nothing by itself. A payment comes exactly if it is there; of other costs it is
    claimed that cost and effect come together or not at all.
    """
    effect, before, after = run_effect(step)
    both = comes_next(before, after, now(effect.effect, before), now(effect.cost, before))
    claim(nothing_changed(before, after), "nothing is paid yet")
    claim(both or comes_next(before, after), "cost and effect come together, or neither")
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
    cases=cases("Run GainBonusSpice"),
)
def bonus_spice_goes_to_the_visitor_all_of_it(step: str) -> None:
    """Unsatisfiable iff all bonus spice of the space goes to the owner, and that is all."""
    _, before, after = run_effect(step)
    frame: Any = before.pending[-1]
    for old, new in zip(before.makers, after.makers, strict=True):
        if old.space == frame.item.source:
            spice = before.players[OWNER].spice + old.bonus_spice
            claim(new.bonus_spice == 0, "none is left there")
            claim(after.players[OWNER].spice == spice, "the visitor has it")
        else:
            claim(left_alone(old, new), "what lies elsewhere stays")
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
    cases=cases("Run TakeContract"),
)
def a_contract_icon_is_a_contract_or_two_solari(step: str) -> None:
    """Unsatisfiable iff the icon lets its owner pick a contract, or gives 2 Solari and no more.

    Without the module it is always the Solari. With it, it is a contract while any is face up.
    """
    _, before, after = run_effect(step)
    solari = only(before, after, OWNER, solari=before.players[OWNER].solari + 2)
    picks = comes_next(before, after, frames.PickContract(OWNER))
    if not before.config.choam:
        claim(all_of(solari, comes_next(before, after)), "without the module it is 2 Solari")
    elif before.contract_row:
        claim(picks, "a contract is picked")
        claim(nothing_changed(before, after), "nothing else changes")
    else:
        claim(picks or all_of(solari, comes_next(before, after)), "it is a contract or 2 Solari")


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
            "recruited = wanted if wanted <= owner.supply else 0",
        ),
    },
    cases=cases("Run Recruit"),
)
def a_recruit_moves_what_the_supply_has_of_it(step: str) -> None:
    """Unsatisfiable iff so many troops, or all that the supply has, go to the garrison.

    Nothing else changes.
    """
    effect, before, after = run_effect(step)
    owner = before.players[OWNER]
    came = pick(effect.amount < owner.supply, effect.amount, owner.supply)
    claim(
        only(before, after, OWNER, supply=owner.supply - came, garrison=owner.garrison + came),
        "they go from the supply to the garrison",
    )
    claim(comes_next(before, after), "nothing comes of it")


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
    cases=cases("Run Summon"),
)
def a_summons_puts_all_its_sandworms_into_the_conflict_or_none(step: str) -> None:
    """Unsatisfiable iff all the sandworms come, or none where something keeps them out.

    That is the Wall, for its three locations, or an effect that keeps the owner's units out for the
    turn. But for the marker, which goes with them, nothing else changes.
    """
    effect, before, after = run_effect(step)
    old, new = owners(before, after)
    if _kept_out(before):
        claim(nothing_changed(before, after), "nothing changes")
    else:
        came = old.sandworms + effect.amount
        claim(only(before, after, OWNER, sandworms=came, strength=worth(new)), "all of them come")
    claim(comes_next(before, after), "nothing comes of it")


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
    cases=cases("Run Swords"),
)
def swords_count_one_each(step: str) -> None:
    """Unsatisfiable iff so many swords are added, the marker goes with them, and nothing else."""
    effect, before, after = run_effect(step)
    old, new = owners(before, after)
    swords = old.swords + effect.amount
    claim(only(before, after, OWNER, swords=swords, strength=worth(new)), "so many are added")
    claim(comes_next(before, after), "nothing comes of it")


@proves(
    {
        "UPR-COMBAT-041": Twin(
            "rules_engine.imperium.units",
            "change(before, garrison=before.garrison + troops, troops=before.troops - troops)",
            "change(before, supply=before.supply + troops, troops=before.troops - troops)",
        ),
    },
    cases=cases("PickRetreat <- Retreat", "PickRetreat"),
)
def who_retreats_goes_from_the_conflict_to_the_garrison(step: str) -> None:
    """Unsatisfiable iff a retreat moves troops to the garrison, as many as the effect allows.

    They are as many as their owner says, at least and at most as many as the effect allows, or all
    that there are, if those are fewer than the least. Swords, as a ruling says, go with the last
    unit, and the marker with all of it; nothing else changes.
    """
    before, after, _ = take_step(step)
    frame: Any = before.pending[-1]
    old, new = owners(before, after)
    gone = old.troops - new.troops
    few = pick(frame.least < old.troops, frame.least, old.troops)
    claim(all_of(gone >= pick(few < frame.most, few, frame.most), gone >= 0), "enough retreat")
    claim(gone <= frame.most, "not too many retreat")
    said = _troops_said(step, before)
    claim(said is None or gone == said, "as many retreat as their owner says")
    claim(new.garrison == old.garrison + gone, "they are in the garrison")
    claim(
        player_kept(before, after, OWNER, "troops", "garrison", "strength", "swords"),
        "nothing else changes for their owner",
    )
    last = all_of(old.troops + old.sandworms > 0, new.troops + new.sandworms < 1)
    lost = all_of(last, follows(before, "swords_after_last_unit") == "lost")
    claim(new.swords == pick(lost, 0, old.swords), "swords stay with units")
    claim(new.strength == worth(new), "the marker goes with them")
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
    cases=cases("PickDeploy <- Deploy"),
)
def who_is_deployed_by_an_effect_comes_from_the_garrison(step: str) -> None:
    """Unsatisfiable iff the troops named, at most as many as the effect says, go to the Conflict.

    They come from the garrison. The marker goes with them; nothing else changes.
    """
    before, after, _ = take_step(step)
    frame: Any = before.pending[-1]
    old, new = owners(before, after)
    came = new.troops - old.troops
    claim(all_of(came >= 1, came <= frame.most, came <= old.garrison), "it is an allowed number")
    claim(came == _troops_said(step, before), "it is the number named")
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


def _troops_said(step: str, before: State) -> Quantity | None:
    """How many troops the input of a step names, if it takes one."""
    shape, kind = shape_and_input(step)
    if kind is None:
        return None
    given: Any = shape.inputs[kind](before)
    said: Quantity = given.troops
    return said


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
    cases=cases("Run GainInfluence", "Run LoseInfluence"),
)
def influence_moves_by_so_much_with_the_faction_named(step: str) -> None:
    """Unsatisfiable iff the owner's cube of the Faction named moves by so much, and no other cube.

    It stops at the end of its track. Besides cubes, tokens and Victory Points nothing changes; an
    effect that names no Faction, or several, changes nothing by itself.
    """
    effect, before, after = run_effect(step)
    gains = isinstance(effect, tree.GainInfluence)
    named = effect.faction in printed().tracks
    if not named:
        claim(nothing_changed(before, after), "the owner has yet to pick")
        return
    old, new = owners(before, after)
    for was, is_now in zip(old.tracks, new.tracks, strict=True):
        if was.faction == effect.faction:
            so_far = _moved(was.influence, effect.amount, gains)
            claim(is_now.influence == so_far, "it moves so far")
        else:
            claim(left_alone(was, is_now), "the other cubes stay")
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
    cases=cases("Run May", "Run All", "Run If", "Run Choose", "Run EachOpponent"),
)
def an_effect_hands_on_what_is_inside_it(step: str) -> None:
    """Unsatisfiable iff an effect that consists of others changes nothing and brings just those.

    `may` lets its owner decide; several that are one come in their order; of a choice the owner
    picks as many as it says; what opponents do comes for each of them clockwise; a condition brings
    its effect, or what stands otherwise, or nothing. It brings its effect exactly if the owner has
    the Influence that it asks for, or holds the Alliance of the Faction that it names.
    """
    effect, before, after = run_effect(step)
    claim(nothing_changed(before, after), "nothing has changed yet")
    source = source_of(before)
    match effect:
        case tree.May(inner):
            claim(comes_next(before, after, frames.Decide(OWNER, Item(inner, source))), "a choice")
        case tree.All(parts):
            runs = [now(part, before) for part in reversed(parts)]
            claim(comes_next(before, after, *runs), "all of them in their order")
        case tree.Choose(options, 1):
            pick_one = frames.ChooseOption(OWNER, options, source)
            claim(comes_next(before, after, pick_one), "one is picked")
        case tree.Choose(options, picks):
            several = frames.PickSeveral(OWNER, options, picks, source)
            claim(comes_next(before, after, several), "so many are picked")
        case tree.EachOpponent(inner):
            others = (Run(seat, Item(inner, source)) for seat in (2, 1))
            claim(comes_next(before, after, *others), "each opponent does it")
        case _:
            _claim_condition(effect, before, after)


def _claim_condition(effect: tree.If, before: State, after: State) -> None:
    yes = comes_next(before, after, now(effect.effect, before))
    no = () if effect.otherwise is None else (now(effect.otherwise, before),)
    claim(yes or comes_next(before, after, *no), "the effect comes, or what stands otherwise")
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
    cases=cases(
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
        claim(comes_next(before, after), "nothing comes of it")


@proves(
    {
        "UPR-CHOAM-016": Twin(
            "rules_engine.imperium.conditions",
            '"completed_contracts": lambda state, seat: len(player(state, seat).completed),',
            '"completed_contracts": lambda state, seat: len(player(state, seat).contracts),',
        ),
        "UPR-UNIT-003": Twin(
            "rules_engine.imperium.conditions",
            '"sandworms_in_conflict": lambda state, seat: player(state, seat).sandworms,',
            '"sandworms_in_conflict": lambda state, seat: player(state, seat).troops,',
        ),
        "UPR-COMBAT-028": Twin(
            "rules_engine.imperium.conditions",
            "return count_true(each.face_up and each.icon == icon for each in won)",
            "return count_true(each.icon == icon for each in won)",
        ),
    },
    cases=cases("Run Per"),
)
def an_effect_for_each_happens_as_often_as_there_are_such_things(step: str) -> None:
    """Unsatisfiable iff an effect for each of something comes once for each, and nothing changes.

    An effect with an amount comes once, with the amount so many times; another one so many times.
    """
    effect, before, after = run_effect(step)
    claim(nothing_changed(before, after), "nothing has changed yet")
    times, inner = _counted(before, effect), effect.effect
    if isinstance(inner, tree.May):
        claim(comes_next(before, after, *(now(inner, before),) * times), "it comes so many times")
    else:
        whole = change(inner, amount=inner.amount * times)
        claim(comes_next(before, after, now(whole, before)), "it comes with so much")


def _counted(state: State, effect: tree.Per) -> Any:
    """How many there are, for what the printed effects count."""
    owner = state.players[OWNER]
    match effect.count:
        case tree.Number("completed_contracts"):
            return len(owner.completed)
        case tree.Number("sandworms_in_conflict"):
            return owner.sandworms
        case tree.CardsInPlay(faction):
            return sum(faction in printed().cards[card].factions for card in owner.in_play)
        case tree.CardsRevealed(faction):
            return sum(
                faction in printed().cards[card].factions for card in _in_own_turn(state).shown
            )
        case tree.SwordCards():
            cards = _in_own_turn(state).sword_cards
            return len(cards) - (source_of(state) in cards)
        case tree.FaceUpIcons(icon):
            return sum(won.face_up and won.icon == icon for won in owner.won)
        case _:
            return 0


def _of_faction(cards: tuple[str, ...], faction: str) -> int:
    return sum(faction in printed().cards[card].factions for card in cards)


def _in_own_turn(state: State) -> ThisTurn:
    """What the own turn remembers, which is nothing in anybody else's."""
    turn = state.turn
    return turn if turn is not None and turn.seat == OWNER else ThisTurn(OWNER)


# Whoever's effect it is, in whosever turn


@proves(
    {
        "UPR-AGENT-009": Twin(
            "rules_engine.imperium.effects",
            "opponents = clockwise(state, seat)[1:]",
            "opponents = clockwise(state, state.first_player)[1:]",
        )
    },
    cases=TABLES,
    kind=ORDER,
)
def what_each_opponent_does_they_do_once_and_clockwise(players: int) -> None:
    """Unsatisfiable iff all but the owner carry the effect out once, clockwise from the owner.

    Nothing else of anybody changes, whoever is First Player and whosever turn it is.
    """
    seat = any_seat(players)
    turn = choose("turn of", (None, *range(players)))
    amount = quantity("amount", 1)
    frame = Run(seat, Item(tree.EachOpponent(tree.Gain(amount, "solari")), SOURCE))
    busy = None if turn is None else busy_turn(turn, "agent")
    before = full_table(seat, players, (frame,), turn=busy)
    order: list[Seat] = []

    def watch(state: State, then: State, _: tuple[Event, ...]) -> None:
        order.extend(each.seat for each, _ in changed(state, then, "solari"))

    after, _ = play_out(before, watch=watch)
    others = [(seat + step) % players for step in range(1, players)]
    claim(order == others, "each in turn, clockwise")
    new = {each: {"solari": before.players[each].solari + amount} for each in others}
    claim_just(before, after, new)


COSTS: dict[str, tuple[Any, str]] = {
    "resources": (lambda amount: tree.Pay(amount, "solari"), "solari"),
    "cards": (tree.DiscardCards, "hand"),
    "Intrigue cards": (tree.DiscardIntrigue, "intrigues"),
    "Spies": (tree.RecallSpies, "spies"),
    "Agents": (tree.RecallAgents, "agents"),
    "Influence": (lambda amount: tree.LoseInfluence(amount, "fremen"), "fremen"),
}
"""Costs that use up so many of one thing, and the thing."""
PIECES = ("hand", "intrigues", "spies", "agents")


@proves(
    {
        "UPR-COST-003": Twin(
            "rules_engine.imperium.effects",
            "totals[kind] = change(cost, amount=so_far.amount + cost.amount)",
            "totals[kind] = change(cost, amount=cost.amount)",
        )
    },
    cases=tuple({"cost": name} for name in COSTS),
)
def costs_of_one_kind_have_to_be_there_together(cost: str) -> None:
    """Unsatisfiable iff two costs of the same thing can be paid just if it is there for both.

    The third cost, of another kind, has to be there too.
    """
    players = 3
    seat = any_seat(players)
    make, what = COSTS[cost]
    one = choose("one", (1, 2))
    other = one if cost == "Influence" else choose("other", (1, 2))
    has = one + other - choose("missing", (0, 1)) if what in PIECES else 0
    zones = {"hand": (card_of(seat, "hand"),) * has, "intrigues": ("table_intrigue_deck",) * has}
    spies = tuple(SpyAt(post, seat) for post in POSTS[: min(has, 3)])
    agents = tuple(AgentAt(space, seat) for space in AWAY[: min(has, 3)])
    both = tree.All((make(one), tree.Pay(1, "spice"), make(other)))
    frame = frames.Effects(seat, (Item(tree.Arrow(both, tree.Gain(1, "water")), SOURCE),))
    third = {"swordmaster": True}
    before = full_table(
        seat, players, (frame,), {**zones, **third}, third, spies=spies, agents=agents, turn=None
    )
    owner = before.players[seat]
    if cost == "resources":
        there = owner.solari
    elif cost == "Influence":
        there = influence_of(before, what, seat)
    else:
        there = min(has, 3) if what in ("spies", "agents") else has
    pay = actions.Resolve(seat, 0)
    stage(before, (pay,))
    allowed = legal(IMPERIUM, before, pay) is None
    enough = all_of(one + other <= there, owner.spice >= 1)
    claim(enough == allowed, "it can be paid if all of it is there")


@proves(
    {
        "UPR-AGENT-009": Twin(
            "rules_engine.imperium.effects",
            "state = change(state, turn=change(state.turn, copy=item.copy))",
            "state = change(state, turn=change(state.turn, copy=0))",
        )
    },
    cases=TABLES,
)
def the_turn_knows_which_of_equal_cards_acted_last(players: int) -> None:
    """Unsatisfiable iff the turn remembers the card whose box effect was resolved last.

    An effect that is in no box leaves it as it was. What it gives is gained; nothing else changes.
    """
    seat = any_seat(players)
    boxed, copy = choose("boxed", (False, True)), choose("copy", (0, 1, 2))
    turn = busy_turn(seat, "agent")
    item = Item(tree.Gain(1, "solari"), SOURCE, boxed, copy)
    before = full_table(seat, players, (Run(seat, item),), turn=turn)
    after, _ = play_out(before)
    solari = before.players[seat].solari + 1
    remembers = change(turn, copy=copy) if boxed else turn
    claim_just(before, after, {seat: {"solari": solari}}, turn=remembers)
