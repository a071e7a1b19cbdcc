"""Our adapter with a mood: `python -m tests.conformance.moody MOOD FOLDER`.

The folder tells those that come later what happened before: there is a file for every start.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from conformance import messages as say
from conformance.adapters.loop import over_lines
from conformance.adapters.reference import ABOUT, Adapter
from rules_engine.kernel.records import change

LONG = 3600


class Moody(Adapter):
    """One adapter for each mood; the good one has none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def first_time(self, what: str) -> bool:
        """Whether this has never happened, in no process."""
        try:
            (self.folder / what).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


class CrashesOnce(Moody):
    """Ends at the first input of all."""

    def apply(self, call: say.Apply) -> say.AnyAnswer:
        """Take an input, unless it is the first."""
        if self.first_time("input"):
            os._exit(3)
        return super().apply(call)


class KillsTheKit(Moody):
    """Ends the process that started it, once."""

    def apply(self, call: say.Apply) -> say.AnyAnswer:
        """Take an input, unless it is the first."""
        if self.first_time("input"):
            os.kill(os.getppid(), 9)
        return super().apply(call)


class StartsOnce(Moody):
    """Says what it is, and never again."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        if not self.first_time("start"):
            sys.exit("the licence is for one start")


class Hangs(Moody):
    """Never answers to an input."""

    def apply(self, call: say.Apply) -> say.AnyAnswer:
        """Take no input."""
        self.first_time("hangs")
        time.sleep(LONG)
        return super().apply(call)


class Wrong(Moody):
    """Everybody is shown with a water too much after an input."""

    def apply(self, call: say.Apply) -> say.AnyAnswer:
        """Take an input, and show what is wrong."""
        done = super().apply(call)
        if not isinstance(done, say.Done) or done.observation is None:
            return done
        players = [{**each, "water": each["water"] + 1} for each in done.observation["players"]]
        return change(done, observation={**done.observation, "players": players})


class WrongThenGone(Wrong):
    """Wrong in the first game, and ends in the second."""

    def answer(self, call: say.AnyCall) -> say.AnyAnswer:
        """Answer, until there is another game."""
        if isinstance(call, say.Start) and not self.first_time("game"):
            os._exit(3)
        return super().answer(call)


BARE = change(ABOUT, capabilities=())


class Bare(Moody):
    """Can do nothing that an adapter need not do."""

    def answer(self, call: say.AnyCall) -> say.AnyAnswer:
        """Say so."""
        return BARE if isinstance(call, say.Describe) else super().answer(call)


class Good(Moody):
    """As ours."""


if __name__ == "__main__":
    over_lines(globals()[sys.argv[1]](Path(sys.argv[2])), sys.stdin.buffer, sys.stdout.buffer)
