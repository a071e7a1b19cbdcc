"""A small engine that resolves turns at once: a turn, or the end of a round, is one call.

It has no Leaders, Spies, contracts, and plays no Intrigue cards; of the others it knows what is in
`box.json`. A turn comes with all its decisions, in their order, and either it is taken as a whole,
or it raises `Illegal` and nothing has happened.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

BOX: Json = json.loads(Path(__file__).with_name("box.json").read_text("utf-8"))
HAND = 5
POINTS_TO_END = 10
FROM_GARRISON = 2
TOP_OF_TRACK = 6
FOUR = 4


class Illegal(Exception):
    """The rules do not allow this turn."""


class Unknown(Exception):
    """This engine has no such thing."""


class Decisions:
    """What the players decide in a turn, one after the other."""

    def __init__(self, listed: list[Json]) -> None:
        self.left = list(listed)

    def next(self, seat: int, *kinds: str) -> Json:
        """The next decision of a player, if it is of such a kind."""
        if not self.left or self.left[0]["by"] != seat or self.left[0]["action"] not in kinds:
            raise Illegal(f"it takes {' or '.join(kinds)} of player {seat}")
        return self.left.pop(0)

    def skip(self, kind: str) -> None:
        """Pass over decisions that this engine makes by itself."""
        while self.left and self.left[0]["action"] == kind:
            self.left.pop(0)


class Game:
    """One game. `fate` has what chance brings, by its kind and the player."""

    def __init__(self, table: Json, to_move: int | None) -> None:
        self.table = table
        self.players: list[Json] = table["players"]
        self.turn_of = to_move
        self.fate: dict[tuple[str, int | None], list[str]] = {}
        self.decisions = Decisions([])
        self.recruited = self.deployed = 0
        self.space = ""

    def saved(self) -> Json:
        """All of it, to come back to."""
        return copy.deepcopy({"table": self.table, "turn_of": self.turn_of})

    def restore(self, saved: Json) -> None:
        """Come back to what was saved."""
        self.table, self.turn_of = saved["table"], saved["turn_of"]
        self.players = self.table["players"]

    # Turns

    def turn(self, decisions: list[Json]) -> None:
        """A turn, and if it was the last one of the round, everything up to the next."""
        if self.turn_of is None:
            raise Illegal("nobody is to move")
        self.decisions = Decisions(decisions)
        self.recruited = self.deployed = 0
        self.space = ""
        seat = self.turn_of
        first = self.decisions.next(seat, "play_agent", "reveal")
        if first["action"] == "play_agent":
            self._send_agent(self.players[seat], first)
        else:
            self._reveal(self.players[seat])
        others = self._clockwise(seat)[1:]
        waiting = [at for at in (*others, seat) if not self.players[at]["revealed"]]
        self.turn_of = waiting[0] if waiting else None
        if not waiting:
            self.combat()
            self.makers()
            self.recall()
        self._see_that_nothing_is_left()

    def _see_that_nothing_is_left(self) -> None:
        if self.decisions.left:
            raise Illegal(f"there is no {self.decisions.left[0]['action']} now")

    def _clockwise(self, seat: int) -> list[int]:
        return [(seat + each) % len(self.players) for each in range(len(self.players))]

    def _send_agent(self, owner: Json, sent: Json) -> None:
        if sent["infiltrate"] is not None or self._has_spies(owner):
            raise Unknown("Spies")
        if sent["card"] not in owner["hand"]:
            raise Illegal("the card is not in hand")
        card, space = known("cards", sent["card"]), known("spaces", sent["space"])
        if owner["agents"] < 1:
            raise Illegal("no Agent is left")
        if space["icon"] not in card["icons"]:
            raise Illegal("no icon of the card is that of the space")
        if any(each["space"] == sent["space"] for each in self.table["agents"]):
            raise Illegal("an Agent is there")
        self._see_that_it_is_open(owner, space)
        self._pay(owner, *self._price(sent["space"], space))
        owner["hand"].remove(sent["card"])
        owner["in_play"].append(sent["card"])
        owner["agents"] -= 1
        self.table["agents"].append({"space": sent["space"], "seat": owner["seat"]})
        self.space = sent["space"]
        effects = self._with_cost_chosen(owner, space["effects"])
        self._give_control_bonus(sent["space"], space)
        due = [(each, sent["space"]) for each in effects]
        due += [(each, sent["card"]) for each in card.get("agent", ())]
        self._resolve_in_turn(owner, due, self._is_combat_space(space))

    def _has_spies(self, owner: Json) -> bool:
        return any(each["seat"] == owner["seat"] for each in self.table["spies"])

    def _is_combat_space(self, space: Json) -> bool:
        return bool(space.get("combat"))

    def _see_that_it_is_open(self, owner: Json, space: Json) -> None:
        match space.get("requirement"):
            case [faction, least] if influence(owner, faction) < least:
                raise Illegal("not enough Influence for the space")
            case "no swordmaster" if owner["swordmaster"]:
                raise Illegal("there is a Swordmaster already")

    def _price(self, name: str, space: Json) -> tuple[int, str]:
        amount, what = space.get("cost", (0, "solari"))
        if name == "swordmaster" and any(each["swordmaster"] for each in self.players):
            amount = 6
        return amount, what

    def _pay(self, owner: Json, amount: int, what: str) -> None:
        if owner[what] < amount:
            raise Illegal(f"not enough {what}")
        owner[what] -= amount

    def _with_cost_chosen(self, owner: Json, effects: list[str]) -> list[str]:
        """The effects of a space, where the visitor picks what to pay."""
        head = "choose_at_placement: "
        if not effects[0].startswith(head):
            return effects
        picked = self.decisions.next(owner["seat"], "choose")["effect"]
        for option in effects[0].removeprefix(head).split(" | "):
            cost, effect = option.removeprefix("[").split("] ")
            if cost == picked:
                _, amount, what = cost.split()
                self._pay(owner, int(amount), what)
                return [effect]
        raise Illegal("the space does not offer this")

    def _give_control_bonus(self, name: str, space: Json) -> None:
        for each in self.table["controls"]:
            if each["space"] == name and each["holder"] is not None:
                self.run(self.players[each["holder"]], space["control"])

    def _resolve_in_turn(self, owner: Json, due: list[tuple[str, str]], is_combat: bool) -> None:
        """Effects and deployment in any order, until the turn ends."""
        while True:
            kinds = ("resolve", "deploy", "acquire", "end_turn")
            decided = self.decisions.next(owner["seat"], *kinds)
            match decided["action"]:
                case "resolve":
                    self._resolve(owner, due, decided)
                case "deploy":
                    self._deploy(owner, decided["troops"], is_combat)
                case "acquire":
                    self._acquire(owner, decided["card"])
                case _:
                    break
        if any(self._is_mandatory(owner, effect) for effect, _ in due):
            raise Illegal("effects are due")

    def _is_mandatory(self, owner: Json, effect: str) -> bool:
        if effect.startswith("if "):
            condition, then, otherwise = parts_of_condition(effect)
            chosen = then if self._holds(owner, condition) else otherwise
            return bool(chosen) and self._is_mandatory(owner, chosen)
        return not effect.startswith("may ") and " -> " not in effect

    def _resolve(self, owner: Json, due: list[tuple[str, str]], decided: Json) -> None:
        for each in due:
            if each == (decided["effect"], decided.get("source", each[1])):
                due.remove(each)
                self._see_that_it_does_something(owner, each[0])
                self.run(owner, *each)
                return
        raise Illegal("this effect is not due")

    def _see_that_it_does_something(self, owner: Json, effect: str) -> None:
        if effect.startswith("if "):
            condition, _, otherwise = parts_of_condition(effect)
            if not otherwise and not self._holds(owner, condition):
                raise Illegal("the condition of the effect does not hold")

    def _deploy(self, owner: Json, troops: int, is_combat: bool) -> None:
        if not is_combat:
            raise Illegal("it is no Combat space")
        if troops < 1 or troops > owner["garrison"]:
            raise Illegal("not so many troops in the garrison")
        if self.deployed + troops > self.recruited + FROM_GARRISON:
            raise Illegal("too many troops at once")
        self.deployed += troops
        owner["garrison"] -= troops
        owner["troops"] += troops
        self._mark_strength(owner)

    def _reveal(self, owner: Json) -> None:
        """All cards in hand are shown; the Persuasion that they give buys others."""
        shown, owner["hand"] = owner["hand"], []
        owner["in_play"] += shown
        owner["revealed"] = True
        self.table["reveal_order"].append(owner["seat"])
        due = [
            (effect, card) for card in shown for effect in known("cards", card).get("reveal", ())
        ]
        for each in self.table["agents"]:
            if each["seat"] == owner["seat"]:
                reveal = known("spaces", each["space"]).get("reveal", ())
                due += [(effect, each["space"]) for effect in reveal]
        if owner["high_council"]:
            due.append(("gain 2 persuasion", "high_council"))
        self._resolve_in_turn(owner, due, is_combat=False)
        self._mark_strength(owner)
        owner["discard"] += owner["in_play"]
        owner["in_play"] = []
        owner["persuasion"] = 0

    def _acquire(self, owner: Json, card: str) -> None:
        if not owner["revealed"]:
            raise Illegal("cards are acquired in the Reveal turn")
        stack = next((each for each in self.table["reserve"] if each["card"] == card), None)
        in_row = card in self.table["row"]
        if not in_row and (stack is None or stack["left"] < 1):
            raise Illegal("the card is not for sale")
        cost = BOX["cards"][card]["cost"] if card in BOX["cards"] else known("costs", card)
        self._pay(owner, cost, "persuasion")
        owner["discard"].append(card)
        if in_row:
            self.table["row"].remove(card)
            self.table["row"] += self._drawn("row")
        elif stack is not None:
            stack["left"] -= 1
        for effect in BOX["cards"].get(card, {}).get("acquire", ()):
            self.run(owner, effect, card)

    def _mark_strength(self, owner: Json) -> None:
        """Each troop counts 2, each sandworm 3, each sword 1; without units nothing does."""
        if not owner["revealed"]:
            return
        units = owner["troops"] + owner["sandworms"]
        strength = 2 * owner["troops"] + 3 * owner["sandworms"] + owner["swords"]
        owner["strength"] = strength if units else 0

    # The end of a round

    def combat(self, decisions: list[Json] | None = None) -> None:
        """Nobody has Combat cards that this engine knows: all pass, and the rewards are given."""
        if decisions is not None:
            self.decisions = Decisions(decisions)
        for each in self.players:
            if not each["revealed"]:
                each["revealed"] = True
                self._mark_strength(each)
        self.decisions.skip("pass")
        self._reward()
        for each in self.players:
            each["supply"] += each["troops"]
            each["troops"] = each["sandworms"] = each["strength"] = each["swords"] = 0
        self.table["conflict"] = None

    def _reward(self) -> None:
        """Places by strength; who is tied takes the reward of the place below."""
        name = self.table["conflict"]
        if name is None:
            return
        places = [self._place(each["strength"]) for each in self.players]
        for seat in self._clockwise(self.table["first_player"]):
            if places[seat]:
                self._give_reward(self.players[seat], known("conflicts", name), places[seat])
        for seat, place in enumerate(places):
            if place == "first":
                self._take_card(self.players[seat], name)

    def _place(self, strength: int) -> str:
        """The reward for a strength, or nothing."""
        strengths = [each["strength"] for each in self.players]
        above = sum(other > strength for other in strengths)
        is_tied = strengths.count(strength) > 1
        if strength == 0:
            return ""
        if above == 0:
            return "second" if is_tied else "first"
        if above == 1:
            return "third" if is_tied else "second"
        return "third" if above == 2 and not is_tied and len(self.players) >= FOUR else ""

    def _give_reward(self, owner: Json, conflict: Json, place: str) -> None:
        effects = list(conflict[place])
        if owner["sandworms"]:
            effects += [each for each in effects if not each.startswith("take control")]
        due = [(each, self.table["conflict"]) for each in effects]
        while any(self._is_mandatory(owner, effect) for effect, _ in due):
            if self._is_next(owner, "resolve"):
                self._resolve(owner, due, self.decisions.next(owner["seat"], "resolve"))
            else:
                self._resolve_by_itself(owner, due)
        while due and self._is_next(owner, "resolve"):
            self._resolve(owner, due, self.decisions.next(owner["seat"], "resolve"))
        if due:
            self.decisions.next(owner["seat"], "end_turn")

    def _is_next(self, owner: Json, kind: str) -> bool:
        left = self.decisions.left
        return bool(left) and (left[0]["action"], left[0]["by"]) == (kind, owner["seat"])

    def _resolve_by_itself(self, owner: Json, due: list[tuple[str, str]]) -> None:
        each = next(each for each in due if self._is_mandatory(owner, each[0]))
        due.remove(each)
        self.run(owner, *each)

    def _take_card(self, owner: Json, name: str) -> None:
        """The winner takes the Conflict card; two cards with the same icon are a point."""
        icon = known("conflicts", name)["icon"]
        same = [each for each in owner["won"] if each["face_up"] and each["icon"] == icon]
        matches = bool(same) and icon != "wild"
        if matches:
            same[0]["face_up"] = False
            owner["victory_points"] += 1
        owner["won"].append({"card": name, "icon": icon, "face_up": not matches})
        if owner["intrigues"]:
            self.decisions.skip("pass")

    def makers(self) -> None:
        """A spice comes to every Maker space without an Agent."""
        occupied = [each["space"] for each in self.table["agents"]]
        for maker in self.table["makers"]:
            if maker["space"] not in occupied:
                maker["bonus_spice"] += 1

    def recall(self, decisions: list[Json] | None = None) -> None:
        """The game ends, or a new round begins."""
        if decisions is not None:
            self.decisions = Decisions(decisions)
        if self._is_over():
            self._end()
            return
        for each in self.table["agents"]:
            self.players[each["seat"]]["agents"] += 1
        self.table["agents"] = []
        self.table["first_player"] = self._clockwise(self.table["first_player"])[1]
        self.new_round()

    def _is_over(self) -> bool:
        most = max(each["victory_points"] for each in self.players)
        return most >= POINTS_TO_END or not self.table["decks"]["conflict"]

    def _end(self) -> None:
        """Most points win; then spice, Solari, water and troops in the garrison."""
        self.decisions.skip("pass")
        order = ("victory_points", "spice", "solari", "water", "garrison")
        standing = [tuple(each[field] for field in order) for each in self.players]
        best = [seat for seat, each in enumerate(standing) if each == max(standing)]
        if len(best) > 1:
            best = [max(best, key=self.table["reveal_order"].index)]
        self.table["winners"] = best

    def new_round(self, decisions: list[Json] | None = None) -> None:
        """A Conflict card is turned up, and everybody draws a new hand."""
        if decisions is not None:
            self.decisions = Decisions(decisions)
        self.table["round"] += 1
        self.table["reveal_order"] = []
        for each in self.players:
            each["revealed"] = False
        (self.table["conflict"],) = self._drawn("conflict")
        self._defend()
        first = self.table["first_player"]
        for seat in self._clockwise(first):
            for _ in range(HAND):
                self._draw(self.players[seat])
        self.turn_of = first

    def _defend(self) -> None:
        """Who controls the location of the Conflict may send a troop from the supply."""
        location = known("conflicts", self.table["conflict"]).get("location")
        for each in self.table["controls"]:
            if each["space"] == location and each["holder"] is not None:
                owner = self.players[each["holder"]]
                if self.decisions.next(owner["seat"], "accept", "decline")["action"] == "accept":
                    if owner["supply"] < 1:
                        raise Illegal("no troop is in the supply")
                    owner["supply"] -= 1
                    owner["troops"] += 1

    # Effects

    def told(self, seat: int, effects: list[str], decisions: list[Json]) -> None:
        """A player is told to resolve effects."""
        self.decisions = Decisions(decisions)
        for effect in effects:
            self.run(self.players[seat], effect)
        self._see_that_nothing_is_left()

    def run(self, owner: Json, effect: str, source: str = "") -> None:
        """Resolve an effect, with what is decided in it."""
        if effect.startswith("if "):
            condition, then, otherwise = parts_of_condition(effect)
            chosen = then if self._holds(owner, condition) else otherwise
            if chosen:
                self.run(owner, chosen, source)
        elif effect.startswith("choose: "):
            self._choose(owner, effect.removeprefix("choose: ").split(" | "), source)
        elif effect.startswith("may "):
            if not self._is_next(owner, "decline"):
                self.decisions.skip("accept")
                self.run(owner, effect.removeprefix("may "), source)
            else:
                self.decisions.skip("decline")
        elif " -> " in effect:
            self._pay_for(owner, *effect.split(" -> "))
        elif " & " in effect:
            for each in effect.split(" & "):
                self.run(owner, each, source)
        else:
            self._run_one(owner, effect, source)

    def _run_one(self, owner: Json, effect: str, source: str) -> None:
        for pattern, does in EFFECTS:
            found = re.fullmatch(pattern, effect)
            if found:
                does(self, owner, source, *found.groups())
                return
        raise Unknown(effect)

    def _pay_for(self, owner: Json, cost: str, effect: str) -> None:
        """Who cannot pay all of a cost has nothing of it."""
        before = self.saved()
        try:
            self.run(owner, cost)
        except Illegal:
            self.restore(before)
        else:
            self.run(owner, effect)

    def _choose(self, owner: Json, options: list[str], source: str) -> None:
        picked = self.decisions.next(owner["seat"], "choose")["effect"]
        if picked not in options:
            raise Illegal("this cannot be chosen")
        if picked.startswith("if ") and not self._holds(owner, parts_of_condition(picked)[0]):
            raise Illegal("the condition of this option does not hold")
        self.run(owner, picked, source)

    def _holds(self, owner: Json, condition: str) -> bool:
        found = re.fullmatch(r"influence (\w+) >= (\d+)", condition)
        if found:
            return influence(owner, found[1]) >= int(found[2])
        if condition not in ("maker_hooks", "high_council"):
            raise Unknown(condition)
        return bool(owner[condition])

    def gain(self, owner: Json, _: str, amount: str, what: str) -> None:
        """Resources come from the bank."""
        owner["victory_points" if what == "vp" else what] += int(amount)

    def pay(self, owner: Json, _: str, amount: str, what: str) -> None:
        """Resources go to the bank."""
        self._pay(owner, int(amount), what)

    def swords(self, owner: Json, _: str, amount: str) -> None:
        """Swords count as long as the round lasts."""
        owner["swords"] += int(amount)
        self._mark_strength(owner)

    def contract(self, owner: Json, _: str) -> None:
        """Without the module a contract is 2 Solari."""
        owner["solari"] += 2

    def recruit(self, owner: Json, _: str, amount: str) -> None:
        """Troops come from the supply, as many as there are."""
        troops = min(int(amount), owner["supply"])
        owner["supply"] -= troops
        owner["garrison"] += troops
        self.recruited += troops

    def draw_cards(self, owner: Json, _: str, amount: str) -> None:
        """Cards come from the own deck."""
        for _each in range(int(amount)):
            self._draw(owner)

    def draw_intrigues(self, owner: Json, _: str, amount: str) -> None:
        """Intrigue cards come from their deck."""
        for _each in range(int(amount)):
            if not self.table["decks"]["draw_intrigue"]:
                raise Unknown("an empty Intrigue Deck")
            owner["intrigues"] += self._drawn("draw_intrigue", owner["seat"])

    def bonus_spice(self, owner: Json, source: str) -> None:
        """What has gathered on the Maker space."""
        for maker in self.table["makers"]:
            if maker["space"] == source:
                owner["spice"] += maker["bonus_spice"]
                maker["bonus_spice"] = 0

    def influence_any(self, owner: Json, source: str, amount: str) -> None:
        """The player says with which Faction."""
        faction = self.decisions.next(owner["seat"], "pick_faction")["faction"]
        self.influence(owner, source, amount, faction)

    def influence(self, owner: Json, source: str, amount: str, faction: str) -> None:
        """A point at 2, a bonus at 4, and the Alliance for who is first or highest there."""
        track = next(each for each in owner["tracks"] if each["faction"] == faction)
        before = track["influence"]
        after = track["influence"] = min(before + int(amount), TOP_OF_TRACK)
        if before < 2 <= after:
            owner["victory_points"] += 1
        self._ally(owner, faction, after)
        if before < 4 <= after:
            self.run(owner, BOX["at_four"][faction], source)

    def _ally(self, owner: Json, faction: str, reached: int) -> None:
        alliance = next(each for each in self.table["alliances"] if each["faction"] == faction)
        holder = alliance["holder"]
        if reached < 4 or holder == owner["seat"]:
            return
        if holder is not None:
            if reached <= influence(self.players[holder], faction):
                return
            self.players[holder]["victory_points"] -= 1
        alliance["holder"] = owner["seat"]
        owner["victory_points"] += 1

    def take_seat(self, owner: Json, _: str, what: str) -> None:
        """A seat in the High Council, or Maker Hooks."""
        owner["high_council" if what == "high_council seat" else what] = True

    def take_swordmaster(self, owner: Json, _: str) -> None:
        """One more Agent, from now on."""
        if not owner["swordmaster"]:
            owner["swordmaster"] = True
            owner["agents"] += 1

    def take_control(self, owner: Json, _: str, space: str) -> None:
        """The marker replaces any other."""
        for each in self.table["controls"]:
            if each["space"] == space:
                each["holder"] = owner["seat"]

    def remove_wall(self, _owner: Json, _: str) -> None:
        """It is gone for the rest of the game."""
        self.table["shield_wall"] = False

    def summon(self, owner: Json, _: str, amount: str) -> None:
        """Sandworms come to the Conflict, unless the Shield Wall protects it."""
        conflict = BOX["conflicts"].get(self.table["conflict"], {})
        if not conflict.get("location") or not self.table["shield_wall"]:
            owner["sandworms"] += int(amount)
            self._mark_strength(owner)

    def trash_self(self, owner: Json, source: str) -> None:
        """The card goes out of the game."""
        owner["in_play"].remove(source)
        self.table["trashed"].append(source)

    def trash_any(self, owner: Json, _: str) -> None:
        """A card from hand, discard pile or play goes out of the game."""
        if not owner["hand"] + owner["discard"] + owner["in_play"]:
            return
        picked = self.decisions.next(owner["seat"], "trash")
        if picked["zone"] not in ("hand", "discard", "in_play"):
            raise Illegal("nothing is trashed from there")
        if picked["card"] not in owner[picked["zone"]]:
            raise Illegal("the card is not there")
        owner[picked["zone"]].remove(picked["card"])
        self.table["trashed"].append(picked["card"])

    # Chance

    def _drawn(self, kind: str, seat: int | None = None) -> list[str]:
        """The card that was put on top of a deck, else the one that lies there; none of no deck."""
        told = self.fate.get((kind, seat))
        deck = self.table["decks"][kind] if seat is None else self._deck(kind, seat)
        if not deck:
            return []
        card = told.pop(0) if told else deck[-1]
        deck.remove(card if card in deck else deck[-1])
        return [card]

    def _deck(self, kind: str, seat: int) -> list[str]:
        deck: list[str] = self.players[seat]["deck"]
        return deck if kind == "draw" else self.table["decks"][kind]

    def _draw(self, owner: Json) -> None:
        """The top card; an empty deck is made anew of the discard pile."""
        if not owner["deck"]:
            owner["deck"], owner["discard"] = owner["discard"], []
        owner["hand"] += self._drawn("draw", owner["seat"])


def known(kind: str, name: str) -> Any:
    """What is in the box."""
    if name not in BOX[kind]:
        raise Unknown(name)
    return BOX[kind][name]


def influence(owner: Json, faction: str) -> int:
    """Where a player's cube stands."""
    return int(next(each["influence"] for each in owner["tracks"] if each["faction"] == faction))


