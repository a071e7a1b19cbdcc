"""The number-generic lint reports each forbidden use of a quantity, and the rules have none."""

import ast
import re
import shutil
from pathlib import Path

import pytest

import rules_engine
from verifier.number_lint import NOT_RULES, Facts, check, check_rules, gather

ENGINE = Path(rules_engine.__file__).parent

RECORDS = """
class Player(Record):
    name: str
    troops: Quantity
    spice: "Quantity"
    bid: Quantity | None
    gains: tuple[Quantity, ...]
    pair: tuple[str, Quantity]
    influence: dict[str, Quantity]

    @property
    def total(self) -> Quantity: ...

class Rival(Player):
    level: Quantity

def strength(player: Player) -> Quantity: ...
def shares(player: Player) -> list[Quantity]: ...
def turn(player: Player) -> int: ...
def colours(player: Player) -> frozenset[str]: ...
def paint(these: set[str]) -> None: ...

class Board(Record):
    taken: frozenset[str]

CORNERS = frozenset({"north", "south"})
"""

FORBIDDEN = {
    "hash of a field": "hash(player.troops)  # hash",
    "hash of a tuple with a field": "hash((player.name, player.troops))  # hash",
    "hash by a cache": "@cache\ndef twice(n: Quantity) -> Quantity:\n    return n + n\n",
    "index": "names[player.troops]  # index",
    "index by a parameter": "names[amount]  # index",
    "index by a condition": "names[amount > 2]  # index",
    "slice bound": "names[: player.troops]  # index",
    "slice step": "names[::amount]  # index",
    "range": "range(player.troops)  # range",
    "range from one": "for i in range(1, amount + 1):  # range\n    pass",
    "repetition": "('sword',) * amount  # range",
    "repeated text": "amount * '#'  # range",
    "f-string": "f'{player.name} has {player.troops}'  # format",
    "f-string with a width": "f'{amount:>3}'  # format",
    "str": "str(player.troops)  # format",
    "repr": "repr(amount)  # format",
    "format": "format(amount, '>3')  # format",
    "format of a tuple": "str((player.name, player.troops))  # format",
    "method format": "'{}'.format(player.troops)  # format",
    "percent format": "'%d troops' % player.troops  # format",
    "percent format of a tuple": "'%s %d' % (player.name, amount)  # format",
    "isinstance": "isinstance(player.troops, int)  # type",
    "type": "type(amount)  # type",
    "int": "int(player.troops)  # convert",
    "bool": "bool(amount)  # convert",
    "float": "float(amount)  # convert",
    "round": "round(amount)  # convert",
    "operator.index": "operator.index(amount)  # convert",
    "dict key": "{player.troops: player.name}  # key",
    "dict key in a comprehension": "{p.troops: p for p in players}  # key",
    "dict store": "table[player.troops] = 1  # key",
    "dict get": "table.get(amount)  # key",
    "set display": "{player.troops, 2}  # key",
    "set comprehension": "{p.troops for p in players}  # key",
    "set": "set(player.gains)  # key",
    "set add": "seen.add(amount)  # key",
    "in a set": "player.troops in {1, 2}  # key",
    "not in a dict": "amount not in table  # key",
    "sort key": "sorted(players, key=lambda p: p.troops)  # sort-key",
    "sort key in a tuple": "sorted(players, key=lambda p: (p.name, -p.troops))  # sort-key",
    "sort key by name": "sorted(players, key=strength)  # sort-key",
    "sort key from the items": "sorted(player.gains, key=lambda gain: gain)  # sort-key",
    "max by key": "max(players, key=lambda p: strength(p))  # sort-key",
    "min by key": "min(players, key=lambda p: p.troops)  # sort-key",
    "list sort": "players.sort(key=lambda p: p.troops)  # sort-key",
    "sorted quantities": "sorted(p.troops for p in players)  # sort-key",
    "list sort of quantities": "gains = list(player.gains)\ngains.sort()  # sort-key",
    "is": "player.troops is amount  # identity",
    "is not": "amount is not 3  # identity",
    "bit and": "player.troops & 1  # operator",
    "bit shift": "amount << 1  # operator",
    "bit inversion": "~amount  # operator",
    "floor division": "player.troops // 2  # operator",
    "true division": "amount / 2  # operator",
    "modulo": "amount % 2  # operator",
    "power": "2 ** amount  # operator",
    "divmod": "divmod(amount, 2)  # operator",
    "in-place floor division": "amount //= 2  # operator",
    "match": "match player.troops:  # match\n    case 0:\n        pass",
    "match of a field": "match player:  # match\n    case Player(troops=3):\n        pass",
    "match of a place": "match player:  # match\n    case Player('John', 3):\n        pass",
    "type of a watched record": "type(player)  # type",
    "type handed on": "map(type, players)  # type",
    "a name of Python's own": "str.__repr__(player)  # inside",
    "opened record": "asdict(player)  # record",
    "encoded record": "coder.encode(player)  # record",
    "identity of an object": "id(player)  # inside",
    "names of an object": "vars(player)  # inside",
    "a library": "import json  # library",
    "something of a library": "from pickle import dumps  # library",
    # The ways a quantity reaches a forbidden use.
    "string annotation": "str(player.spice)  # format",
    "optional field": "str(player.bid)  # format",
    "property": "str(player.total)  # format",
    "function result": "str(strength(player))  # format",
    "method result": "str(rules.strength(player))  # format",
    "sum": "str(player.troops + 1)  # format",
    "difference": "str(3 - amount)  # format",
    "product": "str(2 * amount)  # format",
    "negation": "str(-amount)  # format",
    "minimum": "str(min(amount, 3))  # format",
    "total": "str(sum(p.troops for p in players))  # format",
    "clamp": "str(clamp(amount, 0, 3))  # format",
    "pick": "str(pick(first, amount, 0))  # format",
    "larger": "str(larger(0, amount))  # format",
    "conditional": "str(amount if first else 0)  # format",
    "or": "str(0 or amount)  # format",
    "comparison": "str(amount > 3)  # format",
    "assigned": "n = player.troops\nstr(n)  # format",
    "assigned twice over": "n = player.troops\nm = n + 1\nstr(m)  # format",
    "assigned below": "n = 0\nfor _ in players:\n    str(n)  # format\n    n = n + amount",
    "annotated": "n: Quantity = 0\nstr(n)  # format",
    "added to": "n = 0\nn += amount\nstr(n)  # format",
    "unpacked": "who, n = player.name, player.troops\nstr(n)  # format",
    "unpacked from a field": "who, n = player.pair\nstr(n)  # format",
    "starred": "head, *rest = player.gains\nstr(rest)  # format",
    "walrus": "if (n := player.troops) > 2:\n    str(n)  # format",
    "for over a field": "for n in player.gains:\n    str(n)  # format",
    "for over a call": "for n in shares(player):\n    str(n)  # format",
    "for over a generator": "for n in (p.troops for p in players):\n    str(n)  # format",
    "for over pairs": "for p, n in zip(players, player.gains):\n    str(n)  # format",
    "for over items": "for who, n in player.influence.items():\n    str(n)  # format",
    "dict value": "str(player.influence['fremen'])  # format",
    "list item": "numbers = [p.troops for p in players]\nstr(numbers[0])  # format",
    "captured": "match player:\n    case Player(troops=n):\n        str(n)  # format",
    "captured by place": "match player:\n    case Player(who, n):\n        str(n)  # format",
    "captured by an inherited place": (
        "match player:\n    case tree.Rival(_, n):\n        str(n)  # format"
    ),
    "in a nested function": "def inner() -> str:\n    return str(amount)  # format",
    "in a lambda": "show = lambda: str(amount)  # format",
    "many arguments": "def inner(*n: Quantity) -> str:\n    return str(n)  # format",
    # What goes by the order of a set.
    "hash of text": "hash(player.name)  # hash",
    "loop over a set": "for each in {'red', 'blue'}:  # order\n    pass",
    "loop over a named set": "known = set(names)\nfor each in known:  # order\n    pass",
    "loop over an annotated set": "known: set[str] = made()\nfor each in known:  # order\n    pass",
    "loop over a parameter": (
        "def inner(known: frozenset[str]) -> None:\n    for each in known:  # order\n        pass"
    ),
    "loop over a field": "for each in board.taken:  # order\n    pass",
    "loop over what a function gives": "for each in colours(player):  # order\n    pass",
    "loop over an imported set": (
        "from rules_engine.imperium.board import CORNERS\nfor each in CORNERS:  # order\n    pass"
    ),
    "loop over a set of a module": "for each in board.CORNERS:  # order\n    pass",
    "loop over what two sets share": "for each in set(names) & known:  # order\n    pass",
    "loop over common keys": "for each in table.keys() & names:  # order\n    pass",
    "first of a set": "next(iter({'red', 'blue'}))  # order",
    "list of a set": "list(set(names))  # order",
    "tuple of a set comprehension": "tuple({p.name for p in players})  # order",
    "comprehension over a set": "[each for each in {p.name for p in players}]  # order",
    "dict over a set": "{each: 1 for each in set(names)}  # order",
    "spread set": "(*set(names),)  # order",
    "handed on spread": "show(*set(names))  # order",
    "unpacked set": "one, other = {'red', 'blue'}  # order",
    "popped": "known = set(names)\nknown.pop()  # order",
    "joined": "', '.join(set(names))  # order",
    "handed on": "show(set(names))  # order",
    "sorted by a key": "sorted(set(names), key=len)  # order",
    "first by a key": "max(set(names), key=len)  # order",
    "shown": "f'{set(names)}'  # order",
    "given as something else": ("def inner() -> Iterable[str]:\n    return set(names)  # order"),
    "given one by one": "def inner() -> Iterator[str]:\n    yield from set(names)  # order",
    "with an excuse": "str(amount)  # format  # noqa  # type: ignore",
}

