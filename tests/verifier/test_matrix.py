"""The matrix has a cell for every invariant and step, and an empty one is seen."""

from verifier.matrix import CLAIMS_NOTHING, NOT_RUN, matrix_of, rests_on
from verifier.properties.invariants import INVARIANTS
from verifier.steps import STEPS
from verifier.verdicts import PROVED, REFUTED, UNKNOWN, Settled

NAMES = tuple(INVARIANTS)
ALL = {(name, step): Settled(PROVED, paths=3, claimed_of=NAMES) for name in NAMES for step in STEPS}


def test_a_full_matrix_has_no_empty_cell() -> None:
    matrix = matrix_of(ALL)
    assert len(matrix.cells) == len(NAMES) * len(STEPS)
    assert not matrix.empty
    assert {cell.verdict for cell in matrix.cells} == {PROVED}
    assert len(matrix.rests_on) == len(STEPS)


def test_a_cell_that_was_not_run_is_empty() -> None:
    missing = (NAMES[2], STEPS[5])
    matrix = matrix_of({key: found for key, found in ALL.items() if key != missing})
    (cell,) = matrix.empty
    assert (cell.invariant, cell.step, cell.verdict) == (*missing, NOT_RUN)


def test_an_invariant_that_claims_nothing_is_not_proved() -> None:
    silent = (NAMES[0], STEPS[0])
    matrix = matrix_of({**ALL, silent: Settled(PROVED, paths=3, claimed_of=NAMES[1:])})
    cell = matrix.rows[0][0]
    assert (cell.verdict, cell.detail) == (UNKNOWN, CLAIMS_NOTHING)


def test_a_refutation_is_told() -> None:
    refuted = (NAMES[1], STEPS[3])
    matrix = matrix_of({**ALL, refuted: Settled(REFUTED, "it does not hold that it holds")})
    cell = matrix.rows[1][3]
    assert (cell.verdict, cell.detail) == (REFUTED, "it does not hold that it holds")


def test_a_step_says_what_it_takes_for_granted() -> None:
    assert rests_on("Defend <- Accept") == ("no turn is in progress", "nobody has revealed")
    assert rests_on("PickTrash <- Trash") == ()
    assert "what is paid is there" in rests_on("Run Pay")[0]
