"""What a proof covers, and what it is, is found by what was explored; nobody can say more."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from rules_engine.imperium.frames import Turn
from verifier import api
from verifier.claim_lines import PROPERTIES, all_in
from verifier.covered import (
    Choice,
    Covered,
    Fixed,
    Number,
    Seating,
    in_full,
    in_words,
    joined,
    together,
)
from verifier.current import assume, choose, claim, current, domain, quantity, stage
from verifier.first_calls import Codes
from verifier.kept import Kept
from verifier.numbers import all_of, any_of
from verifier.obligations import Manner, Obligation, settle_obligation
from verifier.positions import any_leader, symbolic_state
from verifier.registry import (
    CLAIM,
    DATA_CHECK,
    EXHAUSTIVE,
    ORDER,
    ORDER_CHECK,
    THEOREM,
    Family,
    Property,
    registered,
)
from verifier.verdicts import (
    CHECKED,
    ENUMERATION,
    PROVED,
    REFUTED,
    SIMPLIFYING,
    SOLVER,
    UNKNOWN,
    UNSUPPORTED,
    Verdict,
    settle,
)
from verifier.watched import AnyNumber, Lazy


def verdict_of(table: dict[str, Property], run: Callable[[], object], kind: str = CLAIM) -> Verdict:
    """What is said of a function that is declared to be of a kind."""
    like = next(iter(table.values()))
    named = {"name": "it", "run": run, "kind": kind, "cases": ({},), "family": None}
    table["it"] = dataclasses.replace(like, **named)  # type: ignore[arg-type]
    return api.prove("it")


# What it takes to settle a claim


def _open() -> None:
    claim(quantity("n") + 1 > 0, "it is more than 0")


def _plain() -> None:
    n = quantity("n")
    claim(n + 2 - 2 == n, "it is as it was")


def _plain_number() -> None:
    n = quantity("n")
    claim(2 == n + 3 - n - 1, "it is 2 more")  # noqa: SIM300


def _enumerated() -> None:
    claim(choose("letter", "abc") in "abc", "it is a letter")


def _table() -> None:
    claim(True, "the table is right")


def _reads_and_does_not_care() -> None:
    side = "many" if quantity("n") > 5 else "few"
    claim(side in ("many", "few"), "it is one of two words")


def _only_in_another_part() -> None:
    n = quantity("n")
    claim(any_of(True, n == 3), "it is so")
    claim(all_of(True, True), "it is so, too")


def _needs_an_infeasible_branch() -> None:
    n = quantity("n")
    if n > 5:
        claim(bool(n > 3), "it is more than 3")
    else:
        claim(True, "something")


@pytest.mark.parametrize(
    ("run", "needs"),
    [
        (_open, SOLVER),
        (_needs_an_infeasible_branch, SOLVER),
        (_plain, SIMPLIFYING),
        (_plain_number, SIMPLIFYING),
        (_enumerated, ENUMERATION),
        (_table, ENUMERATION),
        (_reads_and_does_not_care, ENUMERATION),
        (_only_in_another_part, ENUMERATION),
    ],
)
def test_what_it_takes_is_found_out(run: Callable[[], object], needs: str) -> None:
    found = settle(run)
    assert (found.verdict, found.needs) == (PROVED, needs)


@pytest.mark.parametrize(
    ("run", "declared", "kind", "verdict"),
    [
        (_open, CLAIM, THEOREM, PROVED),
        (_open, DATA_CHECK, THEOREM, PROVED),
        (_plain, CLAIM, THEOREM, PROVED),
        (_enumerated, CLAIM, EXHAUSTIVE, CHECKED),
        (_enumerated, THEOREM, EXHAUSTIVE, CHECKED),
        (_enumerated, DATA_CHECK, EXHAUSTIVE, CHECKED),
        (_table, DATA_CHECK, DATA_CHECK, CHECKED),
        (_table, THEOREM, EXHAUSTIVE, CHECKED),
        (_reads_and_does_not_care, THEOREM, EXHAUSTIVE, CHECKED),
        (_open, ORDER, ORDER, PROVED),
        (_enumerated, ORDER, ORDER_CHECK, CHECKED),
    ],
)
def test_what_a_property_says_of_itself_does_not_count(
    table: dict[str, Property],
    run: Callable[[], object],
    declared: str,
    kind: str,
    verdict: str,
) -> None:
    found = verdict_of(table, run, declared)
    assert (found.kind, found.verdict) == (kind, verdict)


def test_members_of_a_family_are_what_their_own_claims_are(table: dict[str, Property]) -> None:
    def together(names: tuple[str, ...]) -> None:
        n = quantity("n")
        if "counts" in names:
            claim(n >= 0, "it is not below 0", of="counts")
        if "looks" in names:
            claim(choose("letter", "ab") in "ab", "it is a letter", of="looks")

    like = next(iter(table.values()))
    for name in ("counts", "looks"):
        alone = (lambda each: lambda: together((each,)))(name)
        named: dict[str, Any] = {"name": name, "run": alone, "cases": ({},), "kind": CLAIM}
        table[name] = dataclasses.replace(like, family=Family("both", together), **named)
    said = api.prove_all(("counts", "looks"))
    found = {each.name: (each.kind, each.verdict) for each in said if isinstance(each, Verdict)}
    assert found == {"counts": (THEOREM, PROVED), "looks": (EXHAUSTIVE, CHECKED)}


def test_what_was_not_explored_is_of_no_kind(table: dict[str, Property]) -> None:
    def breaks() -> None:
        raise MemoryError

    found = verdict_of(table, breaks)
    assert (found.kind, found.verdict) == (CLAIM, UNKNOWN)


# What is covered


def test_every_unknown_is_told_with_its_bounds() -> None:
    def run() -> None:
        letter = choose("letter", "abc")
        n = quantity("n", 2, 5) if letter == "a" else quantity("m")
        claim(n >= 0, "it is not below 0")

    found = settle(run).covered
    assert found.numbers == (Number("m", 0), Number("n", 2, 5))
    assert found.choices == (Choice("letter", 3, ("a", "b", "c")),)
    assert not found.staged
    assert in_words(found) == "no position; any m and n (2 to 5); choices of letter (3)"


def _at_a_table(players: int, **slots: Any) -> Callable[[], None]:
    def run() -> None:
        state = symbolic_state(players, **{"pending": (Turn(1),), **slots})
        stage(state)
        claim(state.players[0].spice >= 0, "nobody owes anything")

    return run


def test_a_position_is_summed_up_without_reading_it() -> None:
    found = settle(_at_a_table(3, trashed=(), row=("dagger",))).covered
    assert (found.players, found.acting, found.first) == ((3,), (1,), ())
    assert [each.name for each in found.numbers] == ["Red.spice"], "nothing else was read"
    assert "trashed" in found.empty
    assert "row" in found.filled
    assert not {"imperium_deck", "Red.hand"} & {*found.empty, *found.filled}, "nobody may read it"
    words = in_words(found)
    assert words.startswith("3 players; seat 2 acts; First Player not looked at; any spice of Red;")
    assert "always empty: " in words
    assert "trashed" in words


def test_who_is_first_player_is_told_if_anybody_looks() -> None:
    def looks() -> None:
        state = symbolic_state(3, pending=(Turn(0),))
        stage(state)
        claim(state.first_player in (0, 1, 2), "somebody is")

    assert settle(looks).covered.first == (0, 1, 2)
    assert "any First Player" in in_words(settle(looks).covered)
    assert settle(_at_a_table(3, first_player=2)).covered.first == (2,)


def test_a_place_that_is_open_counts_as_looked_at_once_it_is_read() -> None:
    slot = Lazy("trashed", ((), ("dagger",)))

    def reads() -> None:
        state = symbolic_state(3, pending=(Turn(0),), trashed=slot)
        stage(state)
        claim(len(state.trashed) < 2, "there are few")

    assert "trashed" in settle(reads).covered.filled
    unread = settle(_at_a_table(3, trashed=slot)).covered
    assert "trashed" not in (*unread.empty, *unread.filled)


def test_what_was_the_same_in_every_position_is_told() -> None:
    one = settle(_at_a_table(3, round=2)).covered
    assert Fixed("round", "2") in one.fixed
    assert Fixed("Red.leader", "none") in one.fixed
    assert "leader (none) of every player" in in_full(one)
    other = settle(_at_a_table(3, round=3)).covered
    both = joined([one, other])
    assert "round" not in {each.name for each in both.fixed}
    assert "round" in both.varied
    open_round = settle(_at_a_table(3, round=AnyNumber("round", 1))).covered
    assert "round" not in {each.name for each in open_round.fixed}
    anybody = symbolic_player_with_any_leader()
    assert "Red.leader" not in {each.name for each in settle(anybody).covered.fixed}


def symbolic_player_with_any_leader() -> Callable[[], None]:
    """A claim about a table at which any Leader may sit."""

    def run() -> None:
        state = symbolic_state(
            3, lambda owner: {"leader": any_leader(owner.name)}, pending=(Turn(1),)
        )
        stage(state)
        claim(state.players[0].spice >= 0, "nobody owes anything")

    return run


def test_an_option_that_comes_twice_is_one_option() -> None:
    found = settle(lambda: claim(choose("letter", "aaab") in "ab", "it is a letter"))
    assert found.covered.choices == (Choice("letter", 2, ("a", "b")),)


def test_contenders_are_those_who_can_have_strength() -> None:
    def run() -> None:
        state = symbolic_state(
            4,
            lambda owner: {"strength": AnyNumber(f"{owner.name}.s") if owner.seat < 2 else 0},
            pending=(Turn(0),),
        )
        stage(state)
        assume(state.players[0].strength > state.players[1].strength)
        claim(state.players[0].strength > 0, "it is more than 0")

    assert settle(run).covered.contenders == 2


def test_cases_are_joined_to_what_all_of_them_cover() -> None:
    one = settle(_at_a_table(3, trashed=())).covered
    other = settle(_at_a_table(4, trashed=("dagger",), pending=(Turn(2),))).covered
    both = joined([one, other])
    assert (both.players, both.acting) == ((3, 4), (1, 2))
    assert "trashed" in one.empty
    assert "trashed" not in both.empty
    assert "3 players in 1 of 2 cases, 4 players in 1" in in_words(both)
    assert "seat 2 acts in 1 of 2 cases, seat 3 acts in 1" in in_words(both)
    assert "; not all of it in every case; " in in_words(both)
    more = joined([both, one])
    assert "3 players in 2 of 3 cases, 4 players in 1" in in_words(more)
    assert "in every case" not in in_words(joined([one, one]))
    assert joined([]) == Covered()


def test_what_is_covered_is_told_in_few_lines() -> None:
    many = Covered(
        seatings=(Seating(players=(3,)),),
        numbers=tuple(Number(f"a number with a long name {at}", 0) for at in range(50)),
        choices=tuple(Choice(f"a choice with a long name {at}", 2) for at in range(50)),
        empty=tuple(f"a place with a long name {at}" for at in range(50)),
    )
    assert len(in_words(many)) < 280
    assert "48 more" in in_words(many) or "49 more" in in_words(many)


def test_all_of_it_can_be_told() -> None:
    many = Covered(
        seatings=(Seating(players=(3,)),),
        below=4,
        most_held=12,
        numbers=tuple(Number(f"number {at}", 0) for at in range(50)),
        empty=tuple(f"place {at}" for at in range(50)),
    )
    told = in_full(many)
    assert "number 49" in told
    assert "place 49" in told
    assert "more" not in told
    assert told.endswith("at most 4 frames pending below the top one; at most 12 in one place")


def test_a_kept_proof_covers_what_it_covered(tmp_path: Any) -> None:
    name = "the_endgame_comes_with_ten_points_or_without_conflicts"
    kept = Kept(tmp_path)
    first, again = (
        next(each for each in api.prove_all((name,), kept=kept) if isinstance(each, Verdict))
        for _ in range(2)
    )
    assert again.from_kept
    assert (again.covered, again.kind, again.verdict) == (first.covered, THEOREM, PROVED)
    assert [each.needs for each in again.cases] == [each.needs for each in first.cases]


def test_a_table_that_setup_refuses_is_not_told_as_a_game() -> None:
    words = in_words(Covered(seatings=(Seating(players=(2, 3, 4, 6)),)))
    assert words.startswith("3 and 4 players; tables of 2 and 6, which setup refuses; ")


# Only what something is claimed of is covered


def _any_number_that_is_3() -> None:
    n = quantity("spice")
    assume(n == 3)
    claim(n > 2, "it is more than 2")


def _narrower_on_one_path() -> None:
    n = quantity("n", 0, 9)
    if n > 4:
        return
    claim(n < 5, "it is less than 5")


def _less_than_another() -> None:
    n, m = quantity("n"), quantity("m", 0, 7)
    assume(n < m)
    claim(n < 7, "it is less than 7")


def _assumed_after_the_claim() -> None:
    n = quantity("n", 0, 9)
    claim(n < 10, "it is less than 10")
    assume(n == 3)


def _two_narrow_paths() -> None:
    n = quantity("n", 0, 5) if choose("side", "ab") == "a" else quantity("n", 3, 9)
    claim(n < 10, "it is less than 10")


def _asked_for_and_left() -> None:
    letter = choose("letter", "ab")
    n = quantity("n" if letter == "a" else "m")
    if letter == "b":
        return
    claim(n >= 0, "it is not below 0")
    quantity("after the last claim")


def _does_not_exist() -> None:
    n, m = quantity("n", 0, 9), quantity("m", 0, 9)
    domain(n + m == 9)
    assume(m >= 2)
    claim(n < 8, "it is less than 8")


@pytest.mark.parametrize(
    ("run", "numbers"),
    [
        (_any_number_that_is_3, (Number("spice", 3, 3),)),
        (_narrower_on_one_path, (Number("n", 0, 4),)),
        (_less_than_another, (Number("m", 1, 7), Number("n", 0, 6))),
        (_assumed_after_the_claim, (Number("n", 0, 9),)),
        (_two_narrow_paths, (Number("n", 0, 9),)),
        (_asked_for_and_left, (Number("n", 0),)),
        (_does_not_exist, (Number("m", 2, 9), Number("n", 0, 7))),
    ],
)
def test_a_number_is_covered_within_the_bounds_that_something_is_claimed_of(
    run: Callable[[], object], numbers: tuple[Number, ...]
) -> None:
    found = settle(run)
    assert found.verdict == PROVED
    assert found.covered.numbers == numbers


def test_an_option_is_covered_if_something_is_claimed_of_it() -> None:
    def run() -> None:
        letter = choose("letter", "abc")
        if letter == "b":
            return
        claim(letter != "b", "it is another letter")
        choose("word", ("yes", "no"))

    found = settle(run).covered
    assert found.choices == (Choice("letter", 2, ("a", "c")),)


def test_claims_of_positions_that_do_not_exist_cover_nothing() -> None:
    def run() -> None:
        letter = choose("letter", "ab")
        claim(letter in "ab", "it is a letter")
        domain(letter == "a")

    assert settle(run).covered.choices == (Choice("letter", 1, ("a",)),)


def test_a_position_is_covered_if_something_is_claimed_of_it() -> None:
    def run() -> None:
        if choose("large", (False, True)):
            stage(symbolic_state(4, pending=(Turn(3),), trashed=("dagger",), first_player=3))
            return
        stage(symbolic_state(4, pending=(Turn(2),), first_player=2))
        stage(symbolic_state(3, pending=(Turn(1),), trashed=(), first_player=1))
        claim(quantity("n") >= 0, "it is not below 0")
        stage(symbolic_state(4, pending=(Turn(0),), trashed=("dagger",), first_player=0))

    found = settle(run).covered
    assert (found.players, found.acting, found.first) == ((3,), (1,), (1,))
    assert "trashed" in found.empty


def test_contenders_are_counted_where_something_is_claimed() -> None:
    def run() -> None:
        fighting = choose("fighting", (1, 3))
        slots = {"strength": AnyNumber("s", 1)}
        state = symbolic_state(3, lambda owner: slots if owner.seat < fighting else {"strength": 0})
        stage(state)
        if fighting == 1:
            claim(state.players[0].strength > 0, "it is more than 0")

    assert settle(run).covered.contenders == 1


def _of(name: str, what: str) -> Number | Choice | None:
    """What a property of the engine covers of an unknown."""
    covered = api.prove(name).covered
    every: tuple[Number | Choice, ...] = (*covered.numbers, *covered.choices)
    return next((each for each in every if each.name == what), None)


@pytest.mark.parametrize(
    ("name", "what", "covered"),
    [
        ("all_recruits_of_the_turn_may_be_deployed", "deployed", Number("deployed", 0, 0)),
        ("sending_moves_one_card_and_one_agent_and_pays", "Red.agents", Number("Red.agents", 1, 3)),
        ("an_effect_asks_its_owner_just_what_it_says", "Red.leader", None),
        (
            "sandworms_that_need_maker_hooks_do_not_come_without",
            "Red.maker_hooks",
            Choice("Red.maker_hooks", 1, ("False",)),
        ),
    ],
)
def test_real_properties_cover_no_more_than_they_claim(
    name: str, what: str, covered: Number | Choice | None
) -> None:
    assert _of(name, what) == covered


# What is of no kind but a check


def _a_branch_that_no_number_takes() -> None:
    if quantity("n") < 0:
        pass
    claim(True, "the table is right")


def _a_number_that_is_always_0() -> None:
    n = quantity("n")
    rest = n - n
    del rest
    claim(True, "the table is right")


def _a_branch_that_no_position_takes() -> None:
    n, m = quantity("n", 0, 9), quantity("m", 0, 9)
    domain(n + m == 9)
    if n + m > 9:
        pass
    claim(True, "the table is right")


@pytest.mark.parametrize(
    "run",
    [_a_branch_that_no_number_takes, _a_number_that_is_always_0, _a_branch_that_no_position_takes],
)
def test_a_number_that_no_claim_depends_on_makes_no_theorem(
    table: dict[str, Property], run: Callable[[], object]
) -> None:
    found = verdict_of(table, run)
    assert (found.kind, found.verdict) == (EXHAUSTIVE, CHECKED)


def test_a_branch_that_an_assumption_shuts_makes_a_theorem(table: dict[str, Property]) -> None:
    def run() -> None:
        n = quantity("n")
        assume(n > 5)
        claim(bool(n > 3), "it is more than 3")

    found = verdict_of(table, run)
    assert (found.kind, found.verdict) == (THEOREM, PROVED)


def test_options_are_the_same_whether_a_number_came_of_symbols_or_not() -> None:
    def run() -> None:
        n = quantity("n")
        choose("how many", (1, 2))
        claim(choose("how many", (n + 1 - n, n + 2 - n)) < 3, "it is few")

    found = settle(run)
    assert (found.verdict, found.covered.choices) == (PROVED, (Choice("how many", 2, ("1", "2")),))


# What is left out


def _assumes_one_away() -> None:
    n = quantity("n")
    assume(n != 7)
    claim(n != 7, "it is not 7")


def _says_that_one_does_not_exist() -> None:
    n = quantity("n")
    domain(n != 7)
    claim(n != 7, "it is not 7")


def _claims_of_two_values() -> None:
    n = quantity("n", 0, 1000)
    if any_of(n == 0, n == 1000):
        claim(n >= 0, "it is natural")


def _claims_something_before() -> None:
    n = quantity("n")
    claim(n >= 0, "it is natural")
    assume(n == 3)
    claim(n == 3, "it is 3")


def _equals_another() -> None:
    n, m = quantity("n"), quantity("m")
    assume(n == m)
    claim(n == m, "they are the same")


def _gives_up_by_hand() -> None:
    n = quantity("n")
    if n == 7:
        assume(False)
    claim(n != 7, "it is not 7")


def _takes_all() -> None:
    n = quantity("n")
    claim(n >= 0 if n > 5 else n <= 5, "it is some number")


@pytest.mark.parametrize(
    ("run", "left_out"),
    [
        (_assumes_one_away, ("n",)),
        (_says_that_one_does_not_exist, ("n",)),
        (_claims_of_two_values, ("n",)),
        (_claims_something_before, ("n",)),
        (_equals_another, ("m", "n")),
        (_gives_up_by_hand, ("n",)),
        (_takes_all, ()),
    ],
)
def test_numbers_of_which_some_are_left_out_are_told(
    run: Callable[[], None], left_out: tuple[str, ...]
) -> None:
    found = settle(run)
    assert found.verdict == PROVED
    assert found.covered.left_out == left_out
    told = f"under assumptions about {' and '.join(left_out)}"
    assert (told in in_words(found.covered)) == bool(left_out)


def test_a_place_in_which_nothing_can_be_is_empty() -> None:
    def run() -> None:
        state = symbolic_state(3, conflict=Lazy("conflict", (None,)))
        stage(state)
        claim(state.conflict is None, "there is none")

    def holds_something() -> None:
        stage(symbolic_state(3, first_reward=Lazy("first_reward", ((), ("a", "b")))))
        claim(True, "it may hold something")

    assert settle(run).covered.staged
    assert "first_reward" not in settle(holds_something).covered.empty


# What hides a claim


@pytest.mark.parametrize("later", ["another number", "a choice"])
def test_a_domain_that_would_hide_a_claim_by_what_came_later_is_refused(later: str) -> None:
    def run() -> None:
        n = quantity("n")
        claim(n < 5, "it is less than 5")
        m = quantity("m", 0, 3) if later == "another number" else choose("m", (0, 3))
        domain(n <= m)
        claim(m >= 0, "it is natural")

    found = settle(run)
    assert found.verdict == UNSUPPORTED
    assert "would hide it" in found.detail


def test_what_claims_for_others_counts_where_it_is_called() -> None:
    text = "def it(n):\n    claim(n)\n    claim_told(n)\n    _claim_given(n)\n    claimed(n)\n"
    made = compile(text, str(PROPERTIES / "made.py"), "exec").co_consts[0]
    assert isinstance(made, CodeType)
    assert len(all_in([made])) == 3


def test_functions_of_two_files_are_two_though_their_codes_are_equal() -> None:
    one, other = (
        compile("def same():\n    return 1\n", file, "exec").co_consts[0]
        for file in ("one.py", "other.py")
    )
    assert isinstance(one, CodeType)
    assert isinstance(other, CodeType)
    assert one == other
    codes = Codes()
    codes.add(one)
    codes.add(other)
    assert {each.co_filename for each in codes} == {"one.py", "other.py"}
    codes.discard(one)
    assert one not in codes
    assert other in codes
    assert len(codes) == 1


# What is taken for granted


def _granted(table: dict[str, Property], shows: Callable[[], None]) -> list[Verdict]:
    like = next(iter(table.values()))
    named: dict[str, Any] = {"kind": CLAIM, "cases": ({},), "family": None}

    def takes() -> None:
        n = quantity("n")
        current().assume(n > 3, "shows")
        claim(n > 2, "it is more than 2")

    table.clear()
    for name, run in (("takes", takes), ("shows", shows)):
        table[name] = dataclasses.replace(like, name=name, run=run, **named)
    return [each for each in api.prove_all() if isinstance(each, Verdict)]


def test_nothing_is_known_where_what_is_taken_for_granted_is_not_so(
    table: dict[str, Property],
) -> None:
    takes, shows = _granted(table, lambda: claim(quantity("m") > 3, "it is more than 3"))
    assert (takes.verdict, shows.verdict) == (UNKNOWN, REFUTED)
    assert takes.detail == "it takes for granted what shows says, and that is refuted"


def test_what_is_taken_for_granted_and_not_shown_is_told(table: dict[str, Property]) -> None:
    takes, shows = _granted(table, lambda: claim(quantity("m") >= 0, "it is natural"))
    assert (takes.verdict, shows.verdict) == (PROVED, PROVED)
    assert takes.granted_by == ()
    (alone,) = (each for each in api.prove_all(["takes"]) if isinstance(each, Verdict))
    assert (alone.verdict, alone.granted_by) == (PROVED, ("shows",))


def test_a_kept_proof_remembers_what_it_takes_for_granted(tmp_path: Path) -> None:
    relies = registered()["each_frame_finds_what_it_relies_on"]
    case = next(case for case in relies.case if case.startswith("step PickPlace"))
    obligation = Obligation((relies.name,), case)
    (made,) = settle_obligation(obligation, Manner())
    kept = Kept(tmp_path)
    kept.keep(made, Manner())
    found = kept.find([obligation], Manner())[obligation]
    assert made.settled.granted_by == found.settled.granted_by == (relies.name,)


def test_other_tables_are_covered_by_who_speaks_of_them_alone() -> None:
    names = ("every_seat_is_treated_alike", "no_sandworm_enters_behind_a_standing_wall")
    (outcome,) = settle_obligation(Obligation(names, "step Run Summon"), Manner())
    found = outcome.settled
    assert found.elsewhere_of == names[:1]
    assert found.covered.acting == (0,)
    assert together(found.covered, found.elsewhere).acting == (0, 1, 2, 3)
