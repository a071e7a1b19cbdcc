"""Look up rules by id, and cite them so that a wrong id fails at import."""

import difflib
from functools import cache
from importlib import resources

import msgspec

from rules_engine.kernel.errors import TruthsayerError

FILES = ("uprising", "base", "arrakis")
LONGEST_ID = 50
"""What is longer resembles no id, and looking for one would take long."""


SEARCH = "`truthsayer rules --search WORDS` finds the id of a rule"


class UnknownRule(TruthsayerError):
    """Somebody cited a rule id that the index does not have."""

    def __init__(self, rule_id: str) -> None:
        near = difflib.get_close_matches(rule_id[:LONGEST_ID].upper(), _by_id(), n=1)
        super().__init__(
            "TS0201",
            f"no rule `{rule_id}`",
            help=f"did you mean `{near[0]}`?" if near else SEARCH,
        )


class Rule(msgspec.Struct, frozen=True):
    """One atomic statement of a rulebook, in our words."""

    id: str
    title: str
    statement: str
    book: str
    section: str
    kind: str
    products: tuple[str, ...]
    check: str
    """What can settle it: `scenario`, `proof`, `both` or `none`."""
    modes: tuple[str, ...] = ()
    """The player counts it is for; empty where the book does not tell them apart."""
    fallback: bool = False
    """Taken from the base game's rulebook because the product's own text lacks the page."""

    def source(self) -> str:
        """Name the book and the section where a reader finds the rule."""
        book = f"{self.book} (base game)" if self.fallback else self.book
        return f"{book}, {self.section.split(' > ')[-1]}"


def rules() -> tuple[Rule, ...]:
    """Give every rule of every product, in the order of the files."""
    return tuple(_by_id().values())


def rule(rule_id: str) -> Rule:
    """Give the rule with this id, or raise `UnknownRule` with the nearest id."""
    found = _by_id().get(rule_id)
    if found is None:
        raise UnknownRule(rule_id)
    return found


def cite(*rule_ids: str) -> tuple[str, ...]:
    """Give the ids back as they came, once each is known to exist.

    Rule modules call it at import time, so a misspelt citation never reaches a player.
    """
    return tuple(rule(rule_id).id for rule_id in rule_ids)


@cache
def _by_id() -> dict[str, Rule]:
    """Read the files once; they are in the package, so nothing depends on a working folder."""
    folder = resources.files("rules_engine.rulebook") / "rules"
    decoder = msgspec.json.Decoder(Rule)
    lines = (
        line
        for name in FILES
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    )
    return {found.id: found for found in map(decoder.decode, lines)}
