"""Checks every block of a page: it is run, or it is compared with what was run."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import yaml
from click.testing import CliRunner

from conformance.adapters.reference import Adapter
from conformance.messages import Answers, Calls
from rules_engine.effects.parse import parse
from rules_engine.kernel.errors import TruthsayerError
from scenarios import check
from tests.docs.blocks import Block, blocks_of, commands, messages, prints
from tests.docs.entries import MISTAKES, read_rule, read_toml
from tests.server.running import server_in_thread
from tests.truthsayer.stranger import environment
from truthsayer.cli import main
from truthsayer.cli.progress import AHEAD

ROOT = Path(__file__).parents[2]
SERVICE = "127.0.0.1:50051"
"""Where a page says that the service is; its programs find one of their own in its place."""

RUN, COMPARED, NEITHER = "run", "compared", "neither"


class PageCheck:
    """Checks the blocks of one page in their order, in a folder of the page's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.unused: dict[str, Block] = {}
        self.exit_code = 0
        self.adapter = Adapter()
        self.printed: str | None = None
        """What the python block right above printed."""

    def check(self, blocks: list[Block]) -> None:
        """Check all blocks; a file that no command uses was neither run nor compared."""
        for block in blocks:
            printed, self.printed = self.printed, None
            if block.word == "text" and printed is not None:
                self._compare(block, block.text, printed)
                self.counts[COMPARED] += 1
            elif block.word in NAMED and block.file is not None:
                self._write(block, block.file)
            elif block.word in CHECKS:
                self.counts[COMPARED if block.word == "console" else RUN] += 1
                CHECKS[block.word](self, block)
            else:
                self.counts[NEITHER] += 1
                self.problems.append(f"{block}: nothing checks a block of `{block.word}`")
        for block in self.unused.values():
            self.counts[NEITHER] += 1
            self.problems.append(f"{block}: no command uses this file")

    def _fail(self, block: Block, what: str) -> None:
        self.problems.append(f"{block}: {what}")

    def _compare(self, block: Block, shown: str, printed: str) -> None:
        if not prints(shown, printed):
            self._fail(block, f"it shows\n{shown}and this was printed:\n{printed}")

    # Files

    def _write(self, block: Block, name: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, "utf-8")
        replaced = self.unused.pop(name, None)
        if replaced is not None:
            self._fail(replaced, "no command uses this file before another takes its place")
        self.unused[name] = block

    def _use(self, arguments: list[str]) -> None:
        """Files that a command names, or that lie in a folder it names, are used."""
        named = [word.split("::")[0].rstrip("/") for word in arguments]
        every = "pytest" in arguments or "." in named
        texts = [block.text for name, block in self.unused.items() if name in named]
        for name in list(self.unused):
            spoken_of = any(f"/{name}" in text for text in texts)
            is_named = any(name == each or name.startswith(f"{each}/") for each in named)
            if every or is_named or spoken_of:
                self.unused.pop(name)
                self.counts[RUN] += 1

    # Blocks

    def scenario(self, block: Block) -> None:
        """Every scenario of the block holds."""
        results = check("page.scenario", block.text)
        for each in results:
            for problem in each.problems:
                at = block.line + problem.line
                self._fail(block, f"line {at}: {problem.code}: {problem.message} ({problem.help})")
        if not results:
            self._fail(block, "no scenario")

    def console(self, block: Block) -> None:
        """Every command prints what is shown below it."""
        for command, shown in commands(block):
            self._compare(block, shown, self._run(block, command))

    def _run(self, block: Block, command: str) -> str:
        program, *arguments = shlex.split(command)
        self._use(arguments)
        self._link(arguments)
        if program == "truthsayer":
            return self._truthsayer(arguments)
        if program == "python":
            return self._python(arguments)
        if program == "cat":
            return "".join((self.folder / name).read_text("utf-8") for name in arguments)
        if command == "echo $?":
            return f"{self.exit_code}\n"
        self._fail(block, f"no way to run `{program}`")
        return ""

    def _link(self, arguments: list[str]) -> None:
        """A folder of the repository that a command speaks of is there, as in a checkout."""
        for word in arguments:
            top, *below = word.split("/")
            if below and (ROOT / top).is_dir() and not (self.folder / top).exists():
                (self.folder / top).symlink_to(ROOT / top)

    def _truthsayer(self, arguments: list[str]) -> str:
        with contextlib.chdir(self.folder):
            done = CliRunner(env={"GITHUB_ACTIONS": None}).invoke(main, arguments)
        self.exit_code = done.exit_code
        # Where the work was depends on how long it took.
        lines = done.output.splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(AHEAD))

    def _python(self, arguments: list[str]) -> str:
        own = environment(PYTHONPATH=str(ROOT), CI="", GITHUB_ACTIONS="", COLUMNS="80")
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=own,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.exit_code = done.returncode
        return done.stdout

    def python(self, block: Block) -> None:
        """The program ends well; what it prints is kept for a `text` block below it."""
        with _service(block.text) as text:
            self.printed = self._python(["-c", text])
        if self.exit_code:
            self._fail(block, f"the program fails:\n{self.printed}")

    def jsonl(self, block: Block) -> None:
        """Our adapter answers every message as the page says."""
        answered = ""
        for arrow, said in messages(block):
            if arrow == "→":
                asked = msgspec.json.decode(said, type=Calls)
                answers = Answers(asked.id, tuple(map(self.adapter.answer, asked.calls)))
                answered = msgspec.json.encode(answers).decode()
            elif not prints(_without_spaces(said), _without_spaces(answered)):
                self._fail(block, f"it shows {said} and this was answered:\n{answered}")

    def effect(self, block: Block) -> None:
        """Every line is read."""
        for line in block.text.splitlines():
            try:
                parse(line)
            except TruthsayerError as error:
                self._fail(block, error.message)

    def toml(self, block: Block) -> None:
        """The entries are read with those that there are."""
        self._read(block, read_toml)

    def json(self, block: Block) -> None:
        """The rule is read with those that there are."""
        self._read(block, read_rule)

    def _read(self, block: Block, read: Callable[[str], None]) -> None:
        try:
            read(block.text)
        except (*MISTAKES, TruthsayerError) as error:
            self._fail(block, f"it cannot be read: {error}")

    def yaml(self, block: Block) -> None:
        """It is YAML, and the commands of ours in it run on the page's files."""
        try:
            lines = list(_strings(yaml.safe_load(block.text)))
        except yaml.YAMLError as error:
            self._fail(block, str(error))
            return
        for line in lines:
            if line.startswith("truthsayer "):
                printed = self._run(block, line)
                if self.exit_code not in (0, 1):
                    self._fail(block, f"`{line}` ends with {self.exit_code}: {printed}")


