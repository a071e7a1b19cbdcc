"""Our game against the reference: every case of the conformance kit is a test."""

import pytest
from game import Game


class Refused(Exception):
    """Raise it where the game does not allow an input."""


class Adapter:
    """A method for each call of the kit that we can take. It drives the game and shows it."""

    def describe(self):
        """What we are, and what of a game we can show."""
        return {
            "answer": "described",
            "name": "my game",
            "version": "0.1.0",
            "products": ["uprising"],
            "capabilities": ["position", "begin"],
            "fields": ["makers", "agents"],
        }

    def start(self, position, **_):
        """Bring the game to where the case starts."""
        if position is None:
            raise NotImplementedError("a game from its setup")
        self.game = Game(position["makers"], position["agents"])
        return self.done()

    def apply(self, input, **_):
        """Give the game an input."""
        if input.get("begin") != "makers_begin":
            raise NotImplementedError(", ".join(input))
        self.game.makers_phase()
        return self.done()

    def done(self):
        """Show the game."""
        return {"answer": "done", "observation": vars(self.game)}

    def __call__(self, call):
        """Answer a call; what there is no method for is not supported."""
        method = getattr(self, call.pop("call"), None)
        if method is None:
            raise NotImplementedError
        try:
            return method(**call)
        except Refused as why:
            return {"answer": "refused", "reason": str(why)}


@pytest.mark.truthsayer(rules=["UPR-MAKER-003"])
def test_conforms(truthsayer_adapter):
    """The game does what the rules say."""
    truthsayer_adapter(Adapter())
