"""Each kind of mistake on a small function, and what is never changed."""

from __future__ import annotations

import pytest

from truthsayer.mutation.change import (
    BOUND,
    DELIVERY,
    FORGOTTEN,
    KINDS,
    REPLACED,
    RULING,
    SECRECY,
    STALE,
    SWAPPED,
    WRONG_PLAYER,
)
from truthsayer.mutation.changes import citation_names, unit_around, units_of
from truthsayer.mutation.mutants import RULES, TOP

HEAD = "def rule(state, a, b):\n"


OF_PEOPLE = (WRONG_PLAYER, STALE, SWAPPED, SECRECY, DELIVERY, RULING)
"""The kinds that have tests of their own."""


def changed(body: str, head: str = HEAD, citations: tuple[str, ...] = ()) -> list[str]:
    """The body of a function after each slip in it, stubs left out."""
    source = (head + body).encode()
    (unit,) = units_of(source, citations)
    changes = [each for each in unit.changes if each.kind not in OF_PEOPLE]
    made = [change.made_in(source).decode().removeprefix(head) for change in changes]
    for text in made:
        compile(head + text, "a mutant", "exec")
    return made


@pytest.mark.parametrize(
    ("body", "others"),
    [
        ("    return a < b\n", ["a <= b", "a >= b", "a < b - 1"]),
        ("    return a <= b\n", ["a < b", "a > b", "a <= b + 1"]),
        ("    return a > b\n", ["a >= b", "a <= b", "a > b + 1"]),
        ("    return a >= b\n", ["a > b", "a < b", "a >= b - 1"]),
        ("    return a == b\n", ["a != b"]),
        ("    return a != b\n", ["a == b"]),
        ("    return a is b\n", ["a is not b"]),
        ("    return a not in b\n", ["a in b"]),
        ("    return a + b\n", ["a - b", "b"]),
        ("    return a - b\n", ["a + b"]),
        ("    return a * b\n", ["a + b"]),
        ("    return 3\n", ["4", "2"]),
        ("    return 0\n", ["1", "(-1)"]),
        ("    return True\n", ["False"]),
        ("    return a and b\n", ["a or b"]),
        ("    return a or b\n", ["a and b"]),
        ("    return not a\n", ["a"]),
        ("    return smaller(a, b)\n", ["larger(a, b)"]),
        ("    return max(a, b)\n", ["min(a, b)"]),
        ("    return any(a)\n", ["all(a)"]),
        ("    return pick(a, b, a)\n", ["pick(True, b, a)", "pick(False, b, a)"]),
        ("    return b if a else a\n", ["b if True else a", "b if False else a"]),
        ("    return [x for x in a if x]\n", ["[x for x in a if True]", "[x for x in a if False]"]),
        ("    return change(a, x=b, y=a)\n", ["change(a, y=a)", "change(a, x=b)"]),
        ("    return push(state, a, b)\n", ["push(state, b)", "push(state, a)"]),
        ("    return Step(state, (a, *b))\n", ["Step(state, (*b,))", "Step(state, (a,))"]),
        ("    return Step(state, (a,))\n", ["Step(state, ())"]),
    ],
)
def test_an_expression_is_changed(body: str, others: list[str]) -> None:
    assert sorted(changed(body)) == sorted(f"    return {other}\n" for other in others)


def test_a_condition_is_forced_either_way() -> None:
    body = "    if a:\n        return b\n    return a\n"
    assert [text.splitlines()[0].strip() for text in changed(body)] == ["if False:", "if True:"]


def test_a_statement_is_left_out_if_the_rest_can_run_without_it() -> None:
    body = "    state = a.b\n    fresh = a.c\n    note(fresh)\n    return state\n"
    assert [text.count("pass") for text in changed(body)] == [1, 1]
    assert not any("fresh = a.c" not in text for text in changed(body))


def test_a_reason_is_not_given() -> None:
    assert changed("    yield Reason('no', RULE)\n") == ["    yield from ()\n"]


def test_a_case_never_applies_but_the_last_one_stays() -> None:
    cases = "        case int():\n            return b\n        case _:\n            return a\n"
    body = f"    match a:\n{cases}"
    (text,) = changed(body)
    assert "case int() if False:" in text


def test_texts_that_a_function_tells_apart_are_swapped() -> None:
    made = changed('    return (a == "first") + (b == "second")\n')
    assert '    return (a == "second") + (b == "second")\n' in made
    assert '    return (a == "first") + (b == "first")\n' in made


def test_names_of_texts_are_swapped() -> None:
    source = b'FIRST = "first"\nLAST = "last"\n\n\ndef rule(a):\n    return FIRST if a else LAST\n'
    (unit,) = units_of(source)
    made = [change.made_in(source).decode().splitlines()[-1].strip() for change in unit.changes]
    assert {"return LAST if a else LAST", "return FIRST if a else FIRST"} <= set(made)


