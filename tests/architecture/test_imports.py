"""Imports point one way, and an import against the direction is reported."""

from pathlib import Path

import pytest

from tests.architecture.import_directions import ALLOWED, wrong_imports

ROOT = Path(__file__).parents[2]

WRONG = [
    ("rules_engine/kernel/a.py", "from rules_engine.effects.tree import Gain"),
    ("rules_engine/kernel/a.py", "from rules_engine import rulebook"),
    ("rules_engine/kernel/a.py", "from ..rulebook import cite"),
    ("rules_engine/kernel/__init__.py", "from ..rulebook import cite"),
    ("rules_engine/kernel/a.py", "import verifier.explore"),
    ("rules_engine/rulebook/a.py", "from rules_engine.effects import tree"),
    ("rules_engine/effects/a.py", "from rules_engine.imperium import units"),
    ("rules_engine/effects/a.py", "from rules_engine.catalogue import cards"),
    ("rules_engine/catalogue/a.py", "from rules_engine.imperium import units"),
    ("rules_engine/imperium/a.py", "import scenarios"),
    ("rules_engine/imperium/deep/a.py", "from server.main import serve"),
    ("rules_engine/a.py", "from truthsayer import client"),
    ("rules_engine/imperium/a.py", "import conformance"),
    ("rules_engine/imperium/a.py", "from tests.architecture import number_generic"),
    ("verifier/a.py", "from scenarios.format import show"),
    ("verifier/a.py", "import truthsayer"),
    ("scenarios/a.py", "import server"),
    ("scenarios/a.py", "from truthsayer.v1 import engine_pb2"),
    ("scenarios/a.py", "from conformance import cases"),
    ("conformance/a.py", "from server import run"),
    ("conformance/a.py", "from truthsayer.cli import main"),
    ("truthsayer/client.py", "from rules_engine.kernel import game"),
    ("truthsayer/client.py", "from server import main"),
    ("truthsayer/client.py", "from truthsayer.cli import main"),
    ("truthsayer/lsp/a.py", "from truthsayer.cli import main"),
    ("truthsayer/text/a.py", "from scenarios.check import read"),
]

RIGHT = [
    ("rules_engine/kernel/a.py", "from rules_engine.kernel.records import Record"),
    ("rules_engine/kernel/a.py", "from .records import Record"),
    ("rules_engine/kernel/a.py", "import msgspec"),
    ("rules_engine/rulebook/a.py", "from rules_engine.kernel.errors import TruthsayerError"),
    ("rules_engine/imperium/a.py", "from rules_engine.catalogue import cards"),
    ("rules_engine/imperium/a.py", "from rules_engine import effects, kernel"),
    ("verifier/a.py", "from rules_engine.imperium import units"),
    ("scenarios/a.py", "from verifier.explore import explore"),
    ("server/a.py", "from truthsayer.v1 import engine_pb2"),
    ("truthsayer/client.py", "from truthsayer.v1 import engine_pb2"),
    ("truthsayer/cli.py", "import rules_engine, scenarios, server, verifier"),
    ("truthsayer/__main__.py", "from truthsayer.cli import main"),
    ("truthsayer/cli/prove.py", "from truthsayer.client import Client"),
    ("truthsayer/cli/lsp.py", "from truthsayer.lsp.server import serve"),
]


def plant(root: Path, file: str, line: str) -> None:
    """Write one import into a file, under a first line that is none."""
    path = root / file
    path.parent.mkdir(parents=True)
    path.write_text(f'"""Planted."""\n{line}\n', encoding="utf-8")


@pytest.mark.parametrize(("file", "line"), WRONG)
def test_a_planted_wrong_import_is_reported(file: str, line: str, tmp_path: Path) -> None:
    plant(tmp_path, file, line)
    assert [(found.file, found.line) for found in wrong_imports(tmp_path)] == [(file, 2)]


@pytest.mark.parametrize(("file", "line"), RIGHT)
def test_a_right_import_is_not_reported(file: str, line: str, tmp_path: Path) -> None:
    plant(tmp_path, file, line)
    assert wrong_imports(tmp_path) == []


def test_an_import_inside_a_function_is_reported(tmp_path: Path) -> None:
    plant(tmp_path, "verifier/a.py", "def late() -> None:\n    import scenarios")
    assert [found.imports for found in wrong_imports(tmp_path)] == ["scenarios"]


def test_our_imports_point_one_way() -> None:
    assert wrong_imports(ROOT) == []


def test_the_directions_name_every_package_of_the_engine() -> None:
    folders = {path.parent.name for path in (ROOT / "rules_engine").glob("*/__init__.py")}
    assert {f"rules_engine.{name}" for name in folders} <= set(ALLOWED)
