"""Our own engine as an adapter: the example to write yours after.

Started as a program, it answers every batch of calls by a batch of answers, as `loop` reads them.
"""

from __future__ import annotations

from conformance import messages as say
from conformance.adapters.loop import run
from conformance.observing import observe, observe_as
from conformance.reference import Reference, stated
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import actions
from rules_engine.kernel.outcomes import Refusal
from scenarios.vectors.inputs import decision

ABOUT = say.Described("truthsayer", "1", ("uprising",), capabilities=tuple(say.CAPABILITIES))


class Adapter:
    """One game at a time, with the positions before each input, to go back to."""

    def answer(self, call: say.AnyCall) -> say.AnyAnswer:
        """Do what one call asks for."""
        match call:
            case say.Describe():
                return ABOUT
            case say.Start(setup, position, to_move, chance, look):
                self.game = Reference.start(setup, position, to_move)
                self.before: list[State] = []
                self.game.begin(stated(chance))
                return say.Done(observe(self.game.state) if look else None)
            case say.Apply():
                return self.apply(call)
            case say.Observe(seat):
                state = self.game.state
                return say.Done(observe(state) if seat is None else observe_as(state, seat))
            case say.ListActions():
                state = self.game.state
                return say.Listed(tuple(decision(state, each) for each in actions(IMPERIUM, state)))
            case say.Undo():
                self.game.state = self.before.pop()
        return say.Done()

    def apply(self, call: say.Apply) -> say.AnyAnswer:
        """Take an input; a refusal leaves everything as it was."""
        if call.revision != len(self.before):
            return say.Refused("it was made for another position")
        before = self.game.state
        done = self.game.give(call.input, stated(call.chance))
        if isinstance(done, Refusal):
            return say.Refused(", ".join(done.rules))
        self.before.append(before)
        return say.Done(observe(self.game.state) if call.observe else None)


if __name__ == "__main__":
    run(Adapter())
