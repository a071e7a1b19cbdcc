"""Known failures, a baseline and two reports compared say what is new, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.expectations import Change, RulingChange, compared, judged, known_failures
from conformance.report import Followed, Report
from conformance.results import CRASHED, FAIL, PASS, SKIPPED, TIMED_OUT, UNSUPPORTED
from rules_engine.kernel.errors import TruthsayerError
from tests.conformance.runs import LONG, by_ruling, one_of_each, report, result
from truthsayer.reports.conform import first_line

IDS = {"combat.a_tie", "combat.a_tie#2", "EX-UPR-12-b"}


def ids(changes: tuple[Change, ...]) -> list[str]:
    """The cases of some changes."""
    return [each.id for each in changes]


def mistake(text: str) -> TruthsayerError:
    """What is wrong with a file of known failures."""
    with pytest.raises(TruthsayerError) as found:
        known_failures(text, "known.txt", IDS)
    return found.value


# The file of known failures


def test_a_line_is_an_id_and_a_reason() -> None:
    text = (
        "\ufeff# our ties\r\n\n  combat.a_tie#2 # seats # decide\r\nEX-UPR-12-b\ncombat.a_tie\t#x"
    )
    found = known_failures(text, "known.txt", IDS)
    assert [(each.id, each.reason) for each in found] == [
        ("combat.a_tie#2", "seats # decide"),
        ("EX-UPR-12-b", ""),
        ("combat.a_tie", "x"),
    ]
    assert [str(each.place) for each in found] == [
        "known.txt:3:3",
        "known.txt:4:1",
        "known.txt:5:1",
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing", "\ufeff", "  \t # nothing"])
def test_a_file_may_list_nothing(text: str) -> None:
    assert known_failures(text, "known.txt", IDS) == ()


def test_a_misspelt_id_has_a_place_and_what_was_meant() -> None:
    wrong = mistake("EX-UPR-12-b\n  combat.a_tye # why")
    assert (wrong.code, str(wrong.place)) == ("TS0922", "known.txt:2:3")
    assert wrong.message == "no case `combat.a_tye`"
    assert wrong.help == "did you mean `combat.a_tie`?"


def test_an_id_like_no_other_is_told_where_ids_are() -> None:
    assert mistake("zzz").help == "the JSON report has the ids of all cases"


def test_a_generated_game_can_be_known_to_fail() -> None:
    found = known_failures("games.1.0 # ties\ngames.7 # hangs", "known.txt", IDS)
    assert [each.id for each in found] == ["games.1.0", "games.7"]
    run = report(result("games.1.0", FAIL), result("games.7"))
    verdict = judged(run, found)
    assert verdict.expected == {"games.1.0": "ties"}
    assert [each.id for each in verdict.passing] == ["games.7"]
    assert mistake("games.x").code == "TS0922"


def test_an_id_twice_names_both_lines() -> None:
    wrong = mistake("combat.a_tie # one\n#\ncombat.a_tie # two")
    assert (wrong.code, str(wrong.place)) == ("TS0923", "known.txt:3:1")
    assert wrong.help == "remove this line or line 1"


def test_a_reason_without_its_mark_is_a_mistake() -> None:
    wrong = mistake("  combat.a_tie  a tie # why")
    assert (wrong.code, str(wrong.place)) == ("TS0921", "known.txt:1:17")
    assert "combat.a_tie" in wrong.message


@pytest.mark.parametrize("text", [LONG, f"{LONG} {LONG}", "\x00\x1b[31m", "<script>", "\ud800"])
def test_whatever_is_in_the_file_the_mistake_can_be_printed(text: str) -> None:
    wrong = mistake(text)
    assert len(wrong.message) < 300
    assert wrong.message.isprintable()
    wrong.message.encode()


@given(st.text())
def test_any_text_is_read_or_is_a_mistake_with_a_place(text: str) -> None:
    wrong: TruthsayerError | None = None
    try:
        found = known_failures(text, "known.txt", IDS)
    except TruthsayerError as error:
        wrong = error
    if wrong is None:
        assert {each.id for each in found} <= IDS
        return
    assert wrong.place is not None
    assert wrong.place.line <= text.count("\n") + 1
    assert wrong.help


# The verdict


def test_a_run_in_which_all_passes_is_ok() -> None:
    found = judged(report(result("a"), result("b", UNSUPPORTED)))
    assert (found.ok, found.why, found.played) == (True, "ok", 1)


def test_every_bad_end_fails_and_a_ruling_excuses() -> None:
    found = judged(report(*one_of_each()))
    assert found.unexpected == ("bad", "dead", "slow")
    assert (found.ok, found.why) == (False, "3 cases fail")


def test_a_run_that_played_nothing_is_not_ok() -> None:
    for nothing in (report(), report(result("a", UNSUPPORTED), result("b", SKIPPED))):
        assert (judged(nothing).ok, judged(nothing).why) == (False, "no case was played")


def test_a_run_that_compared_hardly_anything_says_so_first() -> None:
    cannot = [result(f"case{number}", UNSUPPORTED) for number in range(19)]
    few = report(result("good"), *cannot)
    assert judged(few).ok
    assert ": only 1 of 20 cases compared (5 %); " in first_line(few)
    assert "compared (" not in first_line(report(result("good"), *cannot[:9]))


def test_known_failures_may_fail_and_keep_their_reason() -> None:
    known = known_failures("bad # ties\ndead", "known.txt", {"bad", "dead"})
    found = judged(report(result("good"), result("bad", FAIL), result("dead", CRASHED)), known)
    assert found.ok
    assert found.expected == {"bad": "ties", "dead": "known failure"}


def test_a_known_failure_that_passes_fails_the_run() -> None:
    known = known_failures("good # ties", "known.txt", {"good"})
    found = judged(report(result("good")), known)
    assert (found.ok, found.why) == (False, "1 known failure passes")
    assert [str(each.place) for each in found.passing] == ["known.txt:1:1"]


@pytest.mark.parametrize("outcome", [UNSUPPORTED, SKIPPED])
def test_a_known_failure_that_was_not_played_is_no_pass(outcome: str) -> None:
    known = known_failures("a\nb", "known.txt", {"a", "b"})
    assert judged(report(result("a", outcome), result("c")), known).ok


def test_a_baseline_excuses_what_failed_before_and_nothing_else() -> None:
    old = report(result("a", FAIL), result("b"), by_ruling("c"), result("d", FAIL))
    new = report(*(result(case, FAIL) for case in "abce"), result("d"))
    found = judged(new, baseline=old)
    assert found.unexpected == ("b", "c", "e")
    assert found.expected == {"a": "failed before"}
    assert found.why == "3 cases fail"


def test_a_reason_from_the_list_beats_the_baseline() -> None:
    run = report(result("a", FAIL))
    known = known_failures("a # ties", "known.txt", {"a"})
    assert judged(run, known, run).expected == {"a": "ties"}


def test_a_baseline_of_another_product_is_an_error() -> None:
    other = report(result("a"), product="arrakis")
    for compare in (lambda: judged(report(), baseline=other), lambda: compared(other, report())):
        with pytest.raises(TruthsayerError, match="`arrakis`") as found:
            compare()
        assert (found.value.code, found.value.help != "") == ("TS0925", True)


# Two reports


def test_every_change_is_told_by_its_kind() -> None:
    old = report(
        result("same"),
        result("broken"),
        result("mended", CRASHED),
        result("still", FAIL),
        result("hidden", FAIL),
        result("learnt", UNSUPPORTED),
        result("gone", FAIL),
        by_ruling("read"),
    )
    new = report(
        result("read", FAIL),
        result("learnt"),
        result("hidden", UNSUPPORTED),
        result("still", TIMED_OUT),
        by_ruling("mended"),
        result("broken", FAIL),
        result("same"),
        result("fresh"),
        result("fresh_and_bad", FAIL),
    )
    found = compared(old, new)
    assert ids(found.newly_failing) == ["read", "broken", "fresh_and_bad"]
    assert ids(found.newly_passing) == ["learnt", "mended"]
    assert ids(found.still_failing) == ["still"]
    assert ids(found.no_longer_played) == ["hidden"]
    assert ids(found.new) == ["fresh", "fresh_and_bad"]
    assert ids(found.gone) == ["gone"]
    (still,) = found.still_failing
    assert still.before is not None
    assert still.after is not None
    assert (still.before.outcome, still.after.outcome) == (FAIL, TIMED_OUT)


def test_rulings_that_are_followed_otherwise_are_told() -> None:
    before = (Followed("ties", "shared", 3), Followed("wall", "b", 1), Followed("hand", "x", 1))
    after = (Followed("ties", "seat", 3), Followed("hand", "x", 9), Followed("deck", "y", 1))
    found = compared(report(followed=before), report(followed=after))
    assert found.rulings == (
        RulingChange("ties", "shared", "seat"),
        RulingChange("wall", "b", ""),
        RulingChange("deck", "", "y"),
    )


def runs() -> st.SearchStrategy[Report]:
    """Small runs with every outcome."""
    outcomes = st.sampled_from([PASS, FAIL, CRASHED, UNSUPPORTED])
    cases = st.dictionaries(st.sampled_from("abcdef"), outcomes)
    return cases.map(lambda some: report(*(result(case, end) for case, end in some.items())))


@given(runs(), runs())
def test_what_is_newly_failing_is_what_a_baseline_does_not_excuse(old: Report, new: Report) -> None:
    found = compared(old, new)
    assert ids(found.newly_failing) == list(judged(new, baseline=old).unexpected)
    back = compared(new, old)
    assert sorted(ids(found.gone)) == sorted(ids(back.new))
    assert sorted(ids(found.still_failing)) == sorted(ids(back.still_failing))


@given(runs())
def test_a_report_is_no_different_from_itself(run: Report) -> None:
    found = compared(run, run)
    assert ids(found.still_failing) == [each.id for each in run.failures]
    kinds = (found.newly_failing, found.newly_passing, found.no_longer_played)
    assert (*kinds, found.new, found.gone, found.rulings) == ((),) * 6
