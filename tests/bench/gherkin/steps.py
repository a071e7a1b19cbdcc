"""The sentences of the cases, and what each does: behave and pytest-bdd get the same functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import parse

from rules_engine.catalogue.faces import CardFace
from rules_engine.catalogue.load import catalogue
from rules_engine.effects.parse import parse as effects_of
from rules_engine.effects.tree import Pay
from rules_engine.imperium import actions
from rules_engine.imperium.frames import PickCost
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.influence import influence
from rules_engine.imperium.setup import starting_state
from rules_engine.imperium.spies import SPIES
from rules_engine.imperium.state import AgentAt, SpyAt, player
from rules_engine.kernel.decks import can_be_on_top, shuffled, without_top, zone
from rules_engine.kernel.game import Action, Answer, legal
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import chosen
from scenarios.groups import finish_group
from tests.bench.gherkin.game import PRODUCT, Game, id_of, names_in, post_of

FIELDS = {
    "Solari": "solari",
    "spice": "spice",
    "water": "water",
    "persuasion": "persuasion",
    "troops in garrison": "garrison",
    "troop in garrison": "garrison",
    "troops in conflict": "troops",
    "troop in conflict": "troops",
    "victory points": "victory_points",
    "victory point": "victory_points",
    "sandworms in conflict": "sandworms",
    "sandworm in conflict": "sandworms",
    "swords": "swords",
    "sword": "swords",
    "agents": "agents",
    "agent": "agents",
    "spies in supply": "spies",
    "spy in supply": "spies",
}
"""What a player has a number of."""

RESOURCES = ("Solari", "spice", "water", "persuasion")
RULE = r"[A-Z]+(?:-[A-Z0-9]+)+"
ZONES = {"hand": "hand", "discard": "discard", "play": "in_play", "deck": "deck"}


# Given


def a_game(game: Game, names: str) -> None:
    """A game begins."""
    game.state = starting_state(PRODUCT, tuple(names.split(", ")), chosen({}))


def first_player(game: Game, who: str) -> None:
    """A player has the First Player marker, and begins."""
    game.turn_of = game.seat(who)
    game.state = change(game.state, first_player=game.turn_of)


def the_conflict(game: Game, card: str) -> None:
    """A Conflict card is on the table; those above it have left the deck, too."""
    found = id_of("conflicts", card)
    deck = game.state.conflict_deck
    at = next(at for at in range(len(deck)) if can_be_on_top(deck[at:], found))
    game.state = change(game.state, conflict=found, conflict_deck=without_top(deck[at:], found))


def new_card(game: Game, name: str, icon: str, box: str, effects: str) -> None:
    """A card of the case's own."""
    boxes: dict[str, Any] = {box: effects_of(effects)}
    face = CardFace(name, name, agent_icons=(ICONS[icon],), **boxes)
    config = game.state.config
    game.state = change(game.state, config=change(config, cards=(*config.cards, face)))


def has_given(game: Game, who: str, number: int, what: str) -> None:
    """A player has so many of something."""
    game.change(who, **{FIELDS[what]: number})


def influence_given(game: Game, who: str, number: int, faction: str) -> None:
    """A player has Influence."""
    tracks = (
        change(track, influence=number) if track.faction == FACTIONS[faction] else track
        for track in game.player(who).tracks
    )
    game.change(who, tracks=tuple(tracks))


def hand_given(game: Game, who: str, cards: str) -> None:
    """A player has these cards and no others in hand."""
    zone_given(game, who, cards, "hand")


def zone_given(game: Game, who: str, cards: str, where: str) -> None:
    """A player has these cards somewhere."""
    found = [id_of("cards", name) for name in names_in(cards)]
    for card in found:
        game.take_card(who, card)
    fields: Any = shuffled(found) if where == "deck" else zone(found)
    game.change(who, **{ZONES[where]: fields})


def intrigue_given(game: Game, who: str, cards: str) -> None:
    """A player has these Intrigue cards."""
    found = [id_of("intrigue", name) for name in names_in(cards)]
    for card in found:
        game.take_intrigue(card)
    game.change(who, intrigues=zone(found))


def turn_given(game: Game, who: str) -> None:
    """It is a player's turn."""
    game.turn_of = game.seat(who)


