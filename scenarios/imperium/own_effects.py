"""What an effect that a scenario writes can say: what the product plays, with names it knows."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules_engine.catalogue.faces import Catalogue
from rules_engine.effects import tree
from rules_engine.effects.products import TITLES, waits_for
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record

PAID = ("solari", "spice", "water")


def check_effect(effect: Effect, printed: Catalogue) -> None:
    """Refuse an effect of another product, and one that means nothing in this one."""
    product = waits_for(effect)
    if product is not None:
        raise TruthsayerError(
            "TS0302",
            f"`{say(effect)}` is an effect of {TITLES[product]}, which is not there yet",
            help=f"leave it out, or write an effect that is played in {printed.product}, "
            "like `gain 1 spice`",
        )
    for node in _nodes(effect):
        allowed = _allowed_instead(node, printed)
        if allowed:
            raise TruthsayerError(
                "TS0303", f"`{say(effect)}` means nothing in this game", help=allowed
            )


def _nodes(value: object) -> Iterator[Record]:
    """Every node of an effect, conditions and counts included."""
    if isinstance(value, tuple):
        for each in value:
            yield from _nodes(each)
    elif isinstance(value, Record):
        yield value
        for field in value.__struct_fields__:
            yield from _nodes(getattr(value, field))


def _allowed_instead(node: Record, printed: Catalogue) -> str:
    """What could stand where a node stands; nothing if the node itself can."""
    factions = (*printed.tracks, tree.ANY_FACTION)
    match node:
        case tree.AtPlacement():
            return "write `choose: … | …`: a cost picked with the space is printed on spaces only"
        case tree.CompleteContract():
            return "leave it out: a contract is completed by what it says, never by a card"
        case tree.Pay(_, what):
            return _one_of("what is paid", what, PAID)
        case tree.LoseInfluence(_, faction) | tree.HoldsAlliance(faction):
            return _one_of("the Faction", faction, factions)
        case tree.Choose(options, picks) if picks > 1:
            picked = [each.faction for each in options if isinstance(each, tree.GainInfluence)]
            return next(filter(None, (_one_of("the Faction", f, factions) for f in picked)), "")
        case tree.TakeControl(space):
            held = [face.id for face in printed.spaces.values() if face.control_bonus]
            return _one_of("the place", space, held)
        case tree.Owns(card) | tree.Acquired(card):
            return _one_of("the card", card, printed.cards)
    return ""


def _one_of(what: str, name: str, known: Collection[str]) -> str:
    return "" if name in known else f"{what} is one of " + ", ".join(f"`{one}`" for one in known)
