"""Adapters that know no rule of the game. Whatever such a one holds, the kit has not looked at."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from conformance import messages as say
from conformance.observing import observe, observe_as
from conformance.reference import Reference, stated
from rules_engine.imperium.state import State

Json = dict[str, Any]

PLAIN = (say.POSITION, say.BEGIN, say.EFFECT, say.OWN_CARDS)
"""What is enough for every case. Who can do more is asked more, and held to it."""

REFUSED, OTHERS_ASKED, OTHER_RESOURCE = 1 / 2, 1 / 2, 1 / 4
"""How often the one that answers at random does so."""


class Ruleless:
    """Shows the position with which the game began, whatever comes, and takes everything."""

    def ask(
        self, calls: Sequence[say.AnyCall], seconds: float | None = None
    ) -> list[say.AnyAnswer]:
        """Answer every call by itself."""
        del seconds
        return [self.answer(call) for call in calls]

    def answer(self, call: say.AnyCall) -> say.AnyAnswer:
        """Answer one call."""
        match call:
            case say.Start(setup, position, to_move, chance):
                self.state = _begun(setup, position, to_move, chance)
                return say.Done(observe(self.state))
            case say.Observe(int(seat)):
                return say.Done(observe_as(self.state, seat))
            case say.ListActions():
                return say.Listed(())
            case say.Observe() | say.Undo() | say.Finish():
                return self.shown()
        return self.tried(call)

    def tried(self, call: say.AnyCall) -> say.AnyAnswer:
        """Answer to something that the rules may forbid."""
        del call
        return self.shown()

    def shown(self) -> say.AnyAnswer:
        """The position, as it always is."""
        return say.Done(observe(self.state))

    def close(self) -> None:
        """Nothing to end."""


def _begun(setup: Json, position: Json | None, to_move: int | None, chance: Any) -> State:
    """The first decision: nobody can say that not even this was right."""
    game = Reference.start(setup, position, to_move)
    game.begin(stated(chance))
    return game.state


class TakesTurns(Ruleless):
    """Takes everything, and lets another player be asked after it."""

    def tried(self, call: say.AnyCall) -> say.AnyAnswer:
        """Take it."""
        del call
        shown = dict(observe(self.state))
        shown["asked"] = [(seat + 1) % len(shown["players"]) for seat in shown["asked"]]
        shown["turn"] = shown["asked"][0] if shown["asked"] else None
        return say.Done(shown)


class RefusesAll(Ruleless):
    """Refuses everything."""

    def tried(self, call: say.AnyCall) -> say.AnyAnswer:
        """Refuse it."""
        del call
        return say.Refused("no")


class AtRandom(Ruleless):
    """Takes or refuses as a coin falls, and shows what had been or something that had not."""

    def __init__(self) -> None:
        self.draw = random.Random(1)

    def tried(self, call: say.AnyCall) -> say.AnyAnswer:
        """Take it or not."""
        del call
        return say.Refused() if self.draw.random() < REFUSED else self.shown()

    def shown(self) -> say.AnyAnswer:
        """The position, with a resource of a player or who is asked drawn."""
        shown = dict(observe(self.state))
        if self.draw.random() < OTHERS_ASKED:
            shown["asked"] = [self.draw.randrange(len(shown["players"]))]
        if self.draw.random() < OTHER_RESOURCE:
            one = self.draw.choice(shown["players"])
            what = self.draw.choice(("solari", "spice", "water"))
            other = one | {what: one[what] + self.draw.choice((-1, 1))}
            shown["players"] = [other if each is one else each for each in shown["players"]]
        return say.Done(shown)


RULELESS: dict[str, Callable[[], Ruleless]] = {
    "shows the start": Ruleless,
    "takes everything": TakesTurns,
    "refuses everything": RefusesAll,
    "answers at random": AtRandom,
}
"""Each of them."""


def about(step: str, capabilities: Sequence[str] = PLAIN) -> say.Described:
    """What such an adapter says of itself."""
    return say.Described(
        "ruleless", "1", ("uprising",), step=step, capabilities=tuple(capabilities)
    )