@pytest.mark.parametrize(
    ("annotation", "stub"),
    [
        ("State", "return state"),
        ("Step[State]", "return Step(state)"),
        ("bool", "return True"),
        ("Quantity", "return 0"),
        ("Refusal | None", "return None"),
        ("Iterator[Reason]", "return iter(())"),
        ("tuple[Event, ...]", "return ()"),
    ],
)
def test_a_stub_does_nothing(annotation: str, stub: str) -> None:
    head = f'def rule(state) -> {annotation}:\n    """What it does."""\n'
    assert f"    {stub}\n    return state.a\n" in changed("    return state.a\n", head)


@pytest.mark.parametrize(
    "body",
    [
        '    """Text with 1 number."""\n    return a\n',
        "    x: Literal[1] = a\n    return x\n",
        "    assert a > 1\n    return a\n",
        "    raise TypeError(1)\n",
        "    return f'{a} has not {1 + 2}'\n",
        "    rules = ONE if a else TWO\n    return rules\n",
        "    return Event('key', ONE if a else TWO, b, {})\n",
        "    return Reason('a' if b else 'c', ONE)\n",
    ],
)
def test_what_nobody_could_notice_stays(body: str) -> None:
    assert units_of((HEAD + body).encode()) == ()


def test_citations_stay() -> None:
    source = b'ONE = cite("UPR-WALL-001")\nTABLE = {1: ONE}\n'
    assert citation_names(source) == {"ONE"}
    citing = b"def _behind(a) -> tuple[str, ...]:\n    return ONE if a > 1 else ()\n"
    assert units_of(citing, {"ONE"}) == ()
    assert units_of(citing) != ()


def test_a_decorated_method_and_a_lambda_are_units_of_their_own() -> None:
    source = (
        b"LIMIT = 2\nCOUNT = rules(lambda a: a + 1)\n\n\nclass Thing:\n    size: int = 3\n\n"
        b"    @property\n    def double(self) -> int:\n        return self.size * 2\n"
    )
    found = {unit.name: (unit.function, unit.first_line) for unit in units_of(source)}
    assert found == {
        "LIMIT": ("", 1),
        "COUNT (lambda)": ("<lambda>", 2),
        "Thing": ("", 5),
        "Thing.double": ("double", 8),
    }


# The mistakes of people


def of_kind(
    kind: str, body: str, head: str = "def rule(state, frame, seat, before, after):\n"
) -> set[str]:
    """The lines of a function that a mistake of a kind makes."""
    source = (head + body).encode()
    changes = [change for unit in units_of(source) for change in unit.changes]
    true = {line.strip() for line in (head + body).splitlines()}
    found = set()
    for change in changes:
        if change.kind == kind:
            made = change.made_in(source).decode()
            compile(made, "a mutant", "exec")
            lines = [line.strip() for line in made.splitlines()]
            found.add(
                " / ".join(line for line in lines if line not in true) or " / ".join(lines[1:])
            )
    return found


