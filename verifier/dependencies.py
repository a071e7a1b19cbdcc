"""What a proof rests on: the functions that ran, and all the rest.

A kept proof counts only as long as every part of this is as it was. Rules and properties count
function by function, so a change of one rule leaves the proofs that never ran it alone. What is
around them in a file of properties counts for that file and those that import it. Everything else
(what is around the functions of the rules, the kernel, the effect language, the catalogue, the
verifier itself) counts as a whole.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.metadata
import re
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import rules_engine
import verifier
from verifier.called_at_import import Index, Ran, imported_from, run_before
from verifier.described import code_in_words, digest, held_by_module
from verifier.first_calls import functions_in, noted
from verifier.in_memory import Memory
from verifier.number_lint import NOT_RULES
from verifier.sources import ENGINE, VERIFIER, Sources, imported
from verifier.texts import functions_of, is_of_the_text, names_in, skeleton, text_of, with_inner

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
def traced() -> Iterator[set[types.CodeType]]:
    """Collect the code of every rule function and property that runs inside the block."""
    memory()
    with noted(_rules_and_properties()) as seen:
        yield seen


@functools.cache
def _rules_and_properties() -> list[types.FunctionType]:
    return functions_in(BY_FUNCTION)


def dependencies(seen: set[types.CodeType], *, proved: bool = True) -> Dependencies:
    """The functions among the rules and properties that ran; if it is proved, their digests."""
    found = {key: code for code in seen if (key := _key(code))}
    return {
        key: _now(key) if proved and is_of_the_text(code) else "" for key, code in found.items()
    }


def run_earlier(seen: set[types.CodeType]) -> set[types.CodeType]:
    """The rules and properties that ran, too, when what a proof runs was imported."""
    files = {code.co_filename for code in seen}
    first = [name for file, name in _modules().items() if file in files and name not in _rules()]
    # The package itself loads properties, and is none.
    modules = set[str]().union(*map(_with_imported, first)) - {f"{verifier.__name__}.properties"}
    return _before_rules().union(*map(_before_properties, modules))


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
    before = () if module in _rules() else _told(_before_properties(module))
    return digest(module, skeleton(_code_of(module)), held_by_module(holder), *before)


def _code_of(module: str) -> types.CodeType:
    return text_of(sys.modules[module].__file__ or "").code


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
def _before_rules() -> set[types.CodeType]:
    """The functions of rules that ran when the rules were imported, or that caches remember."""
    return _by_themselves(_ran_with_rules())


@functools.cache
def _ran_with_rules() -> Ran:
    return run_before(_rules(), [_index_of_rules()])


@functools.cache
def _before_properties(module: str) -> set[types.CodeType]:
    """The functions that ran when a module of properties was imported."""
    known = [_index_of_rules(), *map(_index_of, sorted(_with_imported(module)))]
    return _by_themselves(run_before([module], known, _ran_with_rules())) - _before_rules()


def _by_themselves(found: Ran) -> set[types.CodeType]:
    """Those whose files do not count as a whole."""
    return {code for code in found.functions() if code.co_filename in _modules()}


def _told(found: set[types.CodeType]) -> list[str]:
    named = {f"{_modules()[code.co_filename]}:{digest(code_in_words(code))}" for code in found}
    return sorted(named)


@functools.cache
def _index_of_rules() -> Index:
    """The rules, and what they import of the engine."""
    files = {
        ".".join(path.relative_to(ENGINE.parent).with_suffix("").parts): str(path)
        for path in imported().content
        if path.suffix == ".py" and path.is_relative_to(ENGINE)
    }
    return Index(imported_from(_rules(), files))


@functools.cache
def _index_of(module: str) -> Index:
    return Index({module: _code_of(module)})


# Everything else


def everything_else() -> str:
    """The digest of all that every proof rests on; nothing if it is no longer what was imported.

    A file that was touched since the process began, or a function that somebody replaced, may not
    be what was proved: then nothing is found and nothing is kept.
    """
    if not (files_are_as_imported() and memory().is_as_it_was() and memory().was_of_the_text):
        return ""
    return whole()


def files_are_as_imported() -> bool:
    """Whether the files still say what was imported."""
    return imported().are_as_imported()


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
    ran = (*_told(_before_rules()), *_behind_caches())
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
    """The versions of Python, with what it leaves out of the code, and of all libraries."""
    yield f"{sys.implementation.name} {sys.version} optimized {sys.flags.optimize}"
    for each in LIBRARIES:
        try:
            yield f"{each} {importlib.metadata.version(each)}"
        except importlib.metadata.PackageNotFoundError:
            yield f"{each} is not installed"


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
