"""A document that an editor has open: its lines, and positions in the editor's units."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from lsprotocol import types
from pygls.workspace import PositionCodec

END_OF_LINE = re.compile(r"\r\n|\r|\n")
"""What ends a line, in the protocol and in the scenario language alike."""


class Document:
    """The lines of an open document. Columns count characters from 0, as Python does.

    We keep documents ourselves because the workspace of pygls also ends a line at a form feed and
    the like, where the protocol does not: every later edit would land at the wrong place.
    """

    def __init__(self, uri: str, text: str, version: int | None, codec: PositionCodec) -> None:
        self.uri = uri
        self.version = version
        self.lines = END_OF_LINE.split(text)
        self._codec = codec

    @property
    def text(self) -> str:
        """The whole document."""
        return "\n".join(self.lines)

    @property
    def name(self) -> str:
        """The name of the file."""
        return PurePosixPath(unquote(urlsplit(self.uri).path)).name or "untitled.scenario"

    def change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Take over one change."""
        if not isinstance(change, types.TextDocumentContentChangePartial):
            self.lines = END_OF_LINE.split(change.text)
            return
        first, start = self.place(change.range.start)
        last, end = self.place(change.range.end)
        new = self.lines[first][:start] + change.text + self.lines[last][end:]
        self.lines[first : last + 1] = END_OF_LINE.split(new)

    def place(self, position: types.Position) -> tuple[int, int]:
        """The line and the column of a position; one beyond the end is at the end."""
        if position.line >= len(self.lines):
            return len(self.lines) - 1, len(self.lines[-1])
        line, units = self.lines[position.line], 0
        if line.isascii():
            return position.line, min(position.character, len(line))
        for column, letter in enumerate(line):
            if units >= position.character:
                return position.line, column
            units += self._codec.client_num_units(letter)
        return position.line, len(line)

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and a column."""
        units = self._codec.client_num_units(self.lines[line][:column])
        return types.Position(line, units)

    def span(self, line: int, start: int, end: int) -> types.Range:
        """A part of one line."""
        return types.Range(self.position(line, start), self.position(line, end))

    def whole(self) -> types.Range:
        """All of the document."""
        last = len(self.lines) - 1
        return types.Range(types.Position(0, 0), self.position(last, len(self.lines[last])))
