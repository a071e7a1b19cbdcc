"""Events, refusals and decisions in words that a player understands."""

from __future__ import annotations

from typing import Any

from rules_engine.effects.text import say
from rules_engine.imperium import actions, frames
from rules_engine.imperium.faces import card_face, knows_card, printed
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Amount, Answer
from rules_engine.kernel.outcomes import Event, Reason, Refusal

EVENTS = {
    "gains": "{player} gains {amount} {what}",
    "pays": "{player} pays {amount} {what}",
    "scores": "{player} scores {points} Victory Point(s) ({why})",
    "swords": "{player} adds {swords} sword(s)",
    "strength": "{player}'s strength is {strength}",
    "recruits": "{player} recruits {troops} troop(s)",
    "deploys": "{player} deploys {troops} troop(s)",
    "defends": "{player} defends with {troops} troop(s) from supply",
    "no_wall_left": "the Shield Wall is gone already",
    "removes_wall": "{player} removes the Shield Wall",
    "no_sandworm": "no sandworm comes for {player}: the Shield Wall protects the Conflict",
    "summons": "{player} summons {sandworms} sandworm(s)",
    "has_hooks_already": "{player} has Maker Hooks already",
    "takes_hooks": "{player} takes Maker Hooks",
    "takes_control": "{player} takes control of {space}",
    "recalls_spy": "{player} recalls the Spy from the {post}",
    "places_spy": "{player} places a Spy on the {post}",
    "declines_spy": "{player} places no Spy",
    "influence": "{player} has {influence} Influence with {faction}",
    "bonus_at_four": "{player} gets the bonus at 4 Influence with {faction}",
    "takes_alliance": "{player} takes the {faction} Alliance",
    "loses_alliance": "{player} loses the {faction} Alliance",
    "reshuffles": "{player} shuffles the discard pile into a new deck",
    "new_hands": "everyone draws a new hand",
    "draws": "{player} draws {card}",
    "reveals": "{player} reveals {cards}",
    "reshuffles_intrigue": "the Intrigue discard pile becomes a new Intrigue Deck",
    "draws_intrigue": "{player} draws the Intrigue card {card}",
    "trashes": "{player} trashes {card}",
    "condition_not_met": "{player} does not meet the condition",
    "cannot_pay": "{player} cannot pay the cost",
    "no_leader": "{player} has no Leader whose Signet Ring ability could be used",
    "declines": "{player} declines",
    "plays_intrigue": "{player} plays the Intrigue card {card}",
    "discards_intrigue": "{card} goes to the Intrigue discard pile",
    "sends_agent": "{player} plays {card} and sends an Agent to {space}",
    "ends_turn": "{player} ends the turn",
    "cleans_up": "{player} cleans up and loses unspent Persuasion",
    "acquires": "{player} acquires {card}",
    "row_filled": "{card} fills the Imperium Row",
    "reward": "{player} takes the reward: {reward}",
    "wins_conflict": "{player} wins the Conflict",
    "doubles": "{player} takes rewards twice because of a sandworm",
    "takes_conflict_card": "{player} takes the Conflict card {card}",
    "matches_icons": "{player} matches two {icon} battle icons",
    "combat_begins": "Combat begins",
    "combat_ends": "troops go to supply and sandworms to the bank",
    "passes": "{player} passes",
    "sits_out": "{player} has no unit in the Conflict and sits out",
    "bonus_spice": "bonus spice gathers at {spaces}",
    "endgame": "the Endgame begins",
    "agents_return": "all Agents return",
    "first_player": "{player} is First Player",
    "round": "round {round} begins",
    "conflict": "the Conflict is {card}",
    "turn": "it is {player}'s turn",
    "objective": "{player} gets the {card}",
    "wins": "{player} wins the game with {points} Victory Points",
}

