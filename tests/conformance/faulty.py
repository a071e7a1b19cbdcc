"""Our adapter with one rule broken: `python -m tests.conformance.faulty NAME`.

The change is made in the source as it is imported, in this process alone. Chance is taken as an
implementation does that arranges its decks: who draws more than was told draws at random.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

ROOT = Path(__file__).parent.parent.parent
TABLES = ("faults", "faults_held_out")


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An implementation that is ours with one rule broken."""

    name: str
    kind: str
    file: str
    rules: tuple[str, ...]
    old: str
    new: str

    @property
    def source(self) -> str:
        """The source of its file with the change made."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} has not exactly one place for {self.name}")
        return text.replace(self.old, self.new)

    @property
    def module(self) -> str:
        """The module that is changed."""
        return self.file.removesuffix(".py").replace("/", ".")


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fault: tuple[Fault, ...]


def faults(*tables: str) -> dict[str, Fault]:
    """Those of some tables, or of all, by name and in their order."""
    files = [Path(__file__).with_name(f"{table}.toml") for table in tables or TABLES]
    read = [msgspec.toml.decode(file.read_bytes(), type=_Table) for file in files]
    return {fault.name: fault for each in read for fault in each.fault}


class ChangedFile(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, and loads the changed source for it."""

    def __init__(self, fault: Fault) -> None:
        self.module = fault.module
        self.code = compile(fault.source, fault.file, "exec")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module, if it is the changed one."""
        del path, target
        if fullname != self.module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin="a fault")

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(self.code, module.__dict__)


def break_rule(fault: Fault) -> None:
    """Let this process import the changed source; what it has imported already it imports anew."""
    parents = ("conformance", "rules_engine", "scenarios")
    for name in [each for each in sys.modules if each.split(".")[0] in parents]:
        del sys.modules[name]
    sys.meta_path.insert(0, ChangedFile(fault))


def arranged(answers: Iterable[dict[str, Any]]) -> Callable[[Any], Any]:
    """Chance from decks that were arranged as told, each for itself, and shuffled below that."""
    reference = importlib.import_module("conformance.reference")
    inputs = importlib.import_module("scenarios.vectors.inputs")
    kernel = importlib.import_module("rules_engine.kernel.game")
    game = importlib.import_module("rules_engine.imperium.game")
    left = list(answers)
    rest = reference.drawn(random.Random(0))

    def choose(state: Any) -> Any:
        wanted = inputs.chance(state, kernel.Answer(""))
        for told in left:
            if {**told, "outcome": ""} == wanted:
                left.remove(told)
                answer = kernel.Answer(told["outcome"])
                possible = kernel.legal(game.IMPERIUM, state, answer) is None
                return answer if possible else rest(state)
        return rest(state)

    return choose


def serve() -> None:
    """Answer as `conformance.adapters.reference` does; what breaks down says so."""
    say = importlib.import_module("conformance.messages")
    ours: Any = importlib.import_module("conformance.adapters.reference")
    ours.stated = arranged
    adapter = ours.Adapter()

    def answer(call: Any) -> Any:
        try:
            return adapter.answer(call)
        except Exception as error:
            return say.Failed(f"{type(error).__name__}: {error}")

    for line in sys.stdin.buffer:
        asked = msgspec.json.decode(line, type=say.Calls)
        answers = tuple(map(answer, asked.calls))
        sys.stdout.buffer.write(msgspec.json.encode(say.Answers(asked.id, answers)) + b"\n")
        sys.stdout.buffer.flush()


def main(arguments: Sequence[str]) -> int:
    """Break the rule that is named, and serve."""
    known = faults()
    if len(arguments) != 1 or arguments[0] not in known:
        said = f"no fault `{arguments[0]}`" if len(arguments) == 1 else "name one fault"
        print(f"error: {said}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    break_rule(known[arguments[0]])
    serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
