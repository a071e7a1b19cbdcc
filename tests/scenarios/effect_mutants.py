"""Changed catalogues: every printed effect left out once, and each of its numbers one too many.

`python -m tests.scenarios.effect_mutants "Rebel Supplier"` lists the changes that no scenario
notices; without a name it does so for everything printed.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, things
from rules_engine.effects import tree
from rules_engine.kernel.records import Record, change
from scenarios.check import checked, read
from scenarios.language.syntax import Scenario
from scenarios.mentions import names

PRODUCT = "uprising"
LIBRARY = Path(__file__).parents[2] / "scenarios" / "library"


class Mutant(NamedTuple):
    """A face with one change."""

    what: str
    face: Record


def mutants(face: Record) -> Iterator[Mutant]:
    """The face with each effect left out, and with each number of each effect changed."""
    for path, inner in _parts(face, ()):
        if isinstance(inner, tuple) and inner and all(_is_effect(each) for each in inner):
            for at, effect in enumerate(inner):
                less = inner[:at] + inner[at + 1 :]
                yield Mutant(f"{_said(path)}: without {effect}", _replaced(face, path, less))
                for changed in _one_more(effect):
                    other = (*inner[:at], changed, *inner[at + 1 :])
                    yield Mutant(f"{_said(path)}: {changed}", _replaced(face, path, other))
        elif _is_effect(inner) or isinstance(inner, tree.Condition):
            for changed in _one_more(inner):
                yield Mutant(f"{_said(path)}: {changed}", _replaced(face, path, changed))


def _is_effect(value: Any) -> bool:
    return isinstance(value, tree.Effect)


def _said(path: tuple[Any, ...]) -> str:
    return " ".join(str(step) for step in path)


def _parts(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every list of effects, lone effect and condition on a face, with the way to it."""
    yield path, value
    if _is_effect(value) or isinstance(value, tree.Condition):
        return
    if isinstance(value, Record):
        for field in value.__struct_fields__:
            yield from _parts(getattr(value, field), (*path, field))
    elif isinstance(value, tuple) and not all(_is_effect(each) for each in value):
        for at, inner in enumerate(value):
            yield from _parts(inner, (*path, at))


def _replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    if not path:
        return by
    step, *rest = path
    if isinstance(value, tuple):
        return (*value[:step], _replaced(value[step], tuple(rest), by), *value[step + 1 :])
    return change(value, **{step: _replaced(getattr(value, step), tuple(rest), by)})


def _one_more(node: Any) -> Iterator[Any]:
    """The node with one of its numbers raised by one, each in turn."""
    if isinstance(node, tree.Retreat):
        if node.most is not None:
            yield tree.Retreat(node.least + 1, node.most + 1)
        return
    for field in node.__struct_fields__:
        value = getattr(node, field)
        if isinstance(value, bool):
            continue
        if isinstance(value, int):
            yield change(node, **{field: value + 1})
        elif isinstance(value, msgspec.Struct):
            yield from (change(node, **{field: inner}) for inner in _one_more(value))
        elif isinstance(value, tuple):
            for at, inner in enumerate(value):
                if isinstance(inner, msgspec.Struct):
                    for changed in _one_more(inner):
                        yield change(node, **{field: (*value[:at], changed, *value[at + 1 :])})


@functools.cache
def library() -> tuple[Scenario, ...]:
    """Every scenario of the library."""
    return tuple(
        scenario
        for file in sorted(LIBRARY.rglob("*.scenario"))
        for scenario in read(file.name, file.read_text("utf-8"))[0]
    )


def unnoticed(thing: Thing) -> list[str]:
    """The changes of a face that no scenario which names it notices."""
    faces: dict[str, Record] = getattr(catalogue(PRODUCT), thing.kind)
    about = [scenario for scenario in library() if any(names(scenario, n) for n in thing.names)]
    failing = [scenario.title for scenario in about if not checked(scenario).good]
    assert not failing, f"these fail with the face as it is printed: {failing}"
    survived = []
    for mutant in mutants(thing.face):
        faces[thing.id] = mutant.face
        try:
            if all(checked(scenario).good for scenario in about):
                survived.append(mutant.what)
        finally:
            faces[thing.id] = thing.face
    return survived


def main(wanted: list[str]) -> None:
    """List what nobody notices."""
    left = 0
    for thing in things(catalogue(PRODUCT)):
        if wanted and thing.id not in wanted and not set(thing.names) & set(wanted):
            continue
        for what in unnoticed(thing):
            left += 1
            print(f"{thing.kind} {thing.name}: {what}")
    print(f"{left} changes that no scenario notices")


if __name__ == "__main__":
    main(sys.argv[1:])
