"""The Shield Wall keeps sandworms out of the Conflicts at the three locations behind it."""

from __future__ import annotations

import functools
from typing import Any

from rules_engine.catalogue.things import effects, things
from rules_engine.effects.text import say
from rules_engine.effects.tree import (
    Arrow,
    Choose,
    Effect,
    Gain,
    If,
    Is,
    Pay,
    RemoveShieldWall,
    Summon,
    walk,
)
from rules_engine.imperium.frames import Item, Run
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.kernel.rulings import Rulings
from verifier.changes import left_alone, player_kept, players_kept, same, table_kept
from verifier.current import assume, choose, claim, quantity
from verifier.effects import (
    OWNER,
    about_to_happen,
    frame_for,
    may_deploy,
    resolve,
)
from verifier.numbers import all_of, any_of, opposite
from verifier.play import play_out
from verifier.positions import (
    NAMES,
    PRODUCT,
    PROTECTED,
    any_leader,
    behind_the_wall,
    conflict_at,
    covered_config,
    printed,
    symbolic_state,
)
from verifier.properties.strength import marked, total
from verifier.registry import Twin, proves
from verifier.watched import Lazy

PLAYERS = 3
HOOKS = Is("maker_hooks")
COSTS_AND_GAINS = ("water", "spice", "persuasion")
"""What the printed effects with sandworms cost, or give instead of them."""


def _conflicts() -> dict[str, Any]:
    """Any printed Conflict, or one at each location behind the Wall, or none."""
    added = tuple(conflict_at(location) for location in PROTECTED)
    cards = (*printed().conflicts, *(face.id for face in added))
    return {
        "conflicts": added,
        "conflict": Lazy("conflict", (None, *cards)),
    }


LEADERS = ("muad_dib", "gurney_halleck", "lady_jessica", "staban_tuek")


@proves(
    {
        "UPR-WALL-001": Twin(
            "rules_engine.imperium.setup", "shield_wall=True,", "shield_wall=False,"
        )
    },
)
def the_wall_stands_when_a_game_begins() -> None:
    """Unsatisfiable iff every game that is set up has the Shield Wall in its place.

    With and without Leaders, the CHOAM module and promo cards, for three players and for four.
    """
    players = choose("players", (3, 4))
    choam, promos = choose("choam", (False, True)), choose("promos", (False, True))
    leaders = choose("leaders", (None, LEADERS))
    state = new_game(
        PRODUCT,
        NAMES[:players],
        Rulings(),
        choam=choam,
        promos=promos,
        leaders=None if leaders is None else leaders[:players],
    )
    claim(state.shield_wall, "the Wall stands")


@proves(
    {
        "UPR-WALL-002": Twin(
            "rules_engine.imperium.shield_wall",
            "conflict_face(state, state.conflict).location is not None",
            'conflict_face(state, state.conflict).location in ("arrakeen", "imperial_basin")',
        ),
        "UPR-WORM-005": Twin(
            "rules_engine.imperium.sandworms",
            "if protects_conflict(state):",
            "if protects_conflict(state) and not player(state, seat).maker_hooks:",
        ),
        "UPR-WORM-006": Twin(
            "rules_engine.imperium.sandworms",
            'return Step(state, (Event("no_sandworm", PROTECTS, seat),))',
            """state = count_sandworms(state, seat, sandworms)
        return Step(state, (Event("no_sandworm", PROTECTS, seat),))""",
        ),
    },
)
def a_blocked_sandworm_icon_does_nothing() -> None:
    """Unsatisfiable iff sandworms summoned to a Conflict behind the Wall change nothing at all.

    Nothing of any player, nothing on the table, and nothing that is counted in the turn.
    """
    frame = frame_for(Summon(quantity("amount", 1)), next(iter(printed().spaces)))
    before = about_to_happen(frame, PLAYERS, **_conflicts())
    assume(behind_the_wall(before))
    after, _ = resolve(before)
    # A record left as it was has not changed in anything.
    claim(left_alone(after.players, before.players), "nothing of any player changes")
    claim(left_alone(after.turn, before.turn), "nothing is counted in the turn")
    claim(table_kept(before, after), "nothing on the table changes")


@proves(
    {
        "UPR-WALL-006": Twin(
            "rules_engine.imperium.shield_wall",
            "return state.shield_wall and at_critical_location(state)",
            "return at_critical_location(state)",
        )
    },
    cases=({"players": PLAYERS},),
)
def without_the_wall_sandworms_come_to_every_conflict(players: int) -> None:
    """Unsatisfiable iff, once the token is gone, all sandworms summoned come to any Conflict.

    Their owner may deploy units.
    """
    amount = quantity("amount")
    frame = frame_for(Summon(amount), next(iter(printed().spaces)))
    before = about_to_happen(frame, players, **{**_conflicts(), "shield_wall": False})
    assume(before.conflict is not None)
    assume(may_deploy(before))
    after, _ = resolve(before)
    claim(
        after.players[OWNER].sandworms == before.players[OWNER].sandworms + amount,
        f"all sandworms come for {NAMES[OWNER]}",
    )


# Every printed summons, played out


@functools.cache
def _printed_summons() -> dict[str, tuple[Effect, str]]:
    """Every whole effect of a face that can bring sandworms, by its sentence, with its source."""
    return {
        say(effect): (effect, thing.id)
        for thing in things(printed())
        for effect in effects(thing.face)
        if any(isinstance(part, Summon) for part in walk(effect))
    }


def _has(effect: Effect, kind: type) -> bool:
    return any(isinstance(part, kind) for part in walk(effect))


def _needs_hooks(effect: Effect) -> bool:
    """Whether all sandworms of an effect stand behind a Maker Hooks icon."""
    guarded = [part for part in walk(effect) if isinstance(part, If) and part.condition == HOOKS]
    inside = sum(_has(part, Summon) for part in guarded)
    return inside == sum(isinstance(part, Summon) for part in walk(effect))


