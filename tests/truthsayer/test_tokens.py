"""`truthsayer tokens`: a token is shown once, listed without its secret, and revoked by its id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from server.settings import Settings, store_address
from server.store.database import open_database
from server.store.tokens import Token, Tokens
from truthsayer.cli import main


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "service.sqlite")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tokens", *arguments], prog_name="truthsayer")


def told(*arguments: str) -> Any:
    """What a command prints as JSON."""
    return json.loads(run(*arguments, "--json").stdout)


def found(store: str, text: str) -> Token | None:
    """The token as a server finds it."""
    database = open_database(store)
    try:
        return Tokens(database).find(text)
    finally:
        database.close()


def test_a_token_that_was_added_is_the_whole_output_and_works(store: str) -> None:
    said = run("add", "--scope", "run", "--scope", "prove", "--note", "ci", "--store", store)
    assert said.exit_code == 0
    (text,) = said.stdout.splitlines()
    token = found(store, text)
    assert token is not None
    assert (token.scopes, token.note) == (("run", "prove"), "ci")
    assert token.expires - token.created == 90 * 86_400
    assert said.stderr.startswith(f"{token.id}: run, prove, until ")


def test_a_list_has_every_token_and_no_secret(store: str) -> None:
    ours = told("add", "--scope", "run", "--store", store)
    seat = told("add", "--scope", "play", "--session", "abc", "--seat", "1", "--store", store)
    run("revoke", ours["id"], "--store", store)
    said = run("list", "--store", store)
    assert said.stdout.endswith("2 tokens\n")
    assert f"{ours['id']}: run, revoked " in said.stdout
    assert f"{seat['id']}: play seat 1 of session abc, until " in said.stdout
    listed = told("list", "--store", store)["tokens"]
    assert {each["id"]: each["state"] for each in listed} == {
        ours["id"]: "revoked",
        seat["id"]: "valid",
    }
    for each in (ours, seat):
        secret = each["token"].rpartition("_")[2]
        assert secret not in said.output + json.dumps(listed)


def test_a_token_that_was_revoked_is_found_no_more(store: str) -> None:
    added = told("add", "--scope", "run", "--days", "1", "--store", store)
    assert found(store, added["token"]) is not None
    assert run("revoke", added["id"], "--store", store).stdout == f"revoked {added['id']}\n"
    assert found(store, added["token"]) is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["add"], "Missing option '--scope'"),
        (["add", "--scope", "fly"], "'fly' is not one of"),
        (["add", "--scope", "run", "--days", "0"], "0 is not in the range"),
        (["add", "--scope", "run", "--note", "n" * 201], "at most 200 characters"),
        (["add", "--scope", "play"], "TS0855: "),
        (["add", "--scope", "run", "--session", "abc"], "TS0855: "),
        (["revoke", "nothing"], "TS0856: no token `nothing`"),
        (["list", "--store", "/dev/null/store.sqlite"], "TS0840: "),
    ],
)
def test_bad_input_is_told_and_ends_with_2(arguments: list[str], says: str, store: str) -> None:
    said = run(*arguments, *([] if "--store" in arguments else ["--store", store]))
    assert said.exit_code == 2
    assert says in said.stderr
    assert "Traceback" not in said.output


def test_the_store_is_the_one_that_a_server_takes(tmp_path: Path) -> None:
    added = told("add", "--scope", "run", "--note", "default")
    assert found(store_address(Settings()), added["token"]) is not None
    other = str(tmp_path / "other.sqlite")
    done = CliRunner(env={"TRUTHSAYER_STORE": other}).invoke(main, ["tokens", "list"])
    assert done.stdout == "0 tokens\n"
    assert Path(other).exists()


@pytest.mark.parametrize("command", ["add", "list", "revoke"])
def test_the_help_of_every_command_teaches(command: str) -> None:
    said = run(command, "--help").stdout
    assert f"truthsayer tokens {command}" in said.split("Options:")[0].split("\n", 1)[1]
    assert "Exit code: 0" in said
