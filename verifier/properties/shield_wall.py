"""The Shield Wall keeps sandworms out of the Conflicts at the three locations behind it."""

from __future__ import annotations

from typing import Any

from rules_engine.effects.tree import Summon
from rules_engine.imperium.setup import new_game
from rules_engine.kernel.rulings import Rulings
from verifier.changes import table_kept
from verifier.current import assume, choose, claim, quantity
from verifier.effects import (
    LIMITS,
    OWNER,
    about_to_happen,
    frame_for,
    may_deploy,
    resolve,
)
from verifier.positions import (
    NAMES,
    PRODUCT,
    PROTECTED,
    behind_the_wall,
    conflict_at,
    printed,
)
from verifier.registry import Twin, proves
from verifier.watched import Lazy

PLAYERS = 3


def _conflicts() -> dict[str, Any]:
    """Any printed Conflict, or one at each location behind the Wall, or none."""
    added = tuple(conflict_at(location) for location in PROTECTED)
    cards = (*printed().conflicts, *(face.id for face in added))
    return {
        "conflicts": added,
        "conflict": Lazy("conflict", (None, *cards)),
    }


@proves(
    {
        "UPR-WALL-001": Twin(
            "rules_engine.imperium.setup", "shield_wall=True,", "shield_wall=False,"
        )
    },
    bounds="3 and 4 players, with and without the CHOAM module and promo cards, no Leaders, the "
    "default rulings",
)
def the_wall_stands_when_a_game_begins() -> None:
    """Unsatisfiable iff every game that is set up has the Shield Wall in its place."""
    players = choose("players", (3, 4))
    choam, promos = choose("choam", (False, True)), choose("promos", (False, True))
    state = new_game(PRODUCT, NAMES[:players], Rulings(), choam=choam, promos=promos)
    claim(state.shield_wall, "the Wall stands")


@proves(
    {
        "UPR-WALL-002": Twin(
            "rules_engine.imperium.shield_wall",
            "conflict_face(state, state.conflict).location is not None",
            'conflict_face(state, state.conflict).location in ("arrakeen", "imperial_basin")',
        ),
        "UPR-WORM-005": Twin(
            "rules_engine.imperium.sandworms",
            "if protects_conflict(state):",
            "if protects_conflict(state) and not player(state, seat).maker_hooks:",
        ),
        "UPR-WORM-006": Twin(
            "rules_engine.imperium.sandworms",
            'return Step(state, (Event("no_sandworm", PROTECTS, seat),))',
            """state = count_sandworms(state, seat, sandworms)
        return Step(state, (Event("no_sandworm", PROTECTS, seat),))""",
        ),
    },
    bounds="any number of sandworms, every Conflict behind the Wall and one more at each location, "
    f"3 players; {LIMITS}",
)
def a_blocked_sandworm_icon_does_nothing() -> None:
    """Unsatisfiable iff sandworms summoned to a Conflict behind the Wall change nothing at all.

    Nothing of any player, nothing on the table, and nothing that is counted in the turn.
    """
    frame = frame_for(Summon(quantity("amount", 1)), next(iter(printed().spaces)))
    before = about_to_happen(frame, PLAYERS, **_conflicts())
    assume(behind_the_wall(before))
    after, _ = resolve(before)
    # A record left as it was has not changed in anything.
    claim(after.players is before.players, "nothing of any player changes")
    claim(after.turn is before.turn, "nothing is counted in the turn")
    claim(table_kept(before, after), "nothing on the table changes")


@proves(
    {
        "UPR-WALL-006": Twin(
            "rules_engine.imperium.shield_wall",
            "return state.shield_wall and at_critical_location(state)",
            "return at_critical_location(state)",
        )
    },
    bounds="any number of sandworms, every Conflict and one more at each location behind the Wall, "
    f"3 players; {LIMITS}",
    cases=({"players": PLAYERS},),
)
def without_the_wall_sandworms_come_to_every_conflict(players: int) -> None:
    """Unsatisfiable iff, once the token is gone, all sandworms summoned come to any Conflict.

    Their owner may deploy units.
    """
    amount = quantity("amount")
    frame = frame_for(Summon(amount), next(iter(printed().spaces)))
    before = about_to_happen(frame, players, **{**_conflicts(), "shield_wall": False})
    assume(before.conflict is not None)
    assume(may_deploy(before))
    after, _ = resolve(before)
    claim(
        after.players[OWNER].sandworms == before.players[OWNER].sandworms + amount,
        f"all sandworms come for {NAMES[OWNER]}",
    )
