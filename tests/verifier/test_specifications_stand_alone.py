"""A specification knows nothing of the engine, and nothing in it is left without a proof."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import verifier.properties.agreement
import verifier.specifications
from rules_engine.rulebook.index import rules
from verifier.api import properties

FILES = {
    path.stem: path
    for path in sorted(Path(verifier.specifications.__path__[0]).glob("*.py"))
    if path.stem != "__init__"
}
AGREEMENT = Path(verifier.properties.agreement.__file__).read_text(encoding="utf-8")
ALLOWED = {"z3", *sys.stdlib_module_names}


def foreign_imports(source: str) -> Iterator[str]:
    """What a file imports that is neither Z3 nor Python's own."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                yield from (each.name for each in names if each.name.split(".")[0] not in ALLOWED)
            case ast.ImportFrom(module, _, level) if (
                level or str(module).split(".")[0] not in ALLOWED
            ):
                yield "." * level + str(module or "")
            case ast.Name("__import__" | "importlib" | "exec" | "eval") as name:
                yield name.id


def functions(source: str) -> dict[str, set[str]]:
    """Every function of a file, and the names that it uses."""
    return {
        node.name: {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
    }


def without_agreement(name: str, source: str, agreement: str) -> set[str]:
    """The functions of a specification that no agreement asks, itself or through another."""
    own = functions(source)
    asked = {
        node.attr
        for node in ast.walk(ast.parse(agreement))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    }
    reached: set[str] = set()
    waiting = asked & own.keys()
    while waiting:
        reached |= waiting
        waiting = {used for each in waiting for used in own[each] & own.keys()} - reached
    return own.keys() - reached


def test_there_are_at_least_twelve_chapters() -> None:
    assert len(FILES) >= 12


@pytest.mark.parametrize("name", FILES)
def test_it_imports_nothing_but_z3_and_python(name: str) -> None:
    assert list(foreign_imports(FILES[name].read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "line",
    [
        "from rules_engine.imperium import combat",
        "import verifier.numbers",
        "from verifier.specifications import ranking",
        "from . import ranking",
        "import z3, msgspec",
        "combat = __import__('rules_engine')",
        "import importlib\nimportlib.import_module('rules_engine')",
    ],
)
def test_a_foreign_import_is_noticed(line: str) -> None:
    assert list(foreign_imports(f"import z3\n{line}\n"))


@pytest.mark.parametrize("name", FILES)
def test_a_property_says_that_the_engine_agrees(name: str) -> None:
    claims = [each.claim for each in properties() if each.file == "agreement"]
    assert any(f"`{name}`" in claim for claim in claims)


@pytest.mark.parametrize("name", FILES)
def test_none_of_its_functions_is_left_without_agreement(name: str) -> None:
    source = FILES[name].read_text(encoding="utf-8")
    assert functions(source)
    assert without_agreement(name, source, AGREEMENT) == set()


def test_a_function_without_agreement_is_noticed() -> None:
    source = "def asked():\n    return used()\ndef used(): ...\ndef left(): ...\n"
    assert without_agreement("chapter", source, "says(chapter.asked)") == {"left"}


@pytest.mark.parametrize("name", FILES)
def test_it_names_rules_that_there_are(name: str) -> None:
    named = set(re.findall(r"UPR-[A-Z]+-\d+", FILES[name].read_text(encoding="utf-8")))
    assert named
    assert named <= {rule.id for rule in rules()}
