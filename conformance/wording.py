"""Fields of an observation in the words of scenarios: what a `then` line would say of each.

Not every field has words; `NO_WORDS` tells what cannot be said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from rules_engine.effects.text import say
from rules_engine.imperium.faces import printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State
from rules_engine.kernel.decks import size
from rules_engine.kernel.game import asked
from scenarios.imperium.changes import COUNTED
from scenarios.imperium.stating import cards

NO_WORDS = {
    "conflict": "which Conflict card is on the table",
    "conflict_deck": "the Conflict Deck, unless it is empty",
    "imperium_deck": "the Imperium Deck, unless it is empty",
    "intrigue_deck": "the Intrigue Deck, unless it is empty",
    "contract_deck": "the contract deck, unless it is empty",
    "leader_contracts": "contracts that are set aside for a Leader",
    "objectives": "Objectives that nobody has",
    "turn": "that it is nobody's turn",
    "winners": "that nobody has won yet",
    "first_reward": "that something was not added to the first reward",
    "players.seat": "where a player sits",
    "players.name": "what a player is called",
    "players.leader": "that a player has no Leader",
    "players.training": "that a player has no training track",
    "players.deck": "which cards are in a player's deck",
}
"""What the language has no words for in a `then` line, by field."""


def field_words(state: State, path: str, got: Any) -> list[str]:
    """What `then` lines say of a field of a position, so that they fail for what was got.

    Nothing if there are no such words.
    """
    first, *rest = path.split(".")
    if first != "players":
        return OF_THE_TABLE[first](state, got) if first in OF_THE_TABLE else []
    if len(rest) < 2 or rest[1] not in OF_A_PLAYER:
        return []
    return OF_A_PLAYER[rest[1]](state, state.players[int(rest[0])], got)


def view_words(state: State, viewer: int, path: str, got: Any) -> list[str]:
    """What a player may see of another's cards, or of the own ones."""
    _, *rest = path.split(".")
    name = rest[1] if len(rest) > 1 else ""
    if name in HIDDEN and isinstance(got, list):
        owner = state.players[int(rest[0])]
        verb = "sees" if owner.seat == viewer else "does not see"
        return [f"{state.players[viewer].name} {verb} the {HIDDEN[name]} of {owner.name}"]
    return field_words(state, path, got)


HIDDEN = {"hand": "hand", "intrigues": "intrigue cards"}
"""What not everybody sees and a line can be about."""


# What a player has

OfPlayer = Callable[[State, Player, Any], list[str]]


def _number(field: str, one: str, several: str) -> OfPlayer:
    return lambda _, owner, __: [
        f"{owner.name} has {_counted(getattr(owner, field), one, several)}"
    ]


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _either(field: str, yes: str, no: str) -> OfPlayer:
    return lambda _, owner, __: [f"{owner.name} {yes if getattr(owner, field) else no}"]


def _whole(field: str, named: str) -> OfPlayer:
    """These are all cards there."""

    def words(state: State, owner: Player, _: Any) -> list[str]:
        return [f"{owner.name} has {named.format(cards(state, getattr(owner, field)))}"]

    return words


def _deck(_: State, owner: Player, got: Any) -> list[str]:
    count = size(owner.deck)
    told = got.get("count") if isinstance(got, dict) else None
    if (len(got) if isinstance(got, list) else told) == count:
        return []
    return [f"{owner.name} has {_counted(count, 'card in deck', 'cards in deck')}"]


def _tracks(state: State, owner: Player, got: Any) -> list[str]:
    own = {track.faction: track.influence for track in owner.tracks}
    theirs = {each.get("faction"): each.get("influence") for each in _dicts(got)}
    faces = printed(state).tracks
    return [
        f"{owner.name} has {own[faction]} influence with the {faces[faction].name}"
        for faction in _differing(own, theirs)
    ]


def _strength(_: State, owner: Player, __: Any) -> list[str]:
    return [f"strength of {owner.name} is {owner.strength}"]


def _leader(state: State, owner: Player, _: Any) -> list[str]:
    if owner.leader is None:
        return []
    return [f'{owner.name} is led by "{printed(state).leaders[owner.leader].name}"']


def _training(state: State, owner: Player, _: Any) -> list[str]:
    spaces = (space for each in printed(state).leaders.values() for space in each.training)
    names = [space.name for space in spaces if space.id == owner.training]
    return [f'{owner.name} has trained to "{name}"' for name in names]


