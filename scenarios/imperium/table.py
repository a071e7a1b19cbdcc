"""The names at one table, and what a scenario defines for itself."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable
from typing import Any

from lark import Token

from rules_engine.catalogue.faces import (
    CardFace,
    Catalogue,
    ConflictFace,
    ContractFace,
    IntrigueFace,
    Way,
)
from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import things
from rules_engine.effects.parse import EffectError, parse
from rules_engine.effects.tree import Effect
from rules_engine.imperium.intrigue import TIMING
from rules_engine.imperium.setup import PLAYERS, WHO_CAN_PLAY
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.errors import Place, TruthsayerError
from rules_engine.kernel.outcomes import Seat
from scenarios.imperium.names import PRODUCTS, Names, lower_snake
from scenarios.imperium.own_effects import check_effect
from scenarios.language.errors import ScenarioError, suggestion
from scenarios.language.syntax import Line, Scenario, Words, phrases, token, tokens, unquoted
from scenarios.language.values import leaves_open

CARD_KINDS = ("intrigue", "conflict")
ZONES = {"hand": "hand", "discard": "discard", "play": "in_play", "deck": "deck"}


class Table:
    """The names at one table: players by seat, cards and places by id."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.players = scenario.players
        self.names = Names(catalogue(scenario.product), *defined(scenario))

    def seat(self, line: Line, word: Token) -> Seat:
        """The seat of a named player."""
        if word not in self.players:
            raise ScenarioError(
                "TS0102",
                f"no player `{word}`",
                place=line.at(word),
                help=f"{suggestion(word, self.players)} Or write `{word}` in `game`",
            )
        return self.players.index(str(word))

    def id(self, line: Line, word: Token, *kinds: str) -> str:
        """The id of a named thing of one of these kinds."""
        name = unquoted(word) if word.type == "STRING" else str(word)
        for kind in kinds:
            found = self.names.find(kind, name)
            if found is not None:
                return found
        known = [name for kind in kinds for name in self.names.known(kind)]
        what = " or ".join(f"{kind} card" if kind in CARD_KINDS else kind for kind in kinds)
        raise ScenarioError(
            "TS0103", f"no {what} `{name}`", place=line.at(word), help=suggestion(name, known)
        )

    def cards(self, line: Line, words: Words, *kinds: str) -> tuple[str, ...]:
        """The ids of a list of cards."""
        return tuple(self.id(line, word, *kinds) for word in tokens(words, "STRING"))

    def reserve_card(self, line: Line, word: Token) -> str:
        """The id of a card that has a stack in the Reserve."""
        card = self.id(line, word, "card")
        stacks = {face.id: face.name for face in self.names.printed.cards.values() if face.reserve}
        if card not in stacks:
            raise ScenarioError(
                "TS0103",
                f"the Reserve has no {unquoted(word)}",
                place=line.at(word),
                help=name_one_of(f'"{name}"' for name in stacks.values()),
            )
        return card

    def all_of(self, line: Line, words: Words, *kinds: str) -> tuple[str, ...]:
        """The ids of the list in a phrase that says all there is."""
        if phrases(words, "at_least"):
            raise leaves_open(line)
        return self.cards(line, phrases(words, "cards")[0], *kinds)

    def source(self, line: Line, words: Words) -> str:
        """The id of anything printed, or of the scenario's own, that an effect can come from."""
        word = token(words, "STRING")
        names = self.names
        named: tuple[Any, ...] = (*things(names.printed), *names.cards, *names.conflicts)
        own = (*names.intrigues, *names.contracts)
        known: dict[str, str] = {each.name: each.id for each in (*named, *own)}
        wanted = " ".join(unquoted(word).lower().split())
        for name, each in known.items():
            if name.lower() == wanted:
                return each
        raise ScenarioError(
            "TS0103",
            f"nothing is called {word}",
            place=line.at(word),
            help=suggestion(unquoted(word), known),
        )

    def post(self, line: Line, words: Words) -> str:
        """The post that is meant: by its name, or by the only space it is linked to."""
        place = words.children[0]
        assert isinstance(place, Token)
        if words.data == "post":
            return self.id(line, place, "post")
        space = self.id(line, place, "space")
        posts = [face for face in self.names.printed.posts.values() if space in face.spaces]
        if len(posts) != 1:
            known = posts or self.names.printed.posts.values()
            named = ", ".join(f"`{post.name}`" for post in known)
            raise ScenarioError(
                "TS0114",
                f"{place} has {len(posts) or 'no'} observation post" + ("s" if posts else ""),
                place=line.at(place),
                help=f"name one of {named}",
            )
        return posts[0].id


