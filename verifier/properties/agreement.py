"""The engine does what the specifications say: each was written from the rulebook alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

from rules_engine.catalogue.faces import CardFace, ConflictFace
from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import (
    Accept,
    Acquire,
    Choose,
    Decline,
    Deploy,
    EndTurn,
    PlaceSpy,
    PlayAgent,
    RecallSpy,
    Resolve,
    Reveal,
)
from rules_engine.imperium.frames import (
    AgentTurn,
    Combat,
    CombatIntrigues,
    Defend,
    Effects,
    EndgameIntrigues,
    FinalScore,
    GatherIntelligence,
    Item,
    Makers,
    PlayerTurns,
    Recall,
    ResolveCombat,
    RevealConflict,
    RevealTurn,
    Run,
    Turn,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import (
    AgentAt,
    Control,
    Player,
    SpyAt,
    Stack,
    State,
    ThisTurn,
    Won,
    follows,
)
from rules_engine.kernel.decks import Pool, shuffled, size, zone
from rules_engine.kernel.game import Answer, Frame, asked, handle, legal, options
from rules_engine.kernel.numbers import count_true, pick
from rules_engine.kernel.outcomes import Event, Seat, Step
from rules_engine.kernel.records import change
from verifier.any_position import conflicts_to_fight
from verifier.changes import left_alone, players_kept
from verifier.current import assume, choose, claim, domain, quantity, stage
from verifier.numbers import all_of, any_of, opposite
from verifier.play import Line, line_from, next_state, play_out
from verifier.positions import (
    AGENTS,
    BELOW_FOUR,
    NAMES,
    SPIES,
    TROOPS,
    ally_of,
    any_leader,
    before_sending,
    covered,
    covered_config,
    influence_of,
    open_rulings,
    plain_card,
    printed,
    some_contracts,
    symbolic_state,
    unchanged,
)
from verifier.registry import Twin, proves
from verifier.specifications import (
    acquiring,
    agents,
    alliance,
    combat_turns,
    contracts,
    control,
    endgame,
    influence,
    makers,
    ranking,
    rewards,
    shield_wall,
    spies,
    strength,
    units,
)
from verifier.specified import count, of_each, says, whether, whose
from verifier.watched import AnyNumber, Lazy

SMALL = 3
TABLES = ({"players": SMALL}, {"players": 4})


def _twin(file: str, old: str, new: str) -> Twin:
    return Twin(f"rules_engine.imperium.{file}", old, new)


Slots = Callable[[Player], dict[str, Any]]


def _source() -> str:
    return next(iter(printed().spaces))


def _effect(who: Seat, effect: Effect) -> Frame:
    return Run(who, Item(effect, _source()))


def _anybody(players: int) -> Seat:
    return choose("who", range(players))


def _somebody(players: int) -> Seat:
    """Any of three players; of four the last, whose neighbour is the first."""
    return _anybody(players) if players == SMALL else players - 1


# The ranking of Combat


PLACES = {"solari": ranking.FIRST, "spice": ranking.SECOND, "water": ranking.THIRD}
"""Of what one is the first, the second and the third reward of the Conflict below."""


def _spoils() -> ConflictFace:
    first, second, third = (tree.Gain(1, what) for what in PLACES)
    return ConflictFace("spoils", "Spoils", (first,), (second,), (third,))


def _combat(players: int, face: ConflictFace, own: Slots, **slots: Any) -> State:
    """Combat is about to be resolved over a Conflict; nobody holds an Intrigue card."""
    known = {
        "config": change(covered_config(players, (face,)), rulings=open_rulings(())),
        "conflict": face.id,
        "shield_wall": False,
        "turn": None,
        "pending": (ResolveCombat(),),
    }

    def more(owner: Player) -> dict[str, Any]:
        return {"won": (), "intrigues": (), "leader": any_leader(owner.name), **own(owner)}

    return symbolic_state(players, more, **{**known, **slots})


@proves(
    {
        "UPR-COMBAT-012": _twin(
            "combat",
            "pick(above == 1, pick(alone, SECOND, THIRD), below)",
            "pick(above == 2, pick(alone, SECOND, THIRD), below)",
        ),
        "UPR-COMBAT-013": _twin("combat", "players >= LARGE_TABLE", "players > LARGE_TABLE"),
        "UPR-COMBAT-014": _twin("combat", "LARGE_TABLE = 4", "LARGE_TABLE = 3"),
        "UPR-COMBAT-016": _twin(
            "combat", "pick(alone, FIRST, SECOND)", "pick(alone, FIRST, THIRD)"
        ),
        "UPR-COMBAT-021": _twin(
            "combat", "pick(alone, SECOND, THIRD)", "pick(alone, SECOND, NONE)"
        ),
        "UPR-COMBAT-024": _twin("combat", "pick(alone, third, NONE), NONE)", "third, NONE)"),
    },
    cases=TABLES,
)
def combat_ranks_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff everybody has, once Combat is over, the reward that `ranking` says.

    Rewards are what is delivered: the first is a Solari, the second a spice, the third a water. The
    Conflict card is with whom `ranking` calls the winner, and with nobody else.
    """
    order = {} if players == SMALL else {"first_player": 0}
    before = _combat(players, _spoils(), lambda _: {"sandworms": 0}, **order)
    strengths = of_each(before.players, "strength")
    after, _ = play_out(before)
    for old, new in zip(before.players, after.players, strict=True):
        reward = says(ranking.reward, strengths, old.seat)
        right = [
            getattr(new, what) == getattr(old, what) + pick(reward == place, 1, 0)
            for what, place in PLACES.items()
        ]
        wins = says(ranking.wins, strengths, old.seat)
        right.append(wins == (len(new.won) == 1))
        claim(all_of(*right), f"{old.name} has the reward and the card")


def _two_fight(players: int, who: Seat) -> Slots:
    """Only a player and the next one have any strength, and only that player any sandworms."""
    rival = (who + 1) % players

    def more(owner: Player) -> dict[str, Any]:
        if owner.seat == who:
            return {}
        return {"sandworms": 0} if owner.seat == rival else NO_PART

    return more


NO_PART = {"strength": 0, "sandworms": 0}


# Influence and the Alliance


TIE = "alliance_loss_tie"


def _moving(players: int, who: Seat, faction: str, gains: bool) -> State:
    """A player is about to gain or lose any amount of Influence with a Faction."""
    amount = quantity("amount", 1)
    effect = tree.GainInfluence if gains else tree.LoseInfluence
    return symbolic_state(players, pending=(_effect(who, effect(amount, faction)),))


def _of_all(state: State, faction: str) -> list[Any]:
    return [count(influence_of(state, faction, each.seat)) for each in state.players]


MOVES = tuple({**table, "gains": gains} for table in TABLES for gains in (True, False))


