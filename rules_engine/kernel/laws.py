"""Laws that hold in every game: each looks at one position and reports what breaks it.

They need nothing but the game's table. `check_laws` applies all of them to any number of positions.
"""

from __future__ import annotations

import functools
import itertools
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from rules_engine.kernel import views
from rules_engine.kernel.decks import SORTED, Deck, Known, Pool, size
from rules_engine.kernel.fingerprint import encoded, fingerprint
from rules_engine.kernel.game import Game, GameStuck, actions, asked, legal, step
from rules_engine.kernel.outcomes import Event, Refusal, Seat, Step
from rules_engine.kernel.records import Record, change
from rules_engine.kernel.views import Seen, declared

KnowsRule = Callable[[str], bool]
View = Callable[[Any, Seat], Any]
ViewEvent = Callable[[Event, Seat], Event]


class Violation(Record):
    """A law that does not hold in a position, and what shows it."""

    law: str
    what: str


def check_laws(
    game: Game,
    states: Iterable[Any],
    known_rule: KnowsRule,
    view: View = views.view,
    view_event: ViewEvent = views.view_event,
) -> list[Violation]:
    """Every violation of every law in these positions."""
    found: list[Violation] = []
    for state in states:
        for law, broken in (
            ("legal_and_options_agree", legal_and_options_agree(game, state)),
            ("chance_is_weighed", chance_is_weighed(game, state)),
            ("refusals_say_why", refusals_say_why(game, state, known_rule)),
            ("encoding_is_lossless", encoding_is_lossless(game, state)),
            ("steps_come_to_rest", steps_come_to_rest(game, state)),
            ("steps_are_deterministic", steps_are_deterministic(game, state)),
            ("events_cite_rules", events_cite_rules(game, state, known_rule)),
            ("invariants_hold", invariants_hold(game, state)),
            ("zones_are_sorted", zones_are_sorted(state)),
            ("views_hide_secrets", views_hide_secrets(state, view)),
            ("no_fingerprint_is_shown", no_fingerprint_is_shown(game, state, view, view_event)),
            ("events_hide_secrets", events_hide_secrets(game, state, view, view_event)),
        ):
            found.extend(Violation(law, what) for what in broken)
    return found


# Inputs


def legal_and_options_agree(game: Game, state: Any) -> Iterator[str]:
    """What is allowed is exactly what is listed, over every input that can be written down."""
    universe = set(game.universe(state))
    allowed = {given for given in universe if legal(game, state, given) is None}
    listed = set(actions(game, state))
    for given in sorted(allowed - listed, key=repr):
        yield f"{given} is allowed but not listed"
    for given in sorted(listed - allowed, key=repr):
        yield f"{given} is listed but {'not allowed' if given in universe else 'out of bounds'}"


def chance_is_weighed(game: Game, state: Any) -> Iterator[str]:
    """Every outcome that chance can have is likely to some degree, and no other."""
    if not asked(game, state).chance:
        return
    top = state.pending[-1]
    weights = game.frames[type(top)].weights
    if weights is None:
        return
    possible = {answer.outcome for answer in actions(game, state)}
    likely = {outcome for outcome, weight in weights(state, top).items() if weight > 0}
    for outcome in sorted(possible ^ likely):
        yield f"`{outcome}` is possible without being likely, or the other way round"


def refusals_say_why(game: Game, state: Any, known_rule: KnowsRule) -> Iterator[str]:
    """A refusal changes nothing, and each of its reasons stands on known rules."""
    before = encoded(state)
    for given in game.universe(state):
        refused = legal(game, state, given)
        if refused is None:
            continue
        if not isinstance(step(game, state, given), Refusal):
            yield f"{given} is not allowed, and yet it is done"
        if not refused.reasons:
            yield f"{given} is refused without a reason"
        for reason in refused.reasons:
            yield from _uncited(f"the reason `{reason.key}`", reason.rules, known_rule)
    if encoded(state) != before:
        yield "a refusal changed the position"


def _uncited(what: str, rules: tuple[str, ...], known_rule: KnowsRule) -> Iterator[str]:
    if not rules:
        yield f"{what} cites no rule"
    for rule in rules:
        if not known_rule(rule):
            yield f"{what} cites `{rule}`, which is no rule"


# Encoding


def encoding_is_lossless(game: Game, state: Any) -> Iterator[str]:
    """A position or an input that was saved and read again is the same one."""
    again = _copy(state, game.state_type)
    if again is None:
        yield "the position cannot be read again"
    elif again != state:
        yield "the position read again is another one"
    elif fingerprint(again) != fingerprint(state):
        yield "the position read again has another fingerprint"
    for given in actions(game, state):
        if _copy(given, game.input_type) != given:
            yield f"{given} read again is another input"


def _copy(value: Any, kind: Any) -> Any | None:
    """The value saved and read again; nothing if it cannot be read."""
    try:
        return msgspec.json.decode(encoded(value), type=kind)
    except msgspec.ValidationError:
        return None


# Steps


def _steps(game: Game, state: Any) -> Iterator[tuple[Any, Step[Any]]]:
    """What every input that is listed leads to; those without end are another law's concern."""
    for given in actions(game, state):
        try:
            done = step(game, state, given)
        except GameStuck:
            continue
        if isinstance(done, Step):
            yield given, done


def steps_come_to_rest(game: Game, state: Any) -> Iterator[str]:
    """After every input somebody is asked again, or nothing is left to do."""
    for given in actions(game, state):
        try:
            step(game, state, given)
        except GameStuck as problem:
            yield f"after {given}: {problem}"


