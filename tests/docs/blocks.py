"""The fenced blocks of a page of the manual, and how each is checked.

The word behind the fence says what a block is:

- `scenario`: it holds. With a first line such as `# worm.scenario` it is a file instead.
- `console`: each line beginning with `$ ` is run, and the lines below it are what it prints. A line
  `…` stands for any lines, and `…` in a line for any part of it.
- `python`: it is run, and a `text` block right below it is what it prints.
- `effect`: each line is an effect that can be read.
- `toml`: entries of the catalogue or of the rulings, read together with those that there are;
  `json`: a line of the rule index, in the same way.
- `ini`, `toml`, `js`: with a first line such as `# pytest.ini` or `// adapter.mjs`, a file.
- `jsonl`: messages of the conformance kit. Our adapter gets each one behind `→`, and the one behind
  `←` is what it answers. A message may go on in indented lines; spaces mean nothing.
- `yaml`: it can be read, and the commands of ours in it run on the page's files.

The files of a page lie in one folder, in which its commands are run. A later command has to use
each of them, or a file that it names has to speak of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

FILE = re.compile(r"(?:#|//) (?P<name>[\w./-]+\.(?:scenario|ini|toml|yml|py|mjs))\b")


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, the word behind the fence, and what is in it."""

    page: str
    line: int
    word: str
    text: str

    @property
    def file(self) -> str | None:
        """The name of the file that the block is, if it is one."""
        named = FILE.match(self.text)
        return named["name"] if named else None

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks_of(page: Path, name: str) -> list[Block]:
    """The blocks of a page, in order; indented text is one without a word.

    A directive (`{name}` behind the fence) is none.
    """
    return [
        Block(name, token.map[0] + 1, token.info.strip(), token.content)
        for token in MarkdownIt().parse(page.read_text("utf-8"))
        if token.type in ("fence", "code_block") and token.map is not None
        if not token.info.startswith("{")
    ]


def commands(block: Block) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it is said to print."""
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].rstrip("\n"), ""))
        elif found:
            command, shown = found[-1]
            found[-1] = (command, shown + line)
        else:
            raise ValueError(f"{block}: a console block begins with a command")
    return found


def messages(block: Block) -> list[tuple[str, str]]:
    """The messages of a `jsonl` block, each in one line, with the arrow before it."""
    found: list[tuple[str, str]] = []
    for line in block.text.splitlines():
        if line[:1] in ("→", "←"):
            found.append((line[0], ""))
            line = line[1:]
        elif not found:
            raise ValueError(f"{block}: a jsonl block begins with an arrow")
        arrow, said = found[-1]
        found[-1] = (arrow, f"{said} {line.strip()}")
    return found


def prints(shown: str, printed: str) -> bool:
    """Whether what a page shows is what was printed."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "…\n" else re.escape(line).replace("…", ".*?")
        for line in shown.splitlines(keepends=True)
    )
    return re.fullmatch(pattern, printed) is not None
