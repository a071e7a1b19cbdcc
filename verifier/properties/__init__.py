"""Properties, in files named like the engine's files whose rules they are about."""

from __future__ import annotations

import importlib
import pkgutil

from verifier.explorer import told

BROKEN: dict[str, str] = {}
"""The files that cannot be loaded, and why. One of them does not take the others along."""


def load() -> None:
    """Load every file, which registers its properties."""
    for file in pkgutil.iter_modules(__path__):
        try:
            importlib.import_module(f"{__name__}.{file.name}")
        except (Exception, SystemExit) as mistake:
            BROKEN[file.name] = told(mistake)


load()
