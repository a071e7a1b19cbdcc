"""Findings as GitHub workflow commands, which mark the lines of a change."""

from __future__ import annotations

from collections.abc import Iterable

from truthsayer.reports.findings import Finding


def github_text(found: Iterable[Finding]) -> str:
    """A command for each finding, on a line of its own."""
    return "\n".join(map(_command, found))


def _command(found: Finding) -> str:
    properties = {
        "file": found.path.as_posix(),
        "line": str(found.line),
        "col": str(found.column),
        "title": f"{found.code}: {found.title}" if found.title else found.code,
    }
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::error {told}::{_data(found.message)}"


def _data(text: str) -> str:
    """A text in which nothing ends the command early."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A value in which nothing ends the value early."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