def spy_given(game: Game, who: str, place: str) -> None:
    """A player has a Spy on a post."""
    seat = game.seat(who)
    spies = sorted((*game.state.spies, SpyAt(post_of(place), seat)), key=_by_post)
    game.state = change(game.state, spies=tuple(spies))
    game.change(who, spies=SPIES - sum(spy.seat == seat for spy in spies))


def _by_post(spy: SpyAt) -> tuple[str, int]:
    return spy.post, spy.seat


def agent_given(game: Game, who: str, space: str) -> None:
    """A player has an Agent on a space."""
    agents = (*game.state.agents, AgentAt(id_of("spaces", space), game.seat(who)))
    game.state = change(game.state, agents=tuple(sorted(agents, key=_by_space)))
    game.change(who, agents=game.player(who).agents - 1)


def _by_space(agent: AgentAt) -> tuple[str, int]:
    return agent.space, agent.seat


def row_given(game: Game, cards: str) -> None:
    """These cards are in the Imperium Row."""
    found = [id_of("cards", name) for name in names_in(cards)]
    game.state = change(game.state, row=zone(found), imperium_deck=game.deck_without(found))


def hooks_given(game: Game, who: str) -> None:
    """A player has Maker Hooks."""
    game.change(who, maker_hooks=True)


# When


def visits(game: Game, who: str, card: str, space: str) -> None:
    """A player sends an Agent."""
    _does(game, who, _visit(game, who, card, space))


def _visit(game: Game, who: str, card: str, space: str) -> Action:
    return actions.PlayAgent(game.seat(who), id_of("cards", card), id_of("spaces", space), None)


def _does(game: Game, who: str, action: Action) -> None:
    game.act(game.seat(who))
    game.give(action)


def reveals(game: Game, who: str) -> None:
    """A player takes a Reveal turn."""
    _does(game, who, actions.Reveal(game.seat(who)))


def ends(game: Game, who: str) -> None:
    """A player ends the turn."""
    _does(game, who, actions.EndTurn(game.seat(who)))


def deploys(game: Game, who: str, number: int) -> None:
    """A player deploys troops."""
    _does(game, who, actions.Deploy(game.seat(who), number))


def acquires(game: Game, who: str, card: str) -> None:
    """A player acquires a card."""
    _does(game, who, actions.Acquire(game.seat(who), id_of("cards", card)))


def places_spy(game: Game, who: str, place: str) -> None:
    """A player places a Spy."""
    _does(game, who, actions.PlaceSpy(game.seat(who), post_of(place)))


def declines(game: Game, who: str) -> None:
    """A player leaves out what is offered."""
    _does(game, who, actions.Decline(game.seat(who)))


def resolves(game: Game, who: str, effect: str) -> None:
    """A player resolves one effect of those that are due."""
    game.act(game.seat(who))
    game.give(_resolve(game, who, effect))


def _resolve(game: Game, who: str, effect: str) -> Action:
    (wanted,) = effects_of(effect)
    top: Any = game.state.pending[-1]
    due = [item.effect for item in top.items]
    return actions.Resolve(game.seat(who), due.index(wanted))


def pays(game: Game, who: str, number: int, what: str) -> None:
    """A player pays for an effect, or for a space."""
    game.act(game.seat(who))
    top: Any = game.state.pending[-1]
    cost = Pay(number, FIELDS[what])
    if isinstance(top, PickCost):
        at = [option.cost for option in top.options].index(cost)
        game.give(actions.Choose(game.seat(who), at))
    else:
        costs = [getattr(item.effect, "cost", None) for item in top.items]
        game.give(actions.Resolve(game.seat(who), costs.index(cost)))


def resolves_all(game: Game, who: str) -> None:
    """A player resolves all effects that are due; their order makes no difference."""
    game.act(game.seat(who))
    done = finish_group(game.state, answers=(), optional_asks=False)
    game.take(done.state, done.events)


def draws(game: Game, who: str, card: str) -> None:
    """Chance deals a card."""
    game.act(game.seat(who))
    game.give(Answer(id_of("cards", card)))


# Then


def _holds(game: Game, who: str, found: object, expected: object, because: list[str]) -> None:
    assert found == expected, found
    assert game.cited(who).issuperset(because), game.cited(who)