# Cards and Conflicts that a scenario defines


Defined = tuple[
    tuple[CardFace, ...],
    tuple[ConflictFace, ...],
    tuple[IntrigueFace, ...],
    tuple[ContractFace, ...],
]


def defined(scenario: Scenario) -> Defined:
    """The cards, Conflict and Intrigue cards and contracts that exist in this scenario only."""
    lines, printed = scenario.definitions, catalogue(scenario.product)
    cards = tuple(_new_card(line, printed) for line in lines if line.words.data == "new_card")
    fights = tuple(
        _new_conflict(line, printed) for line in lines if line.words.data == "new_conflict"
    )
    plots = tuple(
        _new_intrigue(line, printed) for line in lines if line.words.data == "new_intrigue"
    )
    own = Names(printed, cards)
    deals = tuple(_new_contract(line, own) for line in lines if line.words.data in NEW_CONTRACTS)
    if cards or fights or plots or deals:
        _check_new_names(scenario)
    return cards, fights, plots, deals


@functools.cache
def _taken_names(product: str) -> frozenset[str]:
    """What no card can be called: the names of everything printed, and what is no name."""
    return frozenset(("", ANY, *(thing.id for thing in things(catalogue(product)))))


def _check_new_names(scenario: Scenario) -> None:
    """Refuse a card of the scenario's own that is called like another, or like no card at all."""
    taken = {*_taken_names(scenario.product)}
    for line in scenario.definitions:
        if line.words.data in ("new_card", "new_conflict", "new_intrigue", *NEW_CONTRACTS):
            word = token(line.words, "STRING")
            name = lower_snake(unquoted(word))
            if name in taken:
                raise ScenarioError(
                    "TS0107",
                    f"a card cannot be called {word}: something is called so already",
                    place=line.at(word),
                    help=f'write another name, like `"{unquoted(word)} of mine"`',
                )
            taken.add(name)


def _new_card(line: Line, printed: Catalogue) -> CardFace:
    """A card of the scenario's own, with what it says of icons, Factions and its cost."""
    name = unquoted(token(line.words, "STRING"))
    icons = [token(each, "AGENT_ICON") for each in phrases(line.words, "icon_of")]
    factions = [token(each, "FACTION") for each in phrases(line.words, "faction_of")]
    costs = [token(each, "NUMBER") for each in phrases(line.words, "cost_of")]
    if len(costs) > 1:
        raise ScenarioError(
            "TS0105",
            "the cost is stated twice",
            place=line.at(costs[1]),
            help="leave out one of the two",
        )
    by_name = {face.name: face.faction for face in printed.tracks.values()}
    boxes = _boxes(line, printed, tuple(BOXES))
    return CardFace(
        id=lower_snake(name),
        name=name,
        agent_icons=tuple(lower_snake(icon) for icon in icons),
        factions=tuple(by_name[" ".join(faction.split())] for faction in factions),
        cost=int(costs[0]) if costs else None,
        **{BOXES[box]: effects for box, effects in boxes.items()},
    )


BOXES = {
    "agent": "agent",
    "reveal": "reveal",
    "acquire": "acquire",
    "trashed": "when_trashed",
    "discarded": "when_discarded",
}
"""The boxes of a card, as a scenario calls them."""


def _new_conflict(line: Line, printed: Catalogue) -> ConflictFace:
    name = unquoted(token(line.words, "STRING"))
    boxes = {
        "first": (),
        "second": (),
        "third": (),
        **_boxes(line, printed, ("first", "second", "third")),
    }
    icons = tokens(line.words, "ICON")
    icon = lower_snake(icons[0]) if icons else None
    spaces = tokens(line.words, "SPACE")
    location = lower_snake(spaces[0]) if spaces else None
    return ConflictFace(id=lower_snake(name), name=name, icon=icon, location=location, **boxes)


def _new_intrigue(line: Line, printed: Catalogue) -> IntrigueFace:
    name = unquoted(token(line.words, "STRING"))
    ways = tuple(
        Way(timing, effects) for timing, effects in _boxes(line, printed, tuple(TIMING)).items()
    )
    return IntrigueFace(lower_snake(name), name, 1, ways)


