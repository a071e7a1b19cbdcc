"""Conflict cards and Objectives as they are seen, strengths, rewards, and who wins a Conflict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lark import Token

from rules_engine.effects.text import say
from rules_engine.imperium.state import player
from rules_engine.imperium.strength import END_OF_TRACK, marker_of
from rules_engine.kernel.outcomes import Seat
from scenarios.imperium.names import lower_snake
from scenarios.imperium.seen.look import (
    Seen,
    check_each_once,
    is_empty,
    listed,
    player_name,
    see_list,
)
from scenarios.imperium.stating import unclaimed
from scenarios.imperium.table import effects_in
from scenarios.language.syntax import Line, Words, phrases, token, tokens, unquoted
from scenarios.language.values import amount, bound

if TYPE_CHECKING:
    from scenarios.run import Run


def _in_supply(kind: str, *, face_up: bool) -> Callable[[Run, Line, Words], Seen]:
    """The named cards are those of their kind that lie face up, or face down, before a player."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        wanted = listed(run, line, words, "conflict", "objective")
        return see_list(run, wanted, _cards_won(run, seat, kind, face_up=face_up), seat)

    return look


def _cards_won(run: Run, seat: Seat, kind: str, *, face_up: bool) -> tuple[str, ...]:
    """The cards of a kind, or of both if none is named, that lie before a player."""
    objectives = run.table.names.printed.objectives
    return tuple(
        each.card
        for each in player(run.state, seat).won
        if each.face_up == face_up
        and (not kind or kind == ("objective" if each.card in objectives else "conflict"))
    )


def _see_won_by_nobody(run: Run, line: Line, words: Words) -> Seen:
    """The named cards are those that were turned up, are over, and went to nobody."""
    return see_list(run, listed(run, line, words, "conflict"), unclaimed(run.state))


def _see_objective(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    icon = lower_snake(token(words, "ICON"))
    objectives = run.table.names.printed.objectives
    own = [w for w in player(run.state, seat).won if w.card in objectives and w.face_up]
    wanted = bound(line, phrases(words)[0], run.environment)
    icons = [w.icon for w in own]
    shown = ", ".join(str(each) for each in icons) or "none"
    return Seen(wanted.met_by(icons.count(icon)), f"{wanted!r} {icon}", shown, seat)


def _see_strength(run: Run, line: Line, words: Words) -> Seen:
    names = tokens(words, "NAME")
    holds: Any = True
    expected, actual = [], []
    for name, phrase in zip(names, phrases(words), strict=True):
        seat = run.table.seat(line, name)
        wanted = bound(line, phrase, run.environment)
        now = player(run.state, seat).strength
        holds = wanted.met_by(now) if holds is True else holds & wanted.met_by(now)
        expected.append(f"{name} {wanted!r}")
        actual.append(f"{name} {now!r}")
    return Seen(holds, ", ".join(expected), ", ".join(actual))


def _see_marker(turned: bool) -> Callable[[Run, Line, Words], Seen]:
    """Where a player's Combat marker is, with this side up."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        wanted = amount(line, phrases(words)[0], run.environment)
        strength = player(run.state, seat).strength
        there = marker_of(strength)
        same_side = (strength > END_OF_TRACK) if turned else (strength <= END_OF_TRACK)
        return Seen(
            same_side & (there.stands_on == wanted),
            _marker_words(turned, wanted),
            _marker_words(bool(there.turned), there.stands_on),
            seat,
        )

    return look


def _marker_words(turned: bool, space: Any) -> str:
    return f"turned over at {space!r}" if turned else f"at {space!r}"


def _see_first_reward(run: Run, line: Line, words: Words) -> Seen:
    wanted = effects_in(line, token(words, "STRING"))
    there = run.state.first_reward
    shown = "; ".join(say(effect) for effect in there) or "nothing"
    return Seen(Counter(wanted) == Counter(there), unquoted(token(words, "STRING")), shown)


NO_COMBAT = Seen(False, "a reward", "no Combat was resolved since the last `when`")


def _reward_word(words: Words) -> str:
    word = words.children[0]
    assert isinstance(word, Token)
    return str(word)


def _see_rewards(run: Run, line: Line, words: Words) -> Seen:
    """Who takes which reward; a player who is not named takes none."""
    if not run.spoils.resolved:
        return NO_COMBAT
    given = run.spoils.rewards(run.state)
    seats = range(len(run.state.players))
    check_each_once(line, tokens(words, "NAME"))
    named = {
        run.table.seat(line, name): _reward_word(reward)
        for name, reward in zip(tokens(words, "NAME"), phrases(words, "reward"), strict=True)
    }
    wanted = {seat: named.get(seat, "none") for seat in seats}
    actual = {seat: given.get(seat, "none") for seat in seats}
    return Seen(wanted == actual, _placings(run, wanted), _placings(run, actual))


def _placings(run: Run, rewards: dict[Seat, str]) -> str:
    return ", ".join(f"{run.state.players[seat].name} {word}" for seat, word in rewards.items())


def _see_gains_reward(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = _reward_word(phrases(words, "reward")[0])
    if not run.spoils.resolved:
        return NO_COMBAT
    now = run.spoils.rewards(run.state).get(seat, "none")
    return Seen(now == wanted, f"the {wanted} reward", f"the reward: {now}", seat)


def _see_gains_no_reward(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    if not run.spoils.resolved:
        return NO_COMBAT
    now = run.spoils.rewards(run.state).get(seat, "none")
    return Seen(now == "none", "no reward", f"the reward: {now}", seat)


def _see_wins_conflict(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    winners = run.spoils.winners(run.state)
    shown = ", ".join(player_name(run, winner) for winner in winners) or "nobody"
    return Seen(winners == [seat], player_name(run, seat), shown, seat)


def _see_nobody_wins(run: Run, _: Line, __: Words) -> Seen:
    if not run.spoils.resolved:
        return NO_COMBAT
    winners = run.spoils.winners(run.state)
    shown = ", ".join(player_name(run, winner) for winner in winners) or "nobody"
    return Seen(not winners, "nobody", shown)


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "won": _in_supply("conflict", face_up=True),
    "matched": _in_supply("", face_up=False),
    "holds_objectives": _in_supply("objective", face_up=True),
    "won_by_nobody": _see_won_by_nobody,
    "objective": _see_objective,
    "no_conflicts_left": is_empty("conflict_deck"),
    "strength": _see_strength,
    "marker": _see_marker(turned=False),
    "marker_turned": _see_marker(turned=True),
    "first_reward": _see_first_reward,
    "rewards": _see_rewards,
    "gains_reward": _see_gains_reward,
    "gains_no_reward": _see_gains_no_reward,
    "wins_conflict": _see_wins_conflict,
    "nobody_wins": _see_nobody_wins,
}
