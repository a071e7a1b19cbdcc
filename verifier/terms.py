"""Z3 terms, built and looked at by Z3's own calls.

The functions of Z3's Python library find out the types of their arguments again at each call,
which costs an exploration more than the terms themselves. Here the types are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from verifier.current import Term

_CONTEXT = z3.main_ctx()
_REF = _CONTEXT.ref()

TRUE = z3.BoolVal(True)
FALSE = z3.BoolVal(False)
OPEN = z3.Bool("what was not explored")
"""Stands in a certificate for what nobody knows."""


NOT_KNOWN = "what nobody knows"
"""The truth value on which the certificate of something unknown hangs."""

TAKEN = {
    "true", "false", "not", "and", "or", "xor", "distinct", "ite", "let", "par", "forall", "exists",
    "match", "as", "assert", "div", "mod", "abs", str(OPEN), NOT_KNOWN,
}  # fmt: skip
"""Names that mean something else where a certificate is read."""


def check_name(name: str) -> None:
    """Refuse the name of an unknown that the text of a certificate cannot have.

    Z3 writes names with a question mark or an exclamation mark of its own into it.
    """
    if not name or name in TAKEN or name[0] in "?!" or set(name) & {"|", "\\"}:
        raise ValueError(f"no unknown can be called `{name}`: certificates could not be read")


class GaveUp(BaseException):
    """A limit was reached, so nothing is known. Rule code must not catch it."""


def _number(made: Any) -> Term:
    return z3.ArithRef(made, _CONTEXT)


def _truth(made: Any) -> Term:
    return z3.BoolRef(made, _CONTEXT)


def _list(terms: Sequence[Term]) -> Any:
    return (z3.Ast * len(terms))(*[each.ast for each in terms])


# Numbers


def total(a: Term, b: Term) -> Term:
    """Both numbers together."""
    return _number(z3.Z3_mk_add(_REF, 2, _list((a, b))))


def difference(a: Term, b: Term) -> Term:
    """The first number less the second."""
    return _number(z3.Z3_mk_sub(_REF, 2, _list((a, b))))


def number_where(condition: Term, yes: Term, no: Term) -> Term:
    """The number `yes` where the condition holds, `no` elsewhere."""
    return _number(z3.Z3_mk_ite(_REF, condition.ast, yes.ast, no.ast))


def plain_number(term: Term) -> Term | int:
    """A number as simple as Z3 can make it, an `int` if it has only one value."""
    simple = _number(z3.Z3_simplify(_REF, term.ast))
    is_plain = z3.Z3_get_ast_kind(_REF, simple.ast) == z3.Z3_NUMERAL_AST
    return int(z3.Z3_get_numeral_string(_REF, simple.ast)) if is_plain else simple


# Truth values


def less(a: Term, b: Term) -> Term:
    """Whether the first number is less than the second."""
    return _truth(z3.Z3_mk_lt(_REF, a.ast, b.ast))


def at_most(a: Term, b: Term) -> Term:
    """Whether the first number is not more than the second."""
    return _truth(z3.Z3_mk_le(_REF, a.ast, b.ast))


def same(a: Term, b: Term) -> Term:
    """Whether two numbers or two truth values are the same."""
    return _truth(z3.Z3_mk_eq(_REF, a.ast, b.ast))


def negated(condition: Term) -> Term:
    """Whether the condition does not hold."""
    return _truth(z3.Z3_mk_not(_REF, condition.ast))


def conjunction(conditions: Sequence[Term]) -> Term:
    """Whether all of the conditions hold."""
    if len(conditions) <= 1:
        return conditions[0] if conditions else TRUE
    return _truth(z3.Z3_mk_and(_REF, len(conditions), _list(conditions)))


def disjunction(conditions: Sequence[Term]) -> Term:
    """Whether any of the conditions holds."""
    if len(conditions) <= 1:
        return conditions[0] if conditions else FALSE
    return _truth(z3.Z3_mk_or(_REF, len(conditions), _list(conditions)))


def truth_where(condition: Term, yes: Term, no: Term) -> Term:
    """The truth value `yes` where the condition holds, `no` elsewhere."""
    return _truth(z3.Z3_mk_ite(_REF, condition.ast, yes.ast, no.ast))


def plain_truth(term: Term) -> Term | bool:
    """A truth value as simple as Z3 can make it, a `bool` if it is settled."""
    simple = _truth(z3.Z3_simplify(_REF, term.ast))
    settled = z3.Z3_get_bool_value(_REF, simple.ast)
    return simple if settled == z3.Z3_L_UNDEF else bool(settled == z3.Z3_L_TRUE)


def names_in(term: Term) -> frozenset[str]:
    """The names of all unknowns of a term."""
    found, seen, waiting = set(), {term.get_id()}, [term]
    while waiting:
        each = waiting.pop()
        parts = each.children()
        if not parts and each.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.add(each.decl().name())
        fresh = [part for part in parts if part.get_id() not in seen]
        seen.update(part.get_id() for part in fresh)
        waiting += fresh
    return frozenset(found)


# Models and solvers


def holds_in(model: Any, condition: Term) -> bool:
    """Whether the condition holds in a model, with some value for what the model leaves open."""
    value = (z3.Ast * 1)()
    known = z3.Z3_model_eval(_REF, model.model, condition.ast, True, value)
    return bool(known) and bool(z3.Z3_get_bool_value(_REF, value[0]) == z3.Z3_L_TRUE)


def tell(solver: Any, condition: Term) -> None:
    """Let the solver know that a condition holds."""
    z3.Z3_solver_assert(_REF, solver.solver, condition.ast)


def asked(solver: Any, condition: Term) -> Any:
    """What the solver says of a condition together with all that it was told."""
    answer = z3.Z3_solver_check_assumptions(_REF, solver.solver, 1, _list((condition,)))
    return z3.CheckSatResult(answer)