NEW_CONTRACTS = {
    "contract_to_visit": "visit",
    "contract_to_harvest": "harvest",
    "contract_to_acquire": "acquire",
    "contract_to_take": "taking",
}
"""What completes a contract of the scenario's own, by the phrase that defines it."""


def _new_contract(line: Line, known: Names) -> ContractFace:
    """A contract of the scenario's own: what completes it, and what it brings."""
    words = line.words
    name = token(words, "STRING")
    card = [token(each, "STRING") for each in phrases(words, "bought")]
    numbers, spaces = tokens(words, "NUMBER"), tokens(words, "SPACE")
    boxes = _boxes(line, known.printed, ("reward",))
    return ContractFace(
        id=lower_snake(unquoted(name)),
        name=unquoted(name),
        copies=1,
        completed_by=NEW_CONTRACTS[str(words.data)],
        reward=boxes["reward"],
        target=_target(line, known, *card, *spaces),
        amount=int(numbers[0]) if numbers else 0,
    )


def _target(line: Line, known: Names, *words: Token) -> str | None:
    """The card or the space that a contract names, if it names one."""
    for word in words:
        kind = "card" if word.type == "STRING" else "space"
        name = unquoted(word) if kind == "card" else str(word)
        found = known.find(kind, name)
        if found is None:
            help_ = suggestion(name, known.known(kind))
            raise ScenarioError("TS0103", f"no {kind} `{name}`", place=line.at(word), help=help_)
        return found
    return None


def _boxes(line: Line, printed: Catalogue, known: tuple[str, ...]) -> dict[str, Any]:
    boxes: dict[str, Any] = {}
    for box in phrases(line.words, "box"):
        name, text = token(box, "WORD"), token(box, "STRING")
        if name not in known:
            raise ScenarioError(
                "TS0101",
                f"no box `{name}`",
                place=line.at(name),
                help=suggestion(str(name), known),
            )
        boxes[str(name)] = new_effects(line, text, printed)
    return boxes


def effects_in(line: Line, text: Token) -> tuple[Effect, ...]:
    """The effects that a quoted text says."""
    try:
        return parse(unquoted(text))
    except EffectError as error:
        place = line.at(text)
        place = Place(place.file, place.line, place.column + error.column, place.text)
        raise ScenarioError(error.code, error.message, place=place, help=error.help) from None


def new_effects(line: Line, text: Token, printed: Catalogue) -> tuple[Effect, ...]:
    """The effects of a quoted text that nothing printed says."""
    effects = effects_in(line, text)
    for effect in effects:
        try:
            check_effect(effect, printed)
        except TruthsayerError as error:
            place = line.at(text)
            raise ScenarioError(error.code, error.message, place=place, help=error.help) from None
    return effects


def impossible(line: Line, message: str, rules: tuple[str, ...], remedy: str) -> ScenarioError:
    """A position that the rules do not allow."""
    return ScenarioError(
        "TS0110",
        f"this position is impossible: {message}",
        place=line.place,
        help=remedy,
        rules=rules,
    )


ONE_OF_TWO = "leave out one of the two lines"


def name_one_of(names: Iterable[str]) -> str:
    """The remedy where only some names can stand."""
    return "name one of " + ", ".join(f"`{name}`" for name in names)


def check_game(line: Line, scenario: Scenario) -> None:
    """The product exists and has rules for this number of players, each named once."""
    if scenario.product not in PRODUCTS:
        word = token(line.words, "WORD")
        raise ScenarioError(
            "TS0108",
            f"no game `{scenario.product}`",
            place=line.at(word),
            help=suggestion(scenario.product, PRODUCTS),
        )
    places = {face.name for face in catalogue(scenario.product).spaces.values()}
    taken = [name for name in scenario.players if name in places]
    if taken:
        raise ScenarioError(
            "TS0102",
            f"`{taken[0]}` is the name of a board space",
            place=line.place,
            help="write another name for the player",
        )
    doubled = [name for name, count in Counter(scenario.players).items() if count > 1]
    if doubled:
        raise ScenarioError(
            "TS0102",
            f"two players are called `{doubled[0]}`",
            place=line.place,
            help="write another name for one of the two players",
        )
    # A case of a property brings its own table, which may be one that nobody can deal yet.
    plays_case = any(step.words.data == "case" for step in scenario.steps)
    if len(scenario.players) not in PLAYERS and not plays_case:
        raise ScenarioError(
            "TS0108",
            f"a game of {len(scenario.players)} players",
            place=line.place,
            help=WHO_CAN_PLAY,
        )