@proves(
    {
        "UPR-FACTION-004": _twin(
            "influence",
            'scored = score(state, seat, 1, "track", POINT_AT_TWO)',
            'scored = score(state, seat, 2, "track", POINT_AT_TWO)',
        ),
        "UPR-FACTION-005": _twin(
            "influence", "if before >= FRIENDS and after < FRIENDS:", "if before < FRIENDS:"
        ),
        "UPR-FACTION-009": _twin(
            "influence",
            "seat, ALLIANCE) if after >= ALLIES else Step(state)",
            "seat, ALLIANCE) if after > ALLIES else Step(state)",
        ),
        "UPR-FACTION-010": _twin(
            "influence",
            "scored = score(_with_holder(state, faction, None), seat, -1,",
            "scored = score(_with_holder(state, faction, None), seat, 0,",
        ),
        "UPR-FACTION-011": _twin(
            "influence",
            "after > influence(state, holder, faction)",
            "after >= influence(state, holder, faction)",
        ),
    },
    cases=MOVES,
)
def the_alliance_moves_as_the_specification_says(players: int, gains: bool) -> None:
    """Unsatisfiable iff the token is, after a gain or a loss, with whom `alliance` says.

    It is that of the Fremen; no other token moves. Everybody's points change by what tokens, and
    friendships as `influence` says, are worth.
    """
    who, faction = _anybody(players) if gains else _somebody(players), "fremen"
    before = _moving(players, who, faction, gains)
    ally = ally_of(before, faction)
    after, _ = play_out(before, apart=(Effects,))
    then, now = _of_all(before, faction), _of_all(after, faction)
    holder = ally_of(after, faction)
    if gains:
        right = says(alliance.holder_after_gain, whose(ally), now, who) == (
            -1 if holder is None else holder
        )
    else:
        right = says(
            alliance.may_hold_after_loss,
            whose(ally),
            now,
            who,
            whose(holder),
            lost_below_four=follows(before, BELOW_FOUR) == "lost",
            lost_when_overtaken=follows(before, TIE) == "taken",
        )
    claim(right, "the token is where the specification says")
    for old_token, new_token in zip(before.alliances, after.alliances, strict=True):
        here = old_token.faction == faction
        claim(here or left_alone(old_token, new_token), "no other token moves")

    def worth(owner: Player, cubes: list[Any], held_by: Seat | None) -> Any:
        token = says(alliance.points, whose(held_by), owner.seat)
        return token + says(influence.points, cubes[owner.seat])

    points = [
        new.victory_points == old.victory_points + worth(new, now, holder) - worth(old, then, ally)
        for old, new in zip(before.players, after.players, strict=True)
    ]
    claim(all_of(*points), "everybody has the points")


BONUS = {"spacing_guild": ("solari", 3), "fremen": ("water", 1)}
"""What the fourth space of two tracks gives: no card or Spy, so that it is delivered at once."""


@proves(
    {
        "UPR-FACTION-003": _twin("influence", "TOP = 6", "TOP = 5"),
        "UPR-FACTION-006": _twin(
            "influence", "if before < ALLIES and after >= ALLIES:", "if after == ALLIES:"
        ),
    },
    cases=MOVES,
)
def influence_moves_as_the_specification_says(players: int, gains: bool) -> None:
    """Unsatisfiable iff a cube stands, after a gain or a loss, where `influence` says.

    The bonus at 4 is delivered just where it says that it is earned; nobody else's cube moves. The
    cube is that of the Fremen or, for a gain of three players, of the Spacing Guild.
    """
    tracks = tuple(BONUS) if players == SMALL and gains else ("fremen",)
    who, faction = _somebody(players), choose("faction", tracks)
    before = _moving(players, who, faction, gains)
    after, _ = play_out(before)
    move = influence.after_gain if gains else influence.after_loss
    then, now = _of_all(before, faction), _of_all(after, faction)
    what, amount = BONUS[faction]
    for old, new in zip(before.players, after.players, strict=True):
        seat = old.seat
        moved = says(move, then[seat], count(quantity("amount", 1) if seat == who else 0))
        claim(influence_of(after, faction, seat) == moved, f"{old.name}'s cube is right")
        for was, track in zip(old.tracks, new.tracks, strict=True):
            claim(
                was.faction == faction or left_alone(was, track), f"{old.name}'s other cubes stay"
            )
        earned = pick(says(influence.earns_the_bonus, then[seat], now[seat]), amount, 0)
        claim(getattr(new, what) == getattr(old, what) + earned, f"{old.name} has the bonus")


# The Shield Wall


def _location(state: State) -> str | None:
    return None if state.conflict is None else printed().conflicts[state.conflict].location


@proves(
    {
        "UPR-WORM-001": _twin(
            "sandworms", "sandworms=owner.sandworms + sandworms)", "sandworms=owner.sandworms + 1)"
        ),
        "UPR-WORM-003": _twin(
            "conditions",
            "lambda state, seat: player(state, seat).maker_hooks",
            "lambda state, seat: True",
        ),
        "UPR-WALL-002": _twin(
            "shield_wall",
            "return state.shield_wall and at_critical_location(state)",
            "return state.shield_wall",
        ),
        "UPR-WALL-006": _twin(
            "shield_wall",
            "return state.shield_wall and at_critical_location(state)",
            "return at_critical_location(state)",
        ),
    },
    cases=TABLES,
)
def sandworms_come_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff everybody has the sandworms that `shield_wall` says after a summons."""
    who, icons = _anybody(players), quantity("icons")
    needs_hooks = choose("needs hooks", (False, True))
    summon: Effect = tree.Summon(icons)
    if needs_hooks:
        summon = tree.If(tree.Is("maker_hooks"), summon)
    before = symbolic_state(
        players,
        lambda owner: {"leader": any_leader(owner.name)},
        conflict=Lazy("conflict", conflicts_to_fight()),
        turn=None,
        pending=(_effect(who, summon),),
    )
    after, _ = play_out(before)
    for old, new in zip(before.players, after.players, strict=True):
        right = says(
            shield_wall.sandworms_after,
            count(old.sandworms),
            count(icons if old.seat == who else 0),
            location=_location(before),
            wall_stands=whether(before.shield_wall),
            needs_hooks=needs_hooks,
            has_hooks=whether(old.seat == who and old.maker_hooks),
        )
        claim(new.sandworms == right, f"{old.name} has the sandworms")
        claim(unchanged(old, new, "sandworms", "strength"), f"{old.name} has all else")
    claim(after.shield_wall == before.shield_wall, "the Wall stays")


@proves(
    {
        "UPR-WALL-004": _twin(
            "shield_wall", "change(state, shield_wall=False)", "change(state, shield_wall=True)"
        )
    },
    cases=TABLES,
)
def the_wall_goes_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff the Wall stands, after a detonation, just where `shield_wall` says.

    Whoever may detonate does, or leaves it. Nothing else changes.
    """
    who = _anybody(players)
    before = symbolic_state(
        players, turn=None, pending=(_effect(who, tree.May(tree.RemoveShieldWall())),)
    )
    line = line_from(before).given(None)
    claim(asked(IMPERIUM, line.state).players == (who,), f"{NAMES[who]} has to decide")
    given = choose("given", (Accept(who), Decline(who)))
    claim(given in options(IMPERIUM, line.state), "either is offered")
    after = line.then(given).state
    removed = whether(isinstance(given, Accept))
    right = says(shield_wall.wall_stands_after, whether(before.shield_wall), removed)
    claim(after.shield_wall == right, "the Wall stands where it should")
    claim(unchanged(before, after, "shield_wall", "pending"), "nothing else changes")
    claim(not after.pending, "nothing is left to be done")


# Strength


