"""What others say is shown without harm."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.plain import TOO_DEEP, plain, plain_value, shallow
from tests.conformance.runs import LONG, UNSEEN


def nested(levels: int) -> Any:
    """Lists in lists."""
    found: Any = 1
    for _ in range(levels):
        found = [found]
    return found


def test_what_cannot_be_seen_is_written_out() -> None:
    shown = plain(UNSEEN)
    assert shown == r"\x00\x1b[31mred\x07\u202e\ud800\ufffe 沙丘\r\nnext line"
    shown.encode()


def test_several_lines_stay_if_they_may() -> None:
    assert plain("one\ntwo\t", lines=True) == "one\ntwo\\t"


def test_a_long_text_is_cut_and_says_so() -> None:
    assert plain(LONG, 10) == "xxxxxxxxxx… (999990 more)"
    assert plain("x" * 10, 10) == "x" * 10


def test_a_value_is_json_and_a_text_is_itself() -> None:
    assert plain_value("ä") == "ä"
    assert plain_value({"a": [1, None, True, "ä\x00"]}) == '{"a": [1, null, true, "ä\\u0000"]}'
    assert len(plain_value([LONG])) < 1100


@pytest.mark.parametrize("value", [2, -1, True, None, [], {"a": 1}, ""])
def test_a_text_is_never_taken_for_another_value(value: Any) -> None:
    text = json.dumps(value)
    assert plain_value(value) == text
    assert plain_value(text) == json.dumps(text)


@pytest.mark.parametrize("levels", [51, 900, 100_000])
def test_what_is_nested_too_deeply_is_left_out(levels: int) -> None:
    assert shallow(nested(levels)) == TOO_DEEP
    assert plain_value(nested(levels)) == TOO_DEEP


def test_what_is_nested_as_usual_stays() -> None:
    assert shallow(nested(20)) == nested(20)
    assert shallow({"a": {"b": []}}) == {"a": {"b": []}}
