"""The files that commands read and write. All of them are the caller's: a server sees texts."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from rules_engine.kernel.errors import Place, TruthsayerError
from truthsayer.cli.group import ROOT
from truthsayer.v1 import common_pb2

SUFFIX = ".scenario"
LIBRARY = ROOT / "scenarios" / "library"
STANDARD_INPUT = Path("-")


def library() -> Path:
    """The scenarios that come with Truthsayer, named from here if they are below."""
    here = Path.cwd()
    return LIBRARY.relative_to(here) if LIBRARY.is_relative_to(here) else LIBRARY


def listed_paths(source: Path) -> tuple[Path, ...]:
    """The paths that a file lists, one on each line or, if it has a NUL byte, each ended by one."""
    name = "standard input" if source == STANDARD_INPUT else f"`{shown_name(source)}`"
    try:
        data = _standard_input() if source == STANDARD_INPUT else source.read_bytes()
    except OSError as error:
        raise TruthsayerError(
            "TS0703", f"cannot read {name}: {error.strerror}", help="see that it can be read"
        ) from error
    paths = data.split(b"\0") if b"\0" in data else data.splitlines()
    found = tuple(Path(os.fsdecode(path)) for path in paths if path)
    if not found:
        raise TruthsayerError("TS0702", f"no path in {name}", help="list a file or a folder")
    return found


def _standard_input() -> bytes:
    """All of the standard input; a process can be started without one."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read()


def scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The files, and those below the folders in the order of their names, each once."""
    found = [each for path in paths for each in _files(path)]
    return list({path.resolve(): path for path in reversed(found)}.values())[::-1]


def _files(path: Path) -> list[Path]:
    try:
        return _found(path)
    except OSError as error:
        raise TruthsayerError(
            "TS0703",
            f"cannot read `{shown_name(path)}`: {error.strerror}",
            help="see that it can be read",
        ) from error


def _found(path: Path) -> list[Path]:
    if not path.exists():
        raise TruthsayerError(
            "TS0702", f"no file or folder `{path}`", help="see that the path is right"
        )
    if not path.is_dir():
        return [path]  # be it a pipe
    found = sorted(each for each in path.rglob(f"*{SUFFIX}") if each.is_file())
    if not found:
        raise TruthsayerError(
            "TS0702", f"no scenario in `{path}`", help=f"scenario files end in `{SUFFIX}`"
        )
    return found


def shown_name(path: Path) -> str:
    """The name of a file as text: a name may be any bytes, a message may not."""
    return os.fsencode(path).decode(errors="replace")


def read_source(path: Path) -> common_pb2.SourceFile:
    """A file with its name, as the service takes it; `-` is the standard input."""
    name = "standard input" if path == STANDARD_INPUT else shown_name(path)
    try:
        data = _standard_input() if path == STANDARD_INPUT else path.read_bytes()
    except OSError as error:
        raise TruthsayerError(
            "TS0703", f"cannot read `{name}`: {error.strerror}", help="see that it can be read"
        ) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(errors="replace")
        raise TruthsayerError(
            "TS0704",
            f"`{name}` is not UTF-8 text",
            place=Place(name, before.count("\n") + 1, len(before) - before.rfind("\n")),
            help="save it as UTF-8",
        ) from error
    return common_pb2.SourceFile(name=name, text=text)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, with the permissions that it had.

    What is there and is no file, a pipe or a device, is written to and stays what it is.
    """
    target = path.resolve()
    try:
        if target.exists() and not target.is_file():
            with open(target, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
        else:
            _write_file(target, text)
    except OSError as error:
        raise TruthsayerError(
            "TS0703", f"cannot write `{path}`: {error.strerror}", help="see that it can be written"
        ) from error


def _write_file(target: Path, text: str) -> None:
    """Put a file that is whole in the place of the one that is there, or of none."""
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The permissions that a new file does not get; they can only be read by setting them."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