ALLOWED = {
    "arithmetic": "n = player.troops + 2 * amount - 1",
    "comparison": "if player.troops >= amount and amount != 3:\n    pass",
    "branch on a range of values": "if 0 <= amount <= 3:\n    pass",
    "helpers": "n = larger(0, min(amount, player.troops)) + sum(player.gains)",
    "picking a name": "name = pick(amount > 3, 'many', 'few')\nstr(name)",
    "passing on": "change(player, troops=player.troops - amount)",
    "a dict value": "facts = {'amount': amount}",
    "presence": "if player.bid is None:\n    pass",
    "a listed value": "if amount in (1, 2):\n    pass",
    "counting records": "len(players) + len(player.gains)",
    "index by a player": "names[turn(player)]",
    "range over shape": "for i in range(len(players)):\n    names[i]",
    "sort by name": "sorted(players, key=lambda p: p.name)",
    "the most": "max(p.troops for p in players)",
    "formatting shape": "f'{player.name}'",
    "capturing a field": "match player:\n    case Player(troops=n) if n > 2:\n        pass",
    "capturing shape by place": "match player:\n    case Player(who, n):\n        str(who)",
    "matching shape": "match player.name:\n    case 'John':\n        pass",
    "the other of a pair": "who, n = player.pair\nstr(who)",
    "the key of an item": "for who, n in player.influence.items():\n    names[who]",
    "a shadowed name": "[str(amount) for amount in names]",
    "a shadowing local": "def inner() -> str:\n    amount = 'much'\n    return str(amount)",
    "a shadowing parameter": "def inner(amount: str) -> str:\n    return str(amount)",
    "a method of the same name": "names.troops()[0]",
    "truth of a condition": "bool(amount > 3)",
    "in a set": "if player.name in {'John', 'Paul'} | board.taken:\n    pass",
    "sorted set": "for each in sorted({p.name for p in players}):\n    pass",
    "set of a set": "known = {each for each in set(names)} | {*set(names)}",
    "number of a set": "if len(set(names)) == len(names):\n    pass",
    "any of a set": "any(each == player.name for each in set(names))",
    "least of a set": "min(set(names))",
    "set handed to what takes one": "paint(set(names))",
    "set given as one": "def inner() -> set[str]:\n    return set(names)",
    "a list of the name of a set": (
        "def inner() -> None:\n    known = set(names)\n"
        "known = list(names)\nfor each in known:\n    pass"
    ),
}


