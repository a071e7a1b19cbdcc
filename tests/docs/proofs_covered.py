"""What is and is not covered by proofs, as the manual says it: made of what proofs said.

`python -m tests.docs.proofs_covered` says whether docs/proofs.md is up to date, and with `--write`
makes it so. It proves everything, unless it is given the report of `truthsayer prove --json`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from verifier.covered import is_a_game
from verifier.properties.invariants import ALIKE, INVARIANTS

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
BEGIN, END = "<!-- covered: begin -->", "<!-- covered: end -->"
KINDS = ("theorem", "order", "exhaustive check", "order check", "data check")

Told = Sequence[dict[str, Any]]


def section(report: dict[str, Any]) -> str:
    """What the report of a run says about what is covered, as Markdown."""
    return "\n".join(_lines(report))


def _lines(report: dict[str, Any]) -> Iterator[str]:
    every: Told = report["properties"]
    kinds = Counter(each["kind"] for each in every)
    needs = report["obligations"]
    yield f"{len(every)} properties: {report['proved']} proved, {report['checked']} checked."
    yield ""
    yield "| kind | properties |"
    yield "|---|---|"
    yield from (f"| {kind} | {kinds[kind]} |" for kind in KINDS)
    yield ""
    yield f"Of {sum(needs.values())} obligations {needs['solver']} need a solver,"
    yield f"{needs['simplifying']} are settled by simplifying what is claimed of unknown numbers,"
    yield f"and {needs['nothing']} depend on no unknown number."
    yield ""
    yield "The named invariants, each with all of its cases:"
    yield ""
    yield f"| {' | '.join(HEADS)} |"
    yield f"|{'---|' * len(HEADS)}"
    yield from (_row(each) for each in every if each["name"] in NAMED)
    yield ""
    matrix = [each for each in every if each["name"] in INVARIANTS]
    yield f"The matrix ({len(matrix)} invariants in {len(_cases(matrix))} kinds of step):"
    yield ""
    yield from _covered(matrix)
    yield ""
    yield "| players | seats that act | First Player | cases of the matrix |"
    yield "|---|---|---|---|"
    yield from _by_case(matrix)
    yield ""
    yield f"`{ALIKE}` says that it is the same at every other seat."
    yield ""
    yield "All other properties, each with less:"
    yield ""
    yield from _covered([each for each in every if each["name"] not in INVARIANTS])


HEADS = (
    "property", "kind", "players", "seats that act", "First Player", "contenders", "always empty",
)  # fmt: skip

NAMED = (
    "at_most_one_player_takes_the_first_reward",
    "combat_ranks_as_the_specification_says",
    "each_faction_has_at_most_one_ally",
    "an_alliance_goes_with_four_influence",
    "the_alliance_moves_as_the_specification_says",
    "no_sandworm_enters_behind_a_standing_wall",
    "sandworms_come_as_the_specification_says",
    "a_printed_summons_brings_its_sandworms_exactly_where_no_wall_is_in_the_way",
)
"""The properties about ties in Combat, the Alliance and the Shield Wall."""


def _row(prop: dict[str, Any]) -> str:
    covered = prop["covered"]
    cells = (
        f"`{prop['name']}`",
        prop["kind"],
        _in_cases(covered, _tables),
        _in_cases(covered, lambda each: _seats(each["acting_seats"], "nobody")),
        _in_cases(covered, lambda each: _seats(each["first_players"], "not looked at")),
        str(covered["contenders"] or "not looked at"),
        ", ".join(map(_words, covered["always_empty"])) or "nothing",
    )
    return f"| {' | '.join(cells)} |"


def _in_cases(covered: dict[str, Any], told: Callable[[dict[str, Any]], str]) -> str:
    """What is told of the cases; where they differ, in how many it is so."""
    found: Counter[str] = Counter()
    for each in covered["by_case"]:
        found[told(each)] += each["cases"]
    if len(found) == 1:
        return "".join(found)
    return ", ".join(f"{words} (in {count})" for words, count in found.most_common())


def _by_case(properties: Told) -> Iterator[str]:
    """How many cases have which tables and seats."""
    found: Counter[tuple[str, str, str]] = Counter()
    for each in (case for prop in properties for case in prop["covered"]["by_case"]):
        first = _seats(each["first_players"], "not looked at")
        found[_tables(each), _seats(each["acting_seats"], "nobody"), first] += each["cases"]
    for (tables, acting, first), count in sorted(found.items(), key=lambda one: (-one[1], one[0])):
        yield f"| {tables} | {acting} | {first} | {count} |"


def _cases(properties: Told) -> set[str]:
    return {case["params"] for each in properties for case in each["cases"]}


def _covered(properties: Told) -> Iterator[str]:
    """How many of the properties look at which tables and seats, and what is always empty."""
    found = [each["covered"] for each in properties]
    staged = [each for each in found if each["position"]]
    yield f"- without a position: {len(found) - len(staged)} properties"
    yield f"- players: {_counted([_tables(each) for each in staged])}"
    acting = [_seats(each["acting_seats"], "nobody") for each in staged]
    yield f"- seats that act, each in some case: {_counted(acting)}"
    first = [_seats(each["first_players"], "not looked at") for each in staged]
    yield f"- First Player, each in some case: {_counted(first)}"
    fights = [str(each["contenders"]) for each in staged if each["contenders"]]
    yield f"- contenders at most: {_counted(fights) or 'none'}"
    assume = sum(bool(each["assumptions_about"]) for each in found)
    yield f"- with assumptions about unknown numbers: {assume} properties"
    alone = sum(not each["frames_below"] for each in staged)
    yield f"- with nothing pending below the top frame: {alone} properties"
    empty = [_words(zone) for each in staged for zone in each["always_empty"]]
    yield f"- always empty: {_counted(empty) or 'nothing'}"
    same = [_same(*each) for one in staged for each in one["always_the_same"].items()]
    yield f"- always the same: {_counted(same) or 'nothing'}"


def _counted(words: list[str]) -> str:
    return ", ".join(f"{word} ({count})" for word, count in sorted(Counter(words).items()))


def _tables(covered: dict[str, Any]) -> str:
    marks = [f"{each}{'' if is_a_game(each) else '*'}" for each in covered["players"]]
    return "/".join(marks)


def _seats(seats: list[int], nobody: str) -> str:
    return "/".join(str(each + 1) for each in seats) or nobody


def _words(zone: str) -> str:
    """A place in words; `Red.discard` is a pile of the first player."""
    owner, _, place = zone.rpartition(".")
    return f"{place} of {owner}".replace("_", " ") if owner else place.replace("_", " ")


def _same(name: str, value: str) -> str:
    """What was the same in every position, with its value; a player's is told without the name."""
    owner, _, what = name.rpartition(".")
    told = f"{what} of a player" if owner else what
    return f"{told} {value}".replace("_", " ")


def with_section(page: str, made: str) -> str:
    """The page with this section in its place."""
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"the page has no place for it: {BEGIN} … {END}")
    return f"{before}{BEGIN}\n{made}\n{END}{after}"


def _proved() -> bytes:
    command = [sys.executable, "-m", "truthsayer", "prove", "--json", "--no-times"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def main() -> int:
    """Read a report and check the page, or write it."""
    files = [each for each in sys.argv[1:] if each != "--write"]
    report = Path(files[0]).read_bytes() if files else _proved()
    page = PAGE.read_text(encoding="utf-8")
    made = with_section(page, section(json.loads(report)))
    if "--write" in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
    elif made != page:
        print("docs/proofs.md does not say what proofs cover: write it with --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
