"""Events, refusals and decisions in words that a player understands."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

from rules_engine.catalogue.faces import ConflictFace, ContractFace, IntrigueFace, Way
from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import things
from rules_engine.effects.plain_words import RESOURCES
from rules_engine.effects.text import say
from rules_engine.imperium import actions, frames
from rules_engine.imperium.faces import card_face, intrigue_face, knows_card, printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Amount, Answer, options
from rules_engine.kernel.outcomes import Event, Reason, Refusal

EVENTS = {
    "gains": "{player} gains {amount} {what}",
    "pays": "{player} pays {amount} {what}",
    "scores": "{player} scores {points:Victory Point} ({why})",
    "swords": "{player} adds {swords:sword}",
    "strength": "{player}'s strength is {strength}",
    "recruits": "{player} recruits {troops:troop}",
    "deploys": "{player} deploys {troops:troop}",
    "retreats": "{player} retreats {troops:troop}",
    "takes_back": "{player} takes {troops:deployed troop} back into the garrison",
    "may_deploy_recruits": "{player} may deploy the troops recruited this turn",
    "may_not_deploy": "{player} may not deploy units this turn",
    "defends": "{player} defends with {troops:troop} from supply",
    "no_wall_left": "the Shield Wall is gone already",
    "removes_wall": "{player} removes the Shield Wall",
    "no_sandworm": "no sandworm comes for {player}: the Shield Wall protects the Conflict",
    "summons": "{player} summons {sandworms:sandworm}",
    "has_hooks_already": "{player} has Maker Hooks already",
    "takes_hooks": "{player} takes Maker Hooks",
    "takes_control": "{player} takes control of {space}",
    "recalls_spy": "{player} recalls the Spy from the {post}",
    "places_spy": "{player} places a Spy on the {post}",
    "declines_spy": "{player} places no Spy",
    "no_open_post": "there is no post for {player}'s Spy",
    "spied_factions": "{player} spies on {factions}",
    "leader_at_two": "{player}'s Leader uses an ability for 2 Influence",
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
    "has_seat_already": "{player} has a seat on the High Council already",
    "takes_seat": "{player} takes a seat on the High Council",
    "has_swordmaster_already": "{player} has the Swordmaster already",
    "takes_swordmaster": "{player} takes the Swordmaster, a third Agent",
    "recalls_agent": "{player} recalls the Agent from {space}",
    "training_over": "{player}'s token is at the end of the training track",
    "trains": "{player}'s token goes on to {training}",
    "memorises": "{player} puts {troops:troop} with the memories",
    "flips_leader": "{player} returns {troops:memory} and turns the Leader over: {leader}",
    "repeats_space": "{player} resolves {space} once more",
    "takes_contract": "{player} takes the contract {contract}",
    "declines_contract": "{player} takes no contract",
    "contract_up": "the contract {contract} is turned up",
    "completes_contract": "{player} completes the contract {contract}",
    "declines": "{player} declines",
    "plays_intrigue": "{player} plays the Intrigue card {card}",
    "discards_intrigue": "{card} goes to the Intrigue discard pile",
    "sends_agent": "{player} plays {card} and sends an Agent to {space}",
    "ends_turn": "{player} ends the turn",
    "cleans_up": "{player} cleans up and loses unspent Persuasion",
    "acquires": "{player} acquires {card}",
    "row_filled": "{card} fills the Imperium Row",
    "reward": "{player} takes the {reward} reward",
    "wins_conflict": "{player} wins the Conflict",
    "doubles": "{player} takes rewards twice because of a sandworm",
    "takes_conflict_card": "{player} takes the Conflict card {card}",
    "matches_icons": "{player} matches two {icon} battle icons",
    "matches_wild": "{player} matches the wild battle icon with {card}",
    "flips": "{player} turns {card} face down",
    "first_reward_grows": "the first reward of this Conflict gives more",
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
    "wins": "{player} wins the game with {points:Victory Point}",
    "nothing_to_trash": "{player} has no card to trash",
    "returns_to_hand": "{card} returns to {player}'s hand",
    "discards": "{player} discards {card}",
    "trashes_intrigue": "{player} trashes the Intrigue card {card}",
    "nobody_to_steal_from": "no opponent of {player} holds that many Intrigue cards",
    "steals_intrigue": "{player} takes the Intrigue card {card} from {victim}",
    "loses_intrigue": "{player} loses the Intrigue card {card}",
    "too_few_in_deck": "{player} has too few cards in the deck",
    "counts": "{player} takes the effect {times:time}",
    "looks_at": "{player} looks at {card}",
    "nothing_to_acquire": "there is no card that {player} could acquire by this",
    "sets_aside": "{player} sets {card} aside",
    "set_aside_leaves": "{card}, set aside by {player}, leaves the game",
    "stands": "{card} stays face up until {player}'s Reveal turn ends",
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
    "spy_in_supply": "a Spy is taken back first only if no Spy is in supply",
    "place_spy_first": "a Spy is to be placed first",
    "post_not_named": "the {post} is not one of the posts that the effect names",
    "opens_no_post": "taking back the Spy from the {post} makes no room for another",
    "pick_spy_to_recall": "a Spy to recall has to be picked",
    "too_few_spies": "there are not that many own Spies on posts",
    "pick_tied_player": "the token goes to one of the tied players",
    "pick_faction": "a Faction has to be picked",
    "track_cannot_move": "the {faction} track cannot move that way",
    "no_influence_to_lose": "there is not that much Influence to lose",
    "no_faction_visited": "no Agent was sent to a Faction's space this turn",
    "nothing_harvested": "no bonus spice was taken this turn",
    "not_face_up": "{card} is not a face-up card of the player",
    "another_icon": "{card} has another battle icon than {icon}",
    "no_conflict_card": "{card} is no Conflict card",
    "pick_icon_to_flip": "a card to turn down has to be picked",
    "nothing_to_flip": "there is no face-up card with the {icon} icon",
    "no_wild_icon": "there is no face-up wild battle icon to match",
    "no_icon_to_match": "{card} has none of the three battle icons",
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
    "picked_already": "each option is picked only once",
    "no_such_intrigue": "{card} is not held",
    "no_such_way": "{card} has no such use",
    "wrong_time": "{card} is used like this only {timing}",
    "condition_or_cost": "the condition or cost of {card} is not met",
    "no_combat_space": "no Agent was sent to a Combat space this turn",
    "at_least_one": "at least one troop is deployed",
    "not_in_garrison": "there are not that many troops in the garrison",
    "only_recruits": "from this space only this turn's recruits may be deployed",
    "over_the_limit": "no more than this turn's recruits and two others may be deployed",
    "deployment_forbidden": "no unit may be deployed this turn",
    "deployed_already": "units are deployed in one go, and some were deployed already",
    "deploy_or_decline": "deploy troops or decline first",
    "more_than_the_effect": "the effect deploys no more than {most:troop}",
    "deployed_for_good": "troops that were deployed cannot be taken back",
    "at_least_one_back": "at least one troop is taken back",
    "not_deployed_this_turn": "not that many of this turn's troops are in the Conflict",
    "say_how_many_retreat": "say first how many troops retreat",
    "not_so_many_retreat": "at least {least} and at most {most:troop} may retreat",
    "not_in_conflict": "there are not that many troops in the Conflict",
    "not_in_hand": "{card} is not in hand",
    "no_agent_left": "no Agent is left",
    "recall_agent_first": "an Agent has to be recalled first",
    "no_agent_there": "there is no own Agent at {space}",
    "agent_of_this_turn": "the Agent at {space} was sent this turn",
    "no_agent_to_recall": "there is no other Agent to recall",
    "finish_box_first": "the card or space that was begun has to be finished first",
    "pick_training_space": "the token goes to a space that comes next on the training track",
    "no_memories": "there are no memories to return",
    "space_first": "the effects of {space} have to be resolved once before they are repeated",
    "contract_not_there": "the contract {contract} cannot be taken",
    "take_contract_first": "a contract has to be taken first",
    "contract_not_held": "the contract {contract} is not held",
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
    "wrong_zone": "no card can be trashed from there",
    "not_itself": "{card} itself is not to be trashed, but another card",
    "wrong_faction": "{card} is no {faction} card",
    "pick_copy": "of several copies of {card}, say first which one was trashed",
    "not_in_play": "{card} is not in play",
    "pick_card_to_discard": "a card to discard has to be picked",
    "too_few_in_hand": "there are fewer than {amount:card} in hand to discard",
    "pick_intrigue": "an Intrigue card has to be picked",
    "too_few_intrigues": "there are fewer than {amount:Intrigue card} to give up",
    "too_few_in_deck": "there are too few cards in the deck",
    "sort_cards": "the cards looked at have to be dealt out first",
    "fate_given": "another of the cards looked at had this fate",
    "not_looked_at": "{card} is not among the cards looked at",
    "wrong_cost": "{card} costs {cost}, which the effect does not allow",
    "pick_card_to_acquire": "a card to acquire has to be picked",
    "pick_place": "{card} is in the Row and set aside: accept or decline the one set aside",
    "pick_card_of_row": "a card of the Imperium Row has to be picked",
    "not_in_row": "{card} is not in the Imperium Row",
    "only_by_effect": "no effect is being resolved that says so",
    "revealed_already": "the player has taken the Reveal turn of this round",
    "one_kind_of_turn": "the player's turn is in progress, with the one Agent it sends",
    "not_own_turn": "it is not the player's own turn",
    "not_reveal_turn": "cards are acquired in the own Reveal turn",
    "two_uses_of_a_spy": "a Spy is recalled by a card, to Infiltrate or to Gather Intelligence",
    "no_agent_sent": "no Agent was sent this turn",
    "gather_moment_over": "Gather Intelligence is decided directly after the Agent is placed",
    "spy_infiltrated": "the Spy of the {post} was recalled to Infiltrate and cannot serve twice",
    "plot_in_own_turn": "a Plot card is played in the own turn",
    "only_in_combat": "a Combat card is played in the Intrigue step of Combat",
    "only_on_winning": "this card is played after its owner has won a Conflict",
    "only_in_endgame": "an Endgame card is played in the Endgame",
    "no_chance_to_pass": "there is no chance to play Intrigue cards that could be passed",
    "chances_go_round": "another player has the chance to play Combat cards",
    "no_unit_in_conflict": "a player without a unit in the Conflict takes no part",
    "intrigue_step_over": "all who take part have passed, so the Intrigue step is over",
    "pairs_in_endgame": "a wild battle icon is paired in the Endgame only",
    "token_stays": "the token goes to whoever rises above its holder, not to an equal",
    "defence_moment_over": "a location is defended when its Conflict is revealed, not later",
    "not_the_defender": "another player controls the location of the Conflict",
    "no_module": "without the CHOAM module there are no contracts",
    "no_contract_left": "no contract is left to be taken",
    "contract_set_aside": "the contract {contract} is set aside for another player's Leader",
    "contract_taken_since": "the contract {contract} was not held when the Agent was sent",
    "contract_not_fulfilled": "the condition of the contract {contract} is not fulfilled",
    "paid_when_sent": "a cost of the space is picked and paid when the Agent is sent",
    "no_longer_due": "the effect came with this turn once and is no longer due",
    "not_this_box": "this box of the card is not used in this turn",
    "choice_first": "a choice that was reached has to be made before other effects",
    "acquired_already": "the effect comes once, when the card is acquired",
    "box_is_gone": "the card is out of the game, and its effects with it",
    "not_this_ability": "the Leader's ability does not apply to this turn",
    "other_side": "the other side of the Leader says so",
}


class Variant(NamedTuple):
    """A sentence that stands for the usual one where a fact is told in these words."""

    fact: str
    told: str
    sentence: str


SOME_CARD = "a card"
"""How a card that is not told is called."""

UNTOLD = "…"
"""What stands for any other fact that is not told."""

EVENT_VARIANTS: dict[str, tuple[Variant, ...]] = {
    "gains": (Variant("amount", "0", "{player} gains no {what}"),),
    "pays": (Variant("amount", "0", "{player} pays no {what}"),),
    "scores": (Variant("points", "-1", "{player} loses 1 Victory Point ({why})"),),
    "influence": (Variant("influence", "0", "{player} has no Influence with {faction}"),),
    "draws_intrigue": (Variant("card", SOME_CARD, "{player} draws an Intrigue card"),),
    "trashes_intrigue": (Variant("card", SOME_CARD, "{player} trashes an Intrigue card"),),
    "steals_intrigue": (
        Variant("card", SOME_CARD, "{player} takes an Intrigue card from {victim}"),
    ),
    "loses_intrigue": (Variant("card", SOME_CARD, "{player} loses an Intrigue card"),),
    "reward": (Variant("reward", "none", "{player} takes no reward"),),
    "counts": (
        Variant("times", "0", "{player} has nothing that the effect counts"),
        Variant("times", "1", "{player} takes the effect once"),
        Variant("times", "2", "{player} takes the effect twice"),
    ),
}
"""Sentences of events where the usual one would be clumsy."""

REASON_VARIANTS: dict[str, tuple[Variant, ...]] = {
    "track_cannot_move": (Variant("faction", UNTOLD, "no Faction's track can move that way"),),
    "too_few_in_hand": (Variant("amount", "1", "there is no card in hand to discard"),),
    "too_few_intrigues": (Variant("amount", "1", "there is no Intrigue card to give up"),),
    "not_so_many_retreat": (Variant("least", "0", "at most {most:troop} may retreat"),),
}
"""Sentences of reasons where the usual one would be clumsy."""

WHYS = {"track": "Influence", "alliance": "Alliance", "match": "battle icons"}
"""What Victory Points come from, where it is nothing printed."""

TIMINGS = {
    "plot": "on an own turn",
    "combat": "in Combat",
    "won": "after winning a Conflict",
    "endgame": "in the Endgame",
}
"""When an Intrigue card is used."""


def card_name(state: State, card: str) -> str:
    """A card's printed name, whatever kind of card it is."""
    if card == ANY:
        return SOME_CARD
    faces = printed(state)
    if knows_card(state, card):
        return card_face(state, card).name
    own_faces: tuple[ConflictFace | IntrigueFace | ContractFace, ...]
    own_faces = (*state.config.conflicts, *state.config.intrigues, *state.config.contracts)
    for own in own_faces:
        if own.id == card:
            return own.name
    groups = (faces.intrigue, faces.conflicts, faces.objectives, faces.contracts)
    for group in groups:
        if card in group:
            return group[card].name
    return card


