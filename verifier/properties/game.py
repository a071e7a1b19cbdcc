"""The game as a whole: inputs that name what is not there."""

from __future__ import annotations

from typing import Any

from rules_engine.imperium.actions import Discard, GiveAlliance, PlayAgent
from rules_engine.imperium.frames import AllianceTie, PickDiscard, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import ThisTurn
from rules_engine.kernel.game import legal
from verifier.current import choose, claim, stage
from verifier.effects import OWNER
from verifier.positions import with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.game"

STRANGE: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "card": (PickDiscard(OWNER, 1, "arrakeen"), (Discard(OWNER, "no_card"),)),
    "place": (
        Turn(OWNER),
        (
            PlayAgent(OWNER, "dagger", "no_space"),
            PlayAgent(OWNER, "no_card", "arrakeen"),
            PlayAgent(OWNER, "dagger", "arrakeen", "no_post"),
        ),
    ),
    "player": (
        AllianceTie(OWNER, "fremen", (1, 2)),
        (GiveAlliance(OWNER, -1), GiveAlliance(OWNER, 3), GiveAlliance(OWNER, 4)),
    ),
}
"""What comes next, and inputs that name a card, a place or a player that does not exist."""


@proves(
    {
        "UPR-ROUND-003": Twin(
            MODULE,
            "if not 0 <= getattr(given, name) < len(state.players):",
            "if not 0 <= getattr(given, name) <= len(state.players):",
        ),
    },
    cases=tuple({"what": what} for what in STRANGE),
)
def what_does_not_exist_is_refused_before_any_rule_looks_at_it(what: str) -> None:
    """Unsatisfiable iff an input that names a card, place or player not in the game is refused.

    Its one reason is that there is no such thing or player, whatever else stands against it.
    """
    frame, inputs = STRANGE[what]
    given = choose("given", inputs)
    own = {"hand": ("dagger",), "in_play": (), "intrigues": ()}
    before = with_cards((frame,), own, turn=ThisTurn(OWNER), agents=(), spies=())
    stage(before, (given,))
    refused = legal(IMPERIUM, before, given)
    claim(refused is not None, "it is refused")
    if refused is not None:
        wanted = "no_such_player" if what == "player" else "no_such_thing"
        claim([reason.key for reason in refused.reasons] == [wanted], "there is no such thing")
