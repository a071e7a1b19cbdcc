"""Plays vectors on the engine, knowing nothing but their JSON: the model of a client's adapter.

A client in another language has the same four parts: make the position, give the inputs and what
chance brings, look at what is there, and compare. Nothing of the scenario language is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rules_engine.catalogue.faces import CardFace, ConflictFace, ContractFace, IntrigueFace, Way
from rules_engine.effects.parse import parse
from rules_engine.effects.text import say
from rules_engine.effects.tree import Arrow, Pay
from rules_engine.imperium import frames
from rules_engine.imperium.actions import AnyInput
from rules_engine.imperium.faces import conflict_face, intrigue_face
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.not_due import why_cost_not_due, why_effect_not_due
from rules_engine.imperium.setup import DEALING
from rules_engine.imperium.spies import why_not_gather
from rules_engine.imperium.state import Config, State, ThisTurn
from rules_engine.imperium.strength import strength
from rules_engine.kernel.game import Answer, asked, handle, legal, push
from rules_engine.kernel.outcomes import Event, Refusal
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from tests.scenarios.vectors_looks import LOOKS, quantity_holds, tells

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
    "conflict": "skirmish_crysknife",
}
"""Something for what a vector leaves unknown: no outcome depends on it."""


def effects(sentences: list[str]) -> tuple[Any, ...]:
    return tuple(effect for each in sentences for effect in parse(each))


def boxes(face: Json) -> Json:
    """A card of the vector's own, its effects read from their sentences."""
    named = ("agent", "reveal", "acquire", "when_trashed", "when_discarded",
             "first", "second", "third", "reward")  # fmt: skip
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
        contracts=tuple(
            ContractFace(copies=1, **boxes(each)) for each in setup.get("contracts", ())
        ),
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
        self.since_start: list[Event] = []
        """What happened since the start, not only in this step."""
        self.rewards: dict[int, str] | None = None
        self.winners: list[int] = []
        """What players were handed in the Combat of this step, if there was one."""
        self.stop: str | None = None

    def play(self, steps: list[Json]) -> Iterator[str]:
        for number, each in enumerate(steps, 1):
            self.before, self.events = self.state, []
            self.rewards, self.winners = None, []
            self.stop = each.get("stops", {}).get("before")
            for given in each["inputs"]:
                self.give(given)
            self.since_start += self.events
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
            self.watch(state, done.state)
            state = done.state
            self.events += done.events
        self.state = state

    def watch(self, before: State, after: State) -> None:
        """Remember the rewards and the card that players are handed after a Combat."""
        match before.pending[-1]:
            case frames.ResolveCombat():
                self.rewards = {}
            case frames.GiveRewards((taking, *_)) if self.rewards is not None:
                new = after.pending[len(before.pending) :]
                handed = [e for e in new if isinstance(e, frames.Effects) and e.seat == taking.seat]
                if handed or not getattr(
                    conflict_face(before, before.conflict or ""), taking.reward
                ):
                    self.rewards[taking.seat] = taking.reward
            case frames.TakeConflictCard(seat):
                if any(won.card == before.conflict for won in after.players[seat].won):
                    self.winners.append(seat)

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
            return quantity_holds(self, expected)
        if kind in ("can", "cannot"):
            return self.possible(expected)[0] is (kind == "can")
        return bool(LOOKS[kind](self, expected))

    def possible(self, expected: Json) -> tuple[bool, tuple[str, ...]]:
        """Whether something can be done now, and the rules for or against it."""
        if "effect" in expected:
            done = handle(IMPERIUM, self.told(expected["effect"]))
            assert not isinstance(done, Refusal)
            return done.state != self.state, cited(done.events)
        action = self.action(expected["action"])
        if action is None:
            return False, self.against(expected["action"])
        refused = legal(IMPERIUM, self.state, action)
        if refused is not None:
            return False, refused.rules
        done = handle(IMPERIUM, self.state, action)
        assert not isinstance(done, Refusal)
        return True, cited(done.events)

    def against(self, said: Json) -> tuple[str, ...]:
        """The rules against something that is not there to be done."""
        state, seat = self.state, said["by"]
        match said["action"]:
            case "pay":
                why = why_cost_not_due(state, seat, Pay(said["amount"], said["what"]))
            case "recall_spy":
                why = why_not_gather(state, seat, said["post"])
            case "resolve":
                why = why_effect_not_due(state, seat, *effects([said["effect"]]))
            case _:
                return ()
        return Refusal(tuple(why)).rules

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


def cited(events: Any) -> tuple[str, ...]:
    return tuple(rule for event in events for rule in event.rules)
