"""A process that checks scenario texts for the language server, one line for each on both sides.

It ends with the server: its input ends then.
"""

from __future__ import annotations

import json
import sys

import msgspec

from scenarios.check import check


def main() -> None:
    """Answer until there is nothing more to read."""
    for line in sys.stdin.buffer:
        request = json.loads(line)
        results = check(request["file"], request["text"])
        problems = [problem for result in results for problem in result.problems]
        answer = {"number": request["number"], "problems": msgspec.to_builtins(problems)}
        # Plain JSON escapes half of a character pair, which an editor may send and UTF-8 lacks.
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
