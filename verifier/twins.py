"""Must-fail twins: a property is run against a copy of the engine with one rule changed.

The copy lives in a temporary folder and is imported by a process of its own, so that no function
of the engine in use is ever touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import cache_from_source
from pathlib import Path

import msgspec

import rules_engine
import verifier
from rules_engine.imperium.actions import AnyInput
from rules_engine.imperium.state import State
from rules_engine.kernel.case import Case
from rules_engine.kernel.errors import TruthsayerError
from verifier.explorer import Budget
from verifier.registry import Property, Twin
from verifier.verdicts import Verdict

ENGINE = Path(rules_engine.__file__).parent
VERIFIER = Path(verifier.__file__).parent


class BadTwin(TruthsayerError):
    """A change that cannot be made of the engine as it is, or that nothing can be run with."""

    def __init__(self, twin: Twin, why: str) -> None:
        super().__init__(
            "TS0507",
            f"the change of a twin says nothing: {why}",
            help=f"mend it where the property names it: {twin}",
        )


def run_twin(prop: Property, twin: Twin, budget: Budget) -> Verdict:
    """What the property says about the engine with this change."""
    with tempfile.TemporaryDirectory() as folder:
        change_engine(Path(folder), twin)
        asked = msgspec.json.encode((prop.name, budget))
        path = os.pathsep.join([folder, str(VERIFIER.parent), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, "-m", "verifier.twin_process"],
            input=asked,
            capture_output=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )
    if done.returncode != 0 or not done.stdout:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise BadTwin(twin, f"the engine does not run with it: {last or 'it exits'}")
    return _with_real_case(msgspec.json.decode(done.stdout, type=Verdict))


def change_engine(folder: Path, twin: Twin) -> None:
    """Copy the engine into a folder and make the twin's edit there.

    What is compiled is copied, too, but for the edited file: an edit of the same length within the
    second in which the file was written would not be seen.
    """
    edited = changed_text(twin)
    shutil.copytree(ENGINE, folder / ENGINE.name)
    file = folder / twin.file
    Path(cache_from_source(str(file))).unlink(missing_ok=True)
    file.write_text(edited, encoding="utf-8")


def changed_text(twin: Twin) -> str:
    """The twin's file with its edit."""
    file = ENGINE.parent / twin.file
    if not file.is_file():
        raise BadTwin(twin, f"there is no {twin.file}")
    source = file.read_text(encoding="utf-8")
    if source.count(twin.old) != 1:
        raise BadTwin(twin, f"{twin.file} says it in {source.count(twin.old)} places, not in one")
    return source.replace(twin.old, twin.new)


def _with_real_case(found: Verdict) -> Verdict:
    """The verdict with its position and inputs as records again."""
    case = found.case
    if case is None:
        return found
    real: Case = Case(
        case.game,
        case.title,
        msgspec.convert(case.position, State | None),
        tuple(msgspec.convert(given, AnyInput) for given in case.inputs),
        case.claim,
        case.rules,
    )
    return msgspec.structs.replace(found, case=real)
