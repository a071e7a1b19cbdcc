"""Random games of Dune: Imperium: how each is set up, and what is checked in it."""

from __future__ import annotations

import random
from pathlib import Path

from rules_engine.catalogue.load import catalogue
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import State
from rules_engine.kernel.fingerprint import fingerprint
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import Record
from rules_engine.kernel.soak import Dealt, Plan, pilot
from rules_engine.rulebook.index import rules
from rules_engine.rulebook.rulings import chosen, rulings

PRODUCT = "uprising"
NAMES = ("Paul", "Jessica", "Leto", "Chani")
TABLES = (3, 4)
MOST_INPUTS = 5_000
"""A game with more inputs than this goes on for ever: ten rounds have no use for so many."""

OTHER_RULINGS = 4
"""One game in so many follows rulings drawn at random; the others follow the defaults."""


WITH_PROMOS = 4
"""One game in so many has the promo cards."""


class Settings(Record):
    """What a soak is told: its seed, the number of players, if only one, and how closely to look.

    `engine` is the version that plays, `logs` the folder for the games that fail.
    """

    seed: int
    players: int | None = None
    every: int = 5000
    engine: str = ""
    logs: str | None = None


def drawn_setup(settings: Settings, number: int) -> Dealt:
    """How game number i of a seed is set up: everything that is fixed before a game."""
    draw = random.Random(f"setup {settings.seed} {number}")
    players = settings.players or draw.choice(TABLES)
    choam = draw.random() < 0.5
    leaders = tuple(draw.sample(_leaders(choam), players))
    others = draw.randrange(OTHER_RULINGS) == 0
    values = {name: draw.choice(each.values) for name, each in rulings().items()} if others else {}
    promos = draw.randrange(WITH_PROMOS) == 0
    state = new_game(
        PRODUCT, NAMES[:players], chosen(values), choam=choam, leaders=leaders, promos=promos
    )
    kinds = (
        f"{players} players",
        "with CHOAM" if choam else "without CHOAM",
        "with promos" if promos else "without promos",
        "rulings drawn at random" if others else "default rulings",
    )
    return Dealt(state, kinds, leaders)


def _leaders(choam: bool) -> list[str]:
    """The Leaders that can be chosen. UPR-CHOAM-005"""
    faces = catalogue(PRODUCT).leaders.values()
    return [face.id for face in faces if not face.back and (choam or not face.choam)]


def plan(settings: Settings) -> Plan:
    """The plan of a soak."""

    def deal(number: int) -> Dealt:
        return drawn_setup(settings, number)

    known = frozenset(rule.id for rule in rules())
    return Plan(
        game=IMPERIUM,
        seed=settings.seed,
        deal=deal,
        winners=_winners,
        known_rule=known.__contains__,
        every=settings.every,
        most_inputs=MOST_INPUTS,
        engine=settings.engine,
        catalogue=fingerprint(catalogue(PRODUCT)),
        seen=pilot(IMPERIUM, settings.seed, deal, MOST_INPUTS),
        logs=None if settings.logs is None else Path(settings.logs),
    )


def _winners(state: State) -> tuple[Seat, ...]:
    return state.winners
