"""`then` lines as JSON: what a scenario's text expects, never what the engine shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from lark import Token

from rules_engine.effects.text import say
from rules_engine.kernel.decks import ANY
from scenarios import sentences
from scenarios.imperium.names import lower_snake
from scenarios.imperium.table import ZONES, effects_in
from scenarios.language.syntax import Line, Words, has_word, phrases, token, tokens, unquoted
from scenarios.language.values import AMOUNTS, amount
from scenarios.names_check import CARDS, EFFECTS
from scenarios.run import Run
from scenarios.vectors.inputs import Json, stated, told
from scenarios.words import SOME_CARD

NOT_COUNTED = ("no_spy", "no_agent")
"""What is said of nobody at all: the number in it is only good English."""


def expectation(run: Run, line: Line) -> Json:
    """What a line expects, the rules that it names for it, and its own words."""
    claim, *because = phrases(line.words)
    rules = [str(rule) for part in because for rule in tokens(part, "RULE")]
    return {**_claim(run, line, claim), "because": rules, "says": line.written.text}


def _claim(run: Run, line: Line, words: Words) -> Json:
    kind = str(words.data)
    match kind:
        case "fact" | "observed":
            (inner,) = phrases(words)
            return _claim(run, line, inner)
        case "has" | "gains" | "loses" | "keeps":
            (quantity,) = phrases(words)
            seat = run.table.seat(line, token(words, "NAME"))
            about = {"kind": kind, "player": seat, "quantity": str(quantity.data)}
            return {**about, **_arguments(run, line, quantity)}
        case "cannot" | "can":
            return {"kind": kind, **_deed(run, line, words)}
        case "strength":
            return {"kind": kind, "strengths": list(_strengths(run, line, words))}
        case "reserve":
            return {"kind": kind, "stacks": list(_stacks(run, line, words))}
        case "rewards":
            return {"kind": kind, "rewards": list(_rewards(run, line, words))}
        case "has_trashed":
            return {"kind": kind, **_trashed_since(run, line, words)}
        case "share_victory":
            return {"kind": kind, "players": _seats(run, line, words)}
        case "sees" | "does_not_see":
            viewer, owner = _seats(run, line, words)
            (what,) = phrases(words, "hidden")
            zone = "intrigues" if has_word(what, "intrigue") else "hand"
            return {"kind": kind, "viewer": viewer, "owner": owner, "zone": zone}
        case "happens" | "does_not_happen":
            return {"kind": kind, **event_told(run, unquoted(token(words, "STRING")))}
    return {"kind": kind, **_arguments(run, line, words)}


# Of most phrases, each word says one thing


def _arguments(run: Run, line: Line, words: Words) -> Json:
    found: Json = {}
    for child in words.children:
        if isinstance(child, Token):
            found |= _word(run, line, words, child)
        elif words.data not in NOT_COUNTED or child.data not in (*AMOUNTS, "any"):
            found |= _phrase(run, line, words, child)
    return found


def _word(run: Run, line: Line, words: Words, word: Token) -> Json:
    match word.type:
        case "NAME":
            return {"player": run.table.seat(line, word)}
        case "SPACE":
            return {"space": run.table.id(line, word, "space")}
        case "FACTION":
            return {"faction": run.table.id(line, word, "faction")}
        case "ICON":
            return {"icon": lower_snake(word)}
        case "ZONE":
            return {"zone": ZONES[str(word)]}
        case "RESOURCE":
            return {"what": str(word).lower()}
        case "NUMBER":
            return {"amount": int(word)}
        case "STRING" if words.data == "led_by":
            return {"leader": run.table.id(line, word, "leader")}
        case "STRING" if words.data == "trained":
            return {"training": run.table.id(line, word, "training")}
        case "STRING" if words.data == "first_reward":
            return {"effects": [say(each) for each in effects_in(line, word)]}
    return {}


def _phrase(run: Run, line: Line, words: Words, phrase: Words) -> Json:
    if phrase.data == "at_least":
        (inner,) = phrases(phrase)
        return {**_phrase(run, line, words, inner), "at_least": True}
    if phrase.data == "cards" and words.data in EFFECTS:
        effects = (each for text in tokens(phrase, "STRING") for each in effects_in(line, text))
        return {"effects": [say(each) for each in effects]}
    if phrase.data == "cards":
        return {"cards": list(run.table.cards(line, phrase, *CARDS[str(words.data)]))}
    if phrase.data == "reward":
        return {"reward": str(phrase.children[0])}
    if phrase.data in AMOUNTS:
        return {"amount": amount(line, phrase, run.environment)}
    return {"post": run.table.post(line, phrase)}


# Of some, there is more to say


def _deed(run: Run, line: Line, words: Words) -> Json:
    """What can be done or not: a decision, or something that an effect would tell."""
    seat = run.table.seat(line, token(words, "NAME"))
    (deed,) = phrases(words)
    if deed.data in ("summons", "resolves_effect"):
        return {"effect": told(run, line, seat, deed)}
    return {"action": stated(run, line, seat, deed)}


def _seats(run: Run, line: Line, words: Words) -> list[int]:
    return [run.table.seat(line, name) for name in tokens(words, "NAME")]


def _strengths(run: Run, line: Line, words: Words) -> Iterator[Json]:
    for seat, phrase in zip(_seats(run, line, words), phrases(words), strict=True):
        yield {"player": seat, **_phrase(run, line, words, phrase)}


def _stacks(run: Run, line: Line, words: Words) -> Iterator[Json]:
    for phrase, word in zip(phrases(words), tokens(words, "STRING"), strict=True):
        left = amount(line, phrase, run.environment)
        yield {"card": run.table.reserve_card(line, word), "amount": left}


def _rewards(run: Run, line: Line, words: Words) -> Iterator[Json]:
    """What every player takes: one who is not named takes none."""
    rewards = [str(phrase.children[0]) for phrase in phrases(words, "reward")]
    named = dict(zip(_seats(run, line, words), rewards, strict=True))
    for seat in range(len(run.scenario.players)):
        yield {"player": seat, "reward": named.get(seat, "none")}


def _trashed_since(run: Run, line: Line, words: Words) -> Json:
    """The cards that a player has trashed since the start: a position does not say who did."""
    said = _arguments(run, line, words)
    before = run.trashed.at_start.get(said["player"], ())
    cards: Counter[str] = Counter(said["cards"])
    return {**said, "cards": list((cards - Counter(before)).elements())}


# What happens


def event_told(run: Run, sentence: str) -> Json:
    """The event that a sentence tells, with its facts as data."""
    found = next(sentences.told(sentence))
    facts = {name: _fact(run, name, text) for name, text in found.facts.items()}
    about = {"player": facts.pop("player")} if "player" in facts else {}
    return {"event": found.key, **about, "facts": facts}


def _fact(run: Run, name: str, text: str) -> Any:
    if name in sentences.PLAYERS:
        names = [each.lower() for each in run.scenario.players]
        return names.index(text.lower()) if text.lower() in names else text
    if name in sentences.LISTED:
        one = sentences.LISTED[name]
        return [_fact(run, one, each) for each in sentences.listed(run.table, name, text)]
    if text.removeprefix("-").isdecimal():
        return int(text)
    if (name, text.lower()) == ("card", SOME_CARD):
        return ANY
    kind = "card" if name == "why" else name
    return sentences.named(run.table, kind, text) or lower_snake(text)
