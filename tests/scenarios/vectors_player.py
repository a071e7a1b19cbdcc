"""Plays vectors on the engine, knowing nothing but their JSON: the model of a client's adapter.

A client in another language has the same four parts: make the position, give the inputs and what
chance brings, look at what is there, and compare. Nothing of the scenario language is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from rules_engine.catalogue.faces import CardFace, ConflictFace, IntrigueFace, Way
from rules_engine.catalogue.load import catalogue
from rules_engine.effects.parse import parse
from rules_engine.effects.text import say
from rules_engine.effects.tree import Arrow, Pay
from rules_engine.imperium import frames
from rules_engine.imperium.actions import AnyInput
from rules_engine.imperium.faces import intrigue_face
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import DEALING
from rules_engine.imperium.state import Config, State, ThisTurn
from rules_engine.imperium.strength import strength
from rules_engine.kernel.decks import size
from rules_engine.kernel.game import Answer, asked, handle, legal, push
from rules_engine.kernel.outcomes import Event, Refusal
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.kernel.views import view_of

Json = dict[str, Any]


class Wrong(Exception):
    """The engine does not do what the vector says."""


def problems(vector: Json) -> list[str]:
    """What the engine does otherwise than a vector says; nothing if it passes."""
    try:
        return [f"{vector['id']}: {each}" for each in Game(vector).play(vector["steps"])]
    except Wrong as wrong:
        return [f"{vector['id']}: {wrong}"]


# The position


ANYTHING: Json = {
    "hand": [],
    "won": [],
    "row": [],
    "contract_row": [],
    "conflict_deck": [],
    "supply": 0,
    "troops": 0,
    "sandworms": 0,
    "swords": 0,
    "conflict": "skirmish_crysknife",
}
"""Something for what a vector leaves unknown: no outcome depends on it."""


def effects(sentences: list[str]) -> tuple[Any, ...]:
    return tuple(effect for each in sentences for effect in parse(each))


def boxes(face: Json) -> Json:
    """A card of the vector's own, its effects read from their sentences."""
    named = ("agent", "reveal", "acquire", "when_trashed", "when_discarded",
             "first", "second", "third")  # fmt: skip
    read = {box: effects(face[box]) for box in named if box in face}
    return {key: tuple(v) if isinstance(v, list) else v for key, v in face.items()} | read


def intrigue(face: Json) -> IntrigueFace:
    ways = (Way(w["timing"], effects(w["effects"]), effects(w["lines"])) for w in face["ways"])
    return IntrigueFace(face["id"], face["name"], 1, tuple(ways))


def start(vector: Json) -> State:
    """The position of a vector; the rest of the round is below the turn of who is to move."""
    setup, position = vector["setup"], vector["position"]
    table = {**position, "players": [dict(each) for each in position["players"]]}
    for path in vector["unknown"]:
        *where, field = path.split(".")
        (table["players"][int(where[1])] if where else table)[field] = ANYTHING[field]
    table |= {"config": {"product": "", "players": 0}, "turn": None, "pending": []}
    state = msgspec.convert({**table, "first_reward": []}, State)
    config = Config(
        product=setup["product"],
        players=len(setup["players"]),
        rulings=Rulings(tuple(setup["rulings"].items())),
        cards=tuple(CardFace(**boxes(each)) for each in setup["cards"]),
        conflicts=tuple(ConflictFace(**boxes(each)) for each in setup["conflicts"]),
        intrigues=tuple(map(intrigue, setup["intrigues"])),
        choam="choam" in setup["modules"],
        promos="promos" in setup["modules"],
    )
    state = change(state, config=config, first_reward=effects(position["first_reward"]))
    seat = vector["to_move"]
    if seat is None:
        return state
    turns = (frames.PlayerTurns((seat + 1) % config.players), frames.Turn(seat))
    rest = (frames.Recall(), frames.Makers(), frames.Combat(), *turns)
    return change(state, turn=ThisTurn(seat), pending=rest)


