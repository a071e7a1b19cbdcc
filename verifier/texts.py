"""What the files say that were imported: their code, function by function.

Code in memory can be put in the place of other code before anybody looks. It is compared with what
the text of its file is compiled to.
"""

from __future__ import annotations

import functools
import marshal
import types
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from verifier.described import NEW_LOCALS, code_in_words, described, digest, how_it_runs
from verifier.sources import imported


class Text(NamedTuple):
    """All of a file's code, and the digests of the functions of each name in it."""

    code: types.CodeType
    functions: Mapping[str, frozenset[str]]


def text_of(file: str) -> Text:
    """The text of a file when it was imported; one that was added since has none."""
    return _compiled(file, imported().content.get(Path(file), b""))


@functools.cache
def _compiled(file: str, text: bytes) -> Text:
    """For each text of a file once: a test may give it another one for a while."""
    with warnings.catch_warnings():
        # Who imported the file was told already.
        warnings.simplefilter("ignore", SyntaxWarning)
        # What this file imports from the future is not what that one does.
        code = compile(text, file, "exec", dont_inherit=True)
    found: dict[str, set[str]] = {}
    for outer in functions_of(code):
        for each in with_inner(outer):
            found.setdefault(each.co_qualname, set()).add(digest(code_in_words(each)))
    return Text(code, {name: frozenset(each) for name, each in found.items()})


@functools.cache
def made_of_other_text() -> str:
    """Which compiled file that Python takes is not that of its text, in words; nothing if none.

    Rules then do something else than what their lint and the reader see.
    """
    for each in imported().compiled:
        if marshal.loads(each.code) != _compiled(str(each.text_file), each.text).code:
            file = each.text_file.name
            return f"what runs as {file} is not what {file} says: remove {each.file}"
    return ""


def is_of_the_text(code: types.CodeType) -> bool:
    """Whether a function is one of those of its name that its file has."""
    known = text_of(code.co_filename).functions.get(code.co_qualname, frozenset())
    return digest(code_in_words(code)) in known


def skeleton(code: types.CodeType) -> str:
    """What a module does around its functions: constants, tables, defaults, decorators."""
    consts = [_around(each) for each in code.co_consts]
    return repr((code.co_code, consts, how_it_runs(code)))


def _around(const: object) -> str:
    if not isinstance(const, types.CodeType):
        return described(const)
    return const.co_qualname if const.co_flags & NEW_LOCALS else skeleton(const)


def functions_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """Functions of a module and methods of its classes; what is inside a function is part of it."""
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            if const.co_flags & NEW_LOCALS:
                yield const
            else:
                yield from functions_of(const)


def with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function and all that are defined in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from with_inner(const)


def names_in(code: types.CodeType) -> set[str]:
    """The names that some code uses, with all that is defined in it."""
    return {name for each in with_inner(code) for name in each.co_names}
