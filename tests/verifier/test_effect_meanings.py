"""Every kind of effect has a property that says what it does."""

from verifier.api import properties
from verifier.steps import STEPS


def test_every_kind_of_effect_has_a_property_about_what_it_does() -> None:
    about = [each for each in properties() if each.file in ("effects", "meaning")]
    said = {case["step"] for each in about for case in each.cases if "step" in case}
    assert {step for step in STEPS if step.startswith("Run ")} <= said