BEGIN: dict[str, tuple[Any, ...]] = {
    "game_begins": DEALING,
    "round_begins": (frames.RoundStart(),),
    "combat_begins": (frames.Combat(),),
    "combat_resolves": (frames.ResolveCombat(),),
    "makers_begin": (frames.Makers(),),
    "recall_begins": (frames.Recall(),),
}

CHANCE: dict[str, type[Any]] = {
    "draw": frames.DrawFromDeck,
    "draw_intrigue": frames.DrawFromIntrigue,
    "look": frames.LookAtTop,
    "steal": frames.Steal,
    "row": frames.FillRow,
    "contract": frames.FillContracts,
    "conflict": frames.RevealConflict,
    "objective": frames.DealObjectives,
}


class Game:
    """A vector that is being played."""

    def __init__(self, vector: Json) -> None:
        self.state = self.before = start(vector)
        self.events: list[Event] = []
        self.stop: str | None = None

    def play(self, steps: list[Json]) -> Iterator[str]:
        for number, each in enumerate(steps, 1):
            self.before, self.events = self.state, []
            self.stop = each.get("stops", {}).get("before")
            for given in each["inputs"]:
                self.give(given)
            for expected in each["expect"]:
                if not self.holds(expected):
                    yield f"step {number}: not so: {expected['says']}"
                rules = self.rules_about(expected)
                for rule in expected["because"]:
                    if rule not in rules:
                        yield f"step {number}: {rule} decides nothing of: {expected['says']}"

    # Inputs

    def give(self, given: Json) -> None:
        if "begin" in given:
            self.go_on(self.begun(given["begin"]))
        elif "effect" in given:
            self.go_on(self.told(given["effect"]))
        elif "do" in given:
            self.take(self.action(given["do"]), given)
        for answer in given["chance"]:
            self.draw(answer)

    def take(self, action: Any, given: Json) -> None:
        done = None if action is None else handle(IMPERIUM, self.state, action)
        if done is None or isinstance(done, Refusal):
            raise Wrong(f"the engine refuses {given}")
        self.events += done.events
        self.go_on(done.state)

    def go_on(self, state: State) -> None:
        """Go on until somebody is asked, or to where the step stops."""
        while asked(IMPERIUM, state).nobody() and state.pending and not self.stops(state):
            done = handle(IMPERIUM, state)
            assert not isinstance(done, Refusal)
            state = done.state
            self.events += done.events
        self.state = state

    def stops(self, state: State) -> bool:
        return bool(state.pending[-1].__struct_config__.tag == self.stop)

    def draw(self, answer: Json) -> None:
        if answer["kind"].startswith("shuffle"):
            key = {"shuffle": "reshuffles", "shuffle_intrigue": "reshuffles_intrigue"}
            if not self.happened(key[answer["kind"]], answer.get("player")):
                raise Wrong(f"nothing is shuffled for {answer}")
            return
        top: Any = self.state.pending[-1] if self.state.pending else None
        whose = [getattr(top, each, None) for each in ("seat", "victim")]
        if not isinstance(top, CHANCE[answer["kind"]]) or whose != [
            answer.get("player"),
            answer.get("victim"),
        ]:
            raise Wrong(f"chance is not asked for {answer}")
        self.take(Answer(answer["outcome"]), answer)

    def begun(self, phase: str) -> State:
        """Combat comes after all Reveal turns: every marker shows units and swords."""
        state = change(self.state, pending=BEGIN[phase], turn=None)
        if not phase.startswith("combat"):
            return state
        players = (
            each if each.revealed else change(each, revealed=True, strength=strength(each))
            for each in state.players
        )
        return change(state, players=tuple(players))

    def told(self, effect: Json) -> State:
        items = [Item(each, "scenario") for each in effects(effect["effects"])]
        return push(self.state, *(frames.Run(effect["player"], each) for each in reversed(items)))

    def action(self, said: Json) -> Any:
        """The engine's input for a decision; nothing if what it names is not there."""
        said = dict(said)
        top: Any = self.state.pending[-1] if self.state.pending else None
        match said["action"]:
            case "resolve":
                said["index"] = self.place(top, said)
            case "choose":
                said["option"] = self.option(top, said["effect"])
            case "pay":
                return self.payment(top, said)
            case "play_intrigue":
                said["way"] = self.way(said)
            case "recall_spy":
                if said.pop("gather") and not isinstance(top, frames.GatherIntelligence):
                    return None
        if None in (said.get("index", 0), said.get("option", 0)):
            return None
        return msgspec.convert(said, AnyInput)

    def place(self, top: Any, said: Json) -> int | None:
        for number, item in enumerate(getattr(top, "items", ())):
            same = say(item.effect) == said["effect"]
            if same and (item.source, item.copy) == (
                said.get("source", item.source),
                said.get("copy", item.copy),
            ):
                return number
        return None

    def option(self, top: Any, effect: str) -> int | None:
        for number, option in enumerate(getattr(top, "options", ())):
            offered = option.cost if isinstance(top, frames.PickCost) else option
            if say(offered) == effect:
                return number
        return None

    def payment(self, top: Any, said: Json) -> Any:
        """Whatever has this cost now: an option of a space, or an effect that has to be paid."""
        cost = Pay(said["amount"], said["what"])
        choice = {"action": "choose", "by": said["by"], "effect": say(cost)}
        if isinstance(top, frames.PickCost):
            return self.action(choice)
        for item in getattr(top, "items", ()):
            if isinstance(item.effect, Arrow) and item.effect.cost == cost:
                return self.action({**choice, "action": "resolve", "effect": say(item.effect)})
        return None

    def way(self, said: Json) -> int:
        ways = intrigue_face(self.state, said["card"]).ways
        shown = [(way.timing, [say(e) for e in (*way.effects, *way.lines)]) for way in ways]
        return shown.index((said["timing"], said["effects"]))

    # What is there

    def holds(self, expected: Json) -> bool:
        kind = expected["kind"]
        if kind in ("has", "gains", "loses", "keeps"):
            return self.quantity_holds(expected)
        if kind in ("can", "cannot"):
            return self.possible(expected)[0] is (kind == "can")
        return bool(LOOKS[kind](self, expected))

    def quantity_holds(self, expected: Json) -> bool:
        now, before = self.quantity(self.state, expected), self.quantity(self.before, expected)
        amount: int = expected["amount"]
        return {
            "has": now == amount,
            "gains": now - before == amount,
            "loses": before - now == amount,
            "keeps": now == before == amount,
        }[expected["kind"]]

    def quantity(self, state: State, about: Json) -> int:
        owner = state.players[about["player"]]
        match about["quantity"]:
            case "resource":
                return int(getattr(owner, about["what"]))
            case "influence":
                return {each.faction: each.influence for each in owner.tracks}[about["faction"]]
            case "sandworms_in_garrison":
                return 0
            case "cards":
                held = getattr(owner, about["zone"])
                return size(held) if about["zone"] == "deck" else len(held)
            case "intrigues" | "contracts" | "completed" as zone:
                return len(getattr(owner, zone))
            case field:
                return int(getattr(owner, field))

    def possible(self, expected: Json) -> tuple[bool, tuple[str, ...]]:
        """Whether something can be done now, and the rules for or against it."""
        if "effect" in expected:
            done = handle(IMPERIUM, self.told(expected["effect"]))
            assert not isinstance(done, Refusal)
            return done.state != self.state, cited(done.events)
        action = self.action(expected["action"])
        if action is None:
            return False, ()
        refused = legal(IMPERIUM, self.state, action)
        if refused is not None:
            return False, refused.rules
        done = handle(IMPERIUM, self.state, action)
        assert not isinstance(done, Refusal)
        return True, cited(done.events)

    def rules_about(self, expected: Json) -> tuple[str, ...]:
        """The rules behind what happened in this step to the player whom a line is about."""
        if expected["kind"] in ("can", "cannot"):
            return self.possible(expected)[1]
        if expected["kind"] == "happens":
            return cited([each for each in self.events if tells(each, expected)])
        about = expected.get("player", expected.get("viewer"))
        return cited(
            [each for each in self.events if about is None or each.player in (about, None)]
        )

    def happened(self, key: str, seat: int | None = None) -> list[Event]:
        return [e for e in self.events if e.key == key and seat in (e.player, None)]

    def owner(self, expected: Json) -> Any:
        return self.state.players[expected["player"]]

    def reward(self, seat: int) -> str | None:
        """What a player took in the Combat of this step; nothing if there was none."""
        taken = {each.player: each.facts["reward"] for each in self.happened("reward")}
        return taken.get(seat, "none") if taken else None

    def sees(self, expected: Json) -> bool:
        """Whether a player's view shows the cards of another, or only how many there are."""
        record = self.state.players[expected["owner"]]
        held = list(getattr(record, expected["zone"]))
        return bool(view_of(record, expected["zone"], expected["viewer"]) == held)

    def won(self, expected: Json, *, face_up: bool) -> bool:
        held = self.owner(expected).won
        return among(expected["cards"], [each.card for each in held if each.face_up == face_up])

    def objectives(self, expected: Json) -> int:
        printed = catalogue(self.state.config.product).objectives
        own = [w for w in self.owner(expected).won if w.card in printed and w.face_up]
        return [each.icon for each in own].count(expected["icon"])

    def gained(self, seat: int) -> bool:
        """Whether a player has more of anything than before."""
        return any(
            now > before
            for now, before in zip(
                self.owned(self.state, seat), self.owned(self.before, seat), strict=True
            )
        )

    def owned(self, state: State, seat: int) -> list[int]:
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