def _worth(owner: Player) -> Any:
    """The strength of a player as the specification says."""
    return says(strength.strength, *(count(getattr(owner, each)) for each in COUNTS))


COUNTS = ("troops", "sandworms", "swords")


@proves(
    {
        "UPR-STR-004": _twin("strength", "TROOP = 2", "TROOP = 1"),
        "UPR-STR-005": _twin("strength", "SANDWORM = 3", "SANDWORM = 2"),
        "UPR-STR-007": _twin("strength", "return pick(units(owner) > 0, total, 0)", "return total"),
    },
    cases=TABLES,
)
def strength_is_totalled_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a Reveal turn puts the marker where `strength` says, and moves no other."""
    who = _anybody(players)
    nothing = {"revealed": False, "strength": 0, "hand": (), "in_play": ()}
    before = symbolic_state(
        players,
        lambda owner: nothing if owner.seat == who else {},
        agents=(),
        reveal_order=(),
        turn=ThisTurn(who),
        pending=(Turn(who),),
    )
    after, _ = play_out(before, apart=(RevealTurn,), first=Reveal(who))
    for old, new in zip(before.players, after.players, strict=True):
        right = _worth(old) if old.seat == who else old.strength
        claim(new.strength == right, f"{old.name}'s marker is right")


CHANGES = ("summon", "swords", "retreat", "deploy")
"""What moves the marker besides revealing."""


def _changing(what: str) -> Effect:
    amount = quantity("amount", 0, TROOPS)
    effects: dict[str, Effect] = {
        "summon": tree.Summon(amount),
        "swords": tree.Swords(amount),
        "retreat": tree.Retreat(0, amount),
        "deploy": tree.DeployTroops(amount),
    }
    return effects[what]


@proves(
    {
        "UPR-STR-001": _twin("strength", "    if not owner.revealed:\n", "    if False:\n"),
        "UPR-STR-006": _twin(
            "strength", "swords=owner.swords + swords)", "swords=owner.swords + 2 * swords)"
        ),
        "UPR-STR-008": _twin(
            "units",
            """"retreat_does_not_refund") == "yes")
    moved = move_marker(state, seat)""",
            """"retreat_does_not_refund") == "yes")
    moved = Step(state)""",
        ),
        "UPR-STR-011": _twin(
            "sandworms", "moved = move_marker(state, seat)", "moved = Step(state)"
        ),
    },
    cases=TABLES,
)
def the_marker_follows_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff the marker is where `strength` says after units or swords have changed.

    Swords count as `swords_after` says, and the marker stands at 0 before the player has revealed.
    Nobody else's marker moves, and nothing else of others changes.
    """
    who, what = _anybody(players), choose("change", CHANGES)
    before = symbolic_state(
        players,
        config=change(covered_config(players), rulings=open_rulings(())),
        conflict=None,
        turn=None,
        pending=(_effect(who, _changing(what)),),
    )
    old = before.players[who]
    right = says(strength.shown, count(_worth(old)), whether(old.revealed))
    domain(old.strength == right)
    after, _ = play_out(before)
    new = after.players[who]
    came = quantity("amount", 0, TROOPS) if what == "swords" else 0
    swords = old.swords + came
    if what == "retreat":
        left = (count(new.troops), count(new.sandworms))
        fought = old.troops + old.sandworms > 0
        swords = pick(fought, says(strength.swords_after, *left, count(old.swords)), old.swords)
    claim(new.swords == swords, "the swords are right")
    shown = says(strength.shown, count(_worth(new)), whether(new.revealed))
    claim(new.strength == shown, "the marker is right")
    claim(players_kept(before, after, who), "nothing changes for the others")


# Units


@proves(
    {
        "UPR-UNIT-005": _twin(
            "units",
            "supply=owner.supply - recruited, garrison=owner.garrison + recruited)",
            "supply=owner.supply - recruited, troops=owner.troops + recruited)",
        ),
        "UPR-UNIT-006": _twin(
            "units", "recruited = smaller(wanted, owner.supply)", "recruited = wanted"
        ),
    },
    cases=TABLES,
)
def troops_are_recruited_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff supply and garrison hold, after recruiting, what `units` says.

    All twelve troops of a player are accounted for, before and after.
    """
    who, icons = _anybody(players), quantity("icons")
    before = symbolic_state(players, turn=None, pending=(_effect(who, tree.Recruit(icons)),))
    after, _ = play_out(before)
    for old, new in zip(before.players, after.players, strict=True):
        wanted = count(icons if old.seat == who else 0)
        supply, garrison = says(
            units.after_recruiting, count(old.supply), count(old.garrison), wanted
        )
        claim(all_of(new.supply == supply, new.garrison == garrison), f"{old.name}'s troops")
        places = (count(getattr(new, each)) for each in ("supply", "garrison", "troops"))
        claim(says(units.all_accounted_for, *places), f"{old.name} has twelve troops")


def _agent_turn(players: int, who: Seat, at_combat_space: bool) -> State:
    """An Agent turn in which any troops were recruited, and some deployed as the space allows."""
    space = next(face.id for face in printed().spaces.values() if face.combat == at_combat_space)
    recruited, deployed = quantity("recruited"), quantity("deployed")
    domain(deployed <= (recruited + units.FROM_THE_GARRISON if at_combat_space else 0))
    domain(deployed <= quantity(f"{NAMES[who]}.troops", 0, TROOPS))
    turn = ThisTurn(
        who,
        kind="agent",
        space=space,
        combat=at_combat_space,
        recruited=recruited,
        deployed=deployed,
        staying=deployed,
        most_deployed=deployed,
    )
    return symbolic_state(
        players,
        lambda owner: {"intrigues": ()} if owner.seat == who else {},
        config=change(covered_config(players), rulings=open_rulings(())),
        turn=turn,
        pending=(AgentTurn(who, (Item(tree.Gain(1, "spice"), space),)),),
    )


@proves(
    {
        "UPR-UNIT-011": _twin(
            "units",
            "garrison=owner.garrison - troops, troops=owner.troops + troops)",
            "supply=owner.supply - troops, troops=owner.troops + troops)",
        ),
        "UPR-UNIT-012": _twin(
            "units",
            "return turn.recruited + others - turn.deployed",
            "return smaller(turn.recruited, 1) + others - turn.deployed",
        ),
        "UPR-UNIT-013": _twin("units", "FROM_GARRISON = 2", "FROM_GARRISON = 3"),
        "UPR-UNIT-015": _twin(
            "units",
            "if turn is None or not (turn.combat or turn.deployable):\n        yield",
            "if turn is None:\n        yield",
        ),
    },
    cases=TABLES,
)
def troops_are_deployed_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a number of troops may be deployed, and arrives, just as `units` says.

    To deploy none there is no action: it is what everybody does who deploys no more.
    """
    who, at_combat_space = _anybody(players), choose("combat space", (True, False))
    troops = quantity("deploys", 1)
    before = _agent_turn(players, who, at_combat_space)
    given = Deploy(who, troops)
    stage(before, (given,))
    done = handle(IMPERIUM, before, given)
    old = before.players[who]
    may = says(
        units.may_deploy,
        count(troops),
        at_combat_space=at_combat_space,
        garrison=count(old.garrison),
        recruited_this_turn=count(quantity("recruited")),
        deployed_this_turn=count(quantity("deployed")),
    )
    claim(may == isinstance(done, Step), "so many may be deployed")
    if not isinstance(done, Step):
        return
    more = quantity("deploys then", 1)
    may_then = says(
        units.may_deploy,
        count(more),
        at_combat_space=at_combat_space,
        garrison=count(done.state.players[who].garrison),
        recruited_this_turn=count(quantity("recruited")),
        deployed_this_turn=count(quantity("deployed") + troops),
    )
    again = legal(IMPERIUM, done.state, Deploy(who, more)) is None
    claim(may_then == again, "so many may be deployed after that")
    for old, new in zip(before.players, done.state.players, strict=True):
        moved = count(troops if old.seat == who else 0)
        garrison, conflict = says(
            units.after_deploying, count(old.garrison), count(old.troops), moved
        )
        claim(
            all_of(new.garrison == garrison, new.troops == conflict, new.supply == old.supply),
            f"{old.name}'s troops are where they should be",
        )


