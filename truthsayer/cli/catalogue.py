"""`truthsayer catalogue`: what is printed for a product, counted, and what is special in it."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

import click

from rules_engine.catalogue.load import catalogue as printed_for
from rules_engine.catalogue.things import Thing, effects, kinds_in, sentences, things
from rules_engine.effects import tree
from rules_engine.effects.products import BASE, IMMORTALITY, IX, RIVALS_AND_SIX_PLAYER
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from truthsayer.cli.lookup import json_option, product_option
from truthsayer.cli.show import counted

ONE_IN = 20
"""At most one effect in so many may be special."""

USED_ELSEWHERE = {
    tree.Both: (IMMORTALITY, RIVALS_AND_SIX_PLAYER),
    tree.CardsInPlay: (BASE,),
    tree.DeployRecruits: (BASE, IX),
    tree.EachOpponent: (BASE, IX),
    tree.ForbidDeployment: (RIVALS_AND_SIX_PLAYER,),
    tree.Owns: (BASE, IX),
    tree.ReturnSelf: (IMMORTALITY,),
    tree.StealIntrigue: (BASE, RIVALS_AND_SIX_PLAYER),
    tree.SwordCards: (IX,),
    tree.TakeFromRow: (BASE,),
    tree.TakeMakerHooks: (RIVALS_AND_SIX_PLAYER,),
    tree.TakeSwordmaster: (BASE, IX, RIVALS_AND_SIX_PLAYER),
    tree.UseSignet: (BASE, RIVALS_AND_SIX_PLAYER),
    tree.WhenAcquiring: (BASE, IX),
}
"""Kinds of node that one thing of a catalogue has alone, but things of these products have, too."""

COPIES = ("copies", "starting", "reserve")
"""Fields that say how often a face is printed; `starting` is for each player."""

APART = ("starting", "reserve", "promo")
"""Cards of which these are true are counted apart from the others of their kind."""


class Special(NamedTuple):
    """An effect that needs a function of its own, and the kinds of node that make it so."""

    thing: Thing
    effect: Effect
    kinds: tuple[str, ...]


@click.command()
@click.option(
    "--specials", is_flag=True, help="List the effects that need a function of their own."
)
@product_option
@json_option
@click.pass_context
def catalogue(ctx: click.Context, specials: bool, product: str, as_json: bool) -> None:
    """Count what is printed for a product: faces of each kind, and copies of them.

    With --specials, list each effect that needs a function of its own: it has a kind of node that
    only one printed thing of the whole family uses. At most one effect in twenty may.

    \b
    Examples:
      truthsayer catalogue
      truthsayer catalogue --specials

    Exit code: 0, 1 if too many effects are special, 2 if there is no such product.
    """
    everything = things(printed_for(product))
    if not specials:
        counts = _counts(everything)
        click.echo(_json(_counts_json(product, counts)) if as_json else _counts_text(counts))
        return
    found = special_effects(everything)
    total = sum(len(effects(thing.face)) for thing in everything)
    if as_json:
        click.echo(_json(_specials_json(product, found, total)))
    else:
        click.echo(_specials_text(found, total))
    ctx.exit(1 if len(found) * ONE_IN > total else 0)


# Counting


def _counts(everything: tuple[Thing, ...]) -> dict[str, tuple[int, int]]:
    """The faces of each kind and their copies."""
    faces: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    for thing in everything:
        group = _group(thing)
        faces[group] += 1
        copies[group] += _copies(thing)
    return {group: (faces[group], copies[group]) for group in faces}


def _group(thing: Thing) -> str:
    apart = [flag for flag in APART if getattr(thing.face, flag, False)]
    return f"{thing.kind}, {apart[0]}" if apart else thing.kind


def _copies(thing: Thing) -> int:
    """How often a face is printed: once if it does not say; a back comes with its front."""
    if getattr(thing.face, "back", False):
        return 0
    stated = [getattr(thing.face, field) for field in COPIES if hasattr(thing.face, field)]
    return sum(stated) if stated else 1


def _counts_text(counts: dict[str, tuple[int, int]]) -> str:
    width = max(map(len, counts))
    return "\n".join(
        f"{group:<{width}}  {counted(faces, 'face')}, {copies} printed"
        for group, (faces, copies) in counts.items()
    )


def _counts_json(product: str, counts: dict[str, tuple[int, int]]) -> dict[str, Any]:
    kinds = [
        {"kind": group, "faces": faces, "copies": copies}
        for group, (faces, copies) in counts.items()
    ]
    return {"product": product, "kinds": kinds}


# Specials


def special_effects(everything: tuple[Thing, ...]) -> list[Special]:
    """The effects with a kind of node that one thing of the whole family alone uses."""
    lonely = lonely_kinds(everything) - USED_ELSEWHERE.keys()
    return [
        Special(thing, effect, tuple(sorted(kind.__name__ for kind in special)))
        for thing in everything
        for effect in effects(thing.face)
        if (special := kinds_in(effect) & lonely)
    ]


def lonely_kinds(everything: tuple[Thing, ...]) -> frozenset[type]:
    """The kinds of node that one of these things alone uses."""
    users = Counter(
        kind
        for thing in everything
        for kind in frozenset().union(*(kinds_in(each.says) for each in sentences(thing.face)))
    )
    return frozenset(kind for kind, number in users.items() if number == 1)


def _specials_text(found: list[Special], total: int) -> str:
    lines = [
        f"{each.thing.name}: {say(each.effect)}\n    {', '.join(each.kinds)}" for each in found
    ]
    return "\n".join([*lines, _share(len(found), total)])


def _share(number: int, total: int) -> str:
    percent = 100 * number / total if total else 0
    limit = "" if number * ONE_IN <= total else f", more than one in {ONE_IN}"
    return f"{number} of {counted(total, 'effect')}, {percent:.1f} %{limit}"


def _specials_json(product: str, found: list[Special], total: int) -> dict[str, Any]:
    specials = [
        {
            "kind": each.thing.kind,
            "id": each.thing.id,
            "name": each.thing.name,
            "sentence": say(each.effect),
            "nodes": list(each.kinds),
        }
        for each in found
    ]
    return {"product": product, "effects": total, "special": len(found), "specials": specials}


def _json(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False)
