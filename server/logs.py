"""The log: one line for each event on standard error, as text or as JSON.

What a line may hold is decided where it is written: names, numbers and ids, never what a call is
about. Of an error it has the kind and the functions it came through, no text and no file: the text
may name a hidden card. Of what other libraries say it has the words alone, without the values that
they put in: those may be addresses, files, or the text of an error. That is so at every level.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import traceback
from typing import Any, TextIO, cast

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from server.settings import LogFormat, LogLevel

MOST_FRAMES = 20

_FIRST: tuple[Processor, ...] = (
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
_AS_TEXT = structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"])


def configure_log(form: LogFormat, level: LogLevel) -> None:
    """Write the log of this process in this way, other libraries' lines among it."""
    least = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [*_FIRST, only_kind_of_error]
    render: Processor = structlog.processors.JSONRenderer() if form == "json" else _AS_TEXT
    structlog.configure(
        processors=[*shared, render],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Errors())),
    )
    handler = logging.StreamHandler(cast("TextIO", _Errors()))
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_only_words, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render],
            use_get_message=False,
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(least)


class _Errors:
    """Standard error. When nobody takes it any more, lines are lost; no call fails by that."""

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()


def _only_words(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """The first line of what a library says, and which library it is."""
    record: logging.LogRecord = line["_record"]
    line["event"] = line["event"].partition("\n")[0]
    line["library"] = record.name
    return line


def only_kind_of_error(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """In place of an error, its kind and the functions it came through."""
    raised = line.pop("exc_info", None)
    if isinstance(raised, tuple):
        raised = raised[1]
    elif raised is True:
        raised = sys.exc_info()[1]
    if isinstance(raised, BaseException):
        line["error"] = type(raised).__name__
        line["through"] = through(raised)
    return line


def through(error: BaseException) -> str:
    """The functions that an error came through, the last first, each with its module and line."""
    frames = [
        f"{frame.f_globals.get('__name__', '?')}.{frame.f_code.co_name}:{number}"
        for frame, number in traceback.walk_tb(error.__traceback__)
    ]
    return " < ".join(reversed(frames[-MOST_FRAMES:]))


def log() -> Any:
    """Where to write lines. Until the log of the process is configured, only errors are written."""
    if structlog.is_configured():
        return structlog.get_logger()
    return structlog.wrap_logger(
        structlog.WriteLogger(cast("TextIO", _Errors())),
        processors=[*_FIRST, only_kind_of_error, _AS_TEXT],
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
    )
