"""The scenarios that come with Truthsayer and may be among some that are named."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from scenarios import finding
from scenarios.imperium.names import lower_snake


def library_files(names: Collection[str] | None = None) -> list[tuple[str, str]]:
    """The files of the library with their texts; with names, those that may hold such scenarios."""
    files = finding.library_files()
    if names is None:
        return files
    stems = {name.split(".")[0] for name in names}
    return [
        (file, text)
        for file, text in files
        # A scenario may say an id of its own.
        if lower_snake(Path(file).stem) in stems or any(f"id {name}\n" in text for name in names)
    ]