def _won(state: State, owner: Player, got: Any) -> list[str]:
    """Those of the three lists in which the other has something else: face up, or face down."""
    lists = {
        "won": [each.card for each in owner.won if each.face_up and not _aims(state, each.card)],
        "objective": [each.card for each in owner.won if each.face_up and _aims(state, each.card)],
        "matched": [each.card for each in owner.won if not each.face_up],
    }
    theirs = [(each.get("card"), bool(each.get("face_up"))) for each in _dicts(got)]
    others = {
        "won": [card for card, up in theirs if up and not _aims(state, card)],
        "objective": [card for card, up in theirs if up and _aims(state, card)],
        "matched": [card for card, up in theirs if not up],
    }
    differing = [name for name in lists if Counter(lists[name]) != Counter(others[name])]
    return [f"{owner.name} has {name} {cards(state, tuple(lists[name]))}" for name in differing]


def _aims(state: State, card: Any) -> bool:
    """Whether a card is an Objective."""
    return card in printed(state).objectives


OF_A_PLAYER: dict[str, OfPlayer] = {
    **{field: _number(field, *words) for field, words in COUNTED.items()},
    "memories": _number("memories", "memories", "memories"),
    "supply": _number("supply", "troop in supply", "troops in supply"),
    "tracks": _tracks,
    "strength": _strength,
    "maker_hooks": _either("maker_hooks", "has maker hooks", "has no maker hooks"),
    "high_council": _either(
        "high_council", "sits on the high council", "does not sit on the high council"
    ),
    "swordmaster": _either("swordmaster", "has the swordmaster", "has no swordmaster"),
    "revealed": _either("revealed", "has revealed", "has not revealed"),
    "leader": _leader,
    "training": _training,
    "contracts": _whole("contracts", "contract {}"),
    "completed": _whole("completed", "completed {}"),
    "standing": _whole("standing", "{} face up"),
    "set_aside": _whole("set_aside", "{} set aside"),
    "hand": _whole("hand", "hand {}"),
    "deck": _deck,
    "discard": _whole("discard", "{} in discard"),
    "in_play": _whole("in_play", "{} in play"),
    "intrigues": _whole("intrigues", "intrigue {}"),
    "won": _won,
}
"""The words for each field of a player."""


# What is on the table

OfTable = Callable[[State, Any], list[str]]


def asked_words(state: State, _: Any = None) -> list[str]:
    """Who has to decide, if it is one player or nobody."""
    who = asked(IMPERIUM, state)
    if len(who.players) == 1:
        return [f"{state.players[who.players[0]].name} is asked"]
    return ["nobody is asked"] if who.nobody() else []


def _turn(state: State, _: Any) -> list[str]:
    if state.turn is None:
        return []
    return [f"it is the turn of {state.players[state.turn.seat].name}"]


def _wall(state: State, _: Any) -> list[str]:
    return ["the shield wall stands" if state.shield_wall else "the shield wall is gone"]


def _agents(state: State, got: Any) -> list[str]:
    own = Counter((at.seat, at.space) for at in state.agents)
    spaces = {space: face.name for space, face in printed(state).spaces.items()}
    return _pieces(state, own, _places(got, "space"), spaces, ("agent", "agents"))


def _spies(state: State, got: Any) -> list[str]:
    own = Counter((spy.seat, spy.post) for spy in state.spies)
    posts = {post: face.name for post, face in printed(state).posts.items()}
    return _pieces(state, own, _places(got, "post"), posts, ("spy", "spies"))


def _places(got: Any, kind: str) -> Counter[tuple[Any, Any]]:
    return Counter((each.get("seat"), each.get(kind)) for each in _dicts(got))


def _pieces(
    state: State,
    own: Counter[tuple[Any, Any]],
    theirs: Counter[tuple[Any, Any]],
    names: dict[str, str],
    nouns: tuple[str, str],
) -> list[str]:
    """How many pieces there are, wherever the other has more or fewer."""
    seats = range(len(state.players))
    everywhere = {place: own[place] for place in (*own, *theirs)}
    return [
        f"{state.players[seat].name} has {_counted(own[seat, place], *nouns)} at {names[place]}"
        for seat, place in _differing(everywhere, dict(theirs), 0)
        if seat in seats and place in names
    ]


