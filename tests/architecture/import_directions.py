"""Which of our packages may import which, and a checker that reads it off the source."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ENGINE = frozenset({"rules_engine"})

ALLOWED: dict[str, frozenset[str]] = {
    "rules_engine.kernel": frozenset(),
    "rules_engine.rulebook": frozenset({"rules_engine.kernel"}),
    "rules_engine.search": frozenset({"rules_engine.kernel"}),
    "rules_engine.effects": frozenset({"rules_engine.kernel", "rules_engine.rulebook"}),
    "rules_engine.catalogue": frozenset(
        {"rules_engine.kernel", "rules_engine.rulebook", "rules_engine.effects"}
    ),
    "rules_engine.imperium": frozenset(
        {
            "rules_engine.kernel",
            "rules_engine.rulebook",
            "rules_engine.effects",
            "rules_engine.catalogue",
        }
    ),
    "rules_engine": ENGINE,
    "verifier": ENGINE,
    "scenarios": ENGINE | {"verifier"},
    "conformance": ENGINE | {"scenarios", "truthsayer.v1", "verifier"},
    "server": ENGINE | {"conformance", "scenarios", "truthsayer", "verifier"},
    "truthsayer": frozenset(),
    "truthsayer.__main__": frozenset({"truthsayer.cli"}),
    "truthsayer.text": ENGINE,
    "truthsayer.lsp": ENGINE | {"scenarios", "truthsayer.text"},
    "truthsayer.cli": ENGINE | {"conformance", "scenarios", "server", "truthsayer", "verifier"},
    "truthsayer.mutation": ENGINE | {"scenarios", "truthsayer", "verifier"},
    "truthsayer.reports": ENGINE | {"conformance", "scenarios", "truthsayer", "verifier"},
}
"""For each package of ours, the others it may import; the longest name that fits a module counts.

Everything may import itself, and what is not ours is not our concern here.
"""

OURS = frozenset({name.split(".")[0] for name in ALLOWED} | {"tests"})


class WrongImport(NamedTuple):
    """An import that points the wrong way."""

    file: str
    line: int
    module: str
    imports: str


def wrong_imports(root: Path) -> list[WrongImport]:
    """Report every import below `root` that goes against the directions."""
    found = []
    for package in sorted({name.split(".")[0] for name in ALLOWED}):
        for path in sorted((root / package).rglob("*.py")):
            file = path.relative_to(root)
            names = file.with_suffix("").parts
            module = ".".join(names[:-1] if names[-1] == "__init__" else names)
            # A relative import counts its dots from the package that the file lies in.
            folder = ".".join(names[:-1])
            for line, target in _imports(path, folder):
                if not _may_import(module, target):
                    found.append(WrongImport(file.as_posix(), line, module, target))
    return found


def _may_import(module: str, target: str) -> bool:
    """Tell whether a module may import a target."""
    if target.split(".")[0] not in OURS:
        return True
    owner = _owner(module)
    return _owner(target) == owner or any(_within(target, allowed) for allowed in ALLOWED[owner])


def _owner(module: str) -> str:
    """Find the longest package of the table that a module belongs to."""
    fitting = [name for name in ALLOWED if _within(module, name)]
    return max(fitting, key=len, default=module)


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _imports(path: Path, folder: str) -> Iterator[tuple[int, str]]:
    """Give the modules that a file imports, wherever in it, with their lines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            parts = folder.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                # `from rules_engine import imperium` imports a package just as well.
                yield node.lineno, f"{source}.{alias.name}"
