"""What a proof rests on: the functions that ran, and all the rest.

A kept proof counts only as long as every part of this is as it was. Rules and properties count
function by function, so a change of one rule leaves the proofs that never ran it alone. What is
around them in a file of properties counts for that file and those that import it. Everything else
(what is around the functions of the rules, the kernel, the effect language, the catalogue, the
verifier itself) counts as a whole.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.metadata
import os
import re
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, MutableSet
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rules_engine
import verifier
from verifier.described import code_in_words, digest, held_by_module
from verifier.first_calls import functions_in, noted
from verifier.import_time import ran_before
from verifier.in_memory import Memory
from verifier.number_lint import NOT_RULES
from verifier.sources import ENGINE, VERIFIER, Sources, imported
from verifier.texts import (
    functions_of,
    is_of_the_text,
    made_of_other_text,
    names_in,
    skeleton,
    text_of,
    with_inner,
)

BY_FUNCTION = (ENGINE / "imperium", VERIFIER / "properties")
"""The folders of rules and properties."""

LIBRARIES = ("z3-solver", "cvc5", "msgspec", "lark")
"""The libraries that a proof runs, the second solver only if it is installed."""

RULES = f"{rules_engine.__name__}."
"""How the keys of rule functions begin."""

Dependencies = dict[str, str]
"""The digest of each function that ran, by its module and name."""

NAMELESS = re.compile("[0-9a-f]{32}")
"""What a function is called in there that has no name."""


# Which functions run


@contextmanager
def traced() -> Iterator[MutableSet[types.CodeType]]:
    """Collect the code of every rule function and property that runs inside the block."""
    memory()
    with noted(_rules_and_properties()) as seen:
        yield seen


@functools.cache
def _rules_and_properties() -> list[types.FunctionType]:
    return functions_in(BY_FUNCTION)


def dependencies(seen: Iterable[types.CodeType], *, proved: bool = True) -> Dependencies:
    """The functions among the rules and properties that ran; if it is proved, their digests."""
    found = {key: code for code in seen if (key := _key(code))}
    return {
        key: _now(key) if proved and is_of_the_text(code) else "" for key, code in found.items()
    }


def by_key() -> dict[str, types.FunctionType]:
    """Every rule function and property by the key that dependencies have for it."""
    return {key: each for each in _rules_and_properties() if (key := _key(each.__code__))}


def _key(code: types.CodeType) -> str:
    """Module and name of a function; nothing for one that is neither a rule nor a property."""
    module = _modules().get(code.co_filename)
    if module is None:
        return ""
    name = code.co_qualname.partition(".<locals>")[0]
    # A lambda of a table has no name, so it is known by what it does.
    return f"{module}:{digest(code_in_words(code)) if name == '<lambda>' else name}"


def rule_functions(kept: Mapping[str, str]) -> tuple[str, ...]:
    """Those of the functions that are rules and have a name, each as `file.function`."""
    keys = (key.partition(":") for key in kept if key.startswith(f"{rules_engine.__name__}."))
    named = (
        f"{module.rpartition('.')[2]}.{name}"
        for module, _, name in keys
        if not NAMELESS.fullmatch(name)
    )
    return tuple(sorted(named))


def still_hold(kept: Mapping[str, str]) -> bool:
    """Whether every function is as it was."""
    return all(digest and _now(key) == digest for key, digest in kept.items())


def _now(key: str) -> str:
    """The digest of a function as it was imported; nothing if there is none any more."""
    module, _, name = key.partition(":")
    return _current(module).get(name, "")


@functools.cache
def _modules() -> dict[str, str]:
    """The modules of rules and properties by their files."""
    return {
        file: name
        for name, module in list(sys.modules.items())
        if (file := getattr(module, "__file__", None)) and Path(file).parent in BY_FUNCTION
    }


@functools.cache
def _current(module: str) -> dict[str, str]:
    """The digest of every function of a module as it was imported."""
    try:
        file = importlib.import_module(module).__file__ or ""
    except ImportError:
        return {}
    found: dict[str, str] = {}
    # What all the rules' modules hold counts for every proof.
    frame = "" if module in _rules() else _around(module)
    for each in functions_of(text_of(file).code):
        what = digest(frame, code_in_words(each))
        if each.co_name == "<lambda>":
            found.update((digest(code_in_words(part)), what) for part in with_inner(each))
        else:
            # Functions of one name (overloads) count together.
            found[each.co_qualname] = digest(found.get(each.co_qualname, ""), what)
    return found


def _around(module: str) -> str:
    """The digest of what is around the functions of a module, and of those that it imports."""
    return digest(*(_frame(each) for each in sorted(_with_imported(module))))


@functools.cache
def _frame(module: str) -> str:
    """The digest of a module without its functions: what its text says, and what it holds."""
    holder = sys.modules[module]
    code = text_of(holder.__file__ or "").code
    # What properties call while they are imported is not told apart from what they name.
    named = () if module in _rules() else sorted(_parts_of(code, {*code.co_names}))
    return digest(module, skeleton(code), held_by_module(holder), *named)


def _parts_of(module: types.CodeType, names: set[str]) -> Iterator[str]:
    """The digests of the functions of a module that have one of some names."""
    for each in functions_of(module):
        if each.co_name in names:
            yield f"{each.co_qualname} {digest(code_in_words(each))}"


def _with_imported(module: str) -> set[str]:
    """A module of properties and those that it imports, directly or not."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += _imported_by(each)
    return found