def steps_are_deterministic(game: Game, state: Any) -> Iterator[str]:
    """The same input in the same position gives the same position and the same events."""
    again = _copy(state, game.state_type) or state
    for given, done in _steps(game, state):
        repeated = step(game, again, given)
        if isinstance(repeated, Refusal):
            yield f"{given} is taken once and refused once"
        elif fingerprint(repeated.state) != fingerprint(done.state):
            yield f"{given} leads to different positions"
        elif encoded(repeated.events) != encoded(done.events):
            yield f"{given} leads to different events"


def events_cite_rules(game: Game, state: Any, known_rule: KnowsRule) -> Iterator[str]:
    """Every event stands on known rules."""
    for _, done in _steps(game, state):
        for event in done.events:
            yield from _uncited(f"the event `{event.key}`", event.rules, known_rule)


# Positions


def invariants_hold(game: Game, state: Any) -> Iterator[str]:
    """What the game promises of every position is so, here and after every input."""
    for after in (state, *(done.state for _, done in _steps(game, state))):
        for invariant in game.invariants:
            for broken in invariant.broken(after):
                yield f"{invariant.name}: {broken}"


@functools.cache
def _sorted_fields(kind: type) -> tuple[str, ...]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(
        name for name, hint in hints.items() if SORTED in getattr(hint, "__metadata__", ())
    )


def zones_are_sorted(value: Any, path: str = "state") -> Iterator[str]:
    """Where order means nothing it is always the same, so that equal positions are equal values."""
    if isinstance(value, Record):
        for name in _sorted_fields(type(value)):
            cards = getattr(value, name)
            if list(cards) != sorted(cards):
                yield f"{path}.{name} is not sorted"
        for name in value.__struct_fields__:
            yield from zones_are_sorted(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, tuple):
        for place, each in enumerate(value):
            yield from zones_are_sorted(each, f"{path}[{place}]")


# Secrets


def scrambled(state: Any, player: Seat) -> Any:
    """The position with everything changed that a player may not see, by the declarations alone."""
    return _scramble(state, player, owner=None)


def _scramble(value: Any, player: Seat, owner: Seat | None) -> Any:
    if isinstance(value, Record):
        owner = getattr(value, "seat", owner)
        marks = declared(type(value))
        changed = {
            name: _scramble_field(getattr(value, name), marks.get(name), player, owner)
            for name in value.__struct_fields__
        }
        return change(value, **changed)
    if isinstance(value, tuple):
        return tuple(_scramble(each, player, owner) for each in value)
    return value


def _scramble_field(value: Any, mark: Seen | None, player: Seat, owner: Seat | None) -> Any:
    if mark is Seen.OWNER and owner != player:
        return _other_cards(len(value))
    if mark is Seen.DECK:
        return _other_deck(value, player)
    return _scramble(value, player, owner)


def _other_cards(count: int) -> tuple[str, ...]:
    return tuple(f"scrambled {number}" for number in range(count))


def _other_deck(deck: Deck, player: Seat) -> Deck:
    """A deck of as many cards in which only those that the player knows are as they were.

    Who else knows a card is a secret too, what a pool is made of, and where it begins and ends.
    """
    parts: list[Known | Pool] = []
    for known, run in itertools.groupby(deck, lambda part: _known_to(part, player)):
        if known:
            parts.extend(change(part, seen_by=(player,)) for part in run)
        else:
            parts.extend(_other_run(tuple(run)))
    return tuple(parts)


def _known_to(part: Known | Pool, player: Seat) -> bool:
    return isinstance(part, Known) and player in part.seen_by


def _other_run(hidden: Deck) -> Iterator[Pool]:
    """As many cards in one pool if there were several parts, else each in a pool of its own."""
    count = size(hidden)
    if len(hidden) > 1:
        yield Pool(count, _other_cards(count + 1))
    else:
        yield from (Pool(1, (card,)) for card in _other_cards(count))


def _seats(state: Any) -> range:
    return range(len(state.players))


def views_hide_secrets(state: Any, view: View = views.view) -> Iterator[str]:
    """A player's view is byte for byte the same, whatever is changed that the player cannot see."""
    for player in _seats(state):
        if encoded(view(state, player)) != encoded(view(scrambled(state, player), player)):
            yield f"what player {player} may not see shows in the view"


def no_fingerprint_is_shown(
    game: Game, state: Any, view: View = views.view, view_event: ViewEvent = views.view_event
) -> Iterator[str]:
    """A fingerprint covers hidden cards, so nobody is shown one: it would confirm a guess."""
    for player in _seats(state):
        if fingerprint(state).encode() in encoded(view(state, player)):
            yield f"player {player} is shown the fingerprint"
    for given, done in _steps(game, state):
        reached = fingerprint(done.state).encode()
        for player in _seats(state):
            if reached in _told(done, player, view_event):
                yield f"player {player} is told the fingerprint after {given}"


def _told(done: Step[Any], player: Seat, view_event: ViewEvent) -> bytes:
    return encoded([view_event(event, player) for event in done.events])


def events_hide_secrets(
    game: Game, state: Any, view: View = views.view, view_event: ViewEvent = views.view_event
) -> Iterator[str]:
    """If a player's view after two answers of chance is the same, so are the events shown."""
    if not asked(game, state).chance:
        return
    answers = list(_steps(game, state))
    for player in _seats(state):
        told: dict[bytes, bytes] = {}
        for given, done in answers:
            seen = encoded(view(done.state, player))
            events = _told(done, player, view_event)
            if told.setdefault(seen, events) != events:
                yield f"{given} shows in the events of player {player}, who may not see it"
