"""A value that is one of a few texts, each where its own condition holds.

Rules name things by texts: the place of a reward, a ruling, a Faction. `pick` makes such a value of
two texts instead of following both ways. Comparing it gives a condition, so a rule that only ranks
stays one path; whoever needs the text itself (a key, an index, a sentence, an attribute) makes the
run fork, and goes on with a plain text.

Only texts can be merged like this. Python compares `None`, `True` and `False` by identity, which no
value can answer for, and numbers and truth values are terms already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from verifier.current import Misuse, reject
from verifier.numbers import SymBool, all_of, any_of, opposite


def picked_text(condition: SymBool, yes: Any, no: Any) -> Any:
    """The text `yes` where the condition holds, else `no`: one value for both."""
    there, elsewhere = _conditions(yes), _conditions(no)
    return _one_of(
        {
            text: condition.pick(there.get(text, False), elsewhere.get(text, False))
            for text in {**there, **elsewhere}
        }
    )


def is_text(value: object) -> bool:
    """Whether this is a text, plain or one of several.

    Subclasses of `str` are refused: their own operations would be passed over.
    """
    if type(value) in (str, OneOf):
        return True
    if isinstance(value, str):
        raise reject(Misuse(f"one of several texts together with a {type(value).__name__}"))
    return False


def _conditions(value: Any) -> Mapping[str, Any]:
    """Each text that the value may be, and where it is that one."""
    return value.conditions if type(value) is OneOf else {value: True}


def _one_of(conditions: Mapping[str, Any]) -> Any:
    """The one text that is left, or one of those that are."""
    possible = {text: where for text, where in conditions.items() if where is not False}
    return OneOf(possible) if len(possible) > 1 else next(iter(possible))


def _as_text(name: str) -> Callable[..., Any]:
    """An operation of `str`, done with the plain text after a fork."""
    operation = getattr(str, name)

    def forked(value: OneOf, *given: Any, **named: Any) -> Any:
        return operation(value.settled(), *map(_plain, given), **named)

    return forked


def _plain(value: Any) -> Any:
    return value.settled() if type(value) is OneOf else value


def _forbidden(use: str) -> Callable[..., NoReturn]:
    def misused(*_: object, **__: object) -> NoReturn:
        raise reject(Misuse(use))

    return misused


class OneOf:
    """One of several texts: exactly one of their conditions holds."""

    __slots__ = ("conditions",)

    def __init__(self, conditions: Mapping[str, Any]) -> None:
        self.conditions = conditions

    def settled(self) -> str:
        """The text on this path: the run forks over those that are still possible."""
        *first, last = self.conditions
        return next((text for text in first if self.conditions[text]), last)

    def __eq__(self, other: object) -> Any:
        if not is_text(other):
            return NotImplemented
        theirs = _conditions(other)
        both = [text for text in self.conditions if text in theirs]
        return any_of(*(all_of(self.conditions[text], theirs[text]) for text in both))

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return same if same is NotImplemented else opposite(same)

    def __hash__(self) -> int:
        return hash(self.settled())

    def __bool__(self) -> bool:
        return bool(self.settled())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.settled(), name)

    @property
    def __class__(self) -> Any:
        """`isinstance` takes it for the text that it is."""
        return str

    @__class__.setter
    def __class__(self, _: object) -> None:
        raise reject(Misuse("another class for one of several texts"))

    def __radd__(self, other: Any) -> Any:
        return other + self.settled()

    __str__ = _as_text("__str__")
    __repr__ = _as_text("__repr__")
    __format__ = _as_text("__format__")
    __len__ = _as_text("__len__")
    __iter__ = _as_text("__iter__")
    __contains__ = _as_text("__contains__")
    __getitem__ = _as_text("__getitem__")
    __add__ = _as_text("__add__")
    __mul__ = __rmul__ = _as_text("__mul__")
    __mod__ = _as_text("__mod__")
    __lt__ = _as_text("__lt__")
    __le__ = _as_text("__le__")
    __gt__ = _as_text("__gt__")
    __ge__ = _as_text("__ge__")
    __reduce_ex__ = _forbidden("copying or pickling one of several texts")
