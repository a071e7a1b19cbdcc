"""The engine as an adapter of larger steps: it takes a unit at once, or nothing of it."""

from __future__ import annotations

from conformance import messages as say
from conformance.adapters.reference import ABOUT, Adapter
from conformance.observing import observe
from conformance.reference import given_in_turn, stated
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change


class InUnits(Adapter):
    """Ours, with units of one size."""

    def __init__(self, step: str) -> None:
        self.about = change(ABOUT, step=step)

    def answer(self, call: say.AnyCall) -> say.AnyAnswer:
        """Do what one call asks for; an input by itself is none for it."""
        match call:
            case say.Describe():
                return self.about
            case say.ApplyUnit():
                return self.apply_unit(call)
            case say.Apply():
                return say.Failed("it takes units")
        return super().answer(call)

    def apply_unit(self, call: say.ApplyUnit) -> say.AnyAnswer:
        """Take all inputs of a unit, or none of them."""
        if call.revision != len(self.before):
            return say.Refused("it was made for another position")
        before = self.game.state
        done = given_in_turn(self.game, call.inputs, stated(call.chance))
        if isinstance(done, Refusal):
            return say.Refused(", ".join(done.rules))
        self.before.append(before)
        return say.Done(observe(self.game.state) if call.observe else None)
