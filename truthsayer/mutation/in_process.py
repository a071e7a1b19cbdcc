"""A mutant in the engine of this process: for a process that ends after it."""

from __future__ import annotations

import functools
import gc
import sys
from types import CodeType, FunctionType

from truthsayer.mutation.mutants import TOP, Mutant, compiled, standing_alone

OURS = ("rules_engine.imperium", "verifier", "scenarios.imperium")
"""Packages whose remembered answers may depend on a rule function."""


@functools.cache
def functions_of(file: str) -> tuple[FunctionType, ...]:
    """The functions of a file that are there now, lambdas too."""
    # What an earlier run in this process froze would not be listed.
    gc.unfreeze()
    path = str(TOP / file)
    return tuple(
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType) and each.__code__.co_filename == path
    )


def lives(mutant: Mutant) -> bool:
    """Whether the unit is a function that can be changed where it is."""
    return bool(mutant.unit.function) and bool(_copies(mutant))


def _copies(mutant: Mutant) -> list[FunctionType]:
    """The functions that were made of a unit: one, or several equal lambdas of one line."""
    unit = mutant.unit
    true = compiled(unit, standing_alone(mutant.source, *unit.span), mutant.file)
    (code,) = (
        each
        for each in true.co_consts
        if isinstance(each, CodeType) and each.co_name == unit.function
    )
    return [
        each
        for each in functions_of(mutant.file)
        if each.__code__.co_name == code.co_name
        and each.__code__.co_firstlineno == unit.first_line
        and each.__code__.co_code == code.co_code
    ]


def change_function(mutant: Mutant) -> None:
    """Give the function the code of the mutant: everybody who imported it sees the change."""
    for function in _copies(mutant):
        made: dict[str, FunctionType] = {}
        exec(compiled(mutant.unit, mutant.unit_text, mutant.file), function.__globals__, made)
        (new,) = made.values()
        function.__code__ = new.__code__
        function.__defaults__, function.__kwdefaults__ = new.__defaults__, new.__kwdefaults__


@functools.cache
def _remembering() -> tuple[functools._lru_cache_wrapper[object], ...]:
    return tuple(
        each
        for each in gc.get_objects()
        if isinstance(each, functools._lru_cache_wrapper)
        if (getattr(each, "__module__", None) or "").startswith(OURS)
    )


def forget_answers() -> None:
    """Empty the caches that could hide a change of a rule function."""
    for each in _remembering():
        each.cache_clear()


def ready() -> None:
    """Look everything up that forked processes need: what is frozen can no longer be found."""
    _remembering()
    for module in tuple(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and module.__name__.startswith("rules_engine.imperium."):
            functions_of(str(file)[len(str(TOP)) + 1 :].replace("\\", "/"))
