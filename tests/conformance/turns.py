"""The example that resolves turns at once, in this process; also with a fault in its source."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from conformance import messages as say
from conformance.cases import Case
from conformance.corpus import corpus
from conformance.playing import play
from conformance.results import FAIL, UNSUPPORTED
from scenarios.finding import library_files

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "turns"


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake in the engine of the example; `case` is one that shows it."""

    name: str
    rules: tuple[str, ...]
    old: str
    new: str
    case: str

    def planted(self, text: str) -> str:
        """The source of the engine with the mistake."""
        if text.count(self.old) != 1:
            raise ValueError(f"there is not exactly one place for {self.name}")
        return text.replace(self.old, self.new)


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    fault: tuple[Fault, ...]


def faults() -> tuple[Fault, ...]:
    """All of the table."""
    file = Path(__file__).with_name("faults_turns.toml")
    return msgspec.toml.decode(file.read_bytes(), type=_Table).fault


class Turns:
    """A way to the adapter of the example: what goes over it is what a pipe would carry."""

    def __init__(self, fault: Fault | None = None) -> None:
        text = (EXAMPLE / "game.py").read_text("utf-8")
        game = _module("game", text if fault is None else fault.planted(text))
        before = sys.modules.get("game")
        sys.modules["game"] = game
        try:
            adapter = _module("adapter", (EXAMPLE / "adapter.py").read_text("utf-8"))
        finally:
            del sys.modules["game"]
            if before is not None:
                sys.modules["game"] = before
        self._adapter: Any = adapter.Adapter()

    def ask(
        self, calls: Sequence[say.AnyCall], seconds: float | None = None
    ) -> list[say.AnyAnswer]:
        """Its answers; what breaks down says so."""
        del seconds
        return [self._answer(call) for call in calls]

    def _answer(self, call: say.AnyCall) -> say.AnyAnswer:
        said = msgspec.json.decode(msgspec.json.encode(call))
        try:
            found = self._adapter.answer(said)
        except Exception as wrong:
            return say.Failed(f"{type(wrong).__name__}: {wrong}")
        answer: say.AnyAnswer = msgspec.json.decode(msgspec.json.encode(found), type=say.AnyAnswer)
        return answer

    def close(self) -> None:
        """There is nothing to end."""

    @property
    def about(self) -> say.Described:
        """What it says of itself."""
        (said,) = self.ask([say.Describe()])
        assert isinstance(said, say.Described)
        return said


def _module(name: str, text: str) -> ModuleType:
    module = ModuleType(name)
    module.__file__ = str(EXAMPLE / f"{name}.py")
    exec(compile(text, module.__file__, "exec"), module.__dict__)
    return module


def catching(fault: Fault, cases: Iterable[Case]) -> Case | None:
    """The first case that shows a fault: those about its rules are tried first."""
    engine = Turns(fault)
    about = engine.about
    ordered = sorted(cases, key=lambda case: not set(fault.rules) & set(case.rules))
    return next((case for case in ordered if play(case, about, engine).outcome == FAIL), None)


def main() -> int:
    """Print for each fault the first case that shows it, the shortest cases first."""
    whole = Turns()
    cases = sorted(corpus(library_files()).cases, key=lambda c: (len(c.moves), len(c.rules), c.id))
    played = [c for c in cases if play(c, whole.about, whole).outcome != UNSUPPORTED]
    all_caught = True
    for fault in faults():
        found = catching(fault, played)
        all_caught &= found is not None
        print(f"{fault.name}: {'-' if found is None else found.id}", flush=True)
    return 0 if all_caught else 1


if __name__ == "__main__":
    sys.exit(main())