# Makers


def _agents_on(players: int, spaces: tuple[str, ...]) -> tuple[Lazy, Any]:
    """Nobody or somebody on each of some spaces, and the Agents that everybody has left."""
    boards = tuple(
        tuple(
            AgentAt(space, (place + first) % players)
            for place, space in enumerate(sorted(spaces))
            if taken[place]
        )
        for taken in product((False, True), repeat=len(spaces))
        for first in range(players)
    )

    def at_home(owner: Player) -> dict[str, Any]:
        out = tuple(sum(at.seat == owner.seat for at in board) for board in boards)
        return {"agents": Lazy("agents", tuple(AGENTS - each for each in out))}

    return Lazy("agents", boards), at_home


@proves(
    {
        "UPR-MAKER-003": _twin(
            "makers",
            "for maker in state.makers if not agents_at(state, maker.space)]",
            "for maker in state.makers]",
        ),
        "UPR-MAKER-004": _twin("makers", "bonus_spice=maker.bonus_spice + 1", "bonus_spice=1"),
    },
    cases=TABLES,
)
def bonus_spice_gathers_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff Phase 4 leaves on every Maker space what `makers` says."""
    board, at_home = _agents_on(players, tuple(makers.MAKER_SPACES))
    before = symbolic_state(players, at_home, agents=board, pending=(Makers(),))
    after, _ = play_out(before)
    for old, new in zip(before.makers, after.makers, strict=True):
        there = whether(any(at.space == old.space for at in before.agents))
        right = says(makers.bonus_after_the_phase, old.space, count(old.bonus_spice), there)
        claim(new.bonus_spice == right, f"the bonus spice on {old.space} is right")


def _all_resolved(line: Line, who: Seat) -> Line:
    """The line with every effect of the Agent turn resolved, one option picked in each choice."""
    while True:
        top = line.state.pending[-1]
        if not isinstance(top, AgentTurn):
            options_now = options(IMPERIUM, line.state)
            line = line.then(choose(f"choice {len(line.inputs)}", options_now))
        elif top.items:
            line = line.then(Resolve(who, 0))
        else:
            return line


OPEN_GROUND = next(face.id for face in printed().conflicts.values() if face.location is None)


@proves(
    {
        "UPR-MAKER-005": _twin(
            "resources",
            "change(each, bonus_spice=0) if each.space == source else each",
            "change(each, bonus_spice=0)",
        ),
        "UPR-BOARD-028": Twin(
            "rules_engine/catalogue/uprising/spaces.toml",
            'effects = ["gain bonus_spice", "choose: gain 4 spice | if',
            'effects = ["choose: gain 4 spice & gain bonus_spice | if',
        ),
    },
    cases=TABLES,
)
def spice_is_harvested_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a visit to a Maker space brings the spice, and leaves it, as `makers` says.

    The spice of the space is there for whoever does not pick sandworms instead.
    """
    who = _somebody(players)
    space = choose("space", tuple(sorted(makers.MAKER_SPACES)))
    before = before_sending(
        space,
        who,
        players,
        lambda _: {"discard": ()},
        conflict=OPEN_GROUND,
        controls=tuple(Control(each, None) for each in control.BONUS),
    )
    send = PlayAgent(who, plain_card(space), space)
    assume(legal(IMPERIUM, before, send) is None)
    line = _all_resolved(line_from(before).then(send), who)
    picked = [each.option for each in line.inputs if isinstance(each, Choose)]
    for old, new in zip(before.makers, line.state.makers, strict=True):
        lying = count(old.bonus_spice)
        left = says(makers.bonus_after_a_visit, space, lying) if old.space == space else None
        right = old.bonus_spice if left is None else left
        claim(new.bonus_spice == right, f"the bonus spice on {old.space} is right")
        if old.space == space:
            base = whether(1 not in picked)
            spice = says(makers.spice_of_a_visit, space, lying, base)
            gained = line.state.players[who].spice - before.players[who].spice
            claim(gained == spice, f"{NAMES[who]} has the spice")


# Control


@proves(
    {
        "UPR-CTRL-004": _twin(
            "control",
            "    if holder is None:\n        return Step(state)\n    events",
            "    if holder is None or (state.turn is not None and holder == state.turn.seat):\n"
            "        return Step(state)\n    events",
        ),
        "UPR-CTRL-007": Twin(
            "rules_engine/catalogue/uprising/spaces.toml",
            'control_bonus = ["gain 1 spice"]',
            'control_bonus = ["gain 2 spice"]',
        ),
    },
    cases=TABLES,
)
def control_pays_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a visit pays every player, from the bank, just the bonus `control` says.

    What a visitor of Spice Refinery may pay for going there comes on top.
    """
    who, space = _anybody(players), choose("space", tuple(control.BONUS))
    before = before_sending(space, who, players)
    send = PlayAgent(who, plain_card(space), space)
    after, _ = play_out(before, apart=(AgentTurn,), first=send)
    owner = next(each.holder for each in before.controls if each.space == space)
    for old, new in zip(before.players, after.players, strict=True):
        for what in ("solari", "spice", "water"):
            bonus = says(control.bonus, space, what, whose(owner), old.seat)
            pays = old.seat == who and (space, what) == ("spice_refinery", "spice")
            then, now = getattr(old, what), getattr(new, what)
            right = any_of(*(now == then + bonus - cost for cost in ((0, 1) if pays else (0,))))
            claim(right, f"{old.name} has the {what}")


@proves(
    {
        "UPR-CTRL-002": _twin("control", "change(control, holder=seat) if", "control if"),
        "UPR-CTRL-003": _twin(
            "control",
            "change(control, holder=seat) if control.space == space else control",
            "change(control, holder=seat) if control.space == space and control.holder is None "
            "else control",
        ),
    },
    cases=TABLES,
)
def control_is_won_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff Combat leaves every marker where `control` and `ranking` say."""
    who, space = _somebody(players), choose("space", tuple(control.BONUS))
    face = ConflictFace("prize", "Prize", (tree.TakeControl(space),), (), (), location=space)
    before = _combat(players, face, _two_fight(players, who), first_player=0)
    strengths = of_each(before.players, "strength")
    after, _ = play_out(before)
    winner: Any = control.NOBODY
    for seat in range(players):
        winner = pick(says(ranking.wins, strengths, seat), seat, winner)
    for old, new in zip(before.controls, after.controls, strict=True):
        here = old.space == space
        if not here:
            claim(left_alone(new, old), f"the marker on {old.space} stays")
            continue
        right = says(
            control.owner_after_combat, whose(old.holder), count(winner), over_this_space=here
        )
        claim(right == (-1 if new.holder is None else new.holder), f"{space} is whose it should be")