def _imported_by(module: str) -> list[str]:
    """The other modules of its folder that a module may import; one too many does no harm."""
    package = module.rpartition(".")[0]
    file = sys.modules[module].__file__ or ""
    names = names_in(text_of(file).code)
    if package in names or b"from ." in imported().content.get(Path(file), b""):
        names |= {f"{package}.{name}" for name in names}
    return [each for each in _modules().values() if each in names and each.startswith(package)]


@functools.cache
def _rules() -> tuple[str, ...]:
    """The modules of rules. Whoever plays games imports more, which no proof runs."""
    others = {str(ENGINE / each) for each in NOT_RULES}
    found = (name for file, name in _modules().items() if file not in others)
    return tuple(sorted(name for name in found if name.startswith(RULES)))


# What ran while all was imported


@functools.cache
def _ran_before() -> tuple[str, ...]:
    """The digests of the functions of rules that ran while all was imported, or behind caches.

    What they gave is held in places that no description reaches: attributes of functions, slots,
    what a cache remembers. Those of the rest of the engine count as a whole anyway.
    """
    content = imported().content
    files = {sys.modules[name].__file__ or "": name for name in _rules()}
    found = ran_before({file: ast.parse(content[Path(file)]) for file in files}).functions
    return tuple(
        f"{files[file]} {part}"
        for file in sorted(found)
        for part in sorted(_parts_of(text_of(file).code, {*found[file]}))
    )


# Everything else


def everything_else() -> str:
    """The digest of all that every proof rests on; nothing if it is no longer what was imported.

    A file that was touched since the process began, or a function that somebody replaced, may not
    be what was proved: then nothing is found and nothing is kept.
    """
    return in_memory() if files_are_as_imported() else ""


def in_memory() -> str:
    """The same of what is in memory, whatever the files say by now; whoever keeps it asks them."""
    return whole() if memory().is_as_it_was() and memory().was_of_the_text else ""


def files_are_as_imported() -> bool:
    """Whether the files still say what was imported."""
    return imported().are_as_imported() and not made_of_other_text()


@functools.cache
def memory() -> Memory:
    """What was in memory when all was imported; the verifier has tables that it fills."""
    packages = (rules_engine.__name__, verifier.__name__)
    return Memory(packages, tables_of=rules_engine.__name__)


@functools.cache
def whole() -> str:
    """The digest of the files that count as a whole, of versions, and of what rules look up.

    A rule finds constants, classes, enums, defaults and tables in its own module or in others, by
    whatever way. So all that the modules of rules hold around their functions counts as a whole.
    """
    files = files_digest((ENGINE, VERIFIER), imported())
    ran = (*_ran_before(), *_behind_caches())
    return digest(*versions(), files, *map(_frame, _rules()), *ran)


def files_digest(folders: Iterable[Path], sources: Sources) -> str:
    """The digest of the files below some folders that count as a whole."""
    return digest(
        *(
            f"{path.relative_to(root.parent).as_posix()} {hashlib.blake2b(content).hexdigest()}"
            for root in folders
            for path, content in sources.content.items()
            if path.is_relative_to(root) and not _by_function(path)
        )
    )


def versions() -> Iterator[str]:
    """The versions of Python, with how it was started, and of all libraries."""
    yield f"{sys.implementation.name} {sys.version} optimized {sys.flags.optimize}"
    yield f"hashed by {_seed_of_hashes()}"
    for each in LIBRARIES:
        try:
            yield f"{each} {importlib.metadata.version(each)}"
        except importlib.metadata.PackageNotFoundError:
            yield f"{each} is not installed"


def _seed_of_hashes() -> str:
    """What the order of texts in a set comes from; at random unless somebody says."""
    told = "" if sys.flags.ignore_environment else os.environ.get("PYTHONHASHSEED", "")
    return told or "random"


def _by_function(path: Path) -> bool:
    return path.suffix == ".py" and path.parent in BY_FUNCTION


def _behind_caches() -> list[str]:
    """The functions whose results are remembered, and what they call by name, with digests.

    A remembered result is not worked out again, so a later proof would not see them run.
    """
    waiting: list[Any] = [
        each
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in (rules_engine.__name__, verifier.__name__)
        for each in vars(module).values()
        if hasattr(each, "cache_info")
    ]
    found: dict[str, Any] = {}
    while waiting:
        function = _unwrapped(waiting.pop())
        name = f"{function.__module__}:{function.__qualname__}"
        if name in found:
            continue
        found[name] = function
        names = sorted(names_in(function.__code__))
        named = [function.__globals__[each] for each in names if each in function.__globals__]
        waiting += [each for value in named for each in _functions_of(value, names)]
    ours = {*_modules().values()}
    return [f"{name} {_now(name)}" for name in sorted(found) if name.partition(":")[0] in ours]


def _functions_of(value: Any, names: Iterable[str]) -> list[Any]:
    """The functions that somebody who has a value and these names may call."""
    match value:
        case types.ModuleType():
            parts = [vars(value)[each] for each in names if each in vars(value)]
        case dict() | types.MappingProxyType():
            parts = [*value.values()]
        case tuple() | list():
            parts = [*value]
        case _:
            # A method goes by its name, whosever it is.
            parts = [value, *(getattr(type(value), each, None) for each in names)]
    return [each for each in parts if _is_ours(each)]


def _unwrapped(function: Any) -> Any:
    return getattr(function, "__wrapped__", function)


def _is_ours(value: Any) -> bool:
    function = _unwrapped(value)
    if not isinstance(function, types.FunctionType):
        return False
    package = function.__module__.partition(".")[0]
    return package in (rules_engine.__name__, verifier.__name__)
