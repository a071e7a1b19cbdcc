"""Adapters that misbehave, each a function: `python -S hostile.py NAME`.

The good part of each answers `describe` by hand, with nothing but what Python brings.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

LONG = 3600
ABOUT = {"answer": "described", "name": "hostile", "version": "1", "products": ["uprising"]}


def asked() -> dict[str, Any]:
    """The next batch of calls."""
    found: dict[str, Any] = json.loads(sys.stdin.readline())
    return found


def say(text: str) -> None:
    """Write to the output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def line(batch: dict[str, Any], **other: Any) -> str:
    """The answers to a batch: descriptions, with other values if some are told."""
    answers = [{**ABOUT, **other}] * len(batch["calls"])
    return json.dumps({"id": batch["id"], "answers": answers}) + "\n"


def answer(batch: dict[str, Any], **other: Any) -> None:
    """Answer every call of a batch."""
    say(line(batch, **other))


def good() -> None:
    """Answers everything."""
    while True:
        answer(asked())


def prints_garbage() -> None:
    """A line that is no JSON."""
    say("Welcome to my game!\n")
    time.sleep(LONG)


def prints_bytes() -> None:
    """Bytes that are no text."""
    sys.stdout.buffer.write(bytes(range(255, 127, -1)) + b"\n")
    sys.stdout.buffer.flush()
    time.sleep(LONG)


def nests_without_end() -> None:
    """JSON that no reader should follow to its end."""
    say('{"id": 1, "answers": [{"answer": "done", "observation": {"a": ')
    say("[" * 100_000 + "\n")
    time.sleep(LONG)


def another_json() -> None:
    """JSON of some other kind."""
    say('{"id": 1, "answers": [{"answer": "maybe"}]}\n')
    time.sleep(LONG)


def half_a_line_and_hangs() -> None:
    """The beginning of an answer, and nothing more."""
    say('{"id": 1, "ans')
    time.sleep(LONG)


def half_a_line_and_ends() -> None:
    """The beginning of an answer, and then the end."""
    asked()
    say('{"id": 1, "ans')


def hangs() -> None:
    """Nothing at all."""
    time.sleep(LONG)


def asks_at_a_prompt() -> None:
    """A question to people, without an end of line."""
    say("Your name? ")
    time.sleep(LONG)


def floods() -> None:
    """An answer without an end of line for ever."""
    say("{")
    while True:
        say("x" * 65536)


def floods_lines() -> None:
    """Answers that nobody asked for, for ever."""
    batch = asked()
    while True:
        say(line(batch) * 10)


def sends_a_gigabyte() -> None:
    """A message with a gigabyte in it."""
    asked()
    say('{"id": 1, "answers": [{"answer": "failed", "message": "')
    for _ in range(1024):
        say("x" * (1 << 20))
    say('"}]}\n')


def floods_errors() -> None:
    """A hundred megabytes of error output before each answer."""
    while True:
        batch = asked()
        for _ in range(100):
            sys.stderr.write("e" * (1 << 20))
        sys.stderr.flush()
        answer(batch)


def floods_errors_and_hangs() -> None:
    """Error output for ever."""
    while True:
        sys.stderr.write("all is lost\n" * 4096)


def forks() -> None:
    """Children that stay, and hold the pipes."""
    for _ in range(3):
        if os.fork() == 0:
            time.sleep(LONG)
    good()


def forks_away() -> None:
    """Children in sessions of their own, with children that nobody waits for."""
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(LONG)
            os._exit(0)
    good()


def forks_and_dies() -> None:
    """The program ends, and its children stay."""
    asked()
    if os.fork() == 0:
        time.sleep(LONG)
    if os.fork() == 0:
        os.setsid()
        time.sleep(LONG)
    os._exit(3)


def ignores_signals() -> None:
    """Does not end when it is asked to."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    answer(asked())
    while True:
        time.sleep(LONG)


def closes_its_output() -> None:
    """Lives on and says nothing more."""
    asked()
    os.close(1)
    time.sleep(LONG)


def closes_its_input() -> None:
    """Answers once and listens to nothing more."""
    answer(asked())
    os.close(0)
    time.sleep(LONG)


def ends_at_once() -> None:
    """Does not even read."""


def ends_with_a_code() -> None:
    """Says why it ends."""
    asked()
    sys.stderr.write("no licence found\n")
    sys.exit(7)


def is_killed() -> None:
    """Ends as by a fault of memory."""
    asked()
    os.kill(os.getpid(), signal.SIGSEGV)


def answers_another_batch() -> None:
    """An answer to what was asked before."""
    batch = asked()
    answer({**batch, "id": batch["id"] - 1})
    time.sleep(LONG)


def answers_too_few() -> None:
    """No answer in the answers."""
    say(json.dumps({"id": asked()["id"], "answers": []}) + "\n")
    time.sleep(LONG)


def answers_too_many() -> None:
    """Two answers to a call."""
    batch = asked()
    answer({**batch, "calls": batch["calls"] * 2})
    time.sleep(LONG)


def answers_twice() -> None:
    """The same answers a second time."""
    while True:
        say(line(asked()) * 2)


def never_reads() -> None:
    """Leaves its input where it is."""
    time.sleep(LONG)


def answers_before_it_reads() -> None:
    """Knows the answer beforehand."""
    answer({"id": 1, "calls": [None]})
    time.sleep(LONG)


def starts_slowly() -> None:
    """Needs a while before it answers for the first time."""
    time.sleep(1)
    good()


def is_slow_later() -> None:
    """Answers once, and then too late."""
    answer(asked())
    batch = asked()
    time.sleep(1)
    answer(batch)
    good()


def another_version_every_time() -> None:
    """Calls itself otherwise whenever it is started."""
    answer(asked(), version=str(os.getpid()))


def another_protocol() -> None:
    """Speaks a protocol that is not ours."""
    answer(asked(), protocol=99)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
