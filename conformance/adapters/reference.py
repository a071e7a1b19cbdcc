"""Our own engine as an adapter: the example to write yours after.

Started as a program, it answers each line, a batch of calls, by a line with a batch of answers.
"""

from __future__ import annotations

import sys

import msgspec

from conformance import messages as say
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
            case say.Apply(given, chance, revision, look):
                return self.apply(given, chance, revision, look)
            case say.Observe(seat):
                state = self.game.state
                return say.Done(observe(state) if seat is None else observe_as(state, seat))
            case say.ListActions():
                state = self.game.state
                return say.Listed(tuple(decision(state, each) for each in actions(IMPERIUM, state)))
            case say.Undo():
                self.game.state = self.before.pop()
        return say.Done()

    def apply(
        self, given: say.Json, chance: tuple[say.Json, ...], revision: int, look: bool
    ) -> say.AnyAnswer:
        """Take an input; a refusal leaves everything as it was."""
        if revision != len(self.before):
            return say.Refused("it was made for another position")
        before = self.game.state
        done = self.game.give(given, stated(chance))
        if isinstance(done, Refusal):
            return say.Refused(", ".join(done.rules))
        self.before.append(before)
        return say.Done(observe(self.game.state) if look else None)


if __name__ == "__main__":
    adapter = Adapter()
    for line in sys.stdin.buffer:
        asked = msgspec.json.decode(line, type=say.Calls)
        answers = tuple(map(adapter.answer, asked.calls))
        sys.stdout.buffer.write(msgspec.json.encode(say.Answers(asked.id, answers)) + b"\n")
        sys.stdout.buffer.flush()