@pytest.mark.parametrize(
    ("kind", "body", "made"),
    [
        (
            WRONG_PLAYER,
            "    return player(state, seat)\n",
            {"return player(state, state.first_player)"},
        ),
        (
            WRONG_PLAYER,
            "    return push(state, Turn(state.first_player))\n",
            {"return push(state, Turn(0))", "return push(state, Turn(seat))"},
        ),
        (
            WRONG_PLAYER,
            "    victim = frame.victim\n    return score(state, victim)\n",
            {"return score(state, state.first_player)", "return score(state, seat)"},
        ),
        (
            WRONG_PLAYER,
            "    return [each for each in state.spies if each.seat == seat]\n",
            {
                "return [each for each in state.spies if each.seat == state.first_player]",
                "return [each for each in state.spies if state.first_player == seat]",
                "return [each for each in state.spies if seat == seat]",
            },
        ),
        (
            STALE,
            "    done = pay(state)\n    return Step(done.state, done.events)\n",
            {"return Step(state, done.events)"},
        ),
        (
            STALE,
            "    paid = change(owner, spice=0)\n    return with_player(state, paid)\n",
            {"return with_player(state, owner)"},
        ),
        (STALE, "    return after >= 2\n", {"return before >= 2"}),
        (
            REPLACED,
            "    return change(owner, spice=owner.spice + amount)\n",
            {"return change(owner, spice=amount)"},
        ),
        (
            REPLACED,
            "    return change(owner, hand=with_card(owner.hand, card))\n",
            {"return change(owner, hand=(card,))"},
        ),
        (REPLACED, "    won = (*owner.won, card)\n    return won\n", {"won = (card,)"}),
        (REPLACED, "    items += more\n", {"items = more"}),
        (REPLACED, "    return Step(state, events + more)\n", {"return Step(state, more)"}),
        (
            FORGOTTEN,
            "    return change(owner, troops=none, swords=none)\n",
            {"return change(owner, swords=none)", "return change(owner, troops=none)"},
        ),
        (
            SWAPPED,
            "    return push(state, End(), Begin())\n",
            {"return push(state, Begin(), End())"},
        ),
        (
            SWAPPED,
            "    state = pay(state)\n    owner = player(state)\n    return owner\n",
            {"owner = player(state) / state = pay(state) / return owner"},
        ),
        (SWAPPED, "    one = a(state)\n    two = b(state)\n    return one\n", set()),
        (SWAPPED, "    one = a(state)\n    two = b(one)\n    return two\n", set()),
        (SWAPPED, "    return Step(state, (one, *more))\n", {"return Step(state, (*more, one))"}),
        (SWAPPED, "    return dict.fromkeys((one, two))\n", set()),
        (
            SWAPPED,
            "    return move(state, 'hand', 'in_play')\n",
            {"return move(state, 'in_play', 'hand')"},
        ),
        (SWAPPED, "    return reversed(victims)\n", {"return victims"}),
        (SWAPPED, "    first, *rest = frame.all\n", {"*rest, first = frame.all"}),
        (
            SWAPPED,
            "    return clockwise(state, start)[1]\n",
            {"return clockwise(state, start)[-1]"},
        ),
        (
            SECRECY,
            "    return Event('draws', DRAW, who, {'card': a}, secret=('card',))\n",
            {"return Event('draws', DRAW, who, {'card': a})"},
        ),
        (
            SECRECY,
            "    return Event('steals', DRAW, who, {'card': a}, ('card',))\n",
            {"return Event('steals', DRAW, who, {'card': a})"},
        ),
        (
            SECRECY,
            "    return Event('discards', DRAW, who, {'card': a})\n",
            {"return Event('discards', DRAW, who, {'card': a}, secret=('card',))"},
        ),
        (BOUND, "    return top < ALLIES\n", {"return top <= ALLIES", "return top < ALLIES - 1"}),
        (BOUND, "    return top >= ALLIES\n", {"return top > ALLIES", "return top >= ALLIES - 1"}),
        (BOUND, "    return top > ALLIES\n", {"return top >= ALLIES", "return top > ALLIES + 1"}),
        (
            DELIVERY,
            "    return any(each.hooks for each in state.players)\n",
            {
                "return any(each.hooks for each in state.players[1:])",
                "return any(each.hooks for each in state.players[:1])",
            },
        ),
        (
            DELIVERY,
            "    for other in clockwise(state, start):\n        give(other)\n",
            {
                "for other in clockwise(state, start)[:-1]:",
                "for other in clockwise(state, start) * 2:",
            },
        ),
        (
            DELIVERY,
            "    return tuple(Run(each) for each in reversed(opponents))\n",
            {
                "return tuple(Run(each) for each in reversed(opponents[1:]))",
                "return tuple(Run(each) for each in reversed(opponents * 2))",
            },
        ),
        (DELIVERY, "    return push(state, Turn())\n", {"return push(state, Turn(), Turn())"}),
        (
            RULING,
            '    return follows(state, "harvest_amount") == "at_least"\n',
            {
                'return follows(state, "harvest_amount") == "exactly"',
                'return "at_least" == "at_least"',
            },
        ),
        (RULING, '    return follows(state, "no_such_ruling") == "yes"\n', set()),
    ],
)
def test_people_make(kind: str, body: str, made: set[str]) -> None:
    assert of_kind(kind, body) == made


def test_what_everybody_gets_comes_to_one() -> None:
    body = "    return tuple(change(each, swords=none) for each in state.players)\n"
    one = "change(each, swords=none) if each.seat == state.first_player else each"
    assert f"return tuple({one} for each in state.players)" in of_kind(DELIVERY, body)


def test_fields_are_declared_open_or_hidden() -> None:
    source = (
        b"from views import Seen\n\n\nclass Player(Record):\n"
        b"    hand: Annotated[Cards, Seen.OWNER]\n    discard: Cards = ()\n    spice: int\n"
    )
    (unit,) = units_of(source)
    made = [each.made_in(source).decode() for each in unit.changes if each.kind == SECRECY]
    assert any("    hand: Cards\n" in each for each in made)
    assert any("    discard: Annotated[Cards, Seen.OWNER] = ()\n" in each for each in made)
    assert len(made) == 2


def test_every_kind_is_made_of_the_rules() -> None:
    files = (RULES / "combat.py", RULES / "held_intrigue.py")
    found = [units_of((TOP / file).read_bytes()) for file in files]
    kinds = {change.kind for units in found for unit in units for change in unit.changes}
    assert kinds == set(KINDS)


def test_the_unit_around_a_place_is_the_smallest() -> None:
    source = b"class Thing:\n    def half(self):\n        return 1\n\n    other = 2\n"
    at = source.index(b"1")
    assert unit_around(source, at, at + 1).name == "Thing.half"
    at = source.index(b"2")
    assert unit_around(source, at, at + 1).name == "Thing"