@proves(
    {
        "UPR-WALL-003": Twin(
            "rules_engine.imperium.shield_wall",
            "return state.shield_wall and at_critical_location(state)",
            "return state.shield_wall and state.first_player == 0 and at_critical_location(state)",
        ),
        "UPR-WALL-004": Twin(
            "rules_engine.imperium.shield_wall",
            "return Step(change(state, shield_wall=False),",
            "return Step(state,",
        ),
        "UPR-WORM-005": Twin(
            "rules_engine.imperium.sandworms",
            "if protects_conflict(state):",
            "if protects_conflict(state) and sandworms == 1:",
        ),
        "UPR-WORM-007": Twin(
            "rules_engine.imperium.sandworms",
            "state = with_player(state, change(owner, sandworms=owner.sandworms + sandworms))",
            "state = with_player(state, change(owner, sandworms=sandworms))",
        ),
    },
    cases=tuple(
        {"players": players, "summons": each} for players in (3, 4) for each in _printed_summons()
    ),
)
def a_printed_summons_brings_its_sandworms_exactly_where_no_wall_is_in_the_way(
    players: int, summons: str
) -> None:
    """Unsatisfiable iff sandworms come to their owner, all of them, wherever nothing is in the way.

    That is: not while the Wall stands before the Conflict, and not behind a Maker Hooks icon
    without the token; the cost has to be there, and nothing be picked instead. The icon is then
    resolved, once, and brings all of its sandworms, or with the Wall in the way changes nothing at
    all. The Wall falls only by an effect that says so, and when that is
    resolved. The Combat marker follows. Nothing of the others changes, nothing on the table but the
    Wall, and nothing of the owner but what the effect costs, or gives instead.
    """
    who = choose("who", range(players))
    effect, source = _printed_summons()[summons]
    conflicts = _conflicts()
    before = symbolic_state(
        players,
        lambda owner: (
            {"leader": any_leader(owner.name)}
            | (
                {**marked(owner), "revealed": Lazy("revealed", (True, False))}
                if owner.seat == who
                else {}
            )
        ),
        config=covered_config(players, conflicts["conflicts"]),
        conflict=conflicts["conflict"],
        turn=None,
        pending=(Run(who, Item(effect, source)),),
    )
    came: list[Quantity] = []

    def watch(state: State, after: State, _: tuple[Event, ...]) -> None:
        done = _effect_on_top(state)
        if isinstance(done, Summon):
            came.append(_claim_summoned(state, after, who, done))
        elif isinstance(done, RemoveShieldWall):
            claim(not after.shield_wall, "the Wall is gone")
        else:
            claim(same(state, after, "shield_wall"), "the Wall stays as it is")

    after, _ = play_out(before, watch=watch)
    _claim_joined(before, after, who, sum(came))
    opened, instead = (
        _is_open(effect, before.players[who]),
        _picked_else(effect, before, after, who),
    )
    resolved = all_of(opened, opposite(instead))
    claim(resolved == (len(came) == 1), "the icon is resolved where the way to it is open")
    claim(len(came) <= 1, "it is resolved once at most")
    if isinstance(effect, Choose):
        claim(any_of(opened, instead), "one of the options is taken")
    but = ("shield_wall",) if _has(effect, RemoveShieldWall) else ()
    claim(table_kept(before, after, *but), "nothing else on the table changes")


def _is_open(effect: Effect, owner: Player) -> Any:
    """Whether a player has the token that an effect with sandworms asks for, and its cost."""
    costs = [part.cost for part in walk(effect) if isinstance(part, Arrow)]
    paid = [getattr(owner, cost.what) >= cost.amount for cost in costs if isinstance(cost, Pay)]
    assert len(paid) == len(costs), "a cost that is no payment"
    return all_of(owner.maker_hooks if _needs_hooks(effect) else True, *paid)


def _picked_else(effect: Effect, before: State, after: State, who: Seat) -> Any:
    """Whether the player has what the effect offers instead of the sandworms, if it does so."""
    options = effect.options if isinstance(effect, Choose) else ()
    old, new = before.players[who], after.players[who]
    gains = [each for each in options if isinstance(each, Gain)]
    got = (getattr(new, each.what) == getattr(old, each.what) + each.amount for each in gains)
    return any_of(False, *got)


def _effect_on_top(state: State) -> Effect | None:
    """The effect that happens next, if it does so by itself."""
    top = state.pending[-1]
    return top.item.effect if isinstance(top, Run) else None


def _claim_summoned(state: State, after: State, who: Seat, effect: Summon) -> Quantity:
    """All sandworms of an icon come, unless the Wall is in the way: then nothing changes at all."""
    if behind_the_wall(state):
        claim(same(state, after, "players", "turn", "shield_wall"), "nothing changes")
        return 0
    old, new = state.players[who], after.players[who]
    claim(new.sandworms == old.sandworms + effect.amount, f"all come for {NAMES[who]}")
    return effect.amount


def _claim_joined(before: State, after: State, who: Seat, came: Quantity) -> None:
    """So many sandworms have come for a player, the marker has followed, and nothing else."""
    old, new = before.players[who], after.players[who]
    claim(new.sandworms == old.sandworms + came, f"{NAMES[who]} has the sandworms")
    follows_it = old.revealed and came
    shows = total(new) if follows_it else old.strength
    claim(new.strength == shows, f"{NAMES[who]}'s marker is right")
    kept = player_kept(before, after, who, "sandworms", "strength", *COSTS_AND_GAINS)
    claim(kept, f"{NAMES[who]} has all else")
    claim(players_kept(before, after, who), "nothing of the others changes")
