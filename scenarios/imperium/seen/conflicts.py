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
from scenarios.imperium.seen.look import Seen, card_names, happened, is_empty, player_name
from scenarios.imperium.table import effects_in
from scenarios.language.syntax import Line, Words, phrases, token, tokens, unquoted
from scenarios.language.values import amount
from scenarios.words import card_name

if TYPE_CHECKING:
    from scenarios.run import Run


def _won(face_up: bool) -> Callable[[Run, Line, Words], Seen]:
    """The named cards lie face up or face down in a player's supply; `nothing`: no card does."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        wanted = run.table.cards(line, phrases(words, "cards")[0], "conflict", "objective")
        won = player(run.state, seat).won
        there = [each.card for each in won if each.face_up == face_up]
        holds = not Counter(wanted) - Counter(there) if wanted else not there
        shown = ", ".join(
            card_name(run.state, each.card) + ("" if each.face_up else " (face down)")
            for each in won
        )
        return Seen(holds, card_names(run, wanted), shown or "nothing", seat)

    return look


def _see_won_by_nobody(run: Run, line: Line, words: Words) -> Seen:
    wanted = run.table.cards(line, phrases(words, "cards")[0], "conflict")
    owners = [
        each.name for each in run.state.players if any(won.card in wanted for won in each.won)
    ]
    return Seen(not owners, "nobody", ", ".join(owners) or "nobody")


def _see_objective(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    icon = lower_snake(token(words, "ICON"))
    objectives = run.table.names.printed.objectives
    own = [w for w in player(run.state, seat).won if w.card in objectives and w.face_up]
    wanted = amount(line, phrases(words)[0], run.environment)
    icons = [w.icon for w in own]
    shown = ", ".join(str(each) for each in icons) or "none"
    return Seen(icons.count(icon) == wanted, f"{wanted!r} {icon}", shown, seat)


def _see_strength(run: Run, line: Line, words: Words) -> Seen:
    names = tokens(words, "NAME")
    holds: Any = True
    expected, actual = [], []
    for name, phrase in zip(names, phrases(words), strict=True):
        seat = run.table.seat(line, name)
        wanted = amount(line, phrase, run.environment)
        now = player(run.state, seat).strength
        holds = (now == wanted) if holds is True else holds & (now == wanted)
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
    return Seen(not Counter(wanted) - Counter(there), unquoted(token(words, "STRING")), shown)


NO_COMBAT = Seen(False, "a reward", "no Combat was resolved since the last `when`")


def _rewards(run: Run) -> dict[Seat, str]:
    return {
        event.player: event.facts["reward"]
        for event in happened(run, "reward")
        if event.player is not None
    }


def _reward_word(words: Words) -> str:
    word = words.children[0]
    assert isinstance(word, Token)
    return str(word)


def _see_rewards(run: Run, line: Line, words: Words) -> Seen:
    given = _rewards(run)
    if not given:
        return NO_COMBAT
    wanted = {
        run.table.seat(line, name): _reward_word(reward)
        for name, reward in zip(tokens(words, "NAME"), phrases(words, "reward"), strict=True)
    }
    actual = {seat: given.get(seat, "none") for seat in wanted}
    return Seen(wanted == actual, _placings(run, wanted), _placings(run, actual))


def _placings(run: Run, rewards: dict[Seat, str]) -> str:
    return ", ".join(f"{run.state.players[seat].name} {word}" for seat, word in rewards.items())


def _see_gains_reward(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = _reward_word(phrases(words, "reward")[0])
    if not _rewards(run):
        return NO_COMBAT
    now = _rewards(run).get(seat, "none")
    return Seen(now == wanted, f"the {wanted} reward", f"the reward: {now}", seat)


def _see_gains_no_reward(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    if not _rewards(run):
        return NO_COMBAT
    now = _rewards(run).get(seat, "none")
    return Seen(now == "none", "no reward", f"the reward: {now}", seat)


def _see_wins_conflict(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    winners = [event.player for event in happened(run, "wins_conflict")]
    shown = ", ".join(player_name(run, winner) for winner in winners) or "nobody"
    return Seen(winners == [seat], player_name(run, seat), shown, seat)


def _see_nobody_wins(run: Run, _: Line, __: Words) -> Seen:
    winners = [event.player for event in happened(run, "wins_conflict")]
    resolved = bool(happened(run, "reward"))
    shown = ", ".join(player_name(run, winner) for winner in winners) or "nobody"
    return Seen(resolved and not winners, "nobody", shown if resolved else "no Combat resolved")


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "won": _won(face_up=True),
    "matched": _won(face_up=False),
    "holds_objectives": _won(face_up=True),
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