def parts_of_condition(effect: str) -> tuple[str, str, str]:
    """The condition of an effect, and what happens if it holds, and if it does not."""
    condition, _, then = effect.removeprefix("if ").partition(": ")
    then, _, otherwise = then.partition(" otherwise: ")
    return condition, then, otherwise


EFFECTS: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"gain (\d+) (solari|spice|water|persuasion|vp)", Game.gain),
    (r"pay (\d+) (solari|spice|water)", Game.pay),
    (r"\+(\d+) swords?", Game.swords),
    (r"recruit (\d+) troops?", Game.recruit),
    (r"draw (\d+) cards?", Game.draw_cards),
    (r"draw (\d+) intrigues?", Game.draw_intrigues),
    (r"gain bonus_spice", Game.bonus_spice),
    (r"gain (\d+) influence any", Game.influence_any),
    (r"gain (\d+) influence (emperor|spacing_guild|bene_gesserit|fremen)", Game.influence),
    (r"take 1 contract", Game.contract),
    (r"take (high_council seat|maker_hooks)", Game.take_seat),
    (r"take swordmaster", Game.take_swordmaster),
    (r"take control (\w+)", Game.take_control),
    (r"remove shield_wall", Game.remove_wall),
    (r"summon (\d+) sandworms?", Game.summon),
    (r"trash self", Game.trash_self),
    (r"trash 1 card", Game.trash_any),
)
