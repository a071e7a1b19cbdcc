"""The ranked search: what there is about a question, be it rules, rulings, cards or scenarios."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from typing import NamedTuple

import msgspec

from rules_engine.catalogue.load import catalogue, products
from rules_engine.catalogue.things import Thing, effects, things
from rules_engine.effects.text import say
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.rulebook import index as rulebook
from rules_engine.rulebook.rulings import Answer, NoChoice, Ruling, Settled, answers
from rules_engine.search.index import Entry, Index
from rules_engine.search.words import Reader, Words, split
from scenarios.finding import Found, library_files, near_misses

DEFAULT = "uprising"
"""The game that is meant where none is named. The rulings are on it."""

OTHER_GAME = 0.5
"""How much the text of another game counts, where none is named."""

NARROW = 0.6
"""How much a rule counts that is for a few player counts only."""

RULING = 1.2
"""How much a ruling counts against a rule: it answers a question."""

FEW_MODES = 2

MOST_CITED = 6
"""A scenario that cites more rules than these says little about each."""

MOST_TITLES = 12
"""So many titles of scenarios stand for what is said about a rule or a ruling."""

PEOPLE = "leaders"
SHARED_NAME = 2
"""A word of a name tells who is meant if no more than these have it in theirs."""

NAMED = 1_000.0
"""How much more that counts whose id is in the question."""

NEAR_BEST = 0.4
"""Of the rules with some of the words, those are found whose score is such a part of the best."""

TITLE = re.compile(r'scenario "(?P<title>.*)"\s*$')
WORD = re.compile(r"\w+")
ID = re.compile(r"[\w-]+")
SMALL = re.compile(r"\b[a-z]+\b")


class Results(NamedTuple):
    """What there is about a question, each kind best first."""

    answers: tuple[rulebook.Rule | Answer, ...]
    printed: tuple[Thing, ...]
    scenarios: tuple[Found, ...]


class _Titled(NamedTuple):
    """A scenario of the library, and the rules and rulings that its lines name."""

    found: Found
    cites: frozenset[str]
    mentions: frozenset[str]

    @property
    def product(self) -> str:
        return self.found.file.split("/")[0]


def search(question: str, product: str = "", most: int = 5) -> Results:
    """What there is about a question, at most so many of each kind.

    All games are searched, the usual one first; if a game is named, that one alone. Of what is
    printed, whatever the question names is meant, else what fits it best.
    """
    words, weigh = asked(question), _naming_first(question, _weigher(product))
    printed = _named(question, product) or tuple(
        _printed()[hit.entry.id] for hit in _printed_index().search(words, weigh)[:most]
    )
    return Results(
        tuple(_answer(hit.entry) for hit in _answer_index().search(words, weigh)[:most]),
        printed[:most],
        tuple(
            _titled()[int(hit.entry.id)].found for hit in _title_index().search(words, weigh)[:most]
        ),
    )


def search_rules(words: str, product: str = "", most: int = 20) -> tuple[rulebook.Rule, ...]:
    """The rules that fit some words, best first, without those that fit far worse than the best."""
    weigh = _naming_first(words, _weigher(product))
    hits = _answer_index().search(
        asked(words), lambda entry: weigh(entry) if entry.kind == "rule" else 0
    )
    near = [hit for hit in hits if hit.score >= NEAR_BEST * hits[0].score]
    return tuple(rulebook.rule(hit.entry.id) for hit in near[:most])


def asked(question: str) -> list[str]:
    """The words that a question is about; there has to be one."""
    found = _reader().asked(question)
    if found:
        return found
    said = ", ".join(f"`{word}`" for word in dict.fromkeys(split(question)))
    raise TruthsayerError(
        "TS0736",
        f"nothing to look for: {said} can be in any question" if said else "nothing is asked",
        help="ask with the words of the game, such as `can I summon a sandworm`",
    )


def known_products() -> list[str]:
    """The games that there are rules for."""
    return sorted({product for rule in rulebook.rules() for product in rule.products})


# What counts how much


def _weigher(product: str) -> Callable[[Entry], float]:
    """How much each entry counts where this game is asked about."""
    known = known_products()
    if product and not _for(product, known):
        raise TruthsayerError(
            "TS0738", f"no rules for a game `{product}`", help=near_misses(product, known)
        )

    def weigh(entry: Entry) -> float:
        if product:
            game = float(_for(product, entry.products))
        else:
            game = 1.0 if DEFAULT in entry.products else OTHER_GAME
        kind = RULING if entry.kind == "ruling" else 1.0
        return game * kind * (NARROW if entry.narrow else 1.0)

    return weigh


def _naming_first(question: str, weigh: Callable[[Entry], float]) -> Callable[[Entry], float]:
    """The same weights, but what the question names by its id comes before all else."""
    named = {word.upper() for word in ID.findall(question)}
    return lambda entry: weigh(entry) * (NAMED if entry.id.upper() in named else 1.0)


def _for(product: str, tags: Iterable[str]) -> bool:
    """Whether something is for a game, or for a way to play it, such as `hagal-2p`."""
    return any(tag == product or tag.startswith(f"{product}-") for tag in tags)


# What can be found


@functools.cache
def _reader() -> Reader:
    file = resources.files("rules_engine.rulebook") / "words" / "imperium.toml"
    return Reader(msgspec.toml.decode(file.read_bytes(), type=Words))


@functools.cache
def _answer_index() -> Index:
    """Rules and rulings, each with the titles of scenarios about it."""
    return Index((*_rule_entries(), *_ruling_entries()), _reader())


def _rule_entries() -> Iterator[Entry]:
    titles = _titles_by(lambda each: each.cites if len(each.cites) <= MOST_CITED else ())
    for rule in rulebook.rules():
        yield Entry(
            kind="rule",
            id=rule.id,
            title=rule.title,
            text=rule.statement,
            names=f"{rule.id} {rule.section}",
            also=titles[rule.id],
            products=rule.products,
            narrow=0 < len(rule.modes) <= FEW_MODES,
        )


def _ruling_entries() -> Iterator[Entry]:
    titles = _titles_by(lambda each: each.mentions)
    names = {thing.id: " ".join(thing.names) for thing in _printed().values()}
    for name, found in answers().items():
        affects = found.affects if isinstance(found, Settled) else ()
        yield Entry(
            kind="ruling",
            id=name,
            title=found.question,
            text=_says(found),
            names=" ".join((name.replace("_", " "), *(names.get(each, "") for each in affects))),
            also=titles[name],
            products=(DEFAULT,),
        )


def _says(answer: Answer) -> str:
    match answer:
        case Ruling():
            return " ".join(answer.says)
        case Settled():
            return answer.answer
        case NoChoice():
            return answer.reason


def _answer(entry: Entry) -> rulebook.Rule | Answer:
    return rulebook.rule(entry.id) if entry.kind == "rule" else answers()[entry.id]


@functools.cache
def _printed() -> dict[str, Thing]:
    """Everything printed, by its game, kind and id."""
    return {
        f"{product} {thing.kind} {thing.id}": thing
        for product in products()
        for thing in things(catalogue(product))
    }


@functools.cache
def _printed_index() -> Index:
    return Index(
        (
            Entry(
                kind="printed",
                id=key,
                title=thing.name,
                text=" ".join(map(say, effects(thing.face))),
                names=" ".join(thing.names),
                products=(_product(key),),
            )
            for key, thing in _printed().items()
        ),
        _reader(),
    )


def _product(key: str) -> str:
    return key.split()[0]


@functools.cache
def _title_index() -> Index:
    return Index(
        (
            Entry("scenario", str(number), each.found.title, "", products=(each.product,))
            for number, each in enumerate(_titled())
        ),
        _reader(),
    )


@functools.cache
def _titled() -> tuple[_Titled, ...]:
    """The scenarios of the library. Their first lines are enough, so none is parsed."""
    return tuple(each for file, text in library_files() for each in _titles_in(file, text))


def _titles_in(file: str, text: str) -> Iterator[_Titled]:
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if TITLE.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        match = TITLE.match(lines[start])
        assert match
        inside = lines[start + 1 : end]
        cites = " ".join(line for line in inside if line.startswith("cites"))
        yield _Titled(
            Found(match["title"], file, start + 1),
            frozenset(cites.replace(",", " ").split()[1:]),
            frozenset(WORD.findall("\n".join(inside))),
        )


def _titles_by(names: Callable[[_Titled], Iterable[str]]) -> defaultdict[str, str]:
    """The titles of the scenarios that name something, by what they name."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for each in _titled():
        for name in names(each):
            found[name].append(each.found.title)
    joined = {name: " ".join(titles[:MOST_TITLES]) for name, titles in found.items()}
    return defaultdict(str, joined)


