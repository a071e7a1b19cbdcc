"""Which rules a case has shown to hold: something that they decide was compared after an input.

That nothing differs says little if nothing had to change. So a rule counts only

- through a field that what it decides has changed, if the adapter observes the field and it was
  compared with another value than before;
- through a refusal, if the adapter then took an allowed input in the same position, and what came
  of that was compared;
- through a list of what is allowed, for what shows in no field.

A rule that keeps something from happening changes nothing. It counts if what the scenario expects
was looked at, after an input that did change something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.asserted import ACTIONS, REFUSALS
from conformance.cases import Case
from conformance.comparing import changed_paths, is_observed
from conformance.messages import Described
from conformance.observing import FIELDS, PLAYER_FIELDS, observe
from conformance.reference import Moved, Part
from rules_engine.imperium.state import State

Json = dict[str, Any]

UNOBSERVED = "of what the adapter observes, nothing changes"
ON_TABLE = tuple(name for name in FIELDS if name not in ("asked", "turn"))
"""The fields of the table that a state has under the same name."""

PASSES_ON = frozenset({"asked", "turn"})
"""What changes by itself when a turn is over: that shows the rules of turns, and no others."""

NO_INPUT = "it has no input that is allowed"
ELSEWHERE = "what the adapter observes does not show what the case is about"
UNFOLLOWED = "no allowed input was taken after what was refused"


class Shown:
    """What was compared so far in a case, and the rules that this shows."""

    def __init__(self, case: Case, adapter: Described, start: State) -> None:
        self._fields = frozenset(adapter.fields)
        # Of a position the adapter was told, so it may show that without knowing any rule.
        self._last: Json | None = None if case.position is None else observe(start)
        self._last_list: list[Json] | None = None
        self._unseen: list[Part] = []
        self._latest: list[Part] = []
        self._refused: list[str] = []
        self._followed: list[str] = []
        self._showable: set[str] = set()
        self._held: set[str] = set()
        self._accepted = self._changed = self._list_held = False
        self.has_refusal = False
        """Whether a refusal was seen to be one."""
        self.is_over = False
        """Whether the case was played to its end: nobody knows before what is still to come."""

    # What happens

    def took(self, outcome: Moved, is_input: bool = True) -> None:
        """Something was accepted."""
        self._unseen += outcome.parts
        self._accepted |= is_input
        for part in outcome.parts:
            if any(changes(part)):
                self._showable.update(_rules(part))
        if is_input:
            self._followed += self._refused
            self._refused = []

    def refused(self, rules: Sequence[str]) -> None:
        """Something was refused as it had to be."""
        self._refused += rules
        self._showable.update(rules)

    def looked(self, wanted: Json) -> None:
        """A position was shown, and was as it had to be."""
        paths = changed_paths(self._last, wanted, self._fields)
        self._held.update(_deciding(self._unseen, frozenset(paths)))
        changed = self._accepted and not PASSES_ON.issuperset(paths)
        self._changed |= changed
        if changed and self._followed:
            self._held.update(self._followed)
            self.has_refusal = True
            self._followed = []
        self._last, self._latest, self._unseen = wanted, self._unseen, []

    def listed(self, allowed: list[Json]) -> None:
        """What is allowed was listed, and was as it had to be."""
        if self._accepted and allowed != self._last_list:
            self._list_held = True
            quiet = (part for part in self._latest if not any(changes(part)))
            self._held.update(rule for part in quiet for rule in _rules(part))
        self._last_list = allowed

    def ended(self) -> None:
        """Nothing is allowed any more: no input can follow what was refused."""
        if self._changed and self._refused:
            self._held.update(self._refused)
            self.has_refusal = True
            self._refused = []

    # What comes of it

    def is_any(self, case: Case) -> bool:
        """Whether anything was shown that the case is about."""
        if case.rules:
            return bool(self.held(case))
        return self._changed or self.has_refusal

    def held(self, case: Case) -> tuple[str, ...]:
        """The rules of the case that were shown."""
        silent = self.is_over and self._shows_what_is_asserted(case.asserts)
        return tuple(
            rule
            for rule in case.rules
            if rule in self._held or (silent and rule not in self._showable)
        )

    def _shows_what_is_asserted(self, asserted: Sequence[str]) -> bool:
        """Whether what the scenario expects was looked at, after something had changed."""
        if self._changed and not asserted:
            return True
        if self._changed and any(is_observed(each, self._fields) for each in asserted):
            return True
        return (REFUSALS in asserted and self.has_refusal) or (
            ACTIONS in asserted and self._list_held
        )

    @property
    def why_nothing(self) -> str:
        """Why nothing was shown."""
        if self._refused or self._followed:
            return UNFOLLOWED
        if not self._accepted:
            return NO_INPUT
        return ELSEWHERE if self._changed else UNOBSERVED


def _deciding(parts: Sequence[Part], seen: frozenset[str]) -> Iterator[str]:
    """The rules that decide a field which is seen to have changed.

    What an event changes shows it. One that changes nothing by itself shows in what comes of it:
    in what changes later for the same player.
    """
    if "asked" in seen:
        seen |= PASSES_ON
    seats_later: set[int | None] = set()
    for part in reversed(parts):
        paths = frozenset(changes(part))
        if paths & seen:
            yield from _rules(part)
            seats_later.update(_seat(path) for path in (paths & seen) - PASSES_ON)
        elif not paths and seats_later:
            for event in part.events:
                if event.player is None or event.player in seats_later or None in seats_later:
                    yield from event.rules


def _rules(part: Part) -> Iterator[str]:
    return (rule for event in part.events for rule in event.rules)


def changes(part: Part) -> Iterator[str]:
    """The fields of the observation that one frame has changed, but for who is asked.

    That changes with every frame, and back again.
    """
    before, after = part.before, part.after
    if before is after:
        return
    if _whose_turn(before) != _whose_turn(after):
        yield "turn"
    for name in ON_TABLE:
        if getattr(before, name) != getattr(after, name):
            yield name
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if old is not new:
            for name in PLAYER_FIELDS:
                if getattr(old, name) != getattr(new, name):
                    yield f"players.{seat}.{name}"


def _whose_turn(state: State) -> int | None:
    return None if state.turn is None else state.turn.seat


def _seat(path: str) -> int | None:
    parts = path.split(".")
    return int(parts[1]) if parts[0] == "players" else None
