"""Everything that is read knows where it stands."""

from __future__ import annotations

from pathlib import Path

import scenarios
from scenarios.check import read

LIBRARY = Path(scenarios.__file__).parent / "library" / "uprising"


def test_every_phrase_and_every_word_has_its_place() -> None:
    file = LIBRARY / "worked_examples.scenario"
    text = file.read_text("utf-8")
    found, problems = read(file.name, text)
    assert problems == []
    lines = text.split("\n")
    words = 0
    for scenario in found:
        for line in scenario.lines():
            for phrase in line.words.iter_subtrees():
                assert next(phrase.scan_values(lambda _: True)).column, phrase
            for word in line.words.scan_values(lambda _: True):
                place = line.at(word)
                begins = lines[place.line - 1][place.column - 1 :]
                inside = str(word).strip('"')
                assert begins.startswith((str(word), inside)), (place, word)
                words += 1
    assert words > 1000
