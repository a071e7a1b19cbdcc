"""Which version of Truthsayer this is."""

from __future__ import annotations

from importlib import metadata


def installed_version() -> str | None:
    """The version that is installed; none in a source tree that is not."""
    try:
        return metadata.version("truthsayer")
    except metadata.PackageNotFoundError:
        return None
