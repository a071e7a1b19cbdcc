"""The index: what ranks first, and that no words break it."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.kernel.errors import TruthsayerError
from rules_engine.search import index as index_module
from rules_engine.search.index import Entry, Index, Weights
from rules_engine.search.words import Reader, Words

READER = Reader(Words(empty=(), same={}))
WALL = Entry("rule", "A", "The wall stands", "Nothing passes it.", products=("one",))
GATE = Entry("rule", "B", "The gate", "It stands in the wall.", products=("two",))
FIELD = Entry("rule", "C", "The field", "Nobody is there.", names="outside", also="no wall here")
INDEX = Index((WALL, GATE, FIELD), READER)


def ids(question: str, index: Index = INDEX) -> list[str]:
    return [hit.entry.id for hit in index.search(READER.asked(question), lambda _: 1.0)]


def test_a_word_in_the_title_counts_most() -> None:
    assert ids("wall") == ["A", "B", "C"]
    assert ids("walls") == ["A", "B", "C"]


def test_more_of_the_words_rank_higher() -> None:
    assert ids("gate wall")[0] == "B"


def test_names_and_what_others_say_are_searched_too() -> None:
    assert ids("outside") == ["C"]
    assert ids("outside", Index((FIELD,), READER, Weights(names=0.0))) == []


def test_what_weighs_nothing_is_left_out() -> None:
    hits = INDEX.search(["wall"], lambda entry: float("two" in entry.products))
    assert [hit.entry.id for hit in hits] == ["B"]


def test_entries_that_fit_alike_keep_their_order() -> None:
    same = [Entry("rule", str(number), "wall", "wall") for number in range(20)]
    assert ids("wall", Index(same, READER)) == [each.id for each in same]


def test_no_word_finds_nothing() -> None:
    assert INDEX.search([], lambda _: 1.0) == []


@given(st.text(max_size=300))
def test_no_text_breaks_the_search(text: str) -> None:
    found = ids(f"{text} wall")
    assert set(found) <= {"A", "B", "C"}


@pytest.mark.parametrize(
    "hostile",
    [
        '"',
        '""',
        'wall"*',
        "NEAR(wall, 2)",
        "title : wall",
        "^wall",
        "wall AND",
        "NOT",
        "{a b}",
        "-",
        "\0",
        "\ud800",
    ],
)
def test_the_syntax_of_the_database_means_nothing(hostile: str) -> None:
    assert ids(f"{hostile} gate")[0] == "B"


def test_many_words_are_no_burden() -> None:
    assert ids(" ".join(f"w{number}" for number in range(5_000)) + " gate") == ["B"]


def test_threads_may_search_at_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert set(map(tuple, pool.map(ids, ["gate wall"] * 200))) == {("B", "A", "C")}


def test_a_sqlite_without_fts5_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "CREATE", "CREATE VIRTUAL TABLE entries USING fts6(title)")
    with pytest.raises(TruthsayerError) as caught:
        Index((WALL,), READER)
    assert caught.value.code == "TS0739"
    assert "fts6" in caught.value.message
    assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