def facts() -> Facts:
    """What the lint learns from the records above."""
    return gather([ast.parse(RECORDS)])


def function(body: str) -> str:
    """A rule function around some statements; their first line is line 2."""
    head = "def rule(player: Player, players: list[Player], amount: Quantity, first: bool) -> None:"
    return head + "".join(f"\n    {line}" for line in body.splitlines())


@pytest.mark.parametrize("body", FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_forbidden_use_is_reported_on_its_line(body: str) -> None:
    source = function(body.replace("@cache", "@cache  # hash"))
    expected = [
        (number, found[1])
        for number, line in enumerate(source.splitlines(), start=1)
        if (found := re.search(r"  # ([a-z-]+)", line))
    ]
    assert len(expected) == 1
    findings = check(ast.parse(source), "rule.py", facts())
    assert [(found.line, found.code) for found in findings] == expected
    assert findings[0].file == "rule.py"
    assert findings[0].column > 1


@pytest.mark.parametrize("body", ALLOWED.values(), ids=ALLOWED)
def test_an_allowed_use_is_not_reported(body: str) -> None:
    assert check(ast.parse(function(body)), "rule.py", facts()) == []


def test_a_finding_says_what_is_wrong() -> None:
    (finding,) = check(ast.parse(function("n = 1\nint(player.troops)")), "rule.py", facts())
    assert finding == ("rule.py", 3, 5, "convert", "a quantity is not passed to int()")


def test_code_outside_functions_is_checked() -> None:
    source = "START: Quantity = 3\nLABEL = str(START)\n"
    assert [found.line for found in check(ast.parse(source), "rule.py", facts())] == [2]


def test_a_library_is_reported_where_it_is_used() -> None:
    source = "import json\ndef rule(player: Player) -> str:\n    return json.dumps(player.name)\n"
    found = check(ast.parse(source), "rule.py", facts())
    assert [(each.line, each.code) for each in found] == [(1, "library"), (3, "library")]


def test_the_rules_are_number_generic() -> None:
    assert check_rules(ENGINE) == []


def test_the_files_set_aside_exist_and_need_to_be() -> None:
    trees = {
        path.relative_to(ENGINE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in ENGINE.rglob("*.py")
    }
    known = gather(trees.values())
    for name in NOT_RULES:
        assert check(trees[name], name, known) != []


@pytest.mark.parametrize("folder", ["imperium", "effects"])
def test_a_fault_planted_in_the_real_engine_is_reported(folder: str, tmp_path: Path) -> None:
    engine = tmp_path / "rules_engine"
    shutil.copytree(ENGINE, engine)
    planted = engine / folder / "planted" / "deeply.py"
    planted.parent.mkdir()
    planted.write_text("def wrong(effect: Gain) -> str:\n    return str(effect.amount)\n")
    findings = check_rules(engine)
    assert [(found.file, found.line, found.code) for found in findings] == [
        (f"{folder}/planted/deeply.py", 2, "format")
    ]
