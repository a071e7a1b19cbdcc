"""Properties, in files named like the engine's files whose rules they are about."""

from __future__ import annotations

import importlib
import pkgutil

from verifier.explorer import told

BROKEN: dict[str, str] = {}
"""The files that cannot be loaded, and why. One of them does not take the others along."""

for _file in pkgutil.iter_modules(__path__):
    try:
        importlib.import_module(f"{__name__}.{_file.name}")
    except Exception as mistake:
        BROKEN[_file.name] = told(mistake)
