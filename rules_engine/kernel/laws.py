"""Laws that hold in every game: each looks at one position and reports what breaks it.

They need nothing but the game's table. `check_laws` applies all of them to any number of positions;
`check_step` applies those that cost next to nothing to a step that a game took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rules_engine.kernel import views
from rules_engine.kernel.fingerprint import decoder, encoded, fingerprint
from rules_engine.kernel.game import Game, GameStuck, actions, asked, legal, step
from rules_engine.kernel.hidden import dealt_otherwise, scrambled, sorted_fields
from rules_engine.kernel.outcomes import Event, Refusal, Seat, Step
from rules_engine.kernel.records import Record
from rules_engine.kernel.views import Viewer

KnowsRule = Callable[[str], bool]
View = Callable[[Any, Viewer], Any]
ViewEvent = Callable[[Event, Viewer], Event]
Judged = Mapping[Any, Refusal | None]


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
        judged = _judged(game, state)
        for law, broken in (
            ("legal_and_options_agree", legal_and_options_agree(game, state, judged)),
            ("chance_is_weighed", chance_is_weighed(game, state)),
            ("refusals_say_why", refusals_say_why(game, state, known_rule, judged)),
            ("encoding_is_lossless", encoding_is_lossless(game, state)),
            ("steps_come_to_rest", steps_come_to_rest(game, state)),
            ("steps_are_deterministic", steps_are_deterministic(game, state)),
            ("events_cite_rules", events_cite_rules(game, state, known_rule)),
            ("invariants_hold", invariants_hold(game, state)),
            ("zones_are_sorted", zones_are_sorted(state)),
            ("views_hide_secrets", views_hide_secrets(state, view)),
            ("no_fingerprint_is_shown", no_fingerprint_is_shown(game, state, view, view_event)),
            ("events_hide_secrets", events_hide_secrets(game, state, view, view_event)),
            ("actions_hide_secrets", actions_hide_secrets(game, state)),
            ("refusals_hide_secrets", refusals_hide_secrets(game, state, judged)),
            ("steps_hide_secrets", steps_hide_secrets(game, state, view, view_event)),
        ):
            found.extend(Violation(law, what) for what in broken)
    return found


def check_step(game: Game, done: Step[Any], known_rule: KnowsRule) -> list[Violation]:
    """What is wrong with the position that a step led to, and with what it told."""
    return [
        *(Violation("invariants_hold", what) for what in _broken_promises(game, done.state)),
        *(Violation("events_cite_rules", what) for what in _uncited_events(done, known_rule)),
    ]


# Inputs


MANY = 1000
"""A kind of which one player can write down more inputs than this is tried by a sample first."""

SAMPLE = 29
"""One in so many: a prime, so that all values of each field come up."""


def _judged(game: Game, state: Any) -> Judged:
    """The inputs that are tried, and whether they are allowed.

    All that those who are asked can write down, but of a kind with very many only a sample as long
    as none of it is listed and the sample is refused for one and the same reason: the frame does
    not look at this kind. Of those who are not asked, a sample.
    """
    tried: dict[Any, Refusal | None] = {}
    listed = {_kind(given) for given in actions(game, state)}
    who = asked(game, state)
    for kind, inputs in _by_kind(game.universe(state)).items():
        is_asked = who.chance if kind[1] is None else kind[1] in who.players
        sample = {given: legal(game, state, given) for given in inputs[::SAMPLE]}
        if is_asked and (kind in listed or len(inputs) <= MANY or _looked_at(sample)):
            sample = {given: legal(game, state, given) for given in inputs}
        tried |= sample
    return tried


Kind = tuple[type, Seat | None]
"""A type of input, and by whom: a player or chance."""


def _kind(given: Any) -> Kind:
    return type(given), getattr(given, "by", None)


def _by_kind(inputs: Iterable[Any]) -> dict[Kind, list[Any]]:
    found: dict[Kind, list[Any]] = {}
    for given in inputs:
        found.setdefault(_kind(given), []).append(given)
    return found


def _fewer(inputs: Iterable[Any]) -> Iterator[Any]:
    """The inputs, of a kind with very many a sample."""
    for alike in _by_kind(inputs).values():
        yield from alike if len(alike) <= MANY else alike[::SAMPLE]


def _looked_at(sample: Judged) -> bool:
    """Whether an input is allowed, or not all are refused alike."""
    return len({_why(refused) for refused in sample.values()}) > 1 or None in sample.values()


def _why(refused: Refusal | None) -> tuple[str, ...] | None:
    return None if refused is None else tuple(reason.key for reason in refused.reasons)


def legal_and_options_agree(game: Game, state: Any, judged: Judged | None = None) -> Iterator[str]:
    """What is allowed is exactly what is listed, over the inputs that can be written down."""
    judged = _judged(game, state) if judged is None else judged
    allowed = {given for given, refused in judged.items() if refused is None}
    listed = set(actions(game, state))
    for given in sorted(allowed - listed, key=repr):
        yield f"{given} is allowed but not listed"
    for given in sorted(listed - allowed, key=repr):
        yield f"{given} is listed but {'not allowed' if given in judged else 'out of bounds'}"


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


def refusals_say_why(
    game: Game, state: Any, known_rule: KnowsRule, judged: Judged | None = None
) -> Iterator[str]:
    """A refusal changes nothing, and each of its reasons stands on known rules.

    What is refused alike is tried once.
    """
    before = encoded(state)
    tried = set()
    for given, refused in (_judged(game, state) if judged is None else judged).items():
        if refused is None:
            continue
        if not refused.reasons:
            yield f"{given} is refused without a reason"
        for reason in refused.reasons:
            yield from _uncited(f"the reason `{reason.key}`", reason.rules, known_rule)
        alike = (*_kind(given), _why(refused))
        if alike not in tried and not isinstance(step(game, state, given), Refusal):
            yield f"{given} is not allowed, and yet it is done"
        tried.add(alike)
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
        return decoder(kind).decode(encoded(value))
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
        yield from _uncited_events(done, known_rule)


def _uncited_events(done: Step[Any], known_rule: KnowsRule) -> Iterator[str]:
    for event in done.events:
        yield from _uncited(f"the event `{event.key}`", event.rules, known_rule)


# Positions


def invariants_hold(game: Game, state: Any) -> Iterator[str]:
    """What the game promises of every position is so, here and after every input."""
    for after in (state, *(done.state for _, done in _steps(game, state))):
        yield from _broken_promises(game, after)


def _broken_promises(game: Game, state: Any) -> Iterator[str]:
    for invariant in game.invariants:
        for broken in invariant.broken(state):
            yield f"{invariant.name}: {broken}"


def zones_are_sorted(value: Any, path: str = "state") -> Iterator[str]:
    """Where order means nothing it is always the same, so that equal positions are equal values."""
    if isinstance(value, Record):
        for name in sorted_fields(type(value)):
            cards = getattr(value, name)
            if list(cards) != sorted(cards):
                yield f"{path}.{name} is not sorted"
        for name in value.__struct_fields__:
            yield from zones_are_sorted(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, tuple):
        for place, each in enumerate(value):
            yield from zones_are_sorted(each, f"{path}[{place}]")


# Secrets


def _viewers(state: Any) -> tuple[Viewer, ...]:
    """Every player, and a spectator."""
    return (*range(len(state.players)), None)


def _named(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"player {viewer}"


def views_hide_secrets(state: Any, view: View = views.view) -> Iterator[str]:
    """A view is byte for byte the same, whatever is changed that the viewer cannot see."""
    for viewer in _viewers(state):
        if encoded(view(state, viewer)) != encoded(view(scrambled(state, viewer), viewer)):
            yield f"what {_named(viewer)} may not see shows in the view"


def no_fingerprint_is_shown(
    game: Game, state: Any, view: View = views.view, view_event: ViewEvent = views.view_event
) -> Iterator[str]:
    """A fingerprint covers hidden cards, so nobody is shown one: it would confirm a guess."""
    for viewer in _viewers(state):
        if fingerprint(state).encode() in encoded(view(state, viewer)):
            yield f"{_named(viewer)} is shown the fingerprint"
    for given, done in _steps(game, state):
        reached = fingerprint(done.state).encode()
        for viewer in _viewers(state):
            if reached in _told(done, viewer, view_event):
                yield f"{_named(viewer)} is told the fingerprint after {given}"


def _told(done: Step[Any], viewer: Viewer, view_event: ViewEvent) -> bytes:
    return encoded([view_event(event, viewer) for event in done.events])


def events_hide_secrets(
    game: Game, state: Any, view: View = views.view, view_event: ViewEvent = views.view_event
) -> Iterator[str]:
    """If the view after two answers of chance is the same, so are the events shown."""
    if not asked(game, state).chance:
        return
    answers = list(_steps(game, state))
    for viewer in _viewers(state):
        told: dict[bytes, bytes] = {}
        for given, done in answers:
            seen = encoded(view(done.state, viewer))
            events = _told(done, viewer, view_event)
            if told.setdefault(seen, events) != events:
                yield f"{given} shows in the events of {_named(viewer)}, who may not see it"


def actions_hide_secrets(game: Game, state: Any) -> Iterator[str]:
    """Who is asked, and what a player is offered, does not depend on what is hidden."""
    listed = actions(game, state)
    for viewer in _viewers(state):
        offered = views.view_actions(listed, viewer)
        for other in dealt_otherwise(game, state, viewer):
            if asked(game, other) != asked(game, state):
                yield f"who is asked shows {_named(viewer)} what is hidden"
            if views.view_actions(actions(game, other), viewer) != offered:
                yield f"what {_named(viewer)} is offered depends on what is hidden"


def refusals_hide_secrets(game: Game, state: Any, judged: Judged | None = None) -> Iterator[str]:
    """What a player may not do, and why, does not depend on what is hidden from that player.

    Of a kind with very many inputs a sample is tried.
    """
    judged = _judged(game, state) if judged is None else judged
    for player in asked(game, state).players:
        others = tuple(dealt_otherwise(game, state, player))
        for given in _fewer(views.view_actions(judged, player)):
            if any(legal(game, other, given) != judged[given] for other in others):
                yield f"the refusal of {given} depends on what is hidden from player {player}"


def steps_hide_secrets(
    game: Game, state: Any, view: View = views.view, view_event: ViewEvent = views.view_event
) -> Iterator[str]:
    """Events and pending frames tell of hidden cards only what the rest of the position shows."""
    for viewer in _viewers(state):
        here = _outcomes(game, state, viewer, view, view_event)
        for other in dealt_otherwise(game, state, viewer):
            there = _outcomes(game, other, viewer, view, view_event)
            yield from _same_input(here, there, viewer)
            yield from _inputs_that_tell(here, there, viewer)


class _Outcome(Record):
    """What a viewer is shown of an input: the board, what is pending, the events."""

    board: bytes
    pending: bytes
    events: bytes


def _outcomes(
    game: Game, state: Any, viewer: Viewer, view: View, view_event: ViewEvent
) -> dict[Any, _Outcome]:
    """What a viewer is shown of every input that is allowed."""
    found = {}
    for given, done in _steps(game, state):
        seen = dict(view(done.state, viewer))
        pending = encoded(seen.pop("pending"))
        found[given] = _Outcome(encoded(seen), pending, _told(done, viewer, view_event))
    return found


def _same_input(
    here: dict[Any, _Outcome], there: dict[Any, _Outcome], viewer: Viewer
) -> Iterator[str]:
    """One input in two positions: a board that shows no difference allows none elsewhere."""
    for given in here.keys() & there.keys():
        one, two = here[given], there[given]
        if one.board != two.board:
            continue
        if one.pending != two.pending:
            yield f"what is pending after {given} shows {_named(viewer)} what is hidden"
        if one.events != two.events:
            yield f"the events of {given} show {_named(viewer)} what is hidden"


def _inputs_that_tell(
    here: dict[Any, _Outcome], there: dict[Any, _Outcome], viewer: Viewer
) -> Iterator[str]:
    """An input that only hidden cards allow: seen from outside it is like its counterpart."""
    told: dict[object, bytes] = {}
    for given, outcome in (*here.items(), *there.items()):
        if given in here and given in there:
            continue
        key = (type(given), getattr(given, "by", None), outcome.board, outcome.pending)
        if told.setdefault(key, outcome.events) != outcome.events:
            yield f"the events of {given} show {_named(viewer)} which card it was"
