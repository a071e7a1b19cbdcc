"""Reads the settings: what a flag says counts before the environment, and that before a file.

Every mistake is found at once, each with where it was made.
"""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin
from urllib.parse import urlsplit

import msgspec

from rules_engine.kernel.errors import Place, TruthsayerError
from server.addresses import masked, read_address
from server.encryption import read_tls
from server.settings import Settings, store_address

PREFIX = "TRUTHSAYER_"
CONFIG_VARIABLE = "TRUTHSAYER_CONFIG"
"""Names the file if no flag does."""

OTHER_VARIABLES = frozenset(
    {"CACHE_DIR", "CLIENT_CERTIFICATE", "CLIENT_KEY", "CONFIG", "DEBUG", "SERVER", "TLS", "TLS_CA",
     "TOKEN"}
)  # fmt: skip
"""Variables of ours that are no settings of a server."""

POSTGRES = ("postgresql://", "postgres://")
"""How the address of a store begins that is no file."""

LIKENESS = 0.8
"""How much a variable resembles one of ours for it to be a slip. There are variables that only
begin like ours: a cluster makes some from the name of the service, for instance."""


class Leaf(NamedTuple):
    """One setting: its type and its default."""

    type: Any
    default: Any


class Origin(NamedTuple):
    """Where a value was set: in words, and the place if that is a file."""

    words: str
    place: Place | None = None


DEFAULT = Origin("default")


class Configured(NamedTuple):
    """Settings, where each was set (by its name, such as `limits.sessions`), and what to mind."""

    settings: Settings
    origins: Mapping[str, Origin]
    warnings: tuple[str, ...]