@proves(
    {
        "UPR-CTRL-008": _twin(
            "units",
            "change(owner, supply=owner.supply - 1, troops=owner.troops + 1)",
            "change(owner, garrison=owner.garrison - 1, troops=owner.troops + 1)",
        ),
        "UPR-CTRL-009": _twin(
            "control",
            "if isinstance(action, Accept) and player(state, frame.seat).supply < 1:",
            "if isinstance(action, Accept) and player(state, frame.seat).supply < 2:",
        ),
    },
    cases=TABLES,
)
def locations_are_defended_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff just those may defend, with what comes of it, whom `control` names."""
    at = {face.location: face.id for face in printed().conflicts.values()}
    before = symbolic_state(
        players,
        lambda _: {"revealed": False, "strength": 0},
        conflict=None,
        conflict_deck=(Pool(1, zone(at.values())),),
        pending=(RevealConflict(),),
    )
    location = choose("location", tuple(at))
    line = line_from(before).given(Answer(at[location]))
    holders = {each.space: each for each in before.controls}
    owner = holders[location].holder if location in holders else None
    for old in before.players:
        may = says(control.may_defend, whose(owner), old.seat, count(old.supply))
        due = line.state.pending == (Defend(old.seat),)
        allowed = due and legal(IMPERIUM, line.state, Accept(old.seat)) is None
        claim(may == allowed, f"{old.name} may defend")
    if owner is None:
        return
    given = choose("given", (Accept(owner), Decline(owner)))
    assume(legal(IMPERIUM, line.state, given) is None)
    after = line.given(given).state
    for old, new in zip(before.players, after.players, strict=True):
        defends = whether(old.seat == owner and isinstance(given, Accept))
        supply, troops = says(
            control.after_defending, count(old.supply), count(old.troops), defends
        )
        right = all_of(new.supply == supply, new.troops == troops, new.garrison == old.garrison)
        claim(right, f"{old.name}'s troops are where they should be")


# Rewards, and what becomes of the Conflict


ICON = "crysknife"
WON = (
    (),
    (Won("objective", ICON),),
    (Won("objective", ICON, face_up=False),),
    (Won("objective", "ornithopter"),),
    (Won("objective", rewards.WILD),),
)
"""What a player may have won: no card, one with the icon, face up or down, another, a wild one."""


def _open(owner: Player, icon: str) -> int:
    return sum(each.face_up and each.icon == icon for each in owner.won)


@proves(
    {
        "UPR-COMBAT-031": _twin(
            "combat",
            "supply=each.supply + each.troops, troops=0",
            "garrison=each.garrison + each.troops, troops=0",
        ),
        "UPR-COMBAT-032": _twin(
            "combat",
            """    state = push(state, EndCombat())
    for taking in takings:""",
            """    state = _end(state, EndCombat(), None).state
    for taking in takings:""",
        ),
        "UPR-COMBAT-033": _twin("combat", "sandworms=0, strength=0,", "sandworms=0,"),
        "UPR-COMBAT-034": _twin(
            "combat", "return owner.sandworms >= 1", "return owner.sandworms >= 2"
        ),
        "UPR-COMBAT-036": _twin(
            "combat",
            "twice = doubles(player(state, taking.seat))",
            "twice = any(doubles(each) for each in state.players)",
        ),
        "UPR-WORM-009": _twin("combat", "troops=0, sandworms=0,", "troops=0,"),
    },
    cases=TABLES,
)
def combat_is_cleared_up_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff everybody's units are, once Combat is over, where `rewards` says.

    That is: troops in supply and garrison, an empty Conflict, markers at 0. Who has a reward,
    `ranking` says.
    """
    who, icons = _somebody(players), quantity("icons")
    reward = (tree.Recruit(icons),)
    face = ConflictFace("muster", "Muster", reward, reward, reward)
    before = _combat(players, face, _two_fight(players, who), first_player=0)
    strengths = of_each(before.players, "strength")
    after, _ = play_out(before)
    for old, new in zip(before.players, after.players, strict=True):
        gains = says(ranking.reward, strengths, old.seat) != ranking.NONE
        worms, supply = count(old.sandworms), count(old.supply)
        recruited = count(
            pick(gains, says(rewards.recruited_by_the_reward, supply, count(icons), worms), 0)
        )
        in_supply = says(rewards.supply_after, supply, recruited, count(old.troops))
        in_garrison = says(rewards.garrison_after, count(old.garrison), recruited)
        claim(
            all_of(
                new.supply == in_supply,
                new.garrison == in_garrison,
                new.troops == says(rewards.units_after),
                new.sandworms == says(rewards.units_after),
                new.strength == says(rewards.marker_after),
                new.swords == says(rewards.marker_after),
            ),
            f"{old.name}'s units are where they should be",
        )


@proves(
    {
        "UPR-COMBAT-025": _twin(
            "combat", "won = _sorted((*owner.won, Won(card, icon)))", "won = owner.won"
        ),
        "UPR-COMBAT-028": _twin(
            "combat", "if each.face_up and each.icon == icon:", "if each.face_up:"
        ),
        "UPR-COMBAT-029": _twin(
            "combat", 'frame.seat, 1, "match", MATCH)', 'frame.seat, 2, "match", MATCH)'
        ),
    },
    cases=TABLES,
)
def battle_icons_match_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff everybody has, once Combat is over, the points and open cards of `rewards`.

    Who wins, `ranking` says.
    """
    who, icon = _somebody(players), choose("icon", (ICON, rewards.WILD))
    face = ConflictFace("prize", "Prize", (), (), (), icon=icon)
    fighting, won = _two_fight(players, who), Lazy("won", WON)
    before = _combat(
        players,
        face,
        lambda owner: {**fighting(owner), "won": won if owner.seat == who else ()},
        first_player=0,
    )
    strengths = of_each(before.players, "strength")
    after, _ = play_out(before)
    for old, new in zip(before.players, after.players, strict=True):
        wins = whether(says(ranking.wins, strengths, old.seat))
        there = count(_open(old, icon))
        points = says(rewards.points_of_a_match, wins, icon, there)
        claim(new.victory_points == old.victory_points + points, f"{old.name} has the points")
        right = says(rewards.open_after, wins, icon, there) == _open(new, icon)
        claim(right, f"{old.name} has the open cards")
        others = [each for each in old.won if each.icon != icon]
        claim([each for each in new.won if each.icon != icon] == others, "other cards stay")


COST = 3


@proves(
    {
        "UPR-COMBAT-039": _twin(
            "combat",
            "if not isinstance(effect, tree.TakeControl))",
            "if not isinstance(effect, tree.TakeControl | tree.Arrow))",
        )
    },
    cases=TABLES,
)
def rewards_are_doubled_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a reward is gained, and a cost in it paid, as often as `rewards` says.

    However often the winner has paid, one more time is allowed just if it says so.
    """
    who, paying = _anybody(players), choose("paying", (True, False))
    amount = quantity("amount")
    arrow = tree.Arrow(tree.Pay(COST, "spice"), tree.Gain(1, "vp"))
    first: Effect = arrow if paying else tree.Gain(amount, "solari")
    face = ConflictFace("prize", "Prize", (first,), (), ())

    def fights(owner: Player) -> dict[str, Any]:
        return {} if owner.seat == who else NO_PART

    before = _combat(players, face, fights, first_player=0)
    assume(before.players[who].strength > 0)
    old = before.players[who]
    pay, leave = Resolve(who, 0), EndTurn(who)

    def allowed(often: int) -> Any:
        """How often the cost is paid by somebody who wants to pay it so often."""
        return says(rewards.times_paid, count(old.sandworms), count(old.spice), COST, count(often))

    line = line_from(before)
    while line.state.pending:
        if asked(IMPERIUM, line.state).nobody():
            line = line.given(None)
            continue
        if not paying:
            line = line.given(pay)
            continue
        may = legal(IMPERIUM, line.state, pay) is None
        once_more = line.inputs.count(pay) + 1
        claim((allowed(once_more) == once_more) == may, "it may be paid once more")
        claim(legal(IMPERIUM, line.state, leave) is None, "it may be left")
        line = line.given(choose(f"input {len(line.inputs)}", (pay, leave) if may else (leave,)))
    paid, left = line.inputs.count(pay) if paying else 0, leave in line.inputs
    for was, new in zip(before.players, line.state.players, strict=True):
        number = paid if was.seat == who else 0
        gains = 0 if paying or was.seat != who else amount
        solari = was.solari + says(rewards.gained, count(gains), count(was.sandworms))
        claim(new.solari == solari, f"{was.name} has the Solari")
        claim(new.spice == was.spice - COST * number, f"{was.name} has paid")
        claim(new.victory_points == was.victory_points + number, f"{was.name} has the points")
    claim(allowed(paid) == paid, "it was paid no more often than it may be")
    offered = not paying or left
    claim(any_of(offered, allowed(paid + 1) == paid), "nor less often, if it was not left")


