"""The page about running the service has every setting and every figure, and no other."""

from __future__ import annotations

import configparser
import json
import re
import shlex
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from rules_engine.effects.parse import DEEPEST_EFFECT, LONGEST_EFFECT
from scenarios.language.read import DEEPEST_LINE
from scenarios.language.statements import MOST_CHARACTERS, MOST_MISTAKES
from server.answers import limits
from server.configuring import LEAVES
from server.settings import Settings
from tests.server.running import figure_names
from truthsayer.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "operations.md").read_text("utf-8")
SERVICE = DOCS / "examples" / "service"
ROW = re.compile(r"^\| `([\w.]+)` \| (?:`([^`]*)` \| )?", re.MULTILINE)
"""A row of a table: a name, and a default where there is one."""


def rows(page: str) -> dict[str, str]:
    """The settings and figures in the tables of a page, with the defaults."""
    return dict(ROW.findall(page))


def settings(page: str) -> dict[str, str]:
    return {name: default for name, default in rows(page).items() if default}


def expected() -> dict[str, str]:
    return {name: json.dumps(leaf.default) for name, leaf in LEAVES.items()}


def test_every_setting_is_there_with_its_default() -> None:
    assert settings(PAGE) == expected()


@pytest.mark.parametrize(
    ("old", "new"),
    [("`10000`", "`10001`"), ("| `tokens` |", "| `token` |"), ("| `traces` |", "| |")],
)
def test_a_planted_fault_is_found(old: str, new: str) -> None:
    assert old in PAGE
    assert settings(PAGE.replace(old, new)) != expected()


def test_the_fixed_limits_are_there() -> None:
    (words,) = re.findall(r"^Some limits are fixed.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    shown = [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", words)]
    assert MOST_CHARACTERS == 1_000_000  # which the page says in words
    assert shown == [
        limits.MOST_FILES,
        DEEPEST_LINE,
        LONGEST_EFFECT,
        DEEPEST_EFFECT,
        MOST_MISTAKES,
        limits.LONGEST_WAIT,
        limits.LONGEST_POSITION,
        limits.LONGEST_INPUT,
        limits.MOST_CASES,
    ]
    assert limits.MOST_INPUTS == limits.MOST_CASES


def test_every_figure_is_there() -> None:
    shown = {name for name in rows(PAGE) if name.startswith("truthsayer_")}
    assert shown == figure_names()


def test_the_alerts_watch_figures_that_there_are() -> None:
    text = (SERVICE / "alerts.yml").read_text("utf-8")
    (group,) = yaml.safe_load(text)["groups"]
    known = figure_names()
    for rule in group["rules"]:
        for name in re.findall(r"truthsayer_\w+", rule["expr"]):
            assert re.sub(r"_bucket$", "", name) in known


def commands() -> list[list[str]]:
    """What the samples start."""
    unit = configparser.ConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(SERVICE / "truthsayer.service")
    (container,) = re.findall(
        r"^CMD (\[.*\])$", (SERVICE / "Containerfile").read_text("utf-8"), re.MULTILINE
    )
    started = [shlex.split(unit["Service"][key]) for key in ("ExecStart", "ExecStartPre")]
    return [*started, json.loads(container)]


def test_the_samples_start_the_service_with_settings_that_there_are(tmp_path: Path) -> None:
    file = tmp_path / "truthsayer.toml"
    file.write_text("")
    found = commands()
    assert len(found) == 3
    for program, *arguments in found:
        assert program.endswith("truthsayer")
        own = [str(file) if each.endswith(".toml") else each for each in arguments]
        done = CliRunner().invoke(main, [*own, "--check-config"])
        assert done.exit_code == 0, done.output


def test_the_variables_of_the_container_are_settings() -> None:
    text = (SERVICE / "Containerfile").read_text("utf-8")
    variables = set(re.findall(r"TRUTHSAYER_(\w+)=", text))
    known = {name.replace(".", "_").upper() for name in LEAVES}
    assert variables <= known
    assert variables


def test_a_unit_waits_longer_than_the_server_drains() -> None:
    text = (SERVICE / "truthsayer.service").read_text("utf-8")
    (seconds,) = re.findall(r"TimeoutStopSec=(\d+)", text)
    assert int(seconds) > Settings().drain_seconds
