"""Every property is proved, and its twin (one rule changed) is refuted."""

import os
from importlib.util import cache_from_source
from pathlib import Path

import pytest

import rules_engine.imperium
import rules_engine.kernel
import verifier.properties
from rules_engine.catalogue import uprising
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.errors import TruthsayerError
from verifier.api import Progress, properties, property_named, prove, prove_all, replay_case
from verifier.explorer import Budget
from verifier.kept import Kept
from verifier.registry import DATA_CHECK, THEOREMS, Twin
from verifier.twins import BadTwin, change_engine, changed_text, run_twin
from verifier.verdicts import CHECKED, PROVED, REFUTED, Verdict

KEPT = Path(verifier.__file__).parents[1] / "build" / "kept" / "proofs"
"""Where this checkout keeps proofs: what its part of CI has proved is not proved again."""
TWINS = [(each.name, rule) for each in properties() for rule in each.rules]
AGREEMENT = "agreement"
"""The file that holds the engine against the specifications, whatever file of it they are about."""
TIE_CLAUSES = {f"UPR-COMBAT-{number:03}" for number in range(11, 25)}


@pytest.mark.timeout(3600)  # All that there is, on a machine that may be busy.
def test_every_property_is_proved() -> None:
    everything = prove_all(jobs=os.cpu_count() or 1, kept=Kept(KEPT))
    found = {each.name: each for each in everything if isinstance(each, Verdict)}
    assert {*found} == {each.name for each in properties()}
    for name, each in found.items():
        assert each.verdict == (PROVED if each.kind in THEOREMS else CHECKED), each
        assert property_named(name).kind != DATA_CHECK or each.kind == DATA_CHECK, name
        assert each.paths > 0, name
        assert not any(ruling.fails_under for ruling in each.rulings), name


@pytest.mark.parametrize(("name", "rule"), TWINS)
def test_its_twin_is_refuted(name: str, rule: str) -> None:
    found = prove(name, twin_of=rule)
    assert found.verdict == REFUTED, found.detail
    assert found.case is not None
    if found.case.position is not None:
        assert isinstance(found.case.position, State)
        broken = [text for law in IMPERIUM.invariants for text in law.broken(found.case.position)]
        assert not broken, "the counterexample is a position that can be"
    on_the_true_engine = replay_case(name, found)
    assert found.case.position in (on_the_true_engine.staged or [None])
    assert on_the_true_engine.claims > 0
    assert not on_the_true_engine.failed


INFLUENCE = "rules_engine.imperium.influence"
COMBAT = "rules_engine.imperium.combat"
TIED_HEIRS = "the_old_holder_decides_between_tied_heirs"
RANKED = "everybody_is_given_one_reward_or_none_and_nothing_else_changes"
OTHER_FAULTS = {
    "no decision below 4": (
        TIED_HEIRS,
        Twin(
            INFLUENCE,
            "if len(heirs) > 1:",
            "if len(heirs) > 1 and influence(state, seat, faction) >= ALLIES:",
        ),
    ),
    "anybody may be named": (TIED_HEIRS, Twin(INFLUENCE, "action.to in frame.tied", "True")),
    "an heir is not offered": (
        TIED_HEIRS,
        Twin(INFLUENCE, "in frame.tied),", "in frame.tied[1:]),"),
    ),
    "an heir is offered twice": (
        TIED_HEIRS,
        Twin(INFLUENCE, "in frame.tied),", "in (*frame.tied, frame.tied[0])),"),
    ),
    "rewards come twice": (
        RANKED,
        Twin(COMBAT, "_in_order(state, takings)))", "_in_order(state, takings) * 2))"),
    ),
    "a lone contender does not win": (
        RANKED,
        Twin(COMBAT, "if taking.reward == FIRST:", "if taking.reward == FIRST and takings[1:]:"),
    ),
    "the whole hand is played": (
        "sending_moves_one_card_and_one_agent_and_pays",
        Twin(
            "rules_engine.imperium.cards",
            "left = without_card(cards_in(owner, start), card)",
            "left = ()",
        ),
    ),
    "an Agent turn is not offered": (
        "an_agent_turn_is_offered_exactly_if_it_is_allowed",
        Twin(
            "rules_engine.imperium.agent_turn",
            "yield from send_options(state, seat)",
            "yield from list(send_options(state, seat))[1:]",
        ),
    ),
    "recruits are deployed before an Agent is sent": (
        "an_agent_at_a_combat_space_may_deploy",
        Twin(
            "rules_engine.imperium.units",
            "if turn is None or not (turn.combat or turn.deployable):\n        yield",
            'if turn is None or (turn.kind == "agent" and not turn.combat):\n        yield',
        ),
    ),
    "the least retreat is not offered": (
        "retreating_troops_go_from_the_conflict_to_the_garrison",
        Twin(
            "rules_engine.imperium.units",
            "Retreat, frame.seat, frame.least, _most",
            "Retreat, frame.seat, frame.least + 1, _most",
        ),
    ),
    "a contract for a card is completed by a visit": (
        "a_visit_completes_the_contracts_that_name_the_space",
        Twin("rules_engine.imperium.contracts", 'elif face.completed_by == "harvest" and', "elif"),
    ),
    "the end of Combat takes something else away": (
        "when_combat_ends_troops_go_to_supply_and_markers_to_zero",
        Twin(COMBAT, "strength=0, swords=0)", "strength=0, swords=0, persuasion=0)"),
    ),
}


