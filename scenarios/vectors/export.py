"""Whole files of scenarios as vectors, and the text of an export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from typing import NamedTuple

from scenarios.check import check_files, read
from scenarios.for_any import values_of_paths
from scenarios.language.syntax import Scenario
from scenarios.outcome import ASKS_ONLY, asks_only, cited
from scenarios.results import ScenarioResult
from scenarios.vectors.inputs import Json
from scenarios.vectors.record import played

FORMAT = "truthsayer-vectors"
VERSION = 2
"""Changes when a field changes its meaning or goes away; a new one that a client may ignore does
not change it."""

DOES_NOT_HOLD = "it does not hold"
PLAYS_A_CASE = "it plays a case of a property, which only the verifier knows"
NO_TABLE_HAS_IT = "no units make the strengths that it is about"

MOST_INSTANCES = 32
"""A scenario about all values can go in many ways: those with the smallest values are written."""


class Exported(NamedTuple):
    """A scenario with its vectors, or the reason why it has none."""

    result: ScenarioResult
    vectors: list[Json]
    left_out: str


def exported(files: Sequence[tuple[str, str]]) -> Iterator[Exported]:
    """Every scenario of files, given by name and text, as far as it holds and expects something."""
    texts = dict(files)
    known: dict[str, dict[int, Scenario]] = {}
    for result in check_files(files):
        if not result.good:
            yield Exported(result, [], DOES_NOT_HOLD)
            continue
        if result.file not in known:
            scenarios, _ = read(result.file, texts[result.file])
            known = {result.file: {each.place.line: each for each in scenarios}}
        yield _written(result, known[result.file][result.line])


def _written(result: ScenarioResult, scenario: Scenario) -> Exported:
    reason = _left_out(scenario)
    if reason:
        return Exported(result, [], reason)
    vectors = list(_vectors(scenario))
    return Exported(result, vectors, "" if vectors else NO_TABLE_HAS_IT)


def _left_out(scenario: Scenario) -> str:
    if asks_only(scenario):
        return ASKS_ONLY
    return PLAYS_A_CASE if any(line.words.data == "case" for line in scenario.steps) else ""


def _vectors(scenario: Scenario) -> Iterator[Json]:
    """One vector; of a table one for each row, of `for any` one for each way it can go."""
    if scenario.variables:
        ways = values_of_paths(scenario)
        for number, values in enumerate(ways[:MOST_INSTANCES], 1):
            instance = {"instance_of": _quantified(scenario, len(ways)), "values": values}
            yield {**_about(scenario, f"#{number}"), **instance, **played(scenario, values)}
    elif scenario.table is not None:
        for number, case in enumerate(scenario.cases, 1):
            about = {**_about(scenario, f"#{number}"), "row": number}
            yield {**about, **played(case, {})}
    else:
        yield {**_about(scenario, ""), **played(scenario, {})}


def _about(scenario: Scenario, number: str) -> Json:
    return {
        "id": f"{scenario.id}{number}",
        "title": scenario.title,
        "file": scenario.place.file,
        "line": scenario.place.line,
        "rules": list(cited(scenario)),
        "tags": list(scenario.tags),
        "source": scenario.source,
    }


def _quantified(scenario: Scenario, ways: int) -> Json:
    """What a scenario about all values says of them, and in how many ways it can go."""
    return {
        "ways": ways,
        "variables": [
            {"name": name, "low": low, "high": high} for name, low, high in scenario.variables
        ],
        "where": [line.written.text.removeprefix("where ") for line in scenario.where],
    }


# The text


def schema_text() -> str:
    """The JSON Schema of an export."""
    return resources.files("scenarios.vectors").joinpath("schema.json").read_text("utf-8")


def export_text(found: Iterable[Exported], engine: str) -> str:
    """The export of scenarios as JSON, the same every time, with a line for each vector."""
    every = list(found)
    vectors = [vector_text(vector) for each in every for vector in each.vectors]
    left_out = [
        _text({"id": each.result.id, "reason": each.left_out}) for each in every if each.left_out
    ]
    return (
        f'{{"engine":{_text(engine)},"format":{_text(FORMAT)},"left_out":{_list(left_out)},\n'
        f'"vectors":{_list(vectors)},"version":{VERSION}}}\n'
    )


def vector_text(vector: Json) -> str:
    """A vector as it stands in an export."""
    return _text(vector)


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _list(lines: list[str]) -> str:
    return "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"