# What a question names


def _named(question: str, product: str) -> tuple[Thing, ...]:
    """Everything printed that a question names, in full or by a word of its own."""
    words = split(question)
    keys: dict[str, None] = {}
    at = 0
    while at < len(words):
        length, found = _name_at(words, at)
        keys.update(dict.fromkeys(found))
        at += length
    return tuple(_printed()[key] for key in keys if not product or _for(product, (_product(key),)))


def _name_at(words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    """How many words from here on are a name, and of what; the longest name counts."""
    names = _full_names()
    for length in range(min(max(map(len, names)), len(words) - at), 0, -1):
        found = names.get(tuple(words[at : at + length]))
        if found:
            return length, found
    return 1, _telling_words().get(words[at], ())


@functools.cache
def _full_names() -> dict[tuple[str, ...], tuple[str, ...]]:
    found: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for key, thing in _printed().items():
        for name in thing.names:
            found[tuple(split(name))].append(key)
    return {name: tuple(keys) for name, keys in found.items()}


@functools.cache
def _telling_words() -> dict[str, tuple[str, ...]]:
    """What people are called for short, such as `Jessica`: a word of the name that rules never
    write small, and that not many have.
    """
    small = {word for rule in rulebook.rules() for word in SMALL.findall(rule.statement)}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for key, thing in _printed().items():
        if thing.kind == PEOPLE:
            for word in {*split(thing.name)} - small:
                found[word].append(key)
    return {word: tuple(keys) for word, keys in found.items() if len(keys) <= SHARED_NAME}
