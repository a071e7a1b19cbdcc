"""Contracts of the CHOAM Module: what their icon brings."""

import z3

SOLARI_INSTEAD = 2


def solari(face_up: z3.ArithRef, *, with_the_module: bool) -> z3.ArithRef:
    """2 Solari without the module, or when no contract is left; else none.

    UPR-CHOAM-006, UPR-CHOAM-007, UPR-CHOAM-009.
    """
    return z3.If(z3.And(z3.BoolVal(with_the_module), face_up >= 1), 0, SOLARI_INSTEAD)


def taken(face_up: z3.ArithRef, *, with_the_module: bool) -> z3.ArithRef:
    """One contract with the module, while one lies face up. UPR-CHOAM-007."""
    return z3.If(z3.And(z3.BoolVal(with_the_module), face_up >= 1), 1, 0)


def face_up_after(face_up: z3.ArithRef, bank: z3.ArithRef) -> z3.ArithRef:
    """Another from the bank takes the place of the one that was taken, as far as there is one.

    UPR-CHOAM-008.
    """
    return face_up - 1 + z3.If(bank >= 1, 1, 0)
