"""`truthsayer tokens`: who may call a service, and what."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from server.callers import SCOPES, Scope
from truthsayer.cli.lookup import json_option
from truthsayer.cli.show import counted

if TYPE_CHECKING:
    from server.store.tokens import Token, Tokens

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

MOST_DAYS = 3650
LONGEST_NOTE = 200


@click.group()
def tokens() -> None:
    """Say who may call a service: give tokens out, list them, revoke them.

    They are kept in the service's store, hashed. A service asks for them if it is run with
    `tokens = true`; a session has tokens of its own, which come with it.

    \b
    Examples:
      truthsayer tokens add --scope run --scope prove --days 90 --note ci
      truthsayer tokens list
      truthsayer tokens revoke 3f2a9c0d41be

    Exit code: 0, 2 if the store cannot be used or there is no such token.
    """


def store_option(function: FunctionT) -> FunctionT:
    """The option `--store` of a command."""
    option = click.option(
        "--store",
        metavar="ADDRESS",
        envvar="TRUTHSAYER_STORE",
        default="",
        help="The store of the service: a file, or postgresql://...; by default the one that "
        "`truthsayer serve` takes. The variable TRUTHSAYER_STORE can name it, too.",
    )
    return option(function)


@tokens.command()
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(SCOPES),
    multiple=True,
    required=True,
    help="What the token allows; give it once for each.",
)
@click.option(
    "--days",
    type=click.IntRange(1, MOST_DAYS),
    default=90,
    show_default=True,
    help="How long it is valid.",
)
@click.option("--note", default="", help="Whose it is, or what for.")
@click.option("--session", metavar="ID", help="The session to play or observe.")
@click.option("--seat", type=click.IntRange(0), help="The seat to play, counted from 0.")
@store_option
@json_option
def add(
    scopes: tuple[Scope, ...],
    days: int,
    note: str,
    session: str | None,
    seat: int | None,
    store: str,
    as_json: bool,
) -> None:
    """Make a token and print it. It is shown this once: the store has only its digest.

    \b
    run         engine, scenarios, rules, tests of implementations; begin sessions
    prove       list and prove properties
    administer  list, replay and end sessions
    play        one seat of one session: name --session and --seat
    observe     look on at one session: name --session

    \b
    Examples:
      truthsayer tokens add --scope run
      truthsayer tokens add --scope run --scope prove --days 90 --note ci
      truthsayer tokens add --scope observe --session ID --note "the screen in the hall"

    Exit code: 0, 2 if the scopes do not fit or the store cannot be used.
    """
    if len(note) > LONGEST_NOTE:
        raise click.UsageError(f"a note has at most {LONGEST_NOTE} characters")
    with _opened(store) as found:
        text, made = found.add(scopes, days, note, session, seat)
    if as_json:
        click.echo(json.dumps({"token": text, **_shown(made)}, indent=2, ensure_ascii=False))
        return
    click.echo(text)
    click.echo(f"{_line(made)}; it is not shown again", err=True)


@tokens.command("list")
@store_option
@json_option
def list_tokens(store: str, as_json: bool) -> None:
    """List the tokens that were given out, the oldest first. The tokens themselves nobody knows.

    \b
    Examples:
      truthsayer tokens list
      truthsayer tokens list --json

    Exit code: 0, 2 if the store cannot be used.
    """
    with _opened(store) as kept:
        found = kept.all()
    if as_json:
        shown = {"tokens": [_shown(each) for each in found]}
        click.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    for each in found:
        click.echo(_line(each))
    click.echo(counted(len(found), "token"))


@tokens.command()
@click.argument("id")
@store_option
def revoke(id: str, store: str) -> None:
    """End the token of an ID for good. A service that runs refuses it within five seconds.

    \b
    Example:
      truthsayer tokens revoke 3f2a9c0d41be

    Exit code: 0, 2 if there is no such token.
    """
    with _opened(store) as kept:
        kept.revoke(id)
    click.echo(f"revoked {id}")


@contextmanager
def _opened(store: str) -> Iterator[Tokens]:
    """The tokens in a store."""
    from server.settings import Settings, store_address
    from server.store.database import open_database
    from server.store.tokens import Tokens

    database = open_database(store_address(Settings(store=store)))
    try:
        yield Tokens(database)
    finally:
        database.close()


def _line(token: Token) -> str:
    """A token in one line."""
    about = "" if token.session is None else f" of session {token.session}"
    if token.seat is not None:
        about = f" seat {token.seat}{about}"
    note = f" ({token.note})" if token.note else ""
    ends = {
        "valid": f"until {_day(token.expires)}",
        "expired": f"expired {_day(token.expires)}",
        "revoked": f"revoked {_day(token.revoked or 0)}",
    }
    return f"{token.id}: {', '.join(token.scopes)}{about}, {ends[token.state()]}{note}"


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _shown(token: Token) -> dict[str, Any]:
    """A token as JSON has it."""
    return {
        "id": token.id,
        "scopes": token.scopes,
        "session": token.session,
        "seat": token.seat,
        "note": token.note,
        "created": token.created,
        "expires": token.expires,
        "revoked": token.revoked,
        "state": token.state(),
    }
