"""Which mutants are wanted: of files, of functions, of what changed since a commit."""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from rules_engine.kernel.errors import TruthsayerError
from truthsayer.mutation.change import KINDS
from truthsayer.mutation.mutants import RULES, TOP, Mutant, all_mutants, rule_files

HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")
"""Where a hunk of a diff without context is in the new file."""


def wanted_mutants(
    targets: Sequence[str], since: str | None, kinds: Sequence[str] = ()
) -> list[Mutant]:
    """The mutants of the targets, or of everything, that lie in units changed since a commit.

    If kinds are named, only mistakes of these.
    """
    _check_kinds(kinds)
    files = {_file_of(target) for target in targets} or set(rule_files())
    changed = None if since is None else changed_lines(since)
    if changed is not None:
        files = {file for file in files if file.as_posix() in changed}
    found = list(all_mutants(sorted(files)))
    if targets:
        found = [mutant for mutant in found if any(_is_of(mutant, each) for each in targets)]
        _check_functions(targets, found)
    if changed is not None:
        found = [each for each in found if changed[each.file] & {*each.unit_lines}]
    return [each for each in found if each.kind in kinds] if kinds else found


def _check_kinds(kinds: Iterable[str]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            near = difflib.get_close_matches(kind, KINDS, n=1)
            help_ = f"did you mean `{near[0]}`?" if near else f"there are: {', '.join(KINDS)}"
            raise TruthsayerError("TS0730", f"no kind of mistake `{kind}`", help=help_)


def _file_of(target: str) -> Path:
    """The file that a target names: `combat`, `combat.py`, its path, or `combat.reward_of`."""
    stem = Path(target).stem if target.endswith(".py") else target.split(".")[0]
    for file in rule_files():
        if file.stem == stem:
            return file
    near = difflib.get_close_matches(stem, [file.stem for file in rule_files()], n=1)
    raise TruthsayerError(
        "TS0730",
        f"no rule file `{target}`",
        help=f"did you mean `{near[0]}`?" if near else f"they are in `{RULES.as_posix()}`",
    )


def _names_a_file(target: str) -> bool:
    return target.endswith(".py") or "." not in target


def _is_of(mutant: Mutant, target: str) -> bool:
    if _names_a_file(target):
        return Path(mutant.file) == _file_of(target)
    return mutant.function == target


def _check_functions(targets: Iterable[str], found: Sequence[Mutant]) -> None:
    there = {mutant.function for mutant in found}
    for target in targets:
        if not _names_a_file(target) and target not in there:
            known = {each.function for each in all_mutants([_file_of(target)])}
            near = difflib.get_close_matches(target, known, n=1)
            raise TruthsayerError(
                "TS0730",
                f"nothing to change in `{target}`",
                help=f"did you mean `{near[0]}`?" if near else "name it like `combat.reward_of`",
            )


def changed_lines(since: str) -> dict[str, set[int]]:
    """The lines of each rule file that are new or changed since a commit, or beside a gap."""
    folder = RULES.as_posix()
    changed: dict[str, set[int]] = {}
    file = ""
    for line in _git("diff", "-U0", "--no-color", "--no-ext-diff", since, "--", folder):
        if line.startswith("+++ "):
            file = line.removeprefix("+++ ").removeprefix("b/")
        elif hunk := HUNK.match(line):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            changed.setdefault(file, set()).update(range(first, first + max(count, 1)))
    for new in _git("ls-files", "--others", "--exclude-standard", "--", folder):
        changed[new] = {*range(1, (TOP / new).read_bytes().count(b"\n") + 2)}
    return changed


def _git(*arguments: str) -> list[str]:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=TOP, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise _no_history(f"git does not start: {error.strerror}") from error
    if done.returncode != 0:
        raise _no_history((done.stderr.strip() or "git failed").splitlines()[0])
    return done.stdout.splitlines()


def _no_history(why: str) -> TruthsayerError:
    return TruthsayerError(
        "TS0731",
        f"cannot tell what changed: {why}",
        help="run it in a checkout of the source, with a commit that git knows",
    )


def evenly_spread(mutants: Sequence[Mutant], limit: int | None) -> list[Mutant]:
    """At most so many of them, from everywhere, and the same ones each time."""
    if limit is None or len(mutants) <= limit:
        return list(mutants)
    return [mutants[number * len(mutants) // limit] for number in range(limit)]
