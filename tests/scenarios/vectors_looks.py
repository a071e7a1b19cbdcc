"""What the player of vectors looks at: each kind of expectation, on the positions of this engine.

A client in another language writes this part for its own positions; `g` is a game that is played.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rules_engine.catalogue.load import catalogue
from rules_engine.effects.text import say
from rules_engine.imperium.frames import TakeConflictCard
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import possibly_in, size
from rules_engine.kernel.game import asked
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.views import view_of
from scenarios.resting import effects_due, effects_offered

Json = dict[str, Any]

# Quantities


def quantity_holds(g: Any, expected: Json) -> bool:
    now, before = quantity(g.state, expected), quantity(g.before, expected)
    amount: int = expected["amount"]
    return {
        "has": meets(expected, now),
        "gains": meets(expected, now - before),
        "loses": meets(expected, before - now),
        "keeps": now == before == amount,
    }[expected["kind"]]


def meets(expected: Json, number: int) -> bool:
    """Whether there are just as many as expected, or with `at_least` no fewer."""
    amount: int = expected["amount"]
    return number >= amount if expected.get("at_least") else number == amount


def quantity(state: State, about: Json) -> int:
    owner = state.players[about["player"]]
    match about["quantity"]:
        case "resource":
            return int(getattr(owner, about["what"]))
        case "influence":
            return {each.faction: each.influence for each in owner.tracks}[about["faction"]]
        case "cards":
            held = getattr(owner, about["zone"])
            return size(held) if about["zone"] == "deck" else len(held)
        case "intrigues" | "contracts" | "completed" as zone:
            return len(getattr(owner, zone))
        case field:
            return int(getattr(owner, field))


def owner(g: Any, expected: Json) -> Any:
    return g.state.players[expected["player"]]


def reward(g: Any, seat: int) -> str | None:
    """What a player was or is to be handed in the Combat of this step; nothing without one."""
    if g.rewards is None:
        return None
    due = [each for frame in g.state.pending for each in getattr(frame, "takings", ())]
    return str((g.rewards | {each.seat: each.reward for each in due}).get(seat, "none"))


def winners(g: Any) -> list[int]:
    """Who has taken the Conflict card in this step, or is about to."""
    due = [each.seat for each in g.state.pending if isinstance(each, TakeConflictCard)]
    return [*g.winners, *due]


def sees(g: Any, expected: Json) -> bool:
    """Whether a player's view shows the cards of another, or only how many there are."""
    record = g.state.players[expected["owner"]]
    held = list(getattr(record, expected["zone"]))
    return bool(view_of(record, expected["zone"], expected["viewer"]) == held)


def won(g: Any, expected: Json, *kinds: bool, face_up: bool) -> bool:
    """The cards face up or down before a player; `kinds`: Conflict cards, Objectives."""
    printed = catalogue(g.state.config.product).objectives
    held = [each.card for each in owner(g, expected).won if each.face_up == face_up]
    return listed(expected, [card for card in held if (card in printed) in kinds])


def over(state: State) -> set[str]:
    """The Conflict cards that were turned up and went to nobody."""
    config = state.config
    known = {*catalogue(config.product).conflicts} | {each.id for each in config.conflicts}
    owned = {each.card for player in state.players for each in player.won}
    return known - {*possibly_in(state.conflict_deck)} - owned - {state.conflict}


def trashed(g: Any, expected: Json) -> list[str]:
    """What a player has trashed since the start of the vector."""
    told = [e for e in g.since_start if e.key == "trashes" and e.player == expected["player"]]
    stacks = {stack.card for stack in g.state.reserve}
    return [e.facts["card"] for e in told if e.facts["card"] in {*g.state.trashed, *stacks}]


def in_zone(g: Any, expected: Json) -> tuple[str, ...]:
    held = getattr(owner(g, expected), expected["zone"])
    return possibly_in(held) if expected["zone"] == "deck" else held


