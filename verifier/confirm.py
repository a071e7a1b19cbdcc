"""A second opinion: another solver, written by others, checks the certificate of a proof."""

from __future__ import annotations

import importlib.util
from typing import Any

from rules_engine.kernel.errors import TruthsayerError

UNSAT = "unsat"


def require_second_solver() -> None:
    """Say what to do if it is not there."""
    if importlib.util.find_spec("cvc5") is None:
        raise TruthsayerError(
            "TS0502",
            "cvc5, the second solver, is not installed",
            help="install it with `pip install truthsayer[confirm]`",
        )


def second_opinion(certificate: str, work: int) -> str:
    """What cvc5 says to a certificate in SMT-LIB: `unsat`, `sat`, or why it does not know."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("rlimit", str(work))
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, certificate, "certificate")
    names = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, names).strip() or answer
    return answer