NAMED = ("scenario", "ini", "toml", "js")
"""Blocks that can be files."""

CHECKS: dict[str, Callable[[PageCheck, Block], None]] = {
    "scenario": PageCheck.scenario,
    "console": PageCheck.console,
    "python": PageCheck.python,
    "jsonl": PageCheck.jsonl,
    "effect": PageCheck.effect,
    "toml": PageCheck.toml,
    "json": PageCheck.json,
    "yaml": PageCheck.yaml,
}


@contextmanager
def _service(text: str) -> Iterator[str]:
    """A program that calls the service, with the address of one that runs."""
    if SERVICE not in text:
        yield text
        return
    with server_in_thread() as address:
        yield text.replace(SERVICE, address)


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def _strings(value: object) -> Iterator[str]:
    """Every line of text in a document."""
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def pages(root: Path = ROOT) -> list[Path]:
    """Every page that is checked."""
    manual = sorted((root / "docs").rglob("*.md"))
    # An example may have packages of others installed.
    return [root / "README.md", *(page for page in manual if "node_modules" not in page.parts)]


def check_page(page: Path, root: Path = ROOT) -> PageCheck:
    """Check one page."""
    with tempfile.TemporaryDirectory() as folder:
        checked = PageCheck(Path(folder))
        checked.check(blocks_of(page, os.path.relpath(page, root)))
    return checked