@pytest.mark.parametrize("fault", OTHER_FAULTS)
def test_other_faults_are_found_too(fault: str) -> None:
    name, twin = OTHER_FAULTS[fault]
    found = run_twin(property_named(name), twin, Budget())
    assert found.verdict == REFUTED, found.detail
    assert not replay_case(name, found).failed


def test_every_property_says_what_it_claims() -> None:
    for each in properties():
        assert each.claim.startswith("Unsatisfiable iff"), each.name
        assert each.rules, each.name
        assert each.cases, each.name


def test_every_twin_changes_a_rule_and_not_a_property() -> None:
    for each in properties():
        for twin in each.twins.values():
            assert twin.file.startswith("rules_engine/")
            assert twin.old != twin.new
            assert changed_text(twin)


def test_a_changed_engine_is_the_true_one_but_for_the_edit(tmp_path: Path) -> None:
    twin = next(iter(properties()[0].twins.values()))
    change_engine(tmp_path, twin)
    true = Path(rules_engine.__file__).parents[1]
    differ = [
        path.relative_to(tmp_path).as_posix()
        for path in tmp_path.rglob("*.py")
        if path.read_bytes() != (true / path.relative_to(tmp_path)).read_bytes()
    ]
    assert differ == [twin.file]
    assert (tmp_path / twin.file).read_text(encoding="utf-8") == changed_text(twin)
    assert not Path(cache_from_source(str(tmp_path / twin.file))).exists()


def test_a_name_that_may_be_in_a_file_that_cannot_be_loaded_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(verifier.properties.BROKEN, "new.py", "no rule UPR-WORM-999")
    with pytest.raises(TruthsayerError) as raised:
        property_named("of_the_new_file")
    assert raised.value.help.startswith("new.py cannot be loaded: no rule UPR-WORM-999; ")


def test_every_file_of_properties_can_be_loaded() -> None:
    assert verifier.properties.BROKEN == {}


def test_each_rule_of_a_property_has_a_twin_of_its_own() -> None:
    for each in properties():
        assert len(set(each.twins.values())) == len(each.twins), each.name


def test_the_files_are_named_like_the_engine() -> None:
    engine = {
        path.stem
        for package in (rules_engine.imperium, rules_engine.kernel)
        for path in Path(package.__path__[0]).glob("*.py")
    }
    engine |= {path.stem for path in Path(uprising.__path__[0]).glob("*.toml")}
    ours = {path.stem for path in Path(verifier.properties.__path__[0]).glob("*.py")}
    assert ours <= engine | {AGREEMENT}
    assert {each.file for each in properties()} == ours - {"__init__"}


def test_every_clause_about_places_and_ties_has_a_property() -> None:
    covered = {rule for each in properties() if each.file == "combat" for rule in each.rules}
    assert covered >= TIE_CLAUSES


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    with pytest.raises(TruthsayerError, match="no property `strength_zero`") as raised:
        prove("strength_zero")
    assert raised.value.code == "TS0501"
    assert "strength_zero_takes_nothing" in raised.value.help


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_and_verdicts_come_as_they_are_settled(jobs: int) -> None:
    names = ["the_bank_never_runs_dry", "a_stolen_intrigue_card_changes_hands"]
    found = list(prove_all(names, jobs=jobs))
    verdicts = [each for each in found if isinstance(each, Verdict)]
    assert [each.name for each in verdicts] == names
    assert {each.verdict for each in verdicts} == {PROVED}
    steps = [each for each in found if isinstance(each, Progress)]
    total = sum(len(property_named(name).cases) for name in names)
    assert [step.number for step in steps] == list(range(1, total + 1))
    assert {step.total for step in steps} == {total}


def test_a_rule_that_is_missing_its_place_is_an_error(tmp_path: Path) -> None:
    twin = next(iter(properties()[0].twins.values()))
    with pytest.raises(BadTwin, match="says it in 0 places, not in one"):
        change_engine(tmp_path, type(twin)(twin.where, "no such text", ""))
    assert not list(tmp_path.iterdir())