def _makers(state: State, got: Any) -> list[str]:
    own = {maker.space: maker.bonus_spice for maker in state.makers}
    theirs = {each.get("space"): each.get("bonus_spice") for each in _dicts(got)}
    spaces = printed(state).spaces
    return [
        f"{spaces[space].name} has {own[space]} bonus spice" for space in _differing(own, theirs)
    ]


def _controls(state: State, got: Any) -> list[str]:
    own = {each.space: each.holder for each in state.controls}
    theirs = {each.get("space"): each.get("holder") for each in _dicts(got)}
    return [
        f"{_holder(state, own[space])} controls {printed(state).spaces[space].name}"
        for space in _differing(own, theirs)
    ]


def _alliances(state: State, got: Any) -> list[str]:
    own = {each.faction: each.holder for each in state.alliances}
    theirs = {each.get("faction"): each.get("holder") for each in _dicts(got)}
    return [
        f"{_holder(state, own[faction])} holds the {printed(state).tracks[faction].name} alliance"
        for faction in _differing(own, theirs)
    ]


def _holder(state: State, seat: int | None) -> str:
    return "nobody" if seat is None else state.players[seat].name


def _runs_out(deck: str, name: str) -> OfTable:
    """That a deck is empty; what is in one has no words."""
    return lambda state, _: [] if size(getattr(state, deck)) else [f"the {name} deck is empty"]


def _contract_row(state: State, _: Any) -> list[str]:
    return [f"the contracts are {cards(state, state.contract_row)}"] if state.config.choam else []


def _intrigue_discard(state: State, _: Any) -> list[str]:
    return [f"the intrigue discard pile has {cards(state, state.intrigue_discard)}"]


def _out_of_game(state: State, _: Any) -> list[str]:
    gone = (*state.trashed, *state.trashed_intrigues)
    return [f"{cards(state, gone)} {'are' if len(gone) > 1 else 'is'} out of the game"]


def _reserve(state: State, _: Any) -> list[str]:
    stacks = ", ".join(f"{each.left} {cards(state, (each.card,))}" for each in state.reserve)
    return [f"the reserve has {stacks}"]


def _first_reward(state: State, got: Any) -> list[str]:
    own = Counter(say(effect) for effect in state.first_reward)
    missing = own - _strings(got)
    return [f'the first reward also gives "{"; ".join(own.elements())}"'] if missing else []


def _winners(state: State, _: Any) -> list[str]:
    names = [state.players[seat].name for seat in state.winners]
    if len(names) > 1:
        return [f"{', '.join(names)} share the victory"]
    return [f"{name} wins the game" for name in names]


OF_THE_TABLE: dict[str, OfTable] = {
    "round": lambda state, _: [f"it is round {state.round}"],
    "first_player": lambda state, _: [f"{state.players[state.first_player].name} is first player"],
    "asked": asked_words,
    "turn": _turn,
    "shield_wall": _wall,
    "agents": _agents,
    "spies": _spies,
    "makers": _makers,
    "controls": _controls,
    "alliances": _alliances,
    "conflict_deck": _runs_out("conflict_deck", "conflict"),
    "row": lambda state, _: [f"the row is {cards(state, state.row)}"],
    "imperium_deck": _runs_out("imperium_deck", "imperium"),
    "intrigue_deck": _runs_out("intrigue_deck", "intrigue"),
    "intrigue_discard": _intrigue_discard,
    "contract_row": _contract_row,
    "contract_deck": _runs_out("contract_deck", "contract"),
    "trashed": _out_of_game,
    "trashed_intrigues": _out_of_game,
    "reserve": _reserve,
    "first_reward": _first_reward,
    "winners": _winners,
}
"""The words for each field of the table."""


# What an adapter says may be anything


def _dicts(got: Any) -> list[dict[str, Any]]:
    every = got if isinstance(got, list) else []
    return [each for each in every if isinstance(each, dict) and _is_flat(each)]


def _is_flat(each: dict[str, Any]) -> bool:
    return not any(isinstance(value, (list, dict)) for value in each.values())


def _strings(got: Any) -> Counter[str]:
    return (
        Counter(each for each in got if isinstance(each, str))
        if isinstance(got, list)
        else Counter()
    )


def _differing(own: dict[Any, Any], theirs: dict[Any, Any], absent: Any = None) -> list[Any]:
    """The keys whose values differ; all keys if none does."""
    found = [key for key, value in own.items() if theirs.get(key, absent) != value]
    return found or list(own)