def objectives(g: Any, expected: Json) -> int:
    printed = catalogue(g.state.config.product).objectives
    own = [w for w in owner(g, expected).won if w.card in printed and w.face_up]
    return [each.icon for each in own].count(expected["icon"])


def gained(g: Any, seat: int) -> bool:
    """Whether a player has more of anything than before."""
    return any(
        now > before
        for now, before in zip(owned(g.state, seat), owned(g.before, seat), strict=True)
    )


def owned(state: State, seat: int) -> list[int]:
    owner = state.players[seat]
    counted = ("solari", "spice", "water", "persuasion", "victory_points", "garrison", "troops",
               "sandworms", "swords", "agents", "spies", "memories",
               "maker_hooks", "high_council", "swordmaster")  # fmt: skip
    listed = ("hand", "intrigues", "contracts", "completed")
    return [
        *(int(getattr(owner, each)) for each in counted),
        *(len(getattr(owner, each)) for each in listed),
        *(each.influence for each in owner.tracks),
        *(int(each.holder == seat) for each in state.alliances),
        *(int(each.holder == seat) for each in state.controls),
    ]


def tells(event: Event, expected: Json) -> bool:
    """Whether an event is the one that is told."""
    facts = {name: list(v) if isinstance(v, tuple) else v for name, v in event.facts.items()}
    if "card" in facts:
        facts.setdefault("cards", [facts["card"]])
    whose = expected.get("player", event.player)
    same = (event.key, event.player) == (expected["event"], whose)
    return same and all(facts.get(name) == fact for name, fact in expected["facts"].items())


def listed(expected: Json, there: Any) -> bool:
    """Whether just what is expected is there, or with `at_least` this among others."""
    wanted: Counter[str] = Counter(expected.get("effects", expected.get("cards")))
    return not wanted - Counter(there) if expected.get("at_least") else wanted == Counter(there)


def holder(pairs: Any, key: str, value: str) -> int | None:
    return next((each.holder for each in pairs if getattr(each, key) == value), None)


def pieces(pairs: Any, key: str, value: str) -> list[int]:
    return [each.seat for each in pairs if getattr(each, key) == value]


