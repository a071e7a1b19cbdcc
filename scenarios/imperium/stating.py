"""A position in the words of the language: what `game` and `given` lines would have to say.

What setup gives is left out. Read again, the lines make the very same position.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.catalogue.faces import ContractFace
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium.faces import conflict_face, printed
from rules_engine.imperium.frames import Turn
from rules_engine.imperium.setup import conflict_deck, starting_state
from rules_engine.imperium.state import Player, State
from rules_engine.imperium.strength import strength
from rules_engine.kernel.decks import Deck, possibly_in, size
from rules_engine.kernel.rulings import Rulings
from scenarios.imperium.changes import several
from scenarios.imperium.table import BOXES
from scenarios.words import card_name

GIVEN = (
    "solari", "spice", "water", "persuasion", "victory_points",
    "garrison", "troops", "memories", "sandworms", "swords",
)  # fmt: skip
"""The quantities that a line gives as a number."""

HELD = {
    "maker_hooks": "has maker hooks",
    "high_council": "sits on the high council",
    "swordmaster": "has the swordmaster",
}

LISTED = {
    "intrigues": "has intrigue {}",
    "contracts": "has contract {}",
    "completed": "has completed {}",
    "standing": "has {} face up",
    "set_aside": "has {} set aside",
    "discard": "has {} in discard",
    "in_play": "has {} in play",
}
"""Cards that are stated where there are any."""


def heading(state: State) -> Iterator[str]:
    """The lines before `given`: the game, what it is played with, and the Conflict."""
    config = state.config
    for name, value in config.rulings.chosen:
        yield f"ruling {name} is {value}"
    yield f"game {config.product} with {', '.join(each.name for each in state.players)}"
    for module in ("choam", "promos"):
        if getattr(config, module):
            yield f"module {module}"
    yield f"first player {state.players[state.first_player].name}"
    yield from _own_cards(state)
    if state.conflict is not None and not any(own.id == state.conflict for own in config.conflicts):
        yield f'conflict "{conflict_face(state, state.conflict).name}"'


def _own_cards(state: State) -> Iterator[str]:
    """The cards that exist in this game only."""
    for card in state.config.cards:
        factions = printed(state).tracks
        traits = [f"{icon.replace('_', ' ')} icon" for icon in card.agent_icons]
        traits += [f"{factions[faction].name} faction" for faction in card.factions]
        traits += [] if card.cost is None else [f"cost {card.cost}"]
        boxes = {box: getattr(card, field) for box, field in BOXES.items()}
        yield f'card "{card.name}"{_with(traits)}: {_boxes(boxes)}'
    for fight in state.config.conflicts:
        icon = [] if fight.icon is None else [f"{fight.icon.replace('_', ' ')} icon"]
        spaces = printed(state).spaces
        place = "" if fight.location is None else f" at {spaces[fight.location].name}"
        boxes = {box: getattr(fight, box) for box in ("first", "second", "third")}
        shown = _boxes(boxes)
        yield f'conflict "{fight.name}"{_with(icon)}{place}' + (f": {shown}" if shown else "")
    for plot in state.config.intrigues:
        yield f'intrigue "{plot.name}": ' + _boxes({way.timing: way.effects for way in plot.ways})
    for deal in state.config.contracts:
        reward = _boxes({"reward": deal.reward})
        yield f'contract "{deal.name}" for {_completing(state, deal)}: {reward}'


def _completing(state: State, deal: ContractFace) -> str:
    """What completes a contract that exists in this game only."""
    match deal.completed_by:
        case "visit":
            return f"visiting {printed(state).spaces[deal.target or ''].name}"
        case "harvest":
            return f"harvesting {deal.amount} spice"
        case "acquire":
            return f'acquiring "{card_name(state, deal.target or "")}"'
    return "taking it"


def _with(traits: list[str]) -> str:
    return f" with {', '.join(traits)}" if traits else ""


def _boxes(boxes: dict[str, tuple[Effect, ...]]) -> str:
    return ", ".join(
        f'{box} "{"; ".join(say(effect) for effect in effects)}"'
        for box, effects in boxes.items()
        if effects
    )


# The position


def givens(state: State) -> Iterator[str]:
    """What a position has that setup does not give, every hand, and every deck."""
    names = tuple(each.name for each in state.players)
    start = starting_state(state.config.product, names, Rulings())
    for each, before in zip(state.players, start.players, strict=True):
        yield from _player(state, each, before)
    yield from _board(state)
    yield from _decks(state)
    yield from _time(state)


def _player(state: State, each: Player, before: Player) -> Iterator[str]:
    name = each.name
    faces = printed(state)
    if each.leader is not None:
        yield f'{name} is led by "{faces.leaders[each.leader].name}"'
        track = faces.leaders[each.leader].training
        space = next((space for space in track if space.id == each.training), None)
        if space is not None and space is not track[0]:
            yield f'{name} has trained to "{space.name}"'
    for field in GIVEN:
        if getattr(each, field) != getattr(before, field):
            yield f"{name} has {getattr(each, field)} {several(field)}"
    for track_of in each.tracks:
        if track_of.influence:
            faction = faces.tracks[track_of.faction].name
            yield f"{name} has {track_of.influence} influence with the {faction}"
    for field, words in HELD.items():
        if getattr(each, field):
            yield f"{name} {words}"
    yield f"{name} has hand {cards(state, each.hand)}"
    for field, words in LISTED.items():
        if getattr(each, field):
            yield f"{name} {words.format(cards(state, getattr(each, field)))}"
    yield from _won(state, each)


def _won(state: State, each: Player) -> Iterator[str]:
    """The Conflict and Objective cards of a player, or that there is none."""
    objectives = printed(state).objectives
    up = [won.card for won in each.won if won.face_up]
    down = tuple(won.card for won in each.won if not won.face_up)
    held = tuple(card for card in up if card in objectives)
    won = tuple(card for card in up if card not in objectives)
    if held:
        yield f"{each.name} has objective {cards(state, held)}"
    if won or not each.won:
        yield f"{each.name} has won {cards(state, won)}"
    if down:
        yield f"{each.name} has matched {cards(state, down)}"


def _board(state: State) -> Iterator[str]:
    faces, players = printed(state), state.players
    for spy in state.spies:
        yield f"{players[spy.seat].name} has a spy at {faces.posts[spy.post].name}"
    for at in state.agents:
        yield f"{players[at.seat].name} has an agent at {faces.spaces[at.space].name}"
    for control in state.controls:
        if control.holder is not None:
            yield f"{players[control.holder].name} controls {faces.spaces[control.space].name}"
    for alliance in state.alliances:
        if alliance.holder is not None:
            name = faces.tracks[alliance.faction].name
            yield f"{players[alliance.holder].name} holds the {name} alliance"
    for maker in state.makers:
        if maker.bonus_spice:
            yield f"{faces.spaces[maker.space].name} has {maker.bonus_spice} bonus spice"
    yield "the shield wall stands" if state.shield_wall else "the shield wall is gone"
    if state.first_reward:
        yield f'the first reward also gives "{"; ".join(say(each) for each in state.first_reward)}"'


def _decks(state: State) -> Iterator[str]:
    """The cards that lie face up, every player's deck, and what has left the game."""
    yield f"the row is {cards(state, state.row)}"
    if state.intrigue_discard:
        yield f"the intrigue discard pile has {cards(state, state.intrigue_discard)}"
    if state.config.choam:
        yield f"the contracts are {cards(state, state.contract_row)}"
    for each in state.players:
        yield f"{each.name} has {cards(state, possibly_in(_counted(each.deck)))} in deck"
    hidden = {card for each in state.players for card in _out_of_sight(each.deck)}
    for stack in state.reserve:
        if stack.card in hidden:
            yield f'the reserve has {stack.left} "{card_name(state, stack.card)}"'
    gone = (*state.trashed, *state.trashed_intrigues)
    if gone:
        yield f"{cards(state, gone)} {'is' if len(gone) == 1 else 'are'} out of the game"
    over = unclaimed(state)
    if over:
        yield f"nobody has won {cards(state, over)}"
    if not size(state.conflict_deck):
        yield "the conflict deck is empty"


