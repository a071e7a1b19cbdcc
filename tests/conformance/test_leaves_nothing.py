"""A run writes what it is asked for, and nothing else where the user stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from verifier.kept import VARIABLE

ROOT = Path(__file__).parents[2]
CASE = "makers.the_report_tells_where_bonus_spice_gathers"
OPTIONS = ("--case", CASE, "--games", "2", "--json", "report.json")
OURS = (sys.executable, "-m", "conformance.adapters.reference")


def test_generated_games_leave_nothing_behind(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "truthsayer", "conform", *OPTIONS, "--", *OURS],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT), VARIABLE: str(tmp_path / "kept")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [each.name for each in here.iterdir()] == ["report.json"]