LOOKS: dict[str, Any] = {
    "hand": lambda g, e: listed(e, owner(g, e).hand),
    "intrigue": lambda g, e: listed(e, owner(g, e).intrigues),
    "in_zone": lambda g, e: listed(e, in_zone(g, e)),
    "spy": lambda g, e: meets(e, pieces(g.state.spies, "post", e["post"]).count(e["player"])),
    "agent": lambda g, e: meets(e, pieces(g.state.agents, "space", e["space"]).count(e["player"])),
    "no_spy": lambda g, e: not pieces(g.state.spies, "post", e["post"]),
    "no_agent": lambda g, e: not pieces(g.state.agents, "space", e["space"]),
    "hooks": lambda g, e: owner(g, e).maker_hooks,
    "no_hooks": lambda g, e: not owner(g, e).maker_hooks,
    "swordmaster": lambda g, e: owner(g, e).swordmaster,
    "no_swordmaster": lambda g, e: not owner(g, e).swordmaster,
    "seated": lambda g, e: owner(g, e).high_council,
    "not_seated": lambda g, e: not owner(g, e).high_council,
    "revealed": lambda g, e: owner(g, e).revealed,
    "not_revealed": lambda g, e: not owner(g, e).revealed,
    "led_by": lambda g, e: owner(g, e).leader == e["leader"],
    "trained": lambda g, e: owner(g, e).training == e["training"],
    "holds_contracts": lambda g, e: listed(e, owner(g, e).contracts),
    "has_completed": lambda g, e: listed(e, owner(g, e).completed),
    "set_aside": lambda g, e: listed(e, owner(g, e).set_aside),
    "standing": lambda g, e: listed(e, owner(g, e).standing),
    "won": lambda g, e: won(g, e, False, face_up=True),
    "matched": lambda g, e: won(g, e, False, True, face_up=False),
    "holds_objectives": lambda g, e: won(g, e, True, face_up=True),
    "won_by_nobody": lambda g, e: listed(e, over(g.state)),
    "objective": lambda g, e: meets(e, objectives(g, e)),
    "has_trashed": lambda g, e: listed(e, trashed(g, e)),
    "intrigue_discard": lambda g, e: listed(e, g.state.intrigue_discard),
    "out_of_game": lambda g, e: listed(e, (*g.state.trashed, *g.state.trashed_intrigues)),
    "contract_row": lambda g, e: listed(e, g.state.contract_row),
    "row": lambda g, e: listed(e, g.state.row),
    "row_size": lambda g, e: meets(e, len(g.state.row)),
    "no_contracts_left": lambda g, _: not size(g.state.contract_deck),
    "no_cards_left": lambda g, _: not size(g.state.imperium_deck),
    "no_intrigues_left": lambda g, _: not size(g.state.intrigue_deck),
    "no_conflicts_left": lambda g, _: not size(g.state.conflict_deck),
    "controls": lambda g, e: holder(g.state.controls, "space", e["space"]) == e["player"],
    "uncontrolled": lambda g, e: holder(g.state.controls, "space", e["space"]) is None,
    "holds": lambda g, e: holder(g.state.alliances, "faction", e["faction"]) == e["player"],
    "unheld": lambda g, e: holder(g.state.alliances, "faction", e["faction"]) is None,
    "wall_stands": lambda g, _: g.state.shield_wall,
    "wall_gone": lambda g, _: not g.state.shield_wall,
    "bonus_spice": lambda g, e: meets(
        e, {m.space: m.bonus_spice for m in g.state.makers}.get(e["space"], 0)
    ),
    "strength": lambda g, e: all(meets(each, owner(g, each).strength) for each in e["strengths"]),
    "marker": lambda g, e: owner(g, e).strength == e["amount"] <= 20,
    "marker_turned": lambda g, e: owner(g, e).strength == e["amount"] + 20 > 20,
    "reserve": lambda g, e: all(
        {s.card: s.left for s in g.state.reserve}[each["card"]] == each["amount"]
        for each in e["stacks"]
    ),
    "first_reward": lambda g, e: (
        Counter(e["effects"]) == Counter(say(each) for each in g.state.first_reward)
    ),
    "round": lambda g, e: g.state.round == e["amount"],
    "turn_of": lambda g, e: g.state.turn is not None and g.state.turn.seat == e["player"],
    "is_first": lambda g, e: g.state.first_player == e["player"],
    "is_asked": lambda g, e: asked(IMPERIUM, g.state).players == (e["player"],),
    "chance_asked": lambda g, _: asked(IMPERIUM, g.state).chance,
    "nobody_asked": lambda g, _: asked(IMPERIUM, g.state).nobody(),
    "due": lambda g, e: listed(e, [say(i.effect) for i in effects_due(g.state)]),
    "offered": lambda g, e: listed(
        e, [say(i.effect) for i in effects_offered(g.state, e["player"])]
    ),
    "gains_nothing": lambda g, e: not gained(g, e["player"]),
    "happens": lambda g, e: any(tells(each, e) for each in g.events),
    "does_not_happen": lambda g, e: not any(tells(each, e) for each in g.events),
    "sees": lambda g, e: sees(g, e),
    "does_not_see": lambda g, e: not sees(g, e),
    "rewards": lambda g, e: all(
        reward(g, each["player"]) == each["reward"] for each in e["rewards"]
    ),
    "gains_reward": lambda g, e: reward(g, e["player"]) == e["reward"],
    "gains_no_reward": lambda g, e: reward(g, e["player"]) == "none",
    "wins_conflict": lambda g, e: winners(g) == [e["player"]],
    "nobody_wins": lambda g, _: g.rewards is not None and not winners(g),
    "wins_game": lambda g, e: g.state.winners == (e["player"],),
    "share_victory": lambda g, e: {*g.state.winners} == {*e["players"]},
}
"""How each kind of expectation is seen on this engine."""
