"""Somebody's game: what lies on the board, and one rule."""


class Game:
    """A position."""

    def __init__(self, makers, agents):
        self.makers = makers
        self.agents = agents

    def makers_phase(self):
        """Bonus spice gathers where no Agent is."""
        occupied = {agent["space"] for agent in self.agents}
        for maker in self.makers:
            if maker["space"] not in occupied:
                maker["bonus_spice"] += 1
