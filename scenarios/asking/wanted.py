"""What `ask why did … not happen` asks about, as a kind of event and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rules_engine.kernel.outcomes import Event, Seat
from scenarios.asking.position import Asked
from scenarios.language.syntax import Line, Words, phrases, token, tokens, unquoted
from scenarios.language.values import amount
from scenarios.sentences import told as read_sentence
from scenarios.words import event_words


class Wanted(NamedTuple):
    """What did not happen: the kind of event, whom it is about, and what else is said of it."""

    key: str
    seat: Seat | None
    facts: dict[str, object]


def wanted_on(run: Asked, line: Line) -> Wanted:
    """What a question asks about: told in a sentence, or as what a player did not get."""
    if tokens(line.words, "STRING"):
        return _of_sentence(run, unquoted(token(line.words, "STRING")))
    seat = run.table.seat(line, token(line.words, "NAME"))
    (deed,) = phrases(line.words)
    key, facts = MISSED[str(deed.data)](run, line, deed)
    return Wanted(key, seat, facts)


def _of_sentence(run: Asked, text: str) -> Wanted:
    """The event that a sentence tells, as `"…" happens` reads it."""
    players = [name.lower() for name in run.scenario.players]
    for found in read_sentence(text):
        who = found.facts.get("player", "").lower()
        if "player" in found.facts and who not in players:
            continue
        facts: dict[str, object] = {"told": text}
        for kind in ("contract", "faction"):
            if kind in found.facts:
                facts[kind] = run.table.names.find(kind, found.facts[kind])
        return Wanted(found.key, players.index(who) if who else None, facts)
    raise AssertionError(text)


Missing = Callable[[Asked, Line, Words], tuple[str, dict[str, object]]]

QUANTITIES = {
    "garrison": "recruits",
    "troops": "deploys",
    "sandworms": "summons",
    "victory_points": "scores",
    "agents": "takes_swordmaster",
    "spies": "recalls_spy",
    "swords": "swords",
    "cards": "draws",
    "intrigues": "draws_intrigue",
    "contracts": "takes_contract",
    "completed": "completes_contract",
}
"""The event by which a player comes to more of each quantity."""

AMOUNT = {
    "recruits": "troops",
    "deploys": "troops",
    "summons": "sandworms",
    "scores": "points",
    "swords": "swords",
}
"""How the number is called in such an event."""


def _gain(run: Asked, line: Line, deed: Words) -> tuple[str, dict[str, object]]:
    (quantity,) = phrases(deed)
    number = amount(line, phrases(quantity)[0], run.environment)
    match str(quantity.data):
        case "resource":
            return "gains", {"what": str(token(quantity, "RESOURCE")).lower(), "amount": number}
        case "influence":
            faction = run.table.id(line, token(quantity, "FACTION"), "faction")
            return "influence", {"faction": faction}
        case other:
            key = QUANTITIES.get(other, "gains")
            return key, {AMOUNT[key]: number} if key in AMOUNT else {}


def _loss(run: Asked, line: Line, deed: Words) -> tuple[str, dict[str, object]]:
    """What a player has less of, whatever took it: told by how much less it is."""
    (quantity,) = phrases(deed)
    amount(line, phrases(quantity)[0], run.environment)
    points = str(quantity.data) == "victory_points"
    text = str(line.written.text).lower().partition(" lose ")[2]
    return LOSES_POINTS if points else LOSES, {"less": text}


LOSES, LOSES_POINTS = "loses", "loses_points"
"""That a player has less of something, which no one event tells."""


def _reward(_: Asked, __: Line, deed: Words) -> tuple[str, dict[str, object]]:
    (reward,) = phrases(deed)
    return "reward", {"reward": str(token(reward, "REWARD"))}


def _contract(run: Asked, line: Line, deed: Words) -> tuple[str, dict[str, object]]:
    contract = run.table.id(line, token(deed, "STRING"), "contract")
    return "completes_contract", {"contract": contract}


def _alliance(run: Asked, line: Line, deed: Words) -> tuple[str, dict[str, object]]:
    return "takes_alliance", {"faction": run.table.id(line, token(deed, "FACTION"), "faction")}


MISSED: dict[str, Missing] = {
    "missed_gain": _gain,
    "missed_loss": _loss,
    "missed_reward": _reward,
    "missed_contract": _contract,
    "missed_alliance": _alliance,
    "missed_win": lambda *_: ("wins_conflict", {}),
    "missed_hooks": lambda *_: ("takes_hooks", {}),
    "missed_sandworm": lambda *_: ("summons", {}),
    "missed_draw": lambda *_: ("draws", {}),
}
"""The event that each phrase about what did not happen stands for."""


def is_wanted(run: Asked, event: Event, wanted: Wanted) -> bool:
    """Whether an event is what was asked about."""
    if event.key != wanted.key or (wanted.seat is not None and event.player != wanted.seat):
        return False
    told = wanted.facts.get("told")
    if told is not None:
        return event_words(run.state, event).lower() == str(told).lower()
    return all(event.facts.get(name) == value for name, value in wanted.facts.items())
