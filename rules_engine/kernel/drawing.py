"""Frames in which chance says what the top card of a deck is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules_engine.kernel.decks import Deck, can_be_on_top, size, top_copies, top_faces
from rules_engine.kernel.game import CHANCE, NOBODY, Answer, Asks, FrameRules
from rules_engine.kernel.outcomes import Reason, Refusal, Step, refusal


def draws_from(
    deck: Callable[[Any, Any], Deck],
    due: Callable[[Any, Any], bool],
    apply: Callable[[Any, Any, Any], Step[Any]],
    rules: tuple[str, ...],
) -> FrameRules:
    """The rules of a frame that asks for the top card of a deck while one is due and there is one.

    Without an answer `apply` goes on by itself: nothing is due, or the deck is empty.
    """

    def asks(state: Any, frame: Any) -> Asks:
        return CHANCE if due(state, frame) and size(deck(state, frame)) else NOBODY

    def legal(state: Any, frame: Any, answer: Answer) -> Refusal | None:
        if can_be_on_top(deck(state, frame), answer.outcome):
            return None
        return refusal([Reason("not_in_deck", rules, {"card": answer.outcome})])

    return FrameRules(
        asks=asks,
        apply=apply,
        legal=legal,
        options=lambda state, frame: tuple(map(Answer, top_faces(deck(state, frame)))),
        weights=lambda state, frame: top_copies(deck(state, frame)),
    )
