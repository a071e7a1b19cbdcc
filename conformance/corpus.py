"""The cases of scenario files. Making them means running every scenario, so they are kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path, PurePath

import msgspec

import conformance
import rules_engine
import scenarios
from conformance.cases import Case, cases_of
from rules_engine.kernel.records import Record
from scenarios.vectors.export import exported
from verifier.kept import user_folder

Progress = Callable[[int], None]

MOST_KEPT = 4
"""Of so many sets of files the cases are kept: those of Truthsayer, and some of one's own."""


class Corpus(Record):
    """Cases, and why a scenario has none."""

    cases: tuple[Case, ...]
    left_out: dict[str, str]


def corpus(
    files: Sequence[tuple[str, str]],
    progress: Progress = lambda _: None,
    *,
    rules: Collection[str] = (),
    ids: Collection[str] = (),
) -> Corpus:
    """The cases of scenario files, given by name and text.

    Whoever wants only cases with certain rules or ids need not wait for all: others may be missing.
    """
    kept = user_folder("cases") / f"{_digest(files)}.json"
    try:
        return msgspec.json.decode(kept.read_bytes(), type=Corpus)
    except (OSError, ValueError, RecursionError):  # nothing is kept, or it is damaged
        wanted = [each for each in files if _may_have(each, rules, ids)]
        found = _made(wanted, progress)
    if len(wanted) == len(files):
        _keep(kept, found)
    return found


def _may_have(file: tuple[str, str], rules: Collection[str], ids: Collection[str]) -> bool:
    """Whether a file may have cases with these rules and ids; without any, it may."""
    name, text = file
    return (not rules or any(rule in text for rule in rules)) and (
        not ids or any(_is_of(each, name, text) for each in ids)
    )


def _is_of(id: str, name: str, text: str) -> bool:
    """Whether a case may be of this file: its id begins with the file's name, or is in the text."""
    return id.partition(".")[0] == PurePath(name).stem or id.partition("#")[0] in text


def _made(files: Sequence[tuple[str, str]], progress: Progress) -> Corpus:
    cases: list[Case] = []
    left_out: dict[str, str] = {}
    for number, each in enumerate(exported(files), 1):
        progress(number)
        if each.left_out:
            left_out[each.result.id] = each.left_out
        for found in cases_of(each.vectors):
            if isinstance(found, Case):
                cases.append(found)
            else:
                left_out[found[0]] = found[1]
    return Corpus(tuple(cases), left_out)


def _keep(file: Path, found: Corpus) -> None:
    """Keep the cases, whole or not at all; a folder that cannot be written keeps nothing."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for old in sorted(file.parent.iterdir(), key=_age)[MOST_KEPT - 1 :]:
            old.unlink(missing_ok=True)
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(msgspec.json.encode(found))
        new.replace(file)
    except OSError:
        return


def _age(file: Path) -> float:
    return -file.stat().st_mtime


def _digest(files: Sequence[tuple[str, str]]) -> str:
    """What cases depend on: the scenarios, and the packages that play them."""
    digest = hashlib.sha256(repr(sorted(files)).encode())
    for package in (rules_engine, scenarios, conformance):
        folder = Path(str(package.__file__)).parent
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".toml", ".lark", ".json"):
                digest.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return digest.hexdigest()[:32]
