"""The table of ids: everything printed, with its name, and nothing twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rules_engine.catalogue.load import catalogue, products
from rules_engine.catalogue.things import things
from rules_engine.kernel.decks import ANY
from scenarios.vectors.ids import FORMAT, ids_of
from tests.scenarios.ids_said import ids_said
from truthsayer.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "vectors.md"


@pytest.mark.parametrize("product", products())
def test_everything_printed_is_in_the_table_under_its_name(product: str) -> None:
    table = ids_of(product)
    for thing in things(catalogue(product)):
        assert {"id": thing.id, "name": thing.name} in table[thing.kind]
    assert sum(map(len, table.values())) > len(things(catalogue(product)))


@pytest.mark.parametrize("product", products())
def test_within_a_kind_no_id_and_no_name_is_of_two_things(product: str) -> None:
    for kind in ids_of(product).values():
        assert len({each["id"] for each in kind}) == len(kind)
        assert len({each["name"] for each in kind}) == len(kind)


def test_the_command_writes_it_to_the_terminal_or_into_a_file(tmp_path: Path) -> None:
    shown = CliRunner().invoke(main, ["export", "--ids"])
    file = tmp_path / "ids.json"
    written = CliRunner().invoke(main, ["export", "--ids", "--out", str(file)])
    assert (shown.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert file.read_text("utf-8") == shown.stdout
    found = json.loads(shown.stdout)
    assert (found["format"], found["ids"]) == (FORMAT, ids_of(found["product"]))


@pytest.mark.parametrize("words", [["--ids", "--schema"], ["--ids", "a.scenario"]])
def test_it_is_of_no_file_and_no_other_export(words: list[str]) -> None:
    refused = CliRunner().invoke(main, ["export", *words])
    assert refused.exit_code == 2
    assert "--ids" in refused.stderr


def test_the_page_about_the_format_names_every_kind() -> None:
    _, _, told = PAGE.read_text("utf-8").partition("## All ids")
    for product in products():
        assert [kind for kind in ids_of(product) if f"`{kind}`" not in told] == []


def test_an_id_that_is_in_no_table_would_be_found() -> None:
    setup = {"product": "uprising", "cards": [{"id": "own"}]}
    position = {"players": [{"hand": ["own", "no_such_card", ANY]}], "conflict": "no_conflict"}
    assert ids_said({"setup": setup, "position": position}) == {"no_such_card", "no_conflict"}