def has(game: Game, who: str, number: int, what: str, because: list[str]) -> None:
    """A player has so many of something now."""
    game.look()
    _holds(game, who, getattr(game.player(who), FIELDS[what]), number, because)


def has_influence(game: Game, who: str, number: int, faction: str, because: list[str]) -> None:
    """A player has Influence now."""
    game.look()
    _holds(game, who, influence(game.state, game.seat(who), FACTIONS[faction]), number, because)


def gains(game: Game, who: str, number: int, what: str, because: list[str]) -> None:
    """A player has so many more of something."""
    game.look()
    _holds(game, who, _change(game, who, FIELDS[what]), number, because)


def loses(game: Game, who: str, number: int, what: str, because: list[str]) -> None:
    """A player has so many fewer of something."""
    game.look()
    _holds(game, who, -_change(game, who, FIELDS[what]), number, because)


def _change(game: Game, who: str, field: str) -> int:
    before: int = getattr(player(game.before, game.seat(who)), field)
    return int(getattr(game.player(who), field)) - before


def has_hand(game: Game, who: str, cards: str, because: list[str]) -> None:
    """A player has these cards in hand now."""
    game.look()
    expected = zone(id_of("cards", name) for name in names_in(cards))
    _holds(game, who, game.player(who).hand, expected, because)


def has_spy(game: Game, who: str, place: str, because: list[str]) -> None:
    """A player has a Spy on a post now."""
    game.look()
    _holds(game, who, SpyAt(post_of(place), game.seat(who)) in game.state.spies, True, because)


def has_strength(game: Game, who: str, number: int, because: list[str]) -> None:
    """A player's Combat marker shows a strength now."""
    game.look()
    _holds(game, who, game.player(who).strength, number, because)


def can_visit(game: Game, who: str, card: str, space: str) -> None:
    """A player may send an Agent there."""
    _can(game, who, _visit(game, who, card, space))


def can_reveal(game: Game, who: str) -> None:
    """A player may take a Reveal turn."""
    _can(game, who, actions.Reveal(game.seat(who)))


def can_end(game: Game, who: str) -> None:
    """A player may end the turn."""
    _can(game, who, actions.EndTurn(game.seat(who)))


def _can(game: Game, who: str, action: Action) -> None:
    game.look(game.seat(who))
    refused = legal(IMPERIUM, game.state, action)
    assert refused is None, refused


def cannot_visit(game: Game, who: str, card: str, space: str, because: list[str]) -> None:
    """A player may not send an Agent there."""
    _cannot(game, who, _visit(game, who, card, space), because)


def cannot_deploy(game: Game, who: str, number: int, because: list[str]) -> None:
    """A player may not deploy so many troops."""
    _cannot(game, who, actions.Deploy(game.seat(who), number), because)


def cannot_acquire(game: Game, who: str, card: str, because: list[str]) -> None:
    """A player may not acquire a card."""
    _cannot(game, who, actions.Acquire(game.seat(who), id_of("cards", card)), because)


def cannot_end(game: Game, who: str, because: list[str]) -> None:
    """A player may not end the turn."""
    _cannot(game, who, actions.EndTurn(game.seat(who)), because)


def cannot_play(game: Game, who: str, card: str, because: list[str]) -> None:
    """A player may not play an Intrigue card."""
    _cannot(game, who, actions.PlayIntrigue(game.seat(who), id_of("intrigue", card), 0), because)


def _cannot(game: Game, who: str, action: Action, because: list[str]) -> None:
    game.look(game.seat(who))
    refused = legal(IMPERIUM, game.state, action)
    assert refused is not None, "it is allowed"
    assert set(refused.rules).issuperset(because), refused.rules


# The sentences


def _text(pattern: str) -> Callable[[str], str]:
    """A type of word for `parse`: a text of this pattern."""
    text: Callable[[str], str] = parse.with_pattern(pattern)(lambda text: text)
    return text