# The Combat Intrigue step


@proves(
    {
        "UPR-COMBAT-002": _twin(
            "combat",
            "following = clockwise(state, frame.seat)[1]",
            "following = clockwise(state, frame.seat)[-1]",
        ),
        "UPR-COMBAT-003": _twin(
            "combat",
            "return units(player(state, seat)) >= 1",
            "return units(player(state, seat)) >= 2",
        ),
        "UPR-COMBAT-006": _twin(
            "combat", "if all(each.seat in passed", "if any(each.seat in passed"
        ),
    },
    cases=TABLES,
)
def combat_chances_go_round_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff chances go to whom, and end when, `combat_turns` says if all pass.

    Nobody holds an Intrigue card, so no play comes between.
    """
    before = symbolic_state(
        players, lambda _: {"revealed": True, "intrigues": ()}, turn=None, pending=(Combat(),)
    )
    deployed = [count(each.troops + each.sandworms) for each in before.players]
    had: list[Seat] = []

    def watch(state: State, _: State, __: tuple[Event, ...]) -> None:
        seats = asked(IMPERIUM, state).players
        if not seats or not isinstance(state.pending[-1], CombatIntrigues):
            return
        start = (had[-1] + 1) % players if had else state.first_player
        (seat,) = seats
        claim(says(combat_turns.first_from, start, deployed) == seat, f"{NAMES[seat]} is next")
        over = says(combat_turns.is_over, count(len(had)), deployed)
        claim(opposite(over), "it is not over yet")
        had.append(seat)

    play_out(before, apart=(ResolveCombat,), watch=watch)
    claim(says(combat_turns.is_over, count(len(had)), deployed), "it is over when it ends")


# Acquiring


OFFERED = "offered"
"""A card of this game only, in the Row, for any cost."""
RESERVED = "prepare_the_way"


def _buying(players: int, who: Seat) -> State:
    """A Reveal turn with a Row, its deck and a Reserve stack of some sizes.

    While the deck has a card, the Row has no gap.
    """
    face = CardFace(OFFERED, OFFERED, cost=quantity("cost"))
    row = tuple(each.id for each in printed().cards.values() if each.copies)
    sizes = ((5, 0), (5, 1), (5, 2), (4, 0), (1, 0))
    rows = tuple(zone((OFFERED, *row[: cards - 1])) for cards, _ in sizes)
    decks = tuple(shuffled(row[6 : 6 + cards]) for _, cards in sizes)
    all_copies = printed().cards[RESERVED].reserve
    left = (all_copies, 1, 0)
    stacks = tuple((Stack(RESERVED, each),) for each in left)
    gone = tuple(shuffled((RESERVED,) * (all_copies - each)) for each in left)
    own = {
        "set_aside": (),
        "standing": (),
        "contracts": (),
        "intrigues": (),
        "in_play": (),
        "hand": (),
        "discard": ("dagger",),
        "deck": Lazy("stack", gone),
    }
    return symbolic_state(
        players,
        lambda owner: own if owner.seat == who else {},
        config=change(covered_config(players), cards=(face,), rulings=open_rulings(())),
        row=Lazy("row", rows),
        imperium_deck=Lazy("row", decks),
        reserve=Lazy("stack", stacks),
        intrigue_discard=(),
        trashed=(),
        turn=ThisTurn(who, kind="reveal"),
        pending=(Combat(), PlayerTurns((who + 1) % players), RevealTurn(who, ())),
    )


@proves(
    {
        "UPR-ACQ-002": _twin(
            "acquire",
            "for stack in state.reserve if stack.left > 0",
            "for stack in state.reserve if stack.left >= 0",
        ),
        "UPR-ACQ-004": _twin(
            "acquire",
            "if cost > player(state, seat).persuasion:",
            "if cost >= player(state, seat).persuasion:",
        ),
        "UPR-ACQ-008": _twin(
            "acquire", "discard=with_card(owner.discard, card)", "hand=with_card(owner.hand, card)"
        ),
        "UPR-ACQ-010": _twin("acquire", "ROW = 5", "ROW = 4"),
    },
    cases=TABLES,
)
def cards_are_acquired_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a card may be acquired, and is, as `acquiring` says.

    That is: Persuasion, the discard pile, the Row and its deck, and the Reserve.
    """
    who, card = _anybody(players), choose("card", (OFFERED, RESERVED))
    before = _buying(players, who)
    cost = quantity("cost") if card == OFFERED else printed().cards[RESERVED].cost
    (stack,) = before.reserve
    there = 1 if card == OFFERED else stack.left
    old = before.players[who]
    given = Acquire(who, card)
    stage(before, (given,))
    allowed = legal(IMPERIUM, before, given) is None
    may = says(acquiring.may_acquire, count(old.persuasion), count(cost), count(there))
    claim(may == allowed, "it may be acquired")
    if not allowed:
        return
    after, _ = play_out(before, apart=(RevealTurn,), first=given)
    new = after.players[who]
    paid = says(acquiring.persuasion_after, count(old.persuasion), count(cost))
    claim(new.persuasion == paid, "the Persuasion is right")
    pile = says(acquiring.discard_after, count(len(old.discard)))
    claim(pile == len(new.discard) and card in new.discard, "it is in the discard pile")
    from_row = 1 if card == OFFERED else 0
    left_over = (count(len(before.row) - from_row), count(size(before.imperium_deck)))
    row, deck = says(acquiring.refilled, *left_over)
    claim(row == len(after.row) and deck == size(after.imperium_deck), "the Row is right")
    copies = says(acquiring.reserve_after, count(stack.left)) if card == RESERVED else stack.left
    claim(after.reserve[0].left == copies, "the Reserve is right")
    stage(before, (given, EndTurn(who)))
    done = next_state(after, EndTurn(who)).players[who]
    lost = says(acquiring.persuasion_after_the_turn)
    claim(done.persuasion == lost, "no Persuasion is saved")


