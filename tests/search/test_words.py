"""How a question is read: small letters, no empty words, and one word for all that is the same."""

from __future__ import annotations

import pytest

from rules_engine.search.words import Reader, Words, split

READER = Reader(
    Words(
        empty=("can", "i", "a", "the"),
        same={"sandworm": ("worm", "sand worm"), "victory point": ("vp",), "2": ("two",)},
    )
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Can I?", ["can", "i"]),
        ("Muad'Dib's Fremkit", ["muaddib", "fremkit"]),
        ("Shaddam\u2019s contract", ["shaddam", "contract"]),
        ("DÉJÀ vu", ["deja", "vu"]),
        ("UPR-WALL-003", ["upr", "wall", "003"]),
        ("rebel_supplier", ["rebel", "supplier"]),
        ("' \u2019 '' \"*^:()", []),
        ("", []),
    ],
)
def test_a_text_is_split_into_words(text: str, words: list[str]) -> None:
    assert split(text) == words


def test_other_words_become_the_usual_ones() -> None:
    assert READER.read("a worm, a sand worm and sand") == [
        "a",
        "sandworm",
        "a",
        "sandworm",
        "and",
        "sand",
    ]
    assert READER.read("2 VP") == ["2", "victory", "point"]


def test_a_question_is_about_what_is_left_of_it() -> None:
    assert READER.asked("Can I summon a worm? Can I summon two?") == ["summon", "sandworm", "2"]
    assert READER.asked("can I") == []


def test_without_synonyms_words_stay_as_they_are() -> None:
    assert Reader(Words(empty=(), same={})).asked("a worm") == ["a", "worm"]
