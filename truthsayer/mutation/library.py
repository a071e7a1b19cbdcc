"""The scenarios that come with Truthsayer, as texts."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import scenarios
from scenarios.imperium.names import lower_snake

LIBRARY = Path(scenarios.__file__).parent / "library"


def library_files(names: Collection[str] | None = None) -> list[tuple[str, str]]:
    """The files of the library with their texts; with names, those that may hold such scenarios."""
    files = sorted(LIBRARY.rglob("*.scenario"))
    texts = [
        (file.relative_to(LIBRARY.parent).as_posix(), file.read_text("utf-8")) for file in files
    ]
    if names is None:
        return texts
    stems = {name.split(".")[0] for name in names}
    return [
        (file, text)
        for file, text in texts
        # A scenario may say an id of its own.
        if lower_snake(Path(file).stem) in stems or any(f"id {name}\n" in text for name in names)
    ]
