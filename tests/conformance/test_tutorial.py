"""The steps of the tutorial, followed one after the other, lead where it says."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.cases import Case, cases_of
from conformance.faults import AdapterFault
from conformance.framing import JsonLines
from conformance.messages import Describe, Described
from conformance.pipe import Pipe
from conformance.playing import play
from conformance.results import UNSUPPORTED, Result
from scenarios.vectors.export import exported
from tests.docs.blocks import Block, blocks_of, commands
from tests.node import node

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance-tutorial.md"
TEMPLATE = ROOT / "docs" / "examples" / "template"
LIBRARY = ROOT / "scenarios" / "library"
COUNTS = re.compile(r"^\S+ cases?: (?P<counts>.+)$", re.MULTILINE)

BLOCKS = blocks_of(PAGE, PAGE.name)


def cases_about(rule: str) -> list[Case]:
    """The cases of the library that cite a rule."""
    texts = [(str(file), file.read_text("utf-8")) for file in sorted(LIBRARY.rglob("*.scenario"))]
    found = exported([(name, text) for name, text in texts if rule in text])
    vectors = [each for one in found for each in one.vectors if rule in each["rules"]]
    return [each for each in cases_of(vectors) if isinstance(each, Case)]


def results(folder: Path, rule: str) -> list[Result]:
    """How the cases about a rule end on the adapter in a folder."""
    command = (node(), str(folder / "adapter.mjs"))
    pipe = Pipe(command, JsonLines(), seconds=30, most_bytes=1 << 20)
    try:
        (about,) = pipe.ask([Describe()])
        assert isinstance(about, Described)
        return [play(each, about, pipe) for each in cases_about(rule)]
    finally:
        pipe.close()


def steps() -> Iterator[tuple[list[Block], str, str]]:
    """The files that the reader has before each run, the rule that is run, and what is shown."""
    files: list[Block] = []
    for block in BLOCKS:
        if block.word == "js":
            files.append(block)
            continue
        for command, shown in commands(block):
            if command.startswith("truthsayer conform"):
                rule = re.search(r"--rule (\S+)", command)
                assert rule is not None
                yield list(files), rule[1], shown


@pytest.mark.parametrize("number", range(4))
def test_each_run_of_the_tutorial_ends_as_it_says(number: int, tmp_path: Path) -> None:
    files, rule, shown = list(steps())[number]
    for block in files:
        assert block.file is not None
        (tmp_path / block.file).write_text(block.text, "utf-8")
    ended = Counter(each.outcome for each in results(tmp_path, rule))
    told = COUNTS.search(shown)
    assert told is not None
    for said in told["counts"].split(", "):
        count, outcome = said.split(" ", 1)
        assert count in ("…", str(ended.pop(outcome)))
    assert not ended


def test_the_divergence_of_the_tutorial_is_the_one_that_it_shows(tmp_path: Path) -> None:
    files, rule, shown = list(steps())[1]
    for block in files:
        assert block.file is not None
        (tmp_path / block.file).write_text(block.text, "utf-8")
    first = next(each for each in results(tmp_path, rule) if each.divergence)
    assert first.divergence is not None
    assert first.id in shown
    assert f"field `{first.divergence.path}`" in shown
    assert rule in first.divergence.rules


def test_there_is_no_run_that_nobody_follows() -> None:
    assert len(list(steps())) == 4


NOISY = """
import './client.mjs';
for (const [name, take] of Object.entries(calls)) {
  calls[name] = (call) => {
    console.log(name, call);
    console.info('{"id":1,"answers":[]}');
    return take(call);
  };
}
"""


def test_what_a_client_prints_does_not_disturb_the_template(tmp_path: Path) -> None:
    shutil.copytree(TEMPLATE, tmp_path, dirs_exist_ok=True)
    first, begin, rest = (tmp_path / "adapter.mjs").read_text("utf-8").partition("serve({")
    noisy = f"{first}const calls = {{{rest.replace('});', '};')}{NOISY}serve(calls);"
    assert begin
    (tmp_path / "adapter.mjs").write_text(noisy, "utf-8")
    (tmp_path / "client.mjs").write_text("console.log('Welcome'); process.stdout.write('!');")
    assert {each.outcome for each in results(tmp_path, "UPR-MAKER-003")} == {UNSUPPORTED}
    lines = (tmp_path / "lines.mjs").read_text("utf-8")
    (tmp_path / "lines.mjs").write_text(lines.replace("process.stdout.write = ", "void "))
    with pytest.raises(AdapterFault):
        results(tmp_path, "UPR-MAKER-003")


@pytest.mark.parametrize(("place", "name"), [(0, "lines.mjs"), (1, "adapter.mjs")])
def test_the_tutorial_begins_with_the_template(place: int, name: str) -> None:
    blocks = [block for block in BLOCKS if block.word == "js"]
    assert blocks[place].text == (TEMPLATE / name).read_text("utf-8")