def _counted(deck: Deck) -> Deck:
    """The parts of a deck that have cards in them."""
    return tuple(part for part in deck if size((part,)))


def _out_of_sight(deck: Deck) -> tuple[str, ...]:
    """Cards that somebody has, and nobody has said where."""
    return possibly_in(tuple(part for part in deck if not size((part,))))


def unclaimed(state: State) -> tuple[str, ...]:
    """The Conflict cards that were turned up before and went to nobody."""
    printed_cards = {*possibly_in(conflict_deck(state.config.product))}
    own = {each.id for each in state.config.conflicts}
    dealt = printed_cards - {*possibly_in(state.conflict_deck)} | own
    owned = {won.card for each in state.players for won in each.won}
    return tuple(sorted(dealt - owned - {state.conflict or ""}))


def _time(state: State) -> Iterator[str]:
    """The round, who has revealed in which order, and whose turn it is."""
    for seat in state.reveal_order:
        yield f"{state.players[seat].name} has revealed"
    strengths = ", ".join(
        f"{each.name} is {each.strength}" for each in state.players if _marker_is_stated(each)
    )
    if strengths:
        yield f"strength of {strengths}"
    if state.round > 1:
        yield f"it is round {state.round}"
    top = state.pending[-1] if state.pending else None
    if isinstance(top, Turn):
        yield f"it is the turn of {state.players[top.seat].name}"


def _marker_is_stated(each: Player) -> bool:
    """Whether the Combat marker is elsewhere than units and swords put it."""
    return bool(each.strength != (strength(each) if each.revealed else 0))


def cards(state: State, ids: tuple[str, ...]) -> str:
    """Cards by their names in quotes."""
    return ", ".join(f'"{card_name(state, card)}"' for card in ids) or "nothing"
