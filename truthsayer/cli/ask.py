"""`truthsayer ask`: answer a typed question, or the questions in a scenario file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from rules_engine.kernel.errors import Place, TruthsayerError
from truthsayer.cli.files import STANDARD_INPUT, SUFFIX, read_source
from truthsayer.cli.found import found_json, found_text
from truthsayer.cli.lookup import search_options
from truthsayer.cli.service import Server, server_option, service_at
from truthsayer.cli.show import problem_text
from truthsayer.reports.json_report import problem_json
from truthsayer.v1 import common_pb2, rules_pb2, scenario_pb2


@click.command()
@click.argument("asked", metavar="QUESTION|FILE|-")
@search_options
@click.option("--json", "as_json", is_flag=True, help="Print the answers as JSON.")
@server_option
@click.pass_context
def ask(
    ctx: click.Context,
    asked: str,
    product: str,
    most: int | None,
    as_json: bool,
    server: Server | None,
) -> None:
    """Find what there is about a QUESTION, or answer the `ask` lines of a scenario FILE.

    A question in your own words needs no file. It finds the rules with their sources and the
    rulings that fit it best, what it names of what is printed, and scenarios to look at:

    \b
      truthsayer ask "can I ride a worm into Arrakeen?"
      truthsayer ask "when do I lose an alliance" --most 3
      truthsayer ask "what does a rival deploy" --product hagal

    What is a file, ends in `.scenario` or is `-`, the standard input, is a scenario with questions
    about its own position. The answers come from the engine, with the rules behind each.

    \b
    Put this into worm.scenario:
      scenario "Can Abby ride a worm into Arrakeen?"
      game uprising with John, Abby, Ned
      conflict "Siege of Arrakeen"
      given Abby has maker hooks
        and the shield wall stands
      ask can Abby summon a sandworm

    Then run: truthsayer ask worm.scenario

    \b
    One can ask:
      ask can Abby deploy 3 troops           ask who wins
      ask why cannot Abby deploy 3 troops    ask who wins the conflict
      ask what can Abby do                   ask what changes with ruling plot_window
      ask what happens                       ask what changes if ruling plot_window is after_card
      ask what does Abby gain                ask why did Abby not gain 2 spice

    Each answer begins with yes, no or not yet, followed by the rule that decides. Where an open
    point decides, the answer under its other readings stands below.

    Exit code: 0 if all is answered, 1 if nothing is found, 2 if the file has a mistake or nothing
    is asked.
    """
    if not _is_file(asked):
        ctx.exit(_search(_text(asked), product, most, as_json, server))
    if product or most is not None:
        raise click.UsageError("--product and --most are for a question, not for a file")
    source = read_source(Path(asked))
    with service_at(server) as service:
        answers = service.ask(scenario_pb2.AskRequest(file=source)).answers
    if not answers:
        raise TruthsayerError(
            "TS0705",
            "nothing is asked here",
            place=Place(source.name, 1),
            help="add a line such as `ask what can Abby do`",
        )
    if as_json:
        shown = [_answer_json(answer) for answer in answers]
        click.echo(json.dumps({"answers": shown}, indent=2, ensure_ascii=False))
    else:
        _print(answers)
    ctx.exit(2 if any(answer.HasField("problem") for answer in answers) else 0)


def _is_file(asked: str) -> bool:
    """Whether a scenario is meant, and no question."""
    return asked == str(STANDARD_INPUT) or asked.endswith(SUFFIX) or os.path.exists(asked)


def _text(question: str) -> str:
    """A question as text: an argument may be any bytes, a message may not."""
    return question.encode(errors="replace").decode()


def _search(
    question: str, product: str, most: int | None, as_json: bool, server: Server | None
) -> int:
    """Print what there is about a question; 1 if there is nothing."""
    request = rules_pb2.SearchRequest(question=question, product=product, most=most or 0)
    with service_at(server) as service:
        found = service.search(request)
    if as_json:
        click.echo(json.dumps(found_json(question, found), indent=2, ensure_ascii=False))
    else:
        click.echo(found_text(found) or "nothing found")
    return 0 if found.answers or found.printed or found.scenarios else 1


def _print(answers: Iterable[scenario_pb2.Answer]) -> None:
    """The answers below the scenario that asks; mistakes go where errors go."""
    for text, mistake in _texts(answers):
        click.echo(text, err=mistake)


def answers_text(answers: Iterable[scenario_pb2.Answer]) -> str:
    """Everything that is printed of some answers."""
    return "".join(f"{text}\n" for text, _ in _texts(answers))


def _texts(answers: Iterable[scenario_pb2.Answer]) -> Iterator[tuple[str, bool]]:
    """The lines to print, and whether they tell a mistake."""
    scenario = ""
    for answer in answers:
        if answer.HasField("problem"):
            yield problem_text(answer.problem), True
            continue
        if answer.reply.scenario != scenario:
            scenario = answer.reply.scenario
            yield scenario, False
        yield _reply_text(answer.reply), False


def _answer_json(answer: scenario_pb2.Answer) -> dict[str, Any]:
    if answer.HasField("problem"):
        return {"problem": problem_json(answer.problem)}
    reply = answer.reply
    return {
        "scenario": reply.scenario,
        "file": reply.file,
        "line": reply.line,
        "question": reply.question,
        "answer": reply.answer,
        "verdict": reply.verdict or None,
        "items": list(reply.items),
        "statement": reply.statement,
        "rules": _rules_json(reply.rules),
        "parts": [{"words": each.words, "rules": _rules_json(each.rules)} for each in reply.parts],
        "open_points": [_point_json(each) for each in reply.open_points],
    }


def _rules_json(rules: Iterable[common_pb2.RuleRef]) -> list[dict[str, str]]:
    return [{"id": rule.id, "source": rule.source} for rule in rules]


def _point_json(point: scenario_pb2.OpenPoint) -> dict[str, Any]:
    return {
        "ruling": point.ruling,
        "value": point.value,
        "says": point.says,
        "authority": point.authority,
        "others": [
            {
                "value": each.value,
                "says": each.says,
                "verdict": each.verdict or None,
                "answer": each.answer,
            }
            for each in point.others
        ],
    }


def _reply_text(reply: scenario_pb2.Reply) -> str:
    """The question, the answer, the rule that decides, what else there is to tell, other rules."""
    return "\n".join((f"  {reply.question}", *(f"    {each}" for each in _reply_lines(reply))))


def _reply_lines(reply: scenario_pb2.Reply) -> Iterator[str]:
    yield reply.answer
    shown = {rule.id for rule in reply.rules[:1]}
    if reply.rules:
        first = reply.rules[0]
        yield f"rule {first.id}: {reply.statement} ({first.source})"
    if len(reply.parts) > 1 or any(
        part.words.lower() not in reply.answer.lower() for part in reply.parts
    ):
        for part in reply.parts:
            shown |= {rule.id for rule in part.rules[:1]}
            yield f"- {part.words}" + "".join(f" ({rule.id})" for rule in part.rules[:1])
    for point in reply.open_points:
        yield from _point_lines(point)
    others = [rule.id for rule in reply.rules if rule.id not in shown]
    if others:
        yield f"also: {', '.join(others)}"


def _point_lines(point: scenario_pb2.OpenPoint) -> Iterator[str]:
    """An open point that decides: how it is played here, and the answer under another reading."""
    played = f"we play {point.value}, {point.says} (authority: {point.authority})"
    yield f"open point `{point.ruling}`: {played}"
    for each in point.others:
        yield f"  under {each.value}, {each.says}: {each.answer}"
