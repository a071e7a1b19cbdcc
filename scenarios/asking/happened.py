"""What happened since the last `when`: each event with its rule, and what it all comes to."""

from __future__ import annotations

from collections import Counter

from rules_engine.kernel.outcomes import Event
from rules_engine.rulebook.index import cite
from scenarios.asking.missed import missed
from scenarios.asking.position import Asked, Told
from scenarios.asking.said import Part, Said, listed, rules_of, sentence
from scenarios.asking.sources import deciding_first
from scenarios.asking.winning import nobody_wins
from scenarios.imperium.changes import changes, gains, losses
from scenarios.language.syntax import Line, token
from scenarios.words import event_words, telling

NOT_SO = (
    "no_sandworm",
    "may_not_deploy",
    "no_wall_left",
    "has_hooks_already",
    "has_seat_already",
    "has_swordmaster_already",
    "no_open_post",
    "condition_not_met",
    "cannot_pay",
    "no_leader",
    "training_over",
    "nothing_to_trash",
    "nothing_to_acquire",
    "nobody_to_steal_from",
    "too_few_in_deck",
)
"""Events which say that something does not happen."""

OUTCOMES = (
    ("wins",),
    ("wins_conflict",),
    ("reward",),
    ("takes_alliance", "loses_alliance", "completes_contract"),
    NOT_SO,
    (
        "removes_wall", "takes_control", "takes_swordmaster", "takes_seat", "takes_hooks",
        "summons", "flips_leader", "endgame", "matches_icons", "matches_wild",
        "steals_intrigue", "acquires", "defends", "trains", "leader_at_two",
        "bonus_at_four", "repeats_space", "takes_contract", "bonus_spice",
    ),
    ("scores",),
    ("deploys", "retreats", "takes_back", "recalls_agent", "trashes", "trashes_intrigue",
     "discards", "places_spy", "sets_aside", "influence"),
    ("gains", "recruits", "draws", "draws_intrigue", "swords", "recalls_spy", "reveals"),
    ("agents_return", "new_hands", "round", "conflict", "sends_agent", "plays_intrigue", "pays"),
)  # fmt: skip
"""What a question about what happens turns on, the weightiest first; all else comes last."""

_WEIGHT = {key: weight for weight, keys in enumerate(OUTCOMES) for key in keys}


TURNED_ON = OUTCOMES.index(NOT_SO)
NO_CONTRACT = cite("UPR-CHOAM-009")
BOND = cite("UPR-ICON-005")
WITHOUT_HOOKS = cite("UPR-WORM-004")


def _weight(told: tuple[Event, Part]) -> int:
    """How much an event weighs: more if it stands in for another, or hangs on a bond."""
    event, part = told
    if part.rules[:1] == NO_CONTRACT:
        return TURNED_ON
    return _WEIGHT.get(event.key, len(OUTCOMES)) - (part.rules[:1] == BOND)


def happens(run: Asked, _: Line) -> Said:
    """Everything since the last `when`, and above it what it comes to."""
    told = _parts(run)
    notes = tuple(note.part for note in missed(run))
    if not told and not notes:
        return Said("Nothing happens.")
    parts = tuple(part for _, part in told)
    every = (*parts, *notes)
    main = nobody_wins(run.events) or _main(told, notes)
    items = tuple(part.words for part in every)
    known = tuple(part.words for event, part in told if event.key not in NOT_SO)
    return Said(sentence(main.words), rules_of(every, main), "", items, every, known)


def _main(told: list[tuple[Event, Part]], notes: tuple[Part, ...]) -> Part:
    """What it all comes to: the weightiest event; what is missing comes after a lasting outcome."""
    if not told:
        return notes[0]
    event, part = min(told, key=_weight)
    outweighed = _weight((event, part)) > TURNED_ON
    return notes[0] if notes and outweighed else part


def _parts(run: Asked) -> list[tuple[Event, Part]]:
    """Each event that tells something as a sentence with its rules."""
    telling_ones = {id(event) for event in telling(each.event for each in run.told)}
    return [
        (each.event, Part(event_words(run.state, each.event), told_rules(run, each)))
        for each in run.told
        if id(each.event) in telling_ones
    ]


def told_rules(run: Asked, told: Told) -> tuple[str, ...]:
    """The rules of an event, the deciding one first."""
    event = told.event
    found = deciding_first(run.state, event.player, told.source, event.rules, run.events)
    first = told.conditions if found[:1] != event.rules[:1] else ()
    if event.key == "summons" and event.player is not None:
        first = () if run.state.players[event.player].maker_hooks else WITHOUT_HOOKS
    return tuple(dict.fromkeys((*first, *found)))


# What a player gains


def gain(run: Asked, line: Line) -> Said:
    """What a player has more, or less, since the last `when`."""
    seat = run.table.seat(line, token(line.words, "NAME"))
    name = run.state.players[seat].name
    found = changes(run.before, run.state, seat)
    more = tuple(each.text() for each in gains(found))
    less = tuple(each.text() for each in losses(found))
    words = f"{name} gains {listed(more) or 'nothing'}."
    if less:
        words += f" {name} loses {listed(less)}."
    told = [each for each in _parts(run) if each[0].player == seat]
    notes = tuple(note.part for note in missed(run) if note.seat == seat)
    giving = [each for each in told if each[0].key in GIVING] if more else []
    doubled = [part for event, part in told if event.key == "doubles"]
    main = next(iter(doubled), None) or _most_given(giving) or (_main(told, ()) if told else None)
    if main is None and notes:
        main = notes[0]
    parts = (*(part for _, part in told), *notes)
    return Said(words, rules_of(parts, main), items=more, parts=notes)


def _most_given(giving: list[tuple[Event, Part]]) -> Part | None:
    """The event whose deciding rule gives most of it, the weightiest among equals.

    Where something was given instead of another thing, that is what it turns on.
    """
    instead = [part for _, part in giving if part.rules[:1] == NO_CONTRACT]
    if instead:
        return instead[0]
    often = Counter(part.rules[:1] for _, part in giving)
    ordered = sorted(giving, key=_weight)
    return max((part for _, part in ordered), key=lambda part: often[part.rules[:1]], default=None)


GIVING = frozenset(
    {
        "gains", "scores", "recruits", "takes_hooks", "takes_control", "takes_alliance", "draws",
        "draws_intrigue", "influence", "takes_contract", "takes_seat", "takes_swordmaster",
        "summons", "swords", "recalls_spy", "recalls_agent", "steals_intrigue", "acquires",
    }
)  # fmt: skip
"""Events by which a player has more of something."""