REASONS = {
    "nothing_to_do": "nothing is left to be done",
    "not_asked": "nobody is asked for this now",
    "not_your_decision": "it is not this player's decision now",
    "defend_or_not": "the controller first says whether to defend the location",
    "no_troop_in_supply": "no troop is left in supply",
    "no_spy_there": "there is no own Spy on the {post}",
    "not_linked": "the {post} is not linked to {space}",
    "nothing_to_draw": "there is no card to draw",
    "gather_first": "Gather Intelligence is decided before any effect",
    "must_place_spy": "the Spy has to be placed",
    "no_spy_in_supply": "no Spy is left in supply",
    "post_taken": "a Spy is on the {post} already",
    "spy_in_supply": "a Spy is taken back first only if none is in supply",
    "place_spy_first": "a Spy is to be placed first",
    "pick_tied_player": "the token goes to one of the tied players",
    "pick_faction": "a Faction has to be picked",
    "track_cannot_move": "the {faction} track cannot move that way",
    "not_in_deck": "{card} cannot come from there",
    "no_such_card": "{card} is not there",
    "pick_card_to_trash": "a card to trash has to be picked",
    "condition_not_met": "the condition is not met",
    "cannot_pay": "the cost cannot be paid",
    "card_is_gone": "{card} is no longer in play, and its other effects with it",
    "no_such_effect": "there is no such effect",
    "effects_are_due": "effects that are not optional are still due",
    "resolve_effects_first": "effects have to be resolved first",
    "nothing_to_trash": "there is no card to trash",
    "accept_or_decline": "accept or decline first",
    "no_such_option": "there is no such option",
    "sandworm_kept_out": "the Shield Wall protects the Conflict, so no sandworm would come",
    "choose_option": "an option has to be picked first",
    "no_such_intrigue": "{card} is not held",
    "no_such_way": "{card} has no such use",
    "wrong_time": "{card} is a {timing} card and cannot be used now",
    "condition_or_cost": "the condition or cost of {card} is not met",
    "no_combat_space": "no Agent was sent to a Combat space this turn",
    "at_least_one": "at least one troop is deployed",
    "not_in_garrison": "there are not that many troops in the garrison",
    "over_the_limit": "no more than this turn's recruits and two others may be deployed",
    "not_in_hand": "{card} is not in hand",
    "no_agent_left": "no Agent is left",
    "no_such_thing": "there is no {kind} called {name}",
    "no_such_player": "there is no such player",
    "no_matching_icon": "{card} has no Agent icon for {space}",
    "own_agent_there": "an own Agent is at {space} already",
    "occupied": "another player's Agent is at {space}",
    "nobody_to_infiltrate": "no other player's Agent is at {space}",
    "requirement_not_met": "the requirement of {space} is not met",
    "cannot_pay_space": "{space} costs {amount} {what}",
    "pick_cost": "one of the costs of the space has to be picked",
    "play_a_card_first": "a Plot card comes only after the turn's card",
    "agent_or_reveal": "the turn begins with an Agent or a Reveal turn",
    "turn_in_progress": "the Agent turn is in progress",
    "reveal_in_progress": "the Reveal turn is in progress",
    "not_offered": "{card} is neither in the Imperium Row nor in the Reserve",
    "too_expensive": "{card} costs {cost} Persuasion",
    "play_or_pass": "play an Intrigue card or pass",
    "play_or_end": "play another Intrigue card or end the turn",
}


def card_name(state: State, card: str) -> str:
    """A card's printed name, whatever kind of card it is."""
    if card == ANY:
        return "a card"
    faces = printed(state)
    if knows_card(state, card):
        return card_face(state, card).name
    for own in state.config.conflicts:
        if own.id == card:
            return own.name
    for group in (faces.intrigue, faces.conflicts, faces.objectives):
        if card in group:
            return group[card].name
    return card


def _fact(state: State, name: str, value: Any) -> str:
    faces = printed(state)
    if name == "card":
        return card_name(state, value)
    if name == "cards":
        return ", ".join(card_name(state, card) for card in value) or "no card"
    if name == "space":
        return faces.spaces[value].name if value in faces.spaces else str(value)
    if name == "spaces":
        return ", ".join(faces.spaces[space].name for space in value) or "no space"
    if name == "post":
        return faces.posts[value].name if value in faces.posts else str(value)
    if name == "faction":
        return faces.tracks[value].name if value in faces.tracks else str(value)
    if name == "what":
        return "Solari" if value == "solari" else str(value)
    if name == "why":
        return card_name(state, value)
    if name == "icon":
        return str(value).replace("_", " ")
    return repr(value) if not isinstance(value, str) else value


