"""The positions for effects are real ones."""

from rules_engine.effects.tree import Recruit
from verifier.current import assume, claim
from verifier.effects import about_to_happen, frame_for
from verifier.verdicts import REFUTED, settle


def test_quantities_of_a_real_position_fit_together() -> None:
    def function() -> None:
        owner = about_to_happen(frame_for(Recruit(1), "arrakeen"), 3).players[0]
        assume(owner.troops > 2)
        claim(owner.supply != 5, "five are never left")

    settled = settle(function)
    assert settled.verdict == REFUTED
    values = {each.name: each.value for each in settled.values}
    assert values["Red.garrison"] + values["Red.troops"] == 7
