"""Cases of a property: the position of a counterexample, made of its values, and played."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rules_engine.kernel.errors import TruthsayerError
from scenarios.language.errors import ScenarioError, suggestion
from scenarios.language.syntax import Line, phrases, token, unquoted
from verifier.api import property_named
from verifier.replay import Replay, replay

if TYPE_CHECKING:
    from scenarios.run import Run


class Played(NamedTuple):
    """A case that was played: its property, and the claims that do not hold in it."""

    name: str
    failed: tuple[str, ...]


def play_case(run: Run, line: Line) -> None:
    """Go to the position that the values stand for, and give the engine the case's inputs."""
    if run.inputs or run.state is not run.before:
        raise ScenarioError(
            "TS0117",
            "a case can only be played as the first thing that happens",
            place=line.place,
            help="put it into a scenario of its own",
        )
    shown = _replayed(line)
    names = [each.name for each in shown.position.players]
    if names != run.scenario.players:
        raise ScenarioError(
            "TS0118",
            "the case is played by others",
            place=line.place,
            help=f"write `game {run.scenario.product} with {', '.join(names)}`",
        )
    run.case = Played(str(token(line.words, "WORD")), tuple(shown.failed))
    run.before = shown.position
    run.take(shown.position, ())
    run.settle()
    for given in shown.inputs:
        run.give(line, given)


def _replayed(line: Line) -> Replay:
    """The property run once with the values that the line states."""
    name, case = token(line.words, "WORD"), token(line.words, "STRING")
    try:
        found = property_named(str(name))
    except TruthsayerError as error:
        raise ScenarioError(
            error.code, error.message, place=line.at(name), help=error.help
        ) from None
    known = found.case
    if unquoted(case) not in known:
        raise ScenarioError(
            "TS0118",
            f"the property has no case `{unquoted(case)}`",
            place=line.at(case),
            help=suggestion(unquoted(case), known),
        )
    values = {
        unquoted(token(value, "STRING")): int(token(value, "NUMBER"))
        for value in phrases(line.words, "value")
    }
    shown = replay(lambda: found.run(**known[unquoted(case)]), values)
    if shown.position is None:
        raise ScenarioError(
            "TS0118",
            "these values are outside what the property is about",
            place=line.place,
            help="take the values that `truthsayer prove` printed",
        )
    return shown
