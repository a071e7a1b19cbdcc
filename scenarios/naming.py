"""What names a rule: functions of the engine, things that are printed, and properties."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import NamedTuple, TypeVar

import rules_engine
from rules_engine.catalogue.load import catalogue
from rules_engine.catalogue.things import Thing, texts_in, things
from verifier.api import properties
from verifier.registry import Property

NamerT = TypeVar("NamerT")

ENGINE = Path(rules_engine.__file__).parent

MOST_RULES = 5
"""A function that names more rules than this is not the function of any of them."""

CHAPTER = r"[A-Z]+-[A-Z0-9]+"
RULE = re.compile(rf"{CHAPTER}-[0-9]{{3}}")
NAMED = re.compile(rf"(?:({CHAPTER})|(?<=\s))-([0-9]{{3}})(?:\s+to\s+(?:{CHAPTER})?-([0-9]{{3}}))?")
"""An id or a range of ids; `-007` is of the chapter named before it."""


def rules_in(text: str) -> tuple[str, ...]:
    """The ids that a text names, each once, and all of a range: `UPR-SPY-001 to UPR-SPY-004`."""
    found: list[str] = []
    chapter = ""
    for named, low, high in NAMED.findall(text):
        chapter = named or chapter
        found += [f"{chapter}-{number:03}" for number in range(int(low), int(high or low) + 1)]
    return tuple(dict.fromkeys(found)) if chapter else ()


# Functions


class RuleFunction(NamedTuple):
    """A function that names rules: in its docstring, or by what it cites in events and refusals."""

    file: str
    line: int
    name: str
    rules: tuple[str, ...]
    cites: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The file, as seen from where the engine's folder lies, and the line."""
        return f"{Path(self.file).relative_to(ENGINE.parent).as_posix()}:{self.line}"


def rule_functions(root: Path = ENGINE) -> list[RuleFunction]:
    """Every function below a folder that names rules."""
    return [
        function
        for file in sorted(root.rglob("*.py"))
        for function in _functions_of(file)
        if function.rules or function.cites
    ]


def _functions_of(file: Path) -> Iterator[RuleFunction]:
    module = ast.parse(file.read_text(encoding="utf-8"))
    citations = _citations(module)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            named = rules_in(ast.get_docstring(node) or "")
            cited = dict.fromkeys(_cited_in(node, citations))
            yield RuleFunction(str(file), _first_line(node), node.name, named, tuple(cited))


def _citations(module: ast.Module) -> dict[str, tuple[str, ...]]:
    """What a module's names stand for, such as `PASS = cite("UPR-COMBAT-005")` and tables of it."""
    known: dict[str, tuple[str, ...]] = {}
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            cited = tuple(dict.fromkeys(_cited_in(node.value, known)))
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and cited:
                    known[target.id] = cited
    return known


def _cited_in(value: ast.AST, known: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Name):
            yield from known.get(node.id, ())
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cite":
            yield from _ids_in(node)


def _ids_in(node: ast.AST) -> tuple[str, ...]:
    """The texts in some source that are rule ids, as `cite` takes them."""
    return tuple(
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
        if RULE.fullmatch(each.value)
    )


def _first_line(function: ast.FunctionDef) -> int:
    """Where Python says that a function begins: at its first decorator."""
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


def overloaded(functions: Iterable[RuleFunction]) -> list[RuleFunction]:
    """The functions whose docstrings name too many rules."""
    return [each for each in functions if len(each.rules) > MOST_RULES]


# Everything that names rules


def named_rules(product: str, functions: Iterable[RuleFunction]) -> frozenset[str]:
    """Every rule that a function, a citation in the engine or the catalogue names."""
    by_functions = {rule for each in functions for rule in each.rules}
    by_data = {text for thing in things(catalogue(product)) for text in texts_in(thing.face)}
    by_citations = {
        rule
        for file in ENGINE.rglob("*.py")
        for rule in _ids_in(ast.parse(file.read_text(encoding="utf-8")))
    }
    return frozenset(by_functions | by_data | by_citations)


class Names(NamedTuple):
    """All that names one rule."""

    functions: tuple[RuleFunction, ...] = ()
    printed: tuple[Thing, ...] = ()
    properties: tuple[Property, ...] = ()


def names_by_rule(product: str, functions: Iterable[RuleFunction]) -> dict[str, Names]:
    """What names each rule: of these functions, of a product's catalogue, of all properties."""
    by_functions = _by_rule((each, (*each.rules, *each.cites)) for each in functions)
    printed = ((each, texts_in(each.face)) for each in things(catalogue(product)))
    by_printed = _by_rule((each, tuple(filter(RULE.fullmatch, texts))) for each, texts in printed)
    by_properties = _by_rule((each, each.rules) for each in properties())
    return {
        rule: Names(
            tuple(by_functions.get(rule, ())),
            tuple(by_printed.get(rule, ())),
            tuple(by_properties.get(rule, ())),
        )
        for rule in by_functions.keys() | by_printed.keys() | by_properties.keys()
    }


def _by_rule(namers: Iterable[tuple[NamerT, Iterable[str]]]) -> dict[str, list[NamerT]]:
    """The other way round: for each rule those that name it, each once."""
    found: dict[str, list[NamerT]] = {}
    for namer, named in namers:
        for rule in dict.fromkeys(named):
            found.setdefault(rule, []).append(namer)
    return found


def property_place(named: Property) -> str:
    """The file of a property and the line where it begins."""
    return f"{property_file(named)}:{property_line(named)}"


def property_file(named: Property) -> str:
    """The file of a property, from the folder that holds the verifier."""
    return f"{named.run.__module__.replace('.', '/')}.py"


def property_line(named: Property) -> int:
    """The line where a property begins, also if what runs is a function around it."""
    run = inspect.unwrap(named.run)
    assert isinstance(run, FunctionType)
    return run.__code__.co_firstlineno
