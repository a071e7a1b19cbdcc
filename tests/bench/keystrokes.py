"""How long an editor waits for the language server after a keystroke in a file of 500 lines.

A character is typed into a scenario and taken back, at many places. The clock runs, over the
protocol and with the editor's own work, from the change to the mistakes of that very version, and
from a question for completions there to its answer.
"""

from __future__ import annotations

import statistics
import time

from tests.bench.aims import aimed, told
from tests.lsp.editor import Editor, running_editor
from truthsayer.cli.lookup import library_texts

LINES = 500
PLACES = 40
AIM = 50.0
"""Milliseconds, at the median."""


def file_of_scenarios() -> list[str]:
    """The lines of a file that holds scenarios of the library, one after the other."""
    lines: list[str] = []
    for _, text in library_texts("uprising"):
        lines += text.splitlines()
        if len(lines) >= LINES:
            return lines[:LINES]
    raise AssertionError("the library is too small")


def milliseconds_of_typing(editor: Editor, lines: list[str]) -> tuple[list[float], list[float]]:
    """How long each keystroke and each question for completions took."""
    uri = editor.open("\n".join(lines))
    editor.shown(uri)
    places = [number for number, line in enumerate(lines) if line.startswith(("when", "then"))]
    keystrokes, questions = [], []
    for line in places[:: max(1, len(places) // PLACES)]:
        end = len(lines[line])
        for start, stop, typed in ((end, end, "x"), (end, end + 1, "")):
            begun = time.perf_counter()
            editor.type(uri, line, start, stop, typed)
            editor.shown(uri)
            shown = time.perf_counter()
            editor.complete(uri, line, start + len(typed))
            keystrokes.append((shown - begun) * 1000)
            questions.append((time.perf_counter() - shown) * 1000)
    return keystrokes, questions


def main() -> None:
    """Print the median and the worst of both."""
    lines = file_of_scenarios()
    with running_editor() as editor:
        keystrokes, questions = milliseconds_of_typing(editor, lines)
    print(f"{len(keystrokes)} keystrokes in {len(lines)} lines")
    for what, took in (("mistakes after a keystroke", keystrokes), ("completions", questions)):
        median = statistics.median(took)
        aimed(f"{what}, median", f"{median:.1f} ms", f"at most {AIM:.0f} ms", median <= AIM)
        told(f"{what}, worst", f"{max(took):.1f} ms")


if __name__ == "__main__":
    main()
