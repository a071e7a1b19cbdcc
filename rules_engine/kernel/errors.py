"""The errors that people see: a stable code, a place, a remedy and the rule behind it."""

from __future__ import annotations

from rules_engine.kernel.records import Record


class Place(Record):
    """Where in a file something is: lines and columns count from 1."""

    file: str
    line: int
    column: int = 1
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class TruthsayerError(Exception):
    """Something a person can put right: `code` is stable, `help` says how."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        place: Place | None = None,
        help: str = "",
        rules: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.help = help
        self.rules = rules

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        remedy = f"\n  help: {self.help}" if self.help else ""
        return f"{where}{self.code}: {self.message}{remedy}"


class UnknownRead(TruthsayerError):
    """A rule had to look at something that the position leaves unknown."""

    def __init__(self, path: str) -> None:
        super().__init__(
            "TS0401",
            f"this depends on {path}, which is unknown here",
            help=f"state {path} in the position",
        )
        self.path = path
