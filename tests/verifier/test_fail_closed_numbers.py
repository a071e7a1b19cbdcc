"""What a symbol answers otherwise than a plain value: each is planted into `gain`.

A player gets what `_given` makes of the amount, which is wrong for some plain amount, or crashes.
"""

from __future__ import annotations

import pytest

from rules_engine.imperium import resources
from rules_engine.kernel.numbers import pick
from tests.verifier.planted_gain import Gain, settled
from verifier.current import Misuse, claim, quantity
from verifier.verdicts import REFUTED, UNSUPPORTED, settle

PICK = "from rules_engine.kernel.numbers import pick\n"
IS_SOME = "\n\ndef _is_some(n: Quantity) -> bool:\n    return n > 0\n\n\n"

GIVES_MORE = {
    "the bits of a condition": (
        f"{PICK}{IS_SOME}def _given(n: Quantity) -> Quantity:\n    return pick(~_is_some(n), 0, n)",
        3,
    ),
    "a truth value or a number": (
        f"{PICK}\n\ndef _given(n: Quantity) -> Quantity:\n    mark = pick(n > 5, True, 0)\n"
        "    return n + 1 if isinstance(mark, bool) else n",
        6,
    ),
    "a pattern of a truth value": (
        f"{PICK}\n\ndef _given(n: Quantity) -> Quantity:\n    match pick(n > 5, True, 0):\n"
        "        case bool():\n            return n + 1\n    return n",
        6,
    ),
    "a truth value in words": (
        f"{PICK}\n\ndef _given(n: Quantity) -> Quantity:\n    mark = pick(n > 5, True, 1)\n"
        '    return n + 1 if f"{mark}" == "True" else n',
        6,
    ),
    "a number or a truth value in words": (
        f"{PICK}\n\ndef _given(n: Quantity) -> Quantity:\n    mark = pick(n < 6, 1, n > 5)\n"
        '    return n + 1 if f"{mark}" == "True" else n',
        6,
    ),
}
"""What is put around the function, and an amount of which it makes another one."""

CRASHES = {
    "what picks": (
        f"{IS_SOME}def _given(n: Quantity) -> Quantity:\n    return _is_some(n).pick(n, 0)"
    ),
    "a term": "def _given(n: Quantity) -> Quantity:\n    return n - 1 if n.term is None else n",
    "a key": "def _given(n: Quantity) -> Quantity:\n    return n - 1 if len(n.key) == 3 else n",
    "a text": (
        f"{PICK}\n\ndef _given(n: Quantity) -> Quantity:\n"
        "    return n - 1 if pick(n == 57, 'ab', 'b').settled() == 'x' else n"
    ),
}
"""What is put around the function: it asks for what only symbols have."""


@pytest.mark.parametrize("how", GIVES_MORE)
def test_what_a_symbol_answers_otherwise_is_not_called_proved(gain: Gain, how: str) -> None:
    around, amount = GIVES_MORE[how]
    gain.plant(around, "False", "amount = _given(amount)")
    assert vars(resources)["_given"](amount) != amount
    assert settled().verdict in (REFUTED, UNSUPPORTED)


@pytest.mark.parametrize("how", CRASHES)
def test_what_only_symbols_have_is_not_called_proved(gain: Gain, how: str) -> None:
    gain.plant(CRASHES[how], "False", "amount = _given(amount)")
    with pytest.raises(AttributeError):
        vars(resources)["_given"](57)
    assert settled().verdict in (REFUTED, UNSUPPORTED)


def test_a_proof_that_crashes_with_plain_numbers_is_none() -> None:
    def function() -> None:
        n = quantity("n")
        # Nothing but a symbol has that.
        (n > 3).pick(1, 2)  # type: ignore[attr-defined]
        claim(n >= 0, "it is natural")

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert "plain numbers" in found.detail


@pytest.mark.parametrize("values", [(True, 0), (0, True), (False, 1)])
def test_a_truth_value_and_a_number_are_not_picked_from(values: tuple[int, int]) -> None:
    def function() -> None:
        n = quantity("n")
        claim(pick(n > 3, *values) <= 1, "it is at most one")

    assert settle(function).verdict == UNSUPPORTED


def test_a_truth_value_has_no_bits() -> None:
    def function() -> None:
        claim(not ~(quantity("n") >= 0), "it is natural")

    found = settle(function)
    assert found.verdict == UNSUPPORTED
    assert str(Misuse("~")).split(" at ")[0] in found.detail
