"""The parser takes whatever a fuzzer makes of our files, for a bounded number of tries."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TRIES = 1_000


def test_no_changed_file_breaks_the_parser(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.parser", f"-runs={TRIES}", "-seed=1",
         f"-artifact_prefix={tmp_path}/"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    said = re.search(r"^Done (\d+) runs", done.stderr, re.MULTILINE)
    assert said is not None
    assert int(said[1]) >= TRIES
    assert list(tmp_path.iterdir()) == []