# The Endgame


@proves(
    {
        "UPR-RECALL-003": _twin(
            "recall",
            "following = clockwise(state, state.first_player)[1]",
            "following = clockwise(state, state.first_player)[-1]",
        ),
        "UPR-END-001": _twin(
            "endgame",
            "if any(each.victory_points >= POINTS for each in state.players):",
            "if any(each.victory_points > POINTS for each in state.players):",
        ),
        "UPR-END-002": _twin(
            "endgame",
            "return size(state.conflict_deck) == 0",
            "return size(state.conflict_deck) <= 1",
        ),
    },
    cases=TABLES,
)
def the_endgame_comes_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff the Endgame, or else the next First Player, comes as `endgame` says."""
    level = (OPEN_GROUND,) * 4
    pool = Pool(4, level)
    left = AnyNumber("conflicts.count", 0, 4)
    before = symbolic_state(
        players,
        lambda _: {"agents": AGENTS, "swordmaster": False},
        agents=(),
        conflict=None,
        conflict_deck=(covered("conflicts.", pool, count=left, cards=level),),
        turn=None,
        pending=(Recall(),),
    )
    stage(before)
    cards = quantity("conflicts.count", 0, 4)
    points = of_each(before.players, "victory_points")
    over = says(endgame.triggered, points, count(cards))
    after = next_state(before)
    ends = isinstance(after.pending[-1], EndgameIntrigues)
    claim(over == ends, "the Endgame comes when it should")
    following = endgame.next_first_player(before.first_player, players)
    right = before.first_player if ends else following
    claim(after.first_player == right, "the marker is where it should be")


STANDING = ("victory_points", "spice", "solari", "water", "garrison")
AFTER_GARRISON = "tiebreak_after_garrison"


@proves(
    {
        "UPR-END-004": _twin(
            "endgame",
            "return (each.victory_points, each.spice, each.solari, each.water, each.garrison)",
            "return (each.spice, each.victory_points, each.solari, each.water, each.garrison)",
        ),
        "UPR-END-005": _twin(
            "endgame",
            "return (each.victory_points, each.spice, each.solari, each.water, each.garrison)",
            "return (each.victory_points, each.solari, each.spice, each.water, each.garrison)",
        ),
        "UPR-END-006": _twin(
            "endgame",
            "return (each.victory_points, each.spice, each.solari, each.water, each.garrison)",
            "return (each.victory_points, each.spice, each.solari, each.water, each.supply)",
        ),
    },
    cases=TABLES,
)
def the_winner_is_who_the_specification_says(players: int) -> None:
    """Unsatisfiable iff those win whom `endgame` says.

    Where the ruling lets the last Reveal turn decide, its place is the last value compared.
    """
    orders = tuple(permutations(range(players)))
    same = {"spice": 0, "solari": 0, "water": 0, "garrison": 0, "troops": 0, "supply": TROOPS}
    equal = {} if players == SMALL else same
    order = Lazy("order", orders) if players == SMALL else orders[-1]
    before = symbolic_state(players, lambda _: equal, reveal_order=order, pending=(FinalScore(),))
    stage(before)
    after = next_state(before)
    standings = [[count(getattr(each, what)) for what in STANDING] for each in before.players]
    best = [says(endgame.wins, standings, seat) for seat in range(players)]
    if count_true(best) >= 2 and follows(before, AFTER_GARRISON) == "latest_reveal":
        for seat, standing in enumerate(standings):
            standing.append(count(before.reveal_order.index(seat)))
        best = [says(endgame.wins, standings, seat) for seat in range(players)]
    for seat, wins in enumerate(best):
        claim(wins == (seat in after.winners), f"{NAMES[seat]} wins as it should be")


# Spies


def _watched_space(players: int, who: Seat, space: str) -> State:
    """A player may send an Agent to a space; Agents and Spies are there in several ways."""
    others = tuple(seat for seat in range(players) if seat != who)
    visitors = choose("visitors", ((), (who,), others[:1], others[:2], (who, others[0])))
    posts = tuple(post.id for post in printed().posts.values() if space in post.spaces)
    elsewhere = next(post for post in printed().posts if post not in posts)
    places = choose("spies", ((), posts[:1], posts[:2], (elsewhere,)))
    board = [SpyAt(post, who) for post in places]
    if not places:
        board += [SpyAt(posts[0], others[0])]
    there = sorted(AgentAt(space, seat).seat for seat in visitors)

    def more(owner: Player) -> dict[str, Any]:
        own = {"discard": (), "deck": shuffled(("dagger",) * 3)} if owner.seat == who else {}
        return {
            "agents": AGENTS - there.count(owner.seat),
            "spies": SPIES - sum(spy.seat == owner.seat for spy in board),
            **own,
        }

    return before_sending(
        space,
        who,
        players,
        more,
        agents=tuple(AgentAt(space, seat) for seat in there),
        spies=tuple(sorted(board, key=lambda spy: spy.post)),
        controls=tuple(Control(each, None) for each in control.BONUS),
    )


WATCHED = ("arrakeen", "research_station")
"""A space with one post and one with two."""


@proves(
    {
        "UPR-SPY-011": _twin(
            "spies",
            "    if not linked(state, post, space):\n",
            "    if post not in printed(state).posts:\n",
        ),
        "UPR-SPY-013": _twin(
            "agent_turn",
            "    if action.by in there:\n",
            "    if action.by in there and action.infiltrate is None:\n",
        ),
        "UPR-SPY-015": _twin("spies", "DrawFromDeck(frame.seat, 1)", "DrawFromDeck(frame.seat, 2)"),
    },
    cases=TABLES,
)
def spies_let_agents_in_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff an Agent may be sent, and Intelligence gathered, just as `spies` says.

    A Spy that is recalled is in the supply then, and whoever gathers has one card more.
    """
    who, space = _somebody(players), choose("space", WATCHED)
    before = _watched_space(players, who, space)
    assume(before.players[who].water >= 2)
    here = [at.seat for at in before.agents if at.space == space]
    own_posts = [spy.post for spy in before.spies if spy.seat == who]
    linked = [post for post in own_posts if space in printed().posts[post].spaces]
    infiltrates = choose("infiltrates", (False, True))
    posts = tuple(post.id for post in printed().posts.values() if space in post.spaces)
    elsewhere = next(each for each in printed().posts if each not in posts)
    post = choose("post", (*posts, elsewhere)) if infiltrates else None
    send = PlayAgent(who, plain_card(space), space, post)
    stage(before, (send,))
    allowed = legal(IMPERIUM, before, send) is None
    usable = len(linked) if post is None else linked.count(post)
    own = here.count(who)
    may = says(
        spies.may_enter,
        count(own),
        count(len(here) - own),
        count(usable),
        whether(infiltrates),
    )
    claim(may == allowed, "the Agent may be sent")
    if not allowed:
        return
    line = line_from(before).then(send)
    left = [each for each in linked if each != post]
    top = line.state.pending[-1]
    gathering = isinstance(top, GatherIntelligence)
    claim(says(spies.may_gather, count(len(left))) == gathering, "Intelligence may be gathered")
    right = before.players[who].spies, len(own_posts)
    if infiltrates:
        right = says(spies.after_recall, *map(count, right))
    if gathering:
        gathers = choose("gathers", (False, True))
        hand = len(line.state.players[who].hand)
        given = RecallSpy(who, left[0]) if gathers else Decline(who)
        line = line.then(given)
        while not isinstance(line.state.pending[-1], AgentTurn):
            line = line.then(options(IMPERIUM, line.state)[0])
        if gathers:
            right = says(spies.after_recall, *map(count, right))
        drawn = says(spies.cards_drawn, whether(gathers))
        claim(drawn == len(line.state.players[who].hand) - hand, "so many cards are drawn")
    placed = sum(spy.seat == who for spy in line.state.spies)
    now = line.state.players[who].spies, placed
    claim(now == right, "the Spies are where they should be")


