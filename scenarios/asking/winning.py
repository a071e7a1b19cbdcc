"""Who wins: the game if it ended now, with what decides it, and the Conflict resolved last."""

from __future__ import annotations

from rules_engine.imperium.endgame import MOST_POINTS, TIEBREAK, ahead, standing, winners
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.rulebook.index import cite
from scenarios.asking.position import Asked
from scenarios.asking.said import DEPENDS, Part, Said, listed, rules_of, sentence
from scenarios.imperium.unknowns import how_to_state
from scenarios.language.syntax import Line
from scenarios.words import event_words

STANDING = ("Victory Points", "spice", "Solari", "water", "troops in garrison")
"""What is compared to find the winner, one after the other."""

GARRISON = cite("UPR-END-006")
NOBODY = cite("UPR-COMBAT-017")


def game(run: Asked, _: Line) -> Said:
    """Who would win if the game ended now, and by what."""
    state = run.state
    try:
        found = state.winners or winners(state)
    except UnknownRead as unknown:
        return _tied(state, unknown.path)
    names = tuple(state.players[seat].name for seat in found)
    verb = _verb(over=bool(state.winners), several=len(names) > 1)
    when = "" if state.winners else "If the game ended now, "
    by, rules = _decided_by(state, found)
    return Said(f"{when}{listed(names)} {verb}: {by}.", rules, items=names)


def _tied(state: State, path: str) -> Said:
    """What decides a tie in everything that is stated, and how to state it."""
    best = [
        each for each in state.players if not any(ahead(other, each) for other in state.players)
    ]
    names = listed(each.name for each in best)
    words = (
        f"That depends on {path}, which the scenario does not state: {names} are tied in "
        f"everything that breaks a tie. To state it, {how_to_state(path)}."
    )
    return Said(words, (*TIEBREAK, *MOST_POINTS), DEPENDS, (path,))


def _verb(*, over: bool, several: bool) -> str:
    if several:
        return "share the victory" if over else "would share the victory"
    return "wins the game" if over else "would win"


def _decided_by(state: State, found: tuple[Seat, ...]) -> tuple[str, tuple[str, ...]]:
    """What decides between the winner and the others, and by which rules."""
    best = standing(state.players[found[0]])
    rivals = [each for each in state.players if each.seat not in found]
    for at, what in enumerate(STANDING):
        rivals = [each for each in rivals if standing(each)[at] == best[at]]
        if not rivals and len(found) == 1:
            return _by(state, found[0], at, what)
    rules = (*TIEBREAK, *MOST_POINTS)
    if len(found) > 1:
        return "they are tied in everything that breaks a tie", rules
    return "tied in everything else, the latest Reveal turn decides", rules


def _by(state: State, winner: Seat, at: int, what: str) -> tuple[str, tuple[str, ...]]:
    """What everybody who is level up to there has of the thing that decides."""
    best = standing(state.players[winner])
    level = [
        each for each in state.players if each.seat != winner and standing(each)[:at] == best[:at]
    ]
    others = ", ".join(f"{each.name} has {standing(each)[at]!r}" for each in level)
    words = f"{best[at]!r}" + (f" ({others})" if others else "")
    if at == 0:
        return f"most {what}, {words}", MOST_POINTS
    tied = f"tied on {listed(STANDING[:at])}, most {what} decides, {words}"
    last = what == STANDING[-1]
    return tied, ((*GARRISON, *TIEBREAK) if last else (*TIEBREAK[:1], *MOST_POINTS))


def conflict(run: Asked, _: Line) -> Said:
    """Who won the Conflict that was resolved last."""
    ranked = [event for event in run.events if event.key in ("reward", "wins_conflict")]
    if not ranked:
        words = "No Conflict was resolved; add `when combat resolves` before the question."
        return Said(words, cite("UPR-COMBAT-010"))
    won = [event for event in ranked if event.key == "wins_conflict"]
    names = tuple(run.state.players[each.player].name for each in won if each.player is not None)
    parts = tuple(
        Part(event_words(run.state, each), each.rules) for each in ranked if each not in won
    )
    main = nobody_wins(run.events) or Part(f"{names[0]} wins the Conflict", won[0].rules)
    return Said(sentence(main.words), rules_of(parts, main), items=names, parts=parts)


def nobody_wins(events: list[Event]) -> Part | None:
    """Why nobody wins a Conflict that was resolved: a tie for first, or nobody has any strength."""
    ranked = [event for event in events if event.key == "reward"]
    if not ranked or any(event.key == "wins_conflict" for event in events):
        return None
    rules = tuple(dict.fromkeys(rule for event in ranked for rule in event.rules))
    first = NOBODY if NOBODY[0] in rules else ()
    return Part("nobody wins the Conflict", tuple(dict.fromkeys((*first, *rules))))