def _any_of(words: Iterable[str]) -> Callable[[str], str]:
    """A type of word for `parse`: one of these."""
    return _text("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


def _names(kind: str) -> list[str]:
    return [face.name for face in getattr(catalogue(PRODUCT), kind).values()]


FACTIONS = {face.name: face.faction for face in catalogue(PRODUCT).tracks.values()}

ICONS = {face.icon.replace("_", " "): face.icon for face in catalogue(PRODUCT).spaces.values()}

TYPES: dict[str, Callable[[str], Any]] = {
    "Player": _text(r"[A-Z][A-Za-z]*"),
    "Name": _text(r'[^"]*'),
    "Cards": _text(r'"[^"]*"(?:, "[^"]*")*|nothing'),
    "What": _any_of(FIELDS),
    "Resource": _any_of(RESOURCES),
    "Zone": _any_of(ZONES),
    "Box": _any_of(["agent", "reveal"]),
    "Space": _any_of(_names("spaces")),
    "Post": _any_of([*_names("spaces"), *_names("posts")]),
    "Faction": _any_of(FACTIONS),
    "Icon": _any_of(ICONS),
    "Troops": parse.with_pattern(r"\d+ troops?")(lambda text: int(text.split()[0])),
    "Because": parse.with_pattern(rf"(?: because {RULE}(?:, {RULE})*)?")(
        lambda text: re.findall(RULE, text)
    ),
}
"""The types of the words in a sentence, as both tools let one define them."""

STEPS: dict[str, dict[str, Callable[..., None]]] = {
    "given": {
        "a game of uprising with {names}": a_game,
        "the first player is {who:Player}": first_player,
        'the conflict is "{card:Name}"': the_conflict,
        'a card "{name:Name}" with {icon:Icon} icon: {box:Box} "{effects:Name}"': new_card,
        "{who:Player} has {number:d} {what:What}": has_given,
        "{who:Player} has {number:d} influence with the {faction:Faction}": influence_given,
        "{who:Player} has hand {cards:Cards}": hand_given,
        "{who:Player} has {cards:Cards} in {where:Zone}": zone_given,
        "{who:Player} has intrigue {cards:Cards}": intrigue_given,
        "{who:Player} has a spy at {place:Post}": spy_given,
        "{who:Player} has an agent at {space:Space}": agent_given,
        "{who:Player} has maker hooks": hooks_given,
        "the row is {cards:Cards}": row_given,
        "it is the turn of {who:Player}": turn_given,
    },
    "when": {
        '{who:Player} plays "{card:Name}" to {space:Space}': visits,
        "{who:Player} reveals": reveals,
        "{who:Player} ends the turn": ends,
        "{who:Player} deploys {number:Troops}": deploys,
        '{who:Player} acquires "{card:Name}"': acquires,
        "{who:Player} places a spy at {place:Post}": places_spy,
        "{who:Player} declines": declines,
        "{who:Player} pays {number:d} {what:Resource}": pays,
        '{who:Player} resolves "{effect:Name}"': resolves,
        '{who:Player} resolves "{effect:Name}" first': resolves,
        "{who:Player} resolves all effects": resolves_all,
        '{who:Player} draws "{card:Name}"': draws,
    },
    "then": {
        "{who:Player} has {number:d} {what:What}{because:Because}": has,
        "{who:Player} has {number:d} influence with the {faction:Faction}{because:Because}": (
            has_influence
        ),
        "{who:Player} gains {number:d} {what:What}{because:Because}": gains,
        "{who:Player} loses {number:d} {what:What}{because:Because}": loses,
        "{who:Player} has hand {cards:Cards}{because:Because}": has_hand,
        "{who:Player} has a spy at {place:Post}{because:Because}": has_spy,
        "strength of {who:Player} is {number:d}{because:Because}": has_strength,
        '{who:Player} can play "{card:Name}" to {space:Space}': can_visit,
        "{who:Player} can reveal": can_reveal,
        "{who:Player} can end the turn": can_end,
        '{who:Player} cannot play "{card:Name}" to {space:Space}{because:Because}': cannot_visit,
        '{who:Player} cannot play "{card:Name}"{because:Because}': cannot_play,
        "{who:Player} cannot deploy {number:Troops}{because:Because}": cannot_deploy,
        '{who:Player} cannot acquire "{card:Name}"{because:Because}': cannot_acquire,
        "{who:Player} cannot end the turn{because:Because}": cannot_end,
    },
}
"""What each sentence does, by the word that its step begins with."""