@proves(
    {
        "UPR-SPY-002": _twin(
            "spies",
            "owner = change(owner, spies=owner.spies - 1)",
            "owner = change(owner, spies=owner.spies)",
        ),
        "UPR-SPY-003": _twin(
            "spies",
            "return frame.seat in there if frame.sharing else bool(there)",
            "return frame.seat in there",
        ),
        "UPR-SPY-006": _twin(
            "spies",
            "            if in_supply:\n                yield",
            "            if False:\n                yield",
        ),
    },
    cases=TABLES,
)
def spies_are_placed_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a Spy may go to a post, or come back first, just as `spies` says."""
    who = _somebody(players)
    city = choose("on a City post", (False, True))
    posts = tuple(printed().posts)
    own = choose("own", range(SPIES + 1))
    other = (who + 1) % players
    theirs = posts[-2:]
    board = [*(SpyAt(post, who) for post in posts[:own]), *(SpyAt(post, other) for post in theirs)]

    def more(owner: Player) -> dict[str, Any]:
        return {"spies": SPIES - sum(spy.seat == owner.seat for spy in board)}

    effect = tree.PlaceSpy(on=("city",) if city else ())
    start = symbolic_state(
        players,
        more,
        config=change(covered_config(players), rulings=open_rulings(())),
        spies=tuple(sorted(board, key=lambda spy: spy.post)),
        turn=None,
        pending=(_effect(who, effect),),
    )
    before = next_state(start)
    stage(start)
    supply, placed = count(before.players[who].spies), count(own)
    back = says(spies.may_recall_first, supply, placed)
    for post in posts:
        spaces = (printed().spaces[space] for space in printed().posts[post].spaces)
        fits = not city or any(face.icon == "city" for face in spaces)
        there = sum(spy.post == post for spy in before.spies)
        may = all_of(
            says(spies.may_stand_on, count(there), has_the_icon_asked_for=fits),
            says(spies.may_place, supply),
        )
        given = PlaceSpy(who, post)
        allowed = legal(IMPERIUM, before, given) is None
        claim(may == allowed, f"a Spy may go to {post}")
        if allowed:
            after = next_state(before, given)
            right = says(spies.after_placing, supply, placed)
            mine = sum(spy.seat == who for spy in after.spies)
            claim(right == (after.players[who].spies, mine), "the Spy is where it should be")
        recall = legal(IMPERIUM, before, RecallSpy(who, post)) is None
        if not city:
            claim((post in posts[:own] and back) == recall, f"a Spy may come back from {post}")


# Agents


@proves(
    {
        "UPR-BOARD-022": Twin(
            "rules_engine/catalogue/uprising/spaces.toml",
            'cost = "pay 8 solari"',
            'cost = "pay 7 solari"',
        ),
        "UPR-BOARD-025": _twin(
            "agent_turn",
            "if space.later_cost is not None and any(each.swordmaster for each in state.players):",
            "if space.later_cost is not None and player(state, 0).swordmaster:",
        ),
        "UPR-BOARD-026": _twin(
            "council",
            "change(owner, swordmaster=True, agents=owner.agents + 1)",
            "change(owner, swordmaster=True)",
        ),
    },
    cases=TABLES,
)
def a_swordmaster_is_hired_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff a Swordmaster may be hired, costs and brings what `agents` says."""
    who, space = _anybody(players), "swordmaster"

    def more(owner: Player) -> dict[str, Any]:
        name = f"{owner.name}.swordmaster"
        return {
            "discard": (),
            "swordmaster": Lazy(name, (False, True)),
            "agents": Lazy(name, (AGENTS, AGENTS + 1)),
        }

    before = before_sending(space, who, players, more)
    old = before.players[who]
    holders = sum(each.swordmaster for each in before.players)
    send = PlayAgent(who, plain_card(space), space)
    stage(before, (send,))
    may = says(agents.may_hire, count(old.solari), whether(old.swordmaster), count(holders))
    allowed = legal(IMPERIUM, before, send) is None
    claim(may == allowed, "the Swordmaster may be hired")
    if not allowed:
        return
    new = _all_resolved(line_from(before).then(send), who).state.players[who]
    claim(new.solari == old.solari - says(agents.swordmaster_cost, count(holders)), "its price")
    left = says(agents.agents_left_after_hiring, count(old.agents))
    claim(all_of(new.agents == left, new.swordmaster), "the third Agent is there")


# Contracts


@proves(
    {
        "UPR-CHOAM-006": _twin(
            "contracts", "return _solari_instead(state, seat, MODULE_OFF)", "return Step(state)"
        ),
        "UPR-CHOAM-008": _twin(
            "contracts",
            "state = push(change(state, contract_row=row), FillContracts())",
            "state = change(state, contract_row=row)",
        ),
    },
    cases=TABLES,
)
def contracts_are_taken_as_the_specification_says(players: int) -> None:
    """Unsatisfiable iff the contract icon brings a contract or Solari just as `contracts` says."""
    who = _anybody(players)
    choam, table, held = some_contracts(who, (who + 1) % players)
    before = symbolic_state(
        players,
        lambda owner: held(owner.seat),
        config=change(covered_config(players, choam=choam), rulings=open_rulings(())),
        turn=None,
        pending=(_effect(who, tree.TakeContract()),),
        **table,
    )
    after, _ = play_out(before)
    with_the_module = before.config.choam
    face_up = count(len(before.contract_row))
    old, new = before.players[who], after.players[who]
    solari = says(contracts.solari, face_up, with_the_module=with_the_module)
    claim(new.solari == old.solari + solari, "the Solari")
    taken = says(contracts.taken, face_up, with_the_module=with_the_module)
    had = len(old.contracts) + len(old.completed)
    claim(taken == len(new.contracts) + len(new.completed) - had, "the contract")
    if taken:
        bank = count(size(before.contract_deck))
        left = says(contracts.face_up_after, face_up, bank)
        claim(left == len(after.contract_row), "another one is face up")