def _fact(state: State, name: str, value: Any) -> str:
    faces = printed(state)
    if name in ("card", "contract"):
        return card_name(state, value)
    if name == "leader":
        return faces.leaders[value].name if value in faces.leaders else str(value)
    if name == "training":
        tracks = (space for leader in faces.leaders.values() for space in leader.training)
        return next((space.name for space in tracks if space.id == value), str(value))
    if name == "cards":
        return ", ".join(card_name(state, card) for card in value) or "no card"
    if name == "space":
        return faces.spaces[value].name if value in faces.spaces else str(value)
    if name == "victim":
        return str(state.players[value].name)
    if name == "spaces":
        return ", ".join(faces.spaces[space].name for space in value) or "no space"
    if name == "post":
        return faces.posts[value].name if value in faces.posts else str(value)
    if name == "faction":
        return faces.tracks[value].name if value in faces.tracks else str(value)
    if name == "factions":
        return ", ".join(faces.tracks[faction].name for faction in value) or "no Faction"
    if name == "what":
        return RESOURCES[value].many
    if name == "why":
        return WHYS.get(value) or card_name(state, value)
    if name == "timing":
        return TIMINGS[value]
    if name == "icon":
        return str(value).replace("_", " ").title()
    return repr(value) if not isinstance(value, str) else value


