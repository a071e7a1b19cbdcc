"""`then`: what can be seen of a position and of what happened since the last `when`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from rules_engine.imperium import actions
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, asked, handle, legal, step, window
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat
from scenarios.imperium.doing import told_to
from scenarios.imperium.done.decisions import action_of, resolved_first
from scenarios.imperium.seen import board, cards, conflicts, contracts, happenings, leaders, rounds
from scenarios.imperium.seen.look import Seen
from scenarios.imperium.seen.quantities import see_quantity
from scenarios.language.errors import NotDue, ScenarioError
from scenarios.language.syntax import Line, Words, phrases, rules_named, token, tokens
from scenarios.resting import SAY_OPEN, Reached, changes_nothing, left_open
from scenarios.words import event_words, refusal_words

if TYPE_CHECKING:
    from scenarios.run import Run


def check(run: Run, line: Line) -> None:
    """Compare one `then` line with what the engine shows."""
    claim, *because = phrases(line.words)
    wanted = [str(rule) for part in because for rule in tokens(part, "RULE")]
    _check_rest(run, line, claim)
    seen = look(run, line, claim)
    rules = seen.rules if seen.rules is not None else _cited(run, seen.about)
    run.expects(line, seen.holds, seen.expected, seen.actual, rules, "TS0120")
    # Why something happened that did not is no second mistake.
    for rule in wanted if seen.holds is not False else ():
        actual = "cited: " + (", ".join(rules) or "no rule")
        run.expects(line, rule in rules, f"because {rule}", actual, rules, "TS0121")


# Looking at a position that is at rest


def _check_rest(run: Run, line: Line, claim: Words) -> None:
    """Refuse a look at what is still open: it would hold now and be false a moment later."""
    kind = _kind(claim)
    if run.stopped is not None:
        if kind not in (*RANKING, "property"):
            raise run.stopped
        return
    if kind in CHANGES and not run.begun:
        raise ScenarioError(
            "TS0135",
            "nothing has happened before this, so nothing has changed",
            place=line.place,
            help="leave the line out, or put it below a `when`",
        )
    if kind in ABOUT_NOW:
        return
    unsaid = [each for each in left_open(run.state) if each.said_by not in run.left_open]
    if not unsaid or changes_nothing(run.state, _holds_after(run, line, claim)):
        return
    go_on = unsaid[0].go_on or run.allowed("state one of")
    raise ScenarioError(
        "TS0130",
        "something is still open here: what holds now may be false a moment later",
        place=line.place,
        help=f"{go_on}, or add the line `{unsaid[0].line}` to this `then`",
    )


def _holds_after(run: Run, line: Line, claim: Words) -> Callable[[Reached | None], bool]:
    """Whether a claim holds, here or after effects were resolved."""

    def holds(done: Reached | None) -> bool:
        here, events = run.state, run.events
        if done is not None:
            run.state, run.events = done.state, [*events, *done.events]
        try:
            return bool(look(run, line, claim).holds)
        finally:
            run.state, run.events = here, events

    return holds


def _kind(words: Words) -> str:
    """What a claim is about, whatever it is wrapped in."""
    return _kind(phrases(words)[0]) if words.data in ("fact", "observed") else str(words.data)


ABOUT_NOW = ("can", "cannot", "offered", "property", "nobody_asked", *SAY_OPEN)
"""Claims about what is open now, or that look at no position."""

CHANGES = ("gains", "loses", "keeps", "gains_nothing", "happens", "does_not_happen")
"""Claims about what has happened since the last `when`."""

RANKING = ("rewards", "gains_reward", "gains_no_reward", "wins_conflict", "nobody_wins")
"""What strengths alone tell, where the run ended after Combat."""


def _cited(run: Run, about: Seat | None) -> tuple[str, ...]:
    """The rules of what happened to a player since the last `when`."""
    events = [event for event in run.events if about is None or event.player in (about, None)]
    return tuple(dict.fromkeys(rule for event in events for rule in event.rules))


def look(run: Run, line: Line, words: Words) -> Seen:
    """What a claim says of the position here, and what there is."""
    match words.data:
        case "has" | "gains" | "loses" | "keeps":
            return see_quantity(run, line, words)
        case "cannot" | "can":
            return _possible(run, line, words)
        case "property":
            return _property(run, line, words)
        case "fact" | "observed":
            (inner,) = phrases(words)
            return look(run, line, inner)
        case other:
            return LOOKS[str(other)](run, line, words)


def _property(run: Run, line: Line, words: Words) -> Seen:
    """A property of the verifier, in the case of it that was played."""
    name = token(words, "WORD")
    if run.case is None or run.case.name != name:
        raise ScenarioError(
            "TS0118",
            f"no case of the property `{name}` was played",
            place=line.at(name),
            help=f'write `when case "…" of {name} is played` above it',
        )
    broken = "; ".join(f"it does not hold that {each}" for each in run.case.failed)
    return Seen(not broken, f"{name} holds", broken or "it holds")


# Possible or not


def _possible(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    (deed,) = phrases(words)
    refused = refusal_of(run, line, seat, deed)
    can = not refused.reasons
    if not can and words.data == "cannot":
        _check_rests_on_a_rule(run, line, refused)
    name = run.state.players[seat].name
    actual = f"{name} can" if can else f"{name} cannot: {refused.words}"
    return Seen(can == (words.data == "can"), f"{name} {words.data}", actual, seat, refused.rules)


class Refused(NamedTuple):
    """Why something cannot be done: no reasons if it can.

    `moment`: if nothing but the moment is wrong, the rules that say when it could be done.
    """

    reasons: int
    words: str
    rules: tuple[str, ...]
    moment: tuple[str, ...] | None = None


def _check_rests_on_a_rule(run: Run, line: Line, refused: Refused) -> None:
    """Refuse `cannot` where no rule about the thing is behind it: it would hold nearly always."""
    if not refused.rules:
        raise ScenarioError(
            "TS0131",
            f"no rule forbids this: nothing like it is on offer here ({refused.words})",
            place=line.place,
            help=f"leave the line out, or {run.allowed('write about one of these')}",
        )
    named = [str(rule) for rule in rules_named(line.words)]
    if refused.moment is None or any(rule in refused.moment for rule in named):
        return
    raise ScenarioError(
        "TS0132",
        f"only the moment is wrong here, so this says little: {refused.words}",
        place=line.place,
        help=_ask_at_its_moment(line, refused.moment),
        rules=refused.moment,
    )


def _ask_at_its_moment(line: Line, rules: tuple[str, ...]) -> str:
    """How to say that the moment is wrong, by the rule that says when it is right."""
    (claim, *_) = phrases(line.words)
    turn = f"`given it is the turn of {token(claim, 'NAME')}`"
    elsewhere = f"put it into a scenario of its own, with a line like {turn}"
    if not rules:
        return f"leave the line out, or {elsewhere}"
    return f"write `because {rules[0]}` behind it if the moment is meant, or {elsewhere}"


def refusal_of(run: Run, line: Line, seat: Seat, deed: Words) -> Refused:
    """Whether a player could do this now, and every rule against it."""
    if run.stopped is not None:
        raise run.stopped
    if deed.data in ("summons", "resolves_effect"):
        return _told(run, line, seat, deed)
    first = resolved_first(run, line, seat, deed)
    if first is not None:
        return _after(run, first, lambda: refusal_of(run, line, seat, deed))
    try:
        action = action_of(run, line, seat, deed)
    except NotDue as not_due:
        return Refused(1, not_due.message, not_due.rules)
    refused = legal(IMPERIUM, run.state, action)
    if refused is None:
        return Refused(0, "", _rules_of_doing(run.state, action))
    return _refused(run.state, action, refused)


def _refused(state: State, action: Action, refused: Refusal) -> Refused:
    """A refusal in words, and whether it is about more than the moment."""
    closed = window(IMPERIUM, state, action)
    others = [each for each in refused.reasons if each not in closed]
    about_it = any(each.key not in {*OF_TURNS, *NOT_HERE, *SOMETHING_FIRST} for each in others)
    said = [*closed, *(each for each in others if _says_when(each, action))]
    moment = tuple(dict.fromkeys(rule for reason in said for rule in reason.rules))
    return Refused(
        len(refused.reasons),
        refusal_words(state, refused),
        refused.rules if about_it or moment else (),
        None if about_it else moment,
    )


def _says_when(reason: Reason, action: Action) -> bool:
    """Whether a reason has a rule about the thing: not one on the order of turns, or on others."""
    if reason.key in OF_TURNS:
        return reason.rules != IMPERIUM.turn_rules
    return reason.key in SOMETHING_FIRST or isinstance(action, TURN_TAKING)


TURN_TAKING = (actions.PlayAgent, actions.Reveal, actions.EndTurn, actions.Pass)
"""What a player is free to do, or not, as the turn has it."""

OF_TURNS = ("nothing_to_do", "not_asked", "not_your_decision")
"""Reasons that say only that somebody else, or nobody, has to decide now."""

NOT_HERE = (
    "agent_or_reveal",
    "turn_in_progress",
    "reveal_in_progress",
    "play_or_pass",
    "play_or_end",
)
"""Reasons that say only what a player is free to do here instead."""

SOMETHING_FIRST = (
    "accept_or_decline",
    "choose_option",
    "defend_or_not",
    "deploy_or_decline",
    "gather_first",
    "pick_card_of_row",
    "pick_card_to_acquire",
    "pick_card_to_discard",
    "pick_card_to_trash",
    "pick_copy",
    "pick_cost",
    "pick_faction",
    "pick_icon_to_flip",
    "pick_intrigue",
    "pick_place",
    "pick_spy_to_recall",
    "pick_tied_player",
    "pick_training_space",
    "place_spy_first",
    "recall_agent_first",
    "resolve_effects_first",
    "say_how_many_retreat",
    "sort_cards",
    "take_contract_first",
)
"""Reasons that say only what has to be decided first."""


def _after(run: Run, action: Action, look: Callable[[], Refused]) -> Refused:
    """What would be found after an action that has to come first, if it is allowed."""
    here = run.state
    done = step(IMPERIUM, here, action)
    if isinstance(done, Refusal):
        return _refused(here, action, done)
    run.state = done.state
    try:
        return look()
    finally:
        run.state = here


def _rules_of_doing(state: State, action: Action) -> tuple[str, ...]:
    """The rules behind what an allowed action does at once, as far as that is known."""
    try:
        done = handle(IMPERIUM, state, action)
    except UnknownRead:
        return ()
    assert not isinstance(done, Refusal)
    return tuple(dict.fromkeys(rule for event in done.events for rule in event.rules))


def _told(run: Run, line: Line, seat: Seat, deed: Words) -> Refused:
    """Would it happen if an effect said so now? An effect that changes nothing does not happen."""
    state = told_to(run, line, seat, deed)
    events: list[Event] = []
    while len(state.pending) > len(run.state.pending) and asked(IMPERIUM, state).nobody():
        done = handle(IMPERIUM, state)
        assert not isinstance(done, Refusal)
        state = done.state
        events += done.events
    rules = tuple(rule for event in events for rule in event.rules)
    if state == run.state:
        return Refused(1, "; ".join(event_words(state, event) for event in events), rules)
    return Refused(0, "", rules)


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    **board.LOOKS,
    **cards.LOOKS,
    **conflicts.LOOKS,
    **contracts.LOOKS,
    **happenings.LOOKS,
    **leaders.LOOKS,
    **rounds.LOOKS,
}
"""How each fact or observation of the vocabulary is seen."""
