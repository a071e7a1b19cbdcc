"""Settings come from flags, the environment and a file, and every mistake in them is told."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.addresses import masked, read_address
from server.configuring import LEAVES, Configured, Misconfigured, configure, shown, variable
from server.settings import Limits, Settings, Tls
from tests.server.certificates import Authority
from truthsayer.cli import main

NOTHING: Mapping[str, str] = {}
OPEN = "0.0.0.0:50051"


def from_file(folder: Path, text: str, **flags: object) -> Configured:
    file = folder / "own.toml"
    file.write_text(text, "utf-8")
    return configure(str(file), NOTHING, flags)


def mistakes(folder: Path, text: str = "", **flags: object) -> list[str]:
    """What is wrong with a file and flags: code, place and message of each."""
    with pytest.raises(Misconfigured) as raised:
        from_file(folder, text, **{name.replace("__", "."): flags[name] for name in flags})
    return [
        f"{each.code} {each.place.line if each.place else '-'} {each.message} | {each.help}"
        for each in raised.value.mistakes
    ]


def test_without_anything_the_defaults_hold() -> None:
    configured = configure(None, NOTHING, {})
    assert configured.settings == Settings()
    assert {each.words for each in configured.origins.values()} == {"default"}
    assert configured.warnings == ()


def test_a_flag_counts_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("processes = 2\ndrain_seconds = 3\n[limits]\nsessions = 4\n", "utf-8")
    variables = {
        "TRUTHSAYER_CONFIG": str(file),
        "TRUTHSAYER_DRAIN_SECONDS": "5.5",
        "TRUTHSAYER_LIMITS_SESSIONS": "6",
        "TRUTHSAYER_TOKENS": "true",
    }
    configured = configure(None, variables, {"limits.sessions": 7, "log": "json"})
    assert configured.settings == Settings(
        processes=2, drain_seconds=5.5, limits=Limits(sessions=7), tokens=True, log="json"
    )
    words = {name: configured.origins[name].words for name in configured.origins}
    assert words["processes"] == f"{file}:1"
    assert words["drain_seconds"] == "TRUTHSAYER_DRAIN_SECONDS"
    assert words["limits.sessions"] == "--limits-sessions"
    assert words["tokens"] == "TRUTHSAYER_TOKENS"
    assert words["store"] == "default"


def test_a_file_that_a_flag_names_takes_the_place_of_the_one_in_the_environment(
    tmp_path: Path,
) -> None:
    (tmp_path / "one.toml").write_text("processes = 2\n")
    (tmp_path / "other.toml").write_text("drain_seconds = 1\n")
    variables = {"TRUTHSAYER_CONFIG": str(tmp_path / "one.toml")}
    configured = configure(str(tmp_path / "other.toml"), variables, {})
    assert configured.settings == Settings(drain_seconds=1)


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("\nlistn = ''\n", "TS0860 2 there is no setting `listn` | did you mean `listen`?"),
        (
            "[limits]\n\nsession = 1\n",
            "TS0860 3 there is no setting `limits.session` | did you mean `limits.sessions`?",
        ),
        ("[lmits]\n", "TS0860 1 there is no setting `lmits` | did you mean `limits`?"),
        ("sessions = 1\n", "TS0860 1 there is no setting `sessions` | did you mean "),
        ("tls.cert = 'x'\n", "TS0860 1 there is no setting `tls.cert` | did you mean `tls.cert"),
        ("x = 1\n", "TS0860 1 there is no setting `x` | the settings are listen, "),
        ("processes = 0\n", "TS0861 1 `processes`: expected `int` >= 1"),
        ("processes = '2'\n", "TS0861 1 `processes`: expected `int`, got `str`"),
        ("processes = true\n", "TS0861 1 `processes`: expected `int`, got `bool`"),
        ("drain_seconds = nan\n", "TS0861 1 `drain_seconds`: "),
        ("drain_seconds = -0.5\n", "TS0861 1 `drain_seconds`: expected `float` >= 0"),
        (
            "log = 'yaml'\n",
            'TS0861 1 `log`: invalid enum value \'yaml\' | it is one of "text", "json"; its ',
        ),
        (
            "store = 'mysql://me:secret@host/db'\n",
            "TS0861 1 `store` is no address of PostgreSQL, and no file | write postgresql://",
        ),
        ("limits = 3\n", "TS0861 1 `limits`: it is a section"),
        ("limits = {sessions = -1}\n", "TS0861 1 `limits.sessions`: expected `int` >= 1"),
        ("[limits]\nrequests_per_second = inf\n", "TS0861 2 `limits.requests_per_second`: "),
        ("listen = 'here'\n", "TS0706 1 `here` is not HOST:PORT"),
        ("metrics = '127.0.0.1:x'\n", "TS0706 1 `127.0.0.1:x` is not HOST:PORT"),
        ("traces = '127.0.0.1:4317'\n", "TS0861 1 `traces` is no address of a collector"),
        ("[tls]\nkey = 'k'\n", "TS0863 - `tls.certificate` is missing"),
        ("[tls]\ncertificate = 'c'\nkey = 'k'\n", "TS0863 2 certificate or key cannot be read"),
        ("a = \n", "TS0862 1 the settings in "),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_place(
    tmp_path: Path, text: str, mistake: str
) -> None:
    (told,) = mistakes(tmp_path, text)
    assert told.startswith(mistake)


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    told = mistakes(tmp_path, "listn = 1\nprocesses = 0\n[limits]\nsessions = 'x'\n", metrics="y")
    assert [each.split()[0] for each in told] == ["TS0860", "TS0861", "TS0861", "TS0706"]


def test_a_file_that_is_missing_or_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_bytes(b"\xff")
    for name in ("none.toml", "own.toml"):
        with pytest.raises(Misconfigured, match="TS0862"):
            configure(str(tmp_path / name), NOTHING, {})


def test_a_slip_in_a_variable_is_told_and_others_are_let_be() -> None:
    others = {
        "TRUTHSAYER_TOKEN": "secret",
        "TRUTHSAYER_CACHE_DIR": "x",
        # A cluster makes these for a service of this name.
        "TRUTHSAYER_SERVICE_HOST": "10.0.0.1",
        "TRUTHSAYER_PORT": "tcp://10.0.0.1:50051",
        "TRUTHSAYER_PORT_50051_TCP_ADDR": "10.0.0.1",
    }
    assert configure(None, others, {}).settings == Settings()
    with pytest.raises(Misconfigured, match="did you mean `TRUTHSAYER_LIMITS_SESSIONS`"):
        configure(None, {"TRUTHSAYER_LIMIT_SESSIONS": "3"}, {})
    with pytest.raises(Misconfigured, match=r"`processes` \(TRUTHSAYER_PROCESSES\): expected"):
        configure(None, {"TRUTHSAYER_PROCESSES": "many"}, {})


def test_every_setting_has_a_variable_of_its_own() -> None:
    assert len({variable(name) for name in LEAVES}) == len(LEAVES)


# What is safe


def test_tokens_are_not_taken_in_plain_where_others_can_listen(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, "tokens = true\n", listen=OPEN)
    assert told.startswith("TS0864 1 ")
    behind = from_file(tmp_path, "tokens = true\n[tls]\nelsewhere = true\n", listen=OPEN)
    assert behind.warnings == ()
    assert configure(None, NOTHING, {"tokens": True, "listen": "[::1]:1"}).warnings == ()


def test_an_open_port_is_warned_about() -> None:
    encrypted, anybody = configure(None, NOTHING, {"listen": OPEN}).warnings
    assert "nothing is encrypted" in encrypted
    assert "whoever reaches this port" in anybody


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "localhost", "[::1]"])
def test_a_loopback_address_is_known(host: str) -> None:
    assert read_address(f"{host}:1").is_loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "192.0.2.1", "example.org", "127.example.org"])
def test_any_other_address_is_open(host: str) -> None:
    assert not read_address(f"{host}:1").is_loopback


def test_files_for_tls_have_to_fit(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    one, other = authority.pair("one"), authority.pair("other")
    locked = authority.pair("locked", b"password")

    def told(**tls: object) -> str:
        (only,) = mistakes(tmp_path, "", **{f"tls__{name}": str(tls[name]) for name in tls})
        return only

    assert "mismatch" in told(certificate=one.certificate, key=other.key)
    assert "cannot be used" in told(certificate=locked.certificate, key=locked.key)
    assert "`tls.key` is missing" in told(certificate=one.certificate)
    assert "no such file" in told(certificate=one.certificate, key=tmp_path / "none.key")
    wrong = told(certificate=one.certificate, key=one.key, client_ca=one.key)
    assert "`tls.client_ca` cannot be used" in wrong
    assert wrong.startswith("TS0863 - ")
    flags = {"tls.certificate": str(one.certificate), "tls.key": str(one.key), "listen": OPEN}
    good = configure(None, NOTHING, {**flags, "tls.client_ca": str(authority.certificate)})
    assert good.warnings == ()
    assert good.settings.tls == Tls(str(one.certificate), str(one.key), str(authority.certificate))


# What is shown


@pytest.mark.parametrize(
    ("address", "without"),
    [
        ("postgresql://me:secret@host/db", "postgresql://me:***@host/db"),
        ("postgresql://me:se@cr:et@host/db", "postgresql://me:***@host/db"),
        (
            "postgresql://host/db?user=me&password=secret",
            "postgresql://host/db?user=me&password=***",
        ),
        ("postgresql://h/d?sslpassword=secret&x=1", "postgresql://h/d?sslpassword=***&x=1"),
        ("postgresql://me@host/db", "postgresql://me@host/db"),
        ("sessions.sqlite", "sessions.sqlite"),
    ],
)
def test_a_password_is_not_shown(address: str, without: str) -> None:
    assert masked(address) == without


def test_what_is_shown_is_a_file_of_the_same_settings(tmp_path: Path) -> None:
    configured = from_file(tmp_path, "store = 'here.sqlite'\n[limits]\nsessions = 5\n")
    text = shown(configured)
    assert from_file(tmp_path, text).settings == configured.settings
    assert set(_names(tomllib.loads(text))) == set(LEAVES)


def _names(table: dict[str, object], prefix: str = "") -> list[str]:
    return [
        name
        for key, value in table.items()
        for name in (_names(value, f"{key}.") if isinstance(value, dict) else [prefix + key])
    ]


def test_check_config_shows_the_settings_and_where_they_are_from(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("store = 'postgresql://me:secret@host/db'\n")
    arguments = ["serve", "--config", str(file), "--check-config", "--processes", "3"]
    done = CliRunner().invoke(main, arguments, env={"TRUTHSAYER_LIMITS_SESSIONS": "9"})
    assert done.exit_code == 0
    assert "secret" not in done.output
    assert f'store = "postgresql://me:***@host/db"  # {file}:1\n' in done.output
    assert "processes = 3  # --processes\n" in done.output
    assert "sessions = 9  # TRUTHSAYER_LIMITS_SESSIONS\n" in done.output
    assert "drain_seconds = 10.0  # default\n" in done.output


def test_check_config_tells_every_mistake_without_secrets(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("stor = 'postgresql://me:secret@host/db'\nprocesses = 0\n")
    done = CliRunner().invoke(main, ["serve", "--config", str(file), "--check-config"])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "secret" not in done.stderr
    assert f"{file}:1:1: TS0860: there is no setting `stor`\n" in done.stderr
    assert "help: did you mean `store`?\n" in done.stderr
    assert f"{file}:2:1: TS0861: `processes`: expected `int` >= 1\n" in done.stderr