class _Facts(dict[str, str]):
    """What an event does not tell is left open in its sentence."""

    def __missing__(self, key: str) -> str:
        return "a card" if key == "card" else "…"


def event_words(state: State, event: Event) -> str:
    """What happened, as a sentence."""
    facts = _Facts({name: _fact(state, name, value) for name, value in event.facts.items()})
    if event.player is not None:
        facts["player"] = state.players[event.player].name
    if event.key == "reveals" and "card" in event.facts:
        facts["cards"] = facts["card"]
    return EVENTS[event.key].format_map(facts)


def reason_words(state: State, reason: Reason) -> str:
    """Why something is refused."""
    facts = _Facts({name: _fact(state, name, value) for name, value in reason.facts.items()})
    return REASONS[reason.key].format_map(facts)


def refusal_words(state: State, refusal: Refusal) -> str:
    """All reasons of a refusal."""
    return "; ".join(reason_words(state, reason) for reason in refusal.reasons)


# Decisions, written as a scenario would state them


def option_words(state: State, option: Any) -> str:
    """A decision that is open, in the words of the scenario language."""
    if isinstance(option, Answer):
        return _answer_words(state, option)
    who = state.players[option.by].name
    if isinstance(option, Amount):
        return f"{who} deploys {option.low} to {option.high} troops"
    return f"{who} {_verb(state, option)}"


def _answer_words(state: State, answer: Answer) -> str:
    top = state.pending[-1]
    card = f'"{card_name(state, answer.outcome)}"'
    match top:
        case frames.DrawFromDeck(seat) | frames.DrawFromIntrigue(seat):
            return f"{state.players[seat].name} draws {card}"
        case frames.FillRow():
            return f"the row gets {card}"
        case frames.RevealConflict():
            return f"the conflict is {card}"
        case _:
            return f"chance gives {card}"


def _verb(state: State, action: Any) -> str:
    faces = printed(state)
    top: Any = state.pending[-1]
    match action:
        case actions.PlayAgent(_, card, space, post):
            spy = f" infiltrating with the spy at {faces.posts[post].name}" if post else ""
            return f'plays "{card_name(state, card)}" to {faces.spaces[space].name}{spy}'
        case actions.Reveal():
            return "reveals"
        case actions.Resolve(_, index):
            return f'resolves "{say(top.items[index].effect)}"'
        case actions.Choose(_, option):
            if isinstance(top, frames.PickCost):
                cost = top.options[option].cost
                return f"pays {cost.amount} {_fact(state, 'what', cost.what)}"
            return f'chooses "{say(top.options[option])}"'
        case actions.Deploy(_, troops):
            return f"deploys {troops} troop" + ("" if troops == 1 else "s")
        case actions.PickFaction(_, faction):
            return f"chooses {faces.tracks[faction].name}"
        case actions.PlaceSpy(_, post):
            return f"places a spy at {faces.posts[post].name}"
        case actions.RecallSpy(_, post):
            gather = " to gather intelligence" if _gathering(top) else ""
            return f"recalls the spy at {faces.posts[post].name}{gather}"
        case actions.Trash(_, card, zone):
            place = {"hand": "hand", "discard": "discard", "in_play": "play"}[zone]
            return f'trashes "{card_name(state, card)}" from {place}'
        case actions.Acquire(_, card):
            return f'acquires "{card_name(state, card)}"'
        case actions.PlayIntrigue(_, card, way):
            timing = faces.intrigue[card].ways[way].timing
            return f'plays "{card_name(state, card)}" for {timing}'
        case actions.GiveAlliance(_, to):
            return f"gives the alliance to {state.players[to].name}"
        case _:
            return _PLAIN[type(action)]


def _gathering(top: Any) -> bool:
    return isinstance(top, frames.GatherIntelligence)


_PLAIN: dict[type, str] = {
    actions.Accept: "accepts",
    actions.Decline: "declines",
    actions.Pass: "passes",
    actions.EndTurn: "ends the turn",
}
