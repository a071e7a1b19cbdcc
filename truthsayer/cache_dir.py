"""Where results that can always be made anew are kept, by the custom of the system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "truthsayer"


def cache_dir() -> Path:
    """The folder for what Truthsayer keeps of its own accord; it may not be there yet."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if given and Path(given).is_absolute():
        return Path(given) / NAME
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / NAME
    return Path.home() / ".cache" / NAME
