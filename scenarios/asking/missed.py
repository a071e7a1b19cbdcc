"""What did not happen since the last `when` although it was near, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.imperium import contracts
from rules_engine.imperium.acquire import REFILL, ROW
from rules_engine.imperium.choices import optional
from rules_engine.imperium.faces import card_face, contract_face, printed, space_face
from rules_engine.imperium.frames import Item
from rules_engine.imperium.influence import ALLIES, holder_of, influence
from rules_engine.imperium.state import State, ThisTurn, player
from rules_engine.imperium.units import SHORTAGE
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.outcomes import Event, Seat
from rules_engine.rulebook.index import cite
from scenarios.asking.conditions import counted, impossible
from scenarios.asking.position import GROUPS, Asked, Left, due_effects
from scenarios.asking.said import Part

LEVEL = cite("UPR-FACTION-011", "UPR-FACTION-010")
LOWER = cite("UPR-FACTION-010", "UPR-FACTION-009")
TOO_LATE = cite("UPR-CHOAM-017", "UPR-CHOAM-010")
NO_UNIT = cite("UPR-STR-007", "UPR-STR-008")
EMPTY_DECK = cite("UPR-ICON-003")
EMPTY_INTRIGUE = cite("UPR-ICON-004")


class Missed(NamedTuple):
    """Something that did not happen with its reason, and the player whom it is about."""

    seat: Seat | None
    part: Part


def missed(run: Asked) -> tuple[Missed, ...]:
    """Everything that was near and did not happen, each with its reason."""
    found: list[Missed] = []
    for look in (_effects, _unmet, _contracts, _lapsed, _recruits, _strength, _row, _alliances):
        try:
            found += look(run)
        except UnknownRead:
            continue
    return tuple(dict.fromkeys(found))


# Effects that came to nothing


def _effects(run: Asked) -> Iterator[Missed]:
    """Effects that were impossible when their group was left."""
    for state, seat, item in run.left:
        if not _completes(item):
            for part in why_left(state, seat, item):
                words = f"not `{say(item.effect)}` for {player(state, seat).name}: {part.words}"
                yield Missed(seat, Part(words, part.rules))


def _unmet(run: Asked) -> Iterator[Missed]:
    """Effects that wait for a condition which is not met, and nothing else is due before them."""
    if any(due_effects(run.state)):
        return
    for owner in run.state.players:
        for state, seat, item in _due(run.state, owner.seat):
            if isinstance(item.effect, tree.If) and not _completes(item):
                for part in why_left(state, seat, item)[:1]:
                    words = (
                        f"`{say(item.effect)}` does not apply for {owner.name} now: {part.words}"
                    )
                    yield Missed(seat, Part(words, part.rules))


def why_left(state: State, seat: Seat, item: Item) -> list[Part]:
    """Why an effect could not be resolved in a position; nothing if it could have been."""
    return list(impossible(state, seat, item.effect, item.source))


def is_optional(item: Item) -> bool:
    """Whether an effect may be left."""
    return optional(item.effect, committed=False)


def _completes(item: Item) -> bool:
    return any(isinstance(part, tree.CompleteContract) for part in tree.walk(item.effect))


# Contracts


def _contracts(run: Asked) -> Iterator[Missed]:
    """Contracts that what happened was about and did not complete."""
    for event in run.events:
        seat = event.player
        if seat is None or event.key not in ("sends_agent", "acquires", "takes_contract"):
            continue
        for contract in player(run.state, seat).contracts:
            if _is_about(run.state, event, contract):
                why = why_not_completed(run, seat, contract)
                yield _not_completed(run.state, seat, contract, why)


def _lapsed(run: Asked) -> Iterator[Missed]:
    """Contracts whose turn ended before they were completed."""
    for state, seat, item in run.left:
        if _completes(item) and item.source in player(run.state, seat).contracts:
            for why in why_left(state, seat, item)[:1]:
                rules = contracts.COMPLETED_BY[contract_face(state, item.source).completed_by]
                yield _not_completed(
                    state, seat, item.source, Part(why.words, (*rules, *why.rules))
                )


def _not_completed(state: State, seat: Seat, contract: str, why: Part) -> Missed:
    name = contract_face(state, contract).name
    who = player(state, seat).name
    words = f"{who} does not complete the contract {name}: {why.words}"
    return Missed(seat, Part(words, why.rules))


def _is_about(state: State, event: Event, contract: str) -> bool:
    """Whether an event is of the kind that completes a contract, or nearly so."""
    face = contract_face(state, contract)
    if event.key == "sends_agent":
        maker = space_face(state, event.facts["space"]).maker
        return face.target == event.facts["space"] or (face.completed_by == "harvest" and maker)
    if event.key == "takes_contract":
        visited = None if state.turn is None else state.turn.space
        return event.facts["contract"] == contract and face.target == visited is not None
    return False


def why_not_completed(run: Asked, seat: Seat, contract: str) -> Part:
    """Why a contract is not completed: not held in time, or what completes it did not happen."""
    state, name = run.state, player(run.state, seat).name
    face = contract_face(state, contract)
    rules = contracts.COMPLETED_BY[face.completed_by]
    if contract in player(state, seat).completed:
        return Part("it is completed already", contracts.COMPLETE)
    if contract not in player(state, seat).contracts:
        return Part(f"{name} does not hold it", contracts.HELD)
    turn, space = _turn_and_space(run, seat)
    held = turn is None or contract in turn.held
    if space is not None and not held and face.completed_by in ("visit", "harvest"):
        return Part("it was taken after the Agent had been sent", TOO_LATE)
    if face.completed_by == "visit" and face.target is not None:
        wanted = space_face(state, face.target).name
        sent = (
            "no Agent was sent"
            if space is None
            else f"the Agent went to {space_face(state, space).name}"
        )
        return Part(f"an Agent has to be sent to {wanted}, and {sent}", rules)
    if face.completed_by == "harvest":
        return _harvest(run, seat, contract, space, rules)
    if face.completed_by == "acquire" and face.target is not None:
        return Part(f"{card_face(state, face.target).name} has to be acquired", rules)
    return Part("it is completed in the moment in which it is taken", rules)


def _turn_and_space(run: Asked, seat: Seat) -> tuple[ThisTurn | None, str | None]:
    """The turn of the player as far as it is known, and the space of its Agent."""
    for state in (run.state, *(left.state for left in run.left)):
        turn = state.turn
        if turn is not None and turn.seat == seat and turn.space is not None:
            return turn, turn.space
    return None, None


def _harvest(
    run: Asked, seat: Seat, contract: str, space: str | None, rules: tuple[str, ...]
) -> Part:
    face = contract_face(run.state, contract)
    if space is None or not space_face(run.state, space).maker:
        return Part("no Agent was sent to a Maker space", rules)
    for state, _, item in (*_due(run.state, seat), *run.left):
        if item.source == contract:
            parts = why_left(state, seat, item)
            if parts:
                return Part(parts[0].words, (*rules, *parts[0].rules))
            return Part(f"`{say(item.effect)}` is still to be resolved", rules)
    gained = sum(
        event.facts["amount"]
        for event in run.events
        if event.key == "gains" and event.player == seat and event.facts.get("what") == "spice"
    )
    needed = counted(face.amount, "spice gained", "spice gained")
    return Part(f"it needs {needed} in the turn, and {gained} was gained", rules)


def _due(state: State, seat: Seat) -> Iterator[Left]:
    """The effects that are still there for a player to resolve."""
    for frame in state.pending:
        if isinstance(frame, GROUPS) and frame.seat == seat:
            yield from (Left(state, seat, item) for item in frame.items)


# Pieces that were not there


def _recruits(run: Asked) -> Iterator[Missed]:
    for event in run.events:
        short = event.key == "recruits" and set(SHORTAGE) <= set(event.rules)
        if short and event.player is not None:
            name = player(run.state, event.player).name
            recruited = f"{name} recruits no more than {event.facts['troops']!r}"
            part = Part(f"{recruited}: no more troops are in supply", SHORTAGE)
            yield Missed(event.player, part)


def _strength(run: Asked) -> Iterator[Missed]:
    """Swords of a player without a unit count nothing."""
    for event in run.events:
        if event.key == "swords" and event.player is not None:
            part = why_no_strength(run.state, event.player)
            if part is not None:
                name = player(run.state, event.player).name
                yield Missed(
                    event.player, Part(f"{name}'s strength is 0: {part.words}", part.rules)
                )


def why_no_strength(state: State, seat: Seat) -> Part | None:
    """Why a player has no strength whatever swords there are, if that is so."""
    owner = player(state, seat)
    if owner.troops + owner.sandworms > 0:
        return None
    return Part(f"{owner.name} has no unit in the Conflict", NO_UNIT)


def _row(run: Asked) -> Iterator[Missed]:
    """A gap in the Row that stays."""
    emptied = any(event.key in ("acquires", "sets_aside") for event in run.events)
    if emptied and len(run.state.row) < ROW and size(run.state.imperium_deck) == 0:
        words = "the Imperium Row is not filled: the Imperium Deck is empty"
        yield Missed(None, Part(words, REFILL))


# Alliances


def _alliances(run: Asked) -> Iterator[Missed]:
    """Alliances that somebody who rose came near, and those that a falling holder keeps."""
    for event in run.events:
        if event.key == "influence" and event.player is not None:
            seat, faction = event.player, event.facts["faction"]
            before = influence(run.before, seat, faction)
            if influence(run.state, seat, faction) > before:
                yield from _not_taken(run.state, seat, faction)
            elif influence(run.state, seat, faction) < before:
                yield from _kept(run.state, seat, faction)


def _not_taken(state: State, seat: Seat, faction: str) -> Iterator[Missed]:
    near = influence(state, seat, faction) >= ALLIES
    if near and holder_of(state, faction) not in (None, seat):
        why = why_no_alliance(state, seat, faction)
        called = printed(state).tracks[faction].name
        name = player(state, seat).name
        words = f"{name} does not take the {called} Alliance: {why.words}"
        yield Missed(seat, Part(words, why.rules))


def _kept(state: State, seat: Seat, faction: str) -> Iterator[Missed]:
    """A holder fell to where others are, or below them, and the token stays."""
    own = influence(state, seat, faction)
    if holder_of(state, faction) != seat:
        return
    called, name = printed(state).tracks[faction].name, player(state, seat).name
    for other in state.players:
        theirs = influence(state, other.seat, faction)
        if other.seat != seat and theirs >= ALLIES and theirs >= own:
            words = (
                f"{other.name} does not take the {called} Alliance: {name} keeps it "
                f"with {own!r} Influence, and {other.name} has {theirs!r}"
            )
            yield Missed(other.seat, Part(words, LEVEL if own == theirs else LOWER))


def why_no_alliance(state: State, seat: Seat, faction: str) -> Part:
    """Why a player does not hold an Alliance."""
    holder, own = holder_of(state, faction), influence(state, seat, faction)
    name = player(state, seat).name
    if holder is None or holder == seat or own < ALLIES:
        words = f"it needs {ALLIES} Influence, and {name} has {own!r}"
        return Part(words, cite("UPR-FACTION-009"))
    other, theirs = player(state, holder).name, influence(state, holder, faction)
    words = f"{other} holds it with {theirs!r} Influence, and {name} has {own!r}"
    return Part(words, LEVEL if own == theirs else LOWER)
