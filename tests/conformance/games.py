"""Random games as cases: from the setup to the end, every decision and all of chance drawn."""

from __future__ import annotations

import random

from conformance.cases import Case, Move
from conformance.reference import Moved, Reference, drawn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.kernel.game import actions
from rules_engine.rulebook.rulings import rulings
from scenarios.vectors.inputs import decision

NAMES = ["Ada", "Ben", "Cleo", "Dov"]


def random_game(seed: int, most_moves: int = 10_000) -> Case:
    """A game of three or four players; the same for the same seed."""
    draw = random.Random(seed)
    players = NAMES[: 3 + seed % 2]
    setup = {
        "product": "uprising",
        "players": players,
        "modules": [],
        "leaders": [None] * len(players),
        "rulings": {each.id: each.default for each in rulings().values()},
        "cards": [],
        "conflicts": [],
        "intrigues": [],
    }
    chance = drawn(draw)
    game = Reference.start(setup, None, None)
    begun = game.begin(chance)
    moves: list[Move] = []
    while game.state.pending and len(moves) < most_moves:
        given = {"do": decision(game.state, draw.choice(actions(IMPERIUM, game.state)))}
        done = game.give(given, chance)
        assert isinstance(done, Moved)
        moves.append(Move(given, done.chance))
    return Case(
        id=f"game.{seed}",
        title=f"random game {seed}",
        rules=(),
        setup=setup,
        position=None,
        to_move=None,
        moves=tuple(moves),
        chance=begun.chance,
    )