class _Fact(str):
    """A fact in a sentence: `{troops:troop}` says how many of what, in good English."""

    def __format__(self, noun: str) -> str:
        if not noun:
            return str(self)
        if self == "1":
            return f"1 {noun}"
        return f"{'no' if self == '0' else self} {plural(noun)}"


def plural(noun: str) -> str:
    """What several are called."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


class _Facts(dict[str, str]):
    """What an event does not tell is left open in its sentence."""

    def __missing__(self, key: str) -> str:
        return SOME_CARD if key == "card" else UNTOLD


def event_words(state: State, event: Event) -> str:
    """What happened, as a sentence."""
    facts = _Facts({name: _Fact(_fact(state, name, value)) for name, value in event.facts.items()})
    if event.player is not None:
        facts["player"] = state.players[event.player].name
    if event.key == "reveals" and "card" in event.facts:
        facts["cards"] = facts["card"]
    return _sentence(EVENTS[event.key], EVENT_VARIANTS.get(event.key, ()), facts)


def _sentence(usual: str, variants: tuple[Variant, ...], facts: _Facts) -> str:
    """The sentence that fits the facts."""
    fitting = (each.sentence for each in variants if facts[each.fact] == each.told)
    return next(fitting, usual).format_map(facts)


def telling(events: Iterable[Event]) -> list[Event]:
    """The events that tell something: to gain or pay nothing does not."""
    return [each for each in events if not _is_zero(each.facts.get("amount"))]


def _is_zero(amount: Any) -> bool:
    """Whether an amount is a plain zero; a symbolic number is left alone."""
    return type(amount) is int and amount == 0


def reason_words(state: State, reason: Reason) -> str:
    """Why something is refused."""
    facts = _Facts({name: _Fact(_fact(state, name, value)) for name, value in reason.facts.items()})
    return _sentence(REASONS[reason.key], REASON_VARIANTS.get(reason.key, ()), facts)


def refusal_words(state: State, refusal: Refusal) -> str:
    """All reasons of a refusal."""
    return "; ".join(reason_words(state, reason) for reason in refusal.reasons)


# Decisions, written as a scenario would state them


def options_in_words(state: State) -> list[str]:
    """Every decision that is open now; a range with no number in it is none."""
    return [
        option_words(state, option)
        for option in options(IMPERIUM, state)
        if not isinstance(option, Amount) or option.low <= option.high
    ]


def option_words(state: State, option: Any) -> str:
    """A decision that is open, in the words of the scenario language."""
    if isinstance(option, Answer):
        return _answer_words(state, option)
    who = state.players[option.by].name
    if isinstance(option, Amount):
        verb = "retreats" if option.make is actions.Retreat else "deploys"
        return f"{who} {verb} {_range_words(option.low, option.high)}"
    return f"{who} {_verb(state, option)}"


def _range_words(low: int, high: int) -> str:
    """So many troops that a player may name."""
    if low == high:
        return f"{high} troop" if high == 1 else f"{high} troops"
    least = "up to" if low == 0 else f"{low} to"
    return f"{least} {high} troop" if high == 1 else f"{least} {high} troops"


def _answer_words(state: State, answer: Answer) -> str:
    top = state.pending[-1]
    card = f'"{card_name(state, answer.outcome)}"'
    match top:
        case frames.DrawFromDeck(seat) | frames.DrawFromIntrigue(seat):
            return f"{state.players[seat].name} draws {card}"
        case frames.LookAtTop(seat):
            return f"{state.players[seat].name} looks at {card}"
        case frames.Steal(seat, victim):
            whose = state.players[victim].name
            return f"{state.players[seat].name} steals {card} from {whose}"
        case frames.FillRow():
            return f"the row gets {card}"
        case frames.FillContracts():
            return f"the contracts get {card}"
        case frames.DealObjectives(seat):
            return f"{state.players[seat].name} gets objective {card}"
        case _:
            return f"the conflict is {card}"


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
            return f'resolves "{say(top.items[index].effect)}"{_of_source(state, index)}'
        case actions.Choose(_, option):
            if isinstance(top, frames.PickCost):
                cost = top.options[option].cost
                return f"pays {cost.amount} {_fact(state, 'what', cost.what)}"
            return f'chooses "{say(top.options[option])}"'
        case actions.Deploy(_, troops):
            return f"deploys {troops} troop" + ("" if troops == 1 else "s")
        case actions.Retreat(_, troops):
            return f"retreats {troops} troop" + ("" if troops == 1 else "s")
        case actions.Flip(_, card):
            return f'flips "{card_name(state, card)}"'
        case actions.PickFaction(_, faction):
            return f"chooses {faces.tracks[faction].name}"
        case actions.PlaceSpy(_, post):
            return f"places a spy at {faces.posts[post].name}"
        case actions.RecallSpy(_, post):
            gather = " to gather intelligence" if _gathering(top) else ""
            return f"recalls the spy at {faces.posts[post].name}{gather}"
        case actions.RecallAgent(_, space):
            return f"recalls the agent at {faces.spaces[space].name}"
        case actions.TakeContract(_, contract):
            return f'takes contract "{card_name(state, contract)}"'
        case actions.Train(_, space):
            return f'trains to "{_fact(state, "training", space)}"'
        case actions.Trash(_, card, zone):
            place = {"hand": "hand", "discard": "discard", "in_play": "play"}[zone]
            return f'trashes "{card_name(state, card)}" from {place}'
        case actions.Discard(_, card):
            return f'discards "{card_name(state, card)}"'
        case actions.GiveUpIntrigue(_, card):
            verb = "trashes" if top.trash else "discards"
            return f'{verb} intrigue "{card_name(state, card)}"'
        case actions.TakeFromRow(_, card):
            return f'sets aside "{card_name(state, card)}"'
        case actions.SortCard(_, card, fate):
            place = "hand" if fate == "draw" else fate
            return f'sorts "{card_name(state, card)}" to {place}'
        case actions.Acquire(_, card):
            return f'acquires "{card_name(state, card)}"'
        case actions.PlayIntrigue(_, card, way):
            return f'plays "{card_name(state, card)}" for {way_words(state, card, way)}'
        case actions.GiveAlliance(_, to):
            return f"gives the alliance to {state.players[to].name}"
        case _:
            return _PLAIN[type(action)]


def _of_source(state: State, index: int) -> str:
    """What an effect comes from, if that is needed to tell it from an equal one."""
    top: Any = state.pending[-1]
    item = top.items[index]
    if all(each.source == item.source for each in top.items if each.effect == item.effect):
        return ""
    config = state.config
    own: tuple[Any, ...] = (*config.cards, *config.conflicts, *config.intrigues, *config.contracts)
    names = {**_printed_names(state.config.product), **{each.id: each.name for each in own}}
    return f' of "{names[item.source]}"'


@functools.cache
def _printed_names(product: str) -> dict[str, str]:
    return {each.id: each.name for each in things(catalogue(product))}


def way_words(state: State, card: str, way: int) -> str:
    """When an Intrigue card is played, or what for if it has several ways to be played then."""
    ways = intrigue_face(state, card).ways
    chosen = ways[way]
    if sum(each.timing == chosen.timing for each in ways) == 1:
        return chosen.timing
    return f'"{way_effects(chosen)}"'


def way_effects(way: Way) -> str:
    """What one way to play an Intrigue card does."""
    return "; ".join(say(effect) for effect in (*way.effects, *way.lines))


def _gathering(top: Any) -> bool:
    return isinstance(top, frames.GatherIntelligence)


_PLAIN: dict[type, str] = {
    actions.Accept: "accepts",
    actions.Decline: "declines",
    actions.Pass: "passes",
    actions.EndTurn: "ends the turn",
}