class Misconfigured(Exception):
    """Settings with mistakes."""

    def __init__(self, mistakes: list[TruthsayerError]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


def _leaves(of: type[msgspec.Struct], prefix: str = "") -> Iterator[tuple[str, Leaf]]:
    for field in msgspec.structs.fields(of):
        name = prefix + field.name
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from _leaves(field.type, f"{name}.")
        else:
            yield name, Leaf(field.type, field.default)


LEAVES: dict[str, Leaf] = dict(_leaves(Settings))
"""Every setting by its name, such as `listen` and `limits.sessions`."""

SECTIONS = frozenset(name.split(".")[0] for name in LEAVES if "." in name)


def variable(name: str) -> str:
    """The variable of the environment for a setting."""
    return PREFIX + name.replace(".", "_").upper()


def flag(name: str) -> str:
    """The flag of `truthsayer serve` for a setting, where it has one."""
    return "--" + name.replace(".", "-").replace("_", "-")


def configure(
    file: str | None, environment: Mapping[str, str], flags: Mapping[str, object]
) -> Configured:
    """The settings; `flags` has those that were given, by the names of their settings."""
    reading = _Reading()
    file = file or environment.get(CONFIG_VARIABLE)
    if file:
        reading.file(file)
    reading.environment(environment)
    for name, value in flags.items():
        reading.take(name, value, Origin(flag(name)), strict=True)
    settings = _settings(reading.values)
    reading.mistakes += _mistakes_together(settings, reading.origins)
    if reading.mistakes:
        raise Misconfigured(reading.mistakes)
    return Configured(settings, reading.origins, tuple(_warnings(settings)))


class _Reading:
    """What was read so far."""

    def __init__(self) -> None:
        self.values = {name: leaf.default for name, leaf in LEAVES.items()}
        self.origins = dict.fromkeys(LEAVES, DEFAULT)
        self.mistakes: list[TruthsayerError] = []

    def file(self, name: str) -> None:
        """Take what a file says."""
        try:
            text = Path(name).read_text("utf-8")
            found = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            self.mistakes.append(_unreadable(name, error))
            return
        lines = _lines(text)
        for key, value in _flat(found):
            place = _place(name, key, lines)
            if key in LEAVES:
                self.take(key, value, Origin(f"{name}:{place.line}", place), strict=True)
            elif key in SECTIONS:
                self.refuse(key, "it is a section", Origin("", place), f"write [{key}] above")
            else:
                self.mistakes.append(_unknown(key, [*LEAVES, *SECTIONS], place))

    def environment(self, variables: Mapping[str, str]) -> None:
        """Take what the environment says; a slip in a name is a mistake."""
        known = {variable(name): name for name in LEAVES}
        for each, value in sorted(variables.items()):
            if each in known:
                self.take(known[each], value, Origin(each), strict=False)
            elif each.startswith(PREFIX) and each.removeprefix(PREFIX) not in OTHER_VARIABLES:
                rest = each.removeprefix(PREFIX)
                names = [name.removeprefix(PREFIX) for name in known]
                if difflib.get_close_matches(rest, names, n=1, cutoff=LIKENESS):
                    self.mistakes.append(_unknown(each, known))

    def take(self, name: str, value: object, origin: Origin, strict: bool) -> None:
        """Take a value; text from the environment may stand for a number."""
        try:
            taken = msgspec.convert(value, LEAVES[name].type, strict=strict)
            if isinstance(taken, float) and not math.isfinite(taken):
                raise msgspec.ValidationError("Expected a finite number")
        except msgspec.ValidationError as error:
            why = f"{str(error)[:1].lower()}{str(error)[1:]}"
            self.refuse(name, why, origin, _remedy(name))
        else:
            self.values[name] = taken
            self.origins[name] = origin

    def refuse(self, name: str, why: str, origin: Origin, help: str) -> None:
        """A value that the setting cannot have."""
        where = "" if origin.place else f" ({origin.words})"
        mistake = TruthsayerError(
            "TS0861", f"`{name}`{where}: {why}", place=origin.place, help=help
        )
        self.mistakes.append(mistake)


def _remedy(name: str) -> str:
    """What a setting can be instead of what it cannot."""
    type, default = LEAVES[name]
    words = get_args(type) if get_origin(type) is Literal else ()
    chosen = f"it is one of {', '.join(map(_toml, words))}; " if words else ""
    return f"{chosen}its default is {_toml(default)}"


def _unreadable(name: str, error: Exception) -> TruthsayerError:
    """A file of settings that is missing, no text or no TOML."""
    at = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
    place = Place(name, int(at[1]), int(at[2])) if at else None
    if isinstance(error, OSError):
        what = str(error.strerror).lower()
    elif isinstance(error, UnicodeDecodeError):
        what = "it is not UTF-8 text"
    else:
        what = str(error).removesuffix(at[0] if at else "").lower()
    return TruthsayerError(
        "TS0862",
        f"the settings in `{name}` cannot be read: {what}",
        place=place,
        help="write them as TOML; `truthsayer serve --check-config` shows all of them",
    )


def _unknown(key: str, known: Iterable[str], place: Place | None = None) -> TruthsayerError:
    known = list(known)
    # A key may be right but for the section it stands in.
    last = {name.rpartition(".")[2]: name for name in known}
    near = difflib.get_close_matches(key, known, n=1) or [
        last[each] for each in difflib.get_close_matches(key.rpartition(".")[2], last, n=1)
    ]
    help = f"did you mean `{near[0]}`?" if near else "the settings are " + ", ".join(known)
    return TruthsayerError("TS0860", f"there is no setting `{key}`", place=place, help=help)


def _flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every key of a file with its value; only sections of ours hold keys of their own."""
    for key, value in table.items():
        name = prefix + key
        if isinstance(value, dict) and (name in SECTIONS or (name not in LEAVES and value)):
            yield from _flat(value, f"{name}.")
        else:
            yield name, value


_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"\s*([\w.\"' -]+?)\s*=")


def _lines(text: str) -> dict[str, Place]:
    """The place of each key and section; the reader of TOML keeps none."""
    found: dict[str, Place] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        named = header or key
        if named is None:
            continue
        name = re.sub(r"[\"' ]", "", named[1])
        if header:
            section = f"{name}."
        else:
            name = section + name
        # The value may be a secret and is not shown.
        found.setdefault(name, Place("", number, named.start(1) + 1, line[: named.end()]))
    return found


def _place(file: str, key: str, lines: Mapping[str, Place]) -> Place:
    """The place of a key, or of what it stands in."""
    while key and key not in lines:
        key = key.rpartition(".")[0]
    found = lines.get(key, Place("", 1))
    return msgspec.structs.replace(found, file=file)


def _settings(values: Mapping[str, object]) -> Settings:
    """The settings of checked values."""
    nested: dict[str, Any] = {}
    for name, value in values.items():
        section, _, last = name.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[last] = value
    return msgspec.convert(nested, Settings)


def _mistakes_together(
    settings: Settings, origins: Mapping[str, Origin]
) -> Iterator[TruthsayerError]:
    """What is wrong with values that are right in themselves."""

    def mistake(error: TruthsayerError, name: str) -> TruthsayerError:
        origin = origins[name]
        where = "" if origin.place else f" ({origin.words})"
        message = error.message + (where if origin is not DEFAULT else "")
        return TruthsayerError(error.code, message, place=origin.place, help=error.help)

    for name, text in (("listen", settings.listen), ("metrics", settings.metrics)):
        try:
            if text or name == "listen":
                read_address(text)
        except TruthsayerError as error:
            yield mistake(error, name)
    if "://" in settings.store and not settings.store.startswith(POSTGRES):
        yield mistake(
            TruthsayerError(
                "TS0861",
                "`store` is no address of PostgreSQL, and no file",
                help="write postgresql://USER:PASSWORD@HOST/DATABASE, or the name of a file",
            ),
            "store",
        )
    if settings.traces and not _is_collector(settings.traces):
        yield mistake(
            TruthsayerError(
                "TS0861",
                "`traces` is no address of a collector",
                help="for example http://127.0.0.1:4317, or https:// for an encrypted one",
            ),
            "traces",
        )
    try:
        read_tls(settings.tls)
    except TruthsayerError as error:
        name = "tls.client_ca" if "client_ca" in error.message else "tls.certificate"
        yield mistake(error, name)
    if _is_open(settings) and settings.tokens and not _is_encrypted(settings):
        yield mistake(
            TruthsayerError(
                "TS0864",
                "tokens would come unencrypted to an address that others reach",
                help="set `tls.certificate` and `tls.key`, or `tls.elsewhere` if something in "
                "front of the server encrypts",
            ),
            "tokens",
        )


def _is_collector(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_open(settings: Settings) -> bool:
    """Whether others than programs on this machine can reach the server."""
    try:
        return not read_address(settings.listen).is_loopback
    except TruthsayerError:
        return False


def _is_encrypted(settings: Settings) -> bool:
    return bool(settings.tls.certificate) or settings.tls.elsewhere


def _warnings(settings: Settings) -> Iterator[str]:
    """What is allowed, but to be minded."""
    if not _is_open(settings):
        return
    if not _is_encrypted(settings):
        yield "nothing is encrypted: set `tls.certificate` and `tls.key`"
    if not settings.tokens and not settings.tls.client_ca:
        yield "whoever reaches this port can use it: set `tokens = true`, or `tls.client_ca`"


def shown(configured: Configured) -> str:
    """The settings as a file would have them, each with where it was set; passwords are masked."""
    lines: list[str] = []
    section = ""
    for name in sorted(LEAVES, key=lambda each: each.rpartition(".")[0]):
        own, _, last = name.rpartition(".")
        if own != section:
            section = own
            lines += ["", f"[{section}]"]
        value = _value(configured.settings, name)
        lines.append(f"{last} = {_toml(value)}  # {configured.origins[name].words}")
    lines += [f"# careful: {each}" for each in configured.warnings]
    return "\n".join(lines)


def _value(settings: Settings, name: str) -> object:
    """The value of a setting as it can be shown."""
    if name == "store":
        return masked(store_address(settings))
    value: Any = settings
    for part in name.split("."):
        value = getattr(value, part)
    return masked(value) if isinstance(value, str) else value


def _toml(value: object) -> str:
    """A value as TOML writes it: as JSON does, for those that settings have."""
    return json.dumps(value, ensure_ascii=False)