def cited(events: Any) -> tuple[str, ...]:
    return tuple(rule for event in events for rule in event.rules)


def tells(event: Event, expected: Json) -> bool:
    """Whether an event is the one that is told."""
    facts = {name: list(v) if isinstance(v, tuple) else v for name, v in event.facts.items()}
    same = (event.key, event.player) == (expected["event"], expected.get("player"))
    return same and all(facts.get(name) == fact for name, fact in expected["facts"].items())


def among(cards: list[str], there: Any) -> bool:
    """Whether the cards are among those there; no cards mean that there are none."""
    return not Counter(cards) - Counter(there) if cards else not there


def same(cards: list[str], there: Any) -> bool:
    return Counter(cards) == Counter(there)


def holder(pairs: Any, key: str, value: str) -> int | None:
    return next((each.holder for each in pairs if getattr(each, key) == value), None)


def pieces(pairs: Any, key: str, value: str) -> list[int]:
    return [each.seat for each in pairs if getattr(each, key) == value]


LOOKS: dict[str, Any] = {
    "hand": lambda g, e: same(e["cards"], g.owner(e).hand),
    "intrigue": lambda g, e: same(e["cards"], g.owner(e).intrigues),
    "in_zone": lambda g, e: not Counter(e["cards"]) - Counter(getattr(g.owner(e), e["zone"])),
    "spy": lambda g, e: pieces(g.state.spies, "post", e["post"]).count(e["player"]) == e["amount"],
    "agent": lambda g, e: (
        pieces(g.state.agents, "space", e["space"]).count(e["player"]) == e["amount"]
    ),
    "no_spy": lambda g, e: not pieces(g.state.spies, "post", e["post"]),
    "no_agent": lambda g, e: not pieces(g.state.agents, "space", e["space"]),
    "hooks": lambda g, e: g.owner(e).maker_hooks,
    "no_hooks": lambda g, e: not g.owner(e).maker_hooks,
    "swordmaster": lambda g, e: g.owner(e).swordmaster,
    "no_swordmaster": lambda g, e: not g.owner(e).swordmaster,
    "seated": lambda g, e: g.owner(e).high_council,
    "not_seated": lambda g, e: not g.owner(e).high_council,
    "revealed": lambda g, e: g.owner(e).revealed,
    "not_revealed": lambda g, e: not g.owner(e).revealed,
    "led_by": lambda g, e: g.owner(e).leader == e["leader"],
    "trained": lambda g, e: g.owner(e).training == e["training"],
    "holds_contracts": lambda g, e: among(e["cards"], g.owner(e).contracts),
    "has_completed": lambda g, e: among(e["cards"], g.owner(e).completed),
    "set_aside": lambda g, e: among(e["cards"], g.owner(e).set_aside),
    "standing": lambda g, e: among(e["cards"], g.owner(e).standing),
    "won": lambda g, e: g.won(e, face_up=True),
    "matched": lambda g, e: g.won(e, face_up=False),
    "holds_objectives": lambda g, e: g.won(e, face_up=True),
    "won_by_nobody": lambda g, e: (
        not {w.card for p in g.state.players for w in p.won} & {*e["cards"]}
    ),
    "objective": lambda g, e: g.objectives(e) == e["amount"],
    "has_trashed": lambda g, e: among(
        e["cards"], [each.facts["card"] for each in g.happened("trashes", e["player"])]
    ),
    "intrigue_discard": lambda g, e: not Counter(e["cards"]) - Counter(g.state.intrigue_discard),
    "out_of_game": lambda g, e: (
        not Counter(e["cards"]) - Counter((*g.state.trashed, *g.state.trashed_intrigues))
    ),
    "contract_row": lambda g, e: same(e["cards"], g.state.contract_row),
    "row": lambda g, e: same(e["cards"], g.state.row),
    "row_size": lambda g, e: len(g.state.row) == e["amount"],
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
    "bonus_spice": lambda g, e: (
        {m.space: m.bonus_spice for m in g.state.makers}.get(e["space"], 0) == e["amount"]
    ),
    "strength": lambda g, e: all(
        g.owner(each).strength == each["amount"] for each in e["strengths"]
    ),
    "first_reward": lambda g, e: (
        not (Counter(e["effects"]) - Counter(say(each) for each in g.state.first_reward))
    ),
    "round": lambda g, e: g.state.round == e["amount"],
    "turn_of": lambda g, e: g.state.turn is not None and g.state.turn.seat == e["player"],
    "is_first": lambda g, e: g.state.first_player == e["player"],
    "is_asked": lambda g, e: asked(IMPERIUM, g.state).players == (e["player"],),
    "nobody_asked": lambda g, _: asked(IMPERIUM, g.state).nobody(),
    "gains_nothing": lambda g, e: not g.gained(e["player"]),
    "happens": lambda g, e: any(tells(each, e) for each in g.events),
    "does_not_happen": lambda g, e: not any(tells(each, e) for each in g.events),
    "sees": lambda g, e: g.sees(e),
    "does_not_see": lambda g, e: not g.sees(e),
    "rewards": lambda g, e: all(
        g.reward(each["player"]) == each["reward"] for each in e["rewards"]
    ),
    "gains_reward": lambda g, e: g.reward(e["player"]) == e["reward"],
    "gains_no_reward": lambda g, e: g.reward(e["player"]) == "none",
    "wins_conflict": lambda g, e: [w.player for w in g.happened("wins_conflict")] == [e["player"]],
    "nobody_wins": lambda g, _: g.happened("reward") and not g.happened("wins_conflict"),
    "wins_game": lambda g, e: g.state.winners == (e["player"],),
    "share_victory": lambda g, e: {*g.state.winners} == {*e["players"]},
}
"""How each kind of expectation is seen on this engine."""
