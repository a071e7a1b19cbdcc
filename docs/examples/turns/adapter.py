"""The adapter of an engine that resolves turns at once: `truthsayer conform -- python adapter.py`.

Its step is `combat`: whole turns, and the last one of a round with the Combat after it.
"""

from __future__ import annotations

import copy
import json
import sys
from typing import Any

from game import Game, Illegal, Unknown

Json = dict[str, Any]

ABOUT = {
    "answer": "described",
    "name": "turns at once",
    "version": "1",
    "products": ["uprising"],
    "step": "combat",
    "capabilities": ["position", "begin", "effect", "undo", "revisions"],
    "fields": [
        "round", "first_player", "asked", "turn", "shield_wall", "agents", "makers", "controls",
        "alliances", "conflict", "row", "reserve", "trashed", "winners",
        *(
            f"players.{each}"
            for each in (
                "solari", "spice", "water", "persuasion", "victory_points", "tracks", "supply",
                "garrison", "troops", "sandworms", "strength", "swords", "agents", "maker_hooks",
                "high_council", "swordmaster", "revealed", "hand", "discard", "in_play", "deck",
                "intrigues", "won",
            )
        ),
    ],
    "features": {
        "leaders": [],
        "modules": [],
        "contracts": [],
        "spies": [],
        "actions": [
            "play_agent", "reveal", "resolve", "choose", "accept", "decline", "deploy", "pass",
            "pick_faction", "acquire", "trash", "end_turn",
        ],
    },
}  # fmt: skip


class Adapter:
    """One game at a time, with what was before each unit, to go back to."""

    def answer(self, call: Json) -> Json:
        """Do what one call asks for."""
        try:
            return self._done(call)
        except Illegal as why:
            return {"answer": "refused", "reason": str(why)}
        except Unknown as what:
            return {"answer": "unsupported", "what": str(what)}

    def _done(self, call: Json) -> Json:
        match call["call"]:
            case "describe":
                return ABOUT
            case "start":
                self.start(call)
            case "apply_unit":
                self.apply_unit(call)
            case "undo":
                self.game.restore(self.before.pop())
            case "finish":
                return {"answer": "done"}
            case "observe" if call.get("seat") is None:
                pass
            case _:
                raise Unknown(call["call"])
        return {"answer": "done", "observation": self.shown()}

    def start(self, call: Json) -> None:
        """Lay out a position: the game has only what this engine knows of it."""
        table = call["position"]
        if table is None:
            raise Unknown("a game from its setup")
        if table["first_reward"]:
            raise Unknown("rewards that cards have added")
        for name, value in NOT_FOLLOWED.items():
            if call["setup"]["rulings"].get(name) == value:
                raise Unknown(f"{name} = {value}")
        for player in table["players"]:
            if player["set_aside"] or player["standing"]:
                raise Unknown("cards beside the others")
            if player["deck"] and not all(is_whole(part) for part in player["deck"]):
                raise Unknown("a deck of which the cards are not known")
            player["deck"] = laid_out(player["deck"])
        table["decks"] = {kind: laid_out(table[name]) for kind, name in DECKS.items()}
        self.game = Game(table, call.get("to_move"))
        self.before: list[Json] = []

    def apply_unit(self, call: Json) -> None:
        """A turn with what follows, a phase, or effects; if it cannot be, nothing has happened."""
        if call["revision"] != len(self.before):
            raise Illegal("it was made for another position")
        before = self.game.saved()
        self.arrange(call["chance"])
        try:
            self.play(call["inputs"])
        except BaseException:
            self.game.restore(before)
            raise
        self.before.append(before)

    def arrange(self, chance: list[Json]) -> None:
        """Put what will come on top of the decks."""
        self.game.fate = {}
        for each in chance:
            if "outcome" in each:
                key = each["kind"], each.get("player")
                self.game.fate.setdefault(key, []).append(each["outcome"])

    def play(self, inputs: list[Json]) -> None:
        """Hand a unit to the engine as one call."""
        first, decisions = inputs[0], [each["do"] for each in inputs if "do" in each]
        game = self.game
        match first:
            case {"do": _} if len(decisions) == len(inputs):
                game.turn(decisions)
            case {"begin": phase} if len(decisions) == len(inputs) - 1:
                self.begin(phase, decisions)
            case {"effect": told}:
                game.told(told["player"], told["effects"], decisions)
            case _:
                raise Unknown("such a unit")

    def begin(self, phase: str, decisions: list[Json]) -> None:
        """Begin a phase at once."""
        game = self.game
        game.turn_of = None
        match phase:
            case "combat_begins" | "combat_resolves":
                game.combat(decisions)
            case "makers_begin":
                game.makers()
            case "recall_begins":
                game.recall(decisions)
            case "round_begins":
                game.new_round(decisions)
            case _:
                raise Unknown(phase)

    def shown(self) -> Json:
        """What is compared."""
        table = self.game.table
        seat = self.game.turn_of
        asked = {"turn": seat, "asked": [] if seat is None else [seat]}
        names = [each.removeprefix("players.") for each in ABOUT["fields"]]
        players = [{name: p[name] for name in names if name in p} for p in table["players"]]
        found = {name: table[name] for name in names if name in table}
        return copy.deepcopy({**found, **asked, "players": players})


def is_whole(part: Json) -> bool:
    """Whether all cards of a part of a deck are known."""
    return part["part"] == "known" or bool(part["count"] == len(part["cards"]))


def laid_out(deck: list[Json]) -> list[str]:
    """The cards of a deck, the top one last."""
    parts = [[p["card"]] if p["part"] == "known" else p["cards"][: p["count"]] for p in deck]
    return [card for part in reversed(parts) for card in part]


DECKS = {"row": "imperium_deck", "draw_intrigue": "intrigue_deck", "conflict": "conflict_deck"}
"""The decks, by what chance calls a card of theirs."""

NOT_FOLLOWED = {
    "agent_turn_end": "last_effect",
    "tiebreak_after_garrison": "shared",
    "sandworm_choice_when_protected": "not_offered",
}
"""Readings of open points that a case may be about, and that this engine does not have."""


def main() -> None:
    """Answer every line by a line."""
    adapter = Adapter()
    for line in sys.stdin:
        batch = json.loads(line)
        # Each answer is written down at once: the next call may change what it shows.
        answers = [json.dumps(adapter.answer(call)) for call in batch["calls"]]
        print(f'{{"id": {batch["id"]}, "answers": [{", ".join(answers)}]}}', flush=True)


if __name__ == "__main__":
    main()
