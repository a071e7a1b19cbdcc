"""Each kind of mistake on a small function, and what is never changed."""

from __future__ import annotations

import pytest

from truthsayer.mutation.changes import citation_names, units_of

HEAD = "def rule(state, a, b):\n"


def changed(body: str, head: str = HEAD, citations: tuple[str, ...] = ()) -> list[str]:
    """The body of a function after each change of it, stubs left out."""
    source = (head + body).encode()
    (unit,) = units_of(source, citations)
    made = [change.made_in(source).decode().removeprefix(head) for change in unit.changes]
    for text in made:
        compile(head + text, "a mutant", "exec")
    return made


@pytest.mark.parametrize(
    ("body", "others"),
    [
        ("    return a < b\n", ["a <= b", "a >= b"]),
        ("    return a <= b\n", ["a < b", "a > b"]),
        ("    return a > b\n", ["a >= b", "a <= b"]),
        ("    return a >= b\n", ["a > b", "a < b"]),
        ("    return a == b\n", ["a != b"]),
        ("    return a != b\n", ["a == b"]),
        ("    return a is b\n", ["a is not b"]),
        ("    return a not in b\n", ["a in b"]),
        ("    return a + b\n", ["a - b"]),
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
        "    return Event('key', ONE if a else TWO, b, {}, ('card',))\n",
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
