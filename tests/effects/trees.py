"""Effect trees for Hypothesis: everything that the grammar can express."""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable
from importlib import resources

from hypothesis import strategies as st
from lark import Lark
from lark.lexer import PatternRE

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Count, Effect

Inner = st.SearchStrategy[typing.Any]


@functools.cache
def _grammar() -> Lark:
    text = resources.files("rules_engine.effects").joinpath("grammar.lark").read_text("utf-8")
    return Lark(text, start=["effects", "condition"], parser="lalr")


def words(terminal: str) -> tuple[str, ...]:
    """The words that a terminal of the grammar lists."""
    pattern = _grammar().get_terminal(terminal).pattern
    assert isinstance(pattern, PatternRE)
    return tuple(pattern.value.replace("(?:", "").replace(")", "").split("|"))


def _one_of(terminal: str) -> st.SearchStrategy[str]:
    return st.sampled_from(words(terminal))


amounts = st.integers(min_value=0, max_value=99)
names = st.from_regex(r"[a-z][a-z_]{0,12}", fullmatch=True)
flags = st.booleans()
resource_words = _one_of("RESOURCE")
factions = _one_of("FACTION")
maybe_faction = st.none() | factions
scopes = _one_of("SCOPE")
zones = _one_of("ZONE")
maybe_zone = st.none() | zones
icons = _one_of("ICON")
measures = _one_of("MEASURE")
units = st.sampled_from(["troop", "dreadnought", "unit"])
places = st.lists(_one_of("PLACE"), max_size=3).map(tuple)
some_places = st.lists(_one_of("PLACE"), min_size=1, max_size=3).map(tuple)

pays = st.builds(tree.Pay, amounts, resource_words)


def _several(inner: Inner) -> Inner:
    return st.lists(inner, min_size=2, max_size=3).map(tuple)


def _retreat(one: int, other: int, unit: str) -> tree.Retreat:
    return tree.Retreat(min(one, other), max(one, other), unit)


def _acquire(
    cost: tuple[int, int | None], to: str, row: bool, with_solari: bool
) -> tree.AcquireCard:
    return tree.AcquireCard(*cost, to, row, with_solari)


costs: st.SearchStrategy[tuple[int, int | None]] = st.one_of(
    st.just((0, None)),
    amounts.map(lambda amount: (0, amount)),
    amounts.map(lambda amount: (amount, amount)),
)

LEAVES: dict[type, st.SearchStrategy[Effect]] = {
    tree.Gain: st.builds(tree.Gain, amounts, resource_words),
    tree.Pay: pays,
    tree.Swords: st.builds(tree.Swords, amounts),
    tree.Recruit: st.builds(tree.Recruit, amounts, units),
    tree.Summon: st.builds(tree.Summon, amounts),
    tree.DeployTroops: st.builds(tree.DeployTroops, amounts, units, zones),
    tree.Retreat: st.one_of(
        st.builds(_retreat, amounts, amounts, units),
        st.builds(tree.Retreat, st.just(0), st.none(), units),
    ),
    tree.DrawCards: st.builds(tree.DrawCards, amounts),
    tree.DrawIntrigue: st.builds(tree.DrawIntrigue, amounts),
    tree.DiscardCards: st.builds(tree.DiscardCards, amounts),
    tree.DiscardIntrigue: st.builds(tree.DiscardIntrigue, amounts),
    tree.StealIntrigue: st.builds(tree.StealIntrigue, amounts),
    tree.TrashCard: st.builds(tree.TrashCard, maybe_faction, maybe_zone, flags),
    tree.AcquireCard: st.builds(_acquire, costs, zones, flags, flags),
    tree.TakeFromRow: st.builds(tree.TakeFromRow, amounts),
    tree.GainInfluence: st.builds(tree.GainInfluence, amounts, scopes),
    tree.LoseInfluence: st.builds(tree.LoseInfluence, amounts, scopes),
    tree.VisitInfluence: st.builds(tree.VisitInfluence, amounts),
    tree.PlaceSpy: st.builds(tree.PlaceSpy, places, flags),
    tree.RecallSpies: st.builds(tree.RecallSpies, amounts),
    tree.RecallAgents: st.builds(tree.RecallAgents, amounts),
    tree.TakeControl: st.builds(tree.TakeControl, names),
    tree.CompleteContract: st.builds(tree.CompleteContract, names),
    tree.FlipIcon: st.builds(tree.FlipIcon, icons),
    tree.AcquireNamed: st.builds(tree.AcquireNamed, names.filter(lambda name: name != "tech")),
    tree.PutAcquired: st.builds(tree.PutAcquired, zones),
    tree.ReturnCard: st.builds(tree.ReturnCard, maybe_faction, zones, flags),
    tree.LoseUnits: st.builds(tree.LoseUnits, amounts, units, maybe_zone),
    tree.Discount: st.builds(tree.Discount, names, amounts),
    tree.EnterOccupied: st.builds(tree.EnterOccupied, places),
    tree.ChangeTurn: st.builds(tree.ChangeTurn, _one_of("TURN")),
    tree.TakeToken: st.builds(tree.TakeToken, _one_of("TOKEN")),
    tree.Advance: st.builds(tree.Advance, _one_of("TRACK"), amounts),
    tree.AcquireTech: st.builds(tree.AcquireTech, amounts, flags),
    tree.Negotiate: st.builds(tree.Negotiate, amounts),
    tree.KeepIntrigue: st.builds(tree.KeepIntrigue, amounts),
    tree.BuryIntrigue: st.builds(tree.BuryIntrigue, st.none() | amounts),
    tree.PlaceSnoopers: st.builds(tree.PlaceSnoopers, amounts),
    tree.ReplaceTleilaxu: st.builds(tree.ReplaceTleilaxu, _one_of("SIDE")),
    tree.Reinforce: st.builds(tree.Reinforce, amounts),
} | {kind: st.builds(kind) for kind in typing.get_args(Effect) if not kind.__struct_fields__}
"""Effects of each kind that has no others inside."""

COUNTS: dict[type, st.SearchStrategy[Count]] = {
    tree.Number: st.builds(tree.Number, measures),
    tree.CardsInPlay: st.builds(tree.CardsInPlay, factions),
    tree.CardsRevealed: st.builds(tree.CardsRevealed, factions),
    tree.SwordCards: st.builds(tree.SwordCards),
    tree.FaceUpIcons: st.builds(tree.FaceUpIcons, icons),
    tree.Tracks: st.builds(tree.Tracks, least=amounts) | st.builds(tree.Tracks, most=amounts),
    tree.CardsOwned: st.builds(tree.CardsOwned, names),
    tree.AgentsOn: st.builds(tree.AgentsOn, some_places),
}

counts = st.one_of(*COUNTS.values())

TESTS: dict[type, st.SearchStrategy[Condition]] = {
    tree.InfluenceAtLeast: st.builds(tree.InfluenceAtLeast, factions, amounts),
    tree.HoldsAlliance: st.builds(tree.HoldsAlliance, scopes),
    tree.BesideAlliance: st.builds(tree.BesideAlliance, amounts),
    tree.AtLeast: st.builds(tree.AtLeast, measures, amounts),
    tree.Is: st.builds(tree.Is, _one_of("FLAG")),
    tree.AnotherInPlay: st.builds(tree.AnotherInPlay, factions),
    tree.Discarded: st.builds(tree.Discarded, factions),
    tree.Trashed: st.builds(tree.Trashed, amounts),
    tree.PlacedOn: st.builds(tree.PlacedOn, _one_of("PLACE")),
    tree.Owns: st.builds(tree.Owns, names, amounts),
    tree.Acquired: st.builds(tree.Acquired, names),
    tree.Grafted: st.builds(tree.Grafted, st.lists(factions, max_size=2).map(tuple)),
    tree.CountAtLeast: st.builds(tree.CountAtLeast, counts, amounts),
    tree.MoreThanOpponents: st.builds(tree.MoreThanOpponents, counts),
}

plain_tests = st.one_of(*TESTS.values())
tests = plain_tests | st.builds(tree.Not, plain_tests)

JOINED: dict[type, Callable[[Inner], Inner]] = {
    tree.Not: lambda _: st.builds(tree.Not, plain_tests),
    tree.Both: lambda inner: st.builds(tree.Both, tests, inner),
    tree.SomeOf: lambda inner: st.builds(tree.SomeOf, amounts, _several(inner)),
}

conditions: st.SearchStrategy[Condition] = st.recursive(
    plain_tests, lambda inner: st.one_of(*(make(inner) for make in JOINED.values())), max_leaves=4
)

COMPOUND: dict[type, Callable[[Inner], Inner]] = {
    tree.May: lambda inner: st.builds(tree.May, inner),
    tree.If: lambda inner: st.builds(tree.If, conditions, inner, st.none() | inner),
    tree.Per: lambda inner: st.builds(tree.Per, counts, inner),
    tree.EachOpponent: lambda inner: st.builds(tree.EachOpponent, inner),
    tree.For: lambda inner: st.builds(tree.For, _one_of("WHO"), inner),
    tree.When: lambda inner: st.builds(tree.When, _one_of("TRIGGER"), inner),
    tree.WhenAcquiring: lambda inner: st.builds(tree.WhenAcquiring, inner),
    tree.AddFirstReward: lambda inner: st.builds(tree.AddFirstReward, inner),
    tree.Choose: lambda inner: st.builds(tree.Choose, _several(inner), st.integers(1, 3)),
    tree.All: lambda inner: st.builds(tree.All, _several(inner)),
    tree.Arrow: lambda inner: st.builds(tree.Arrow, inner, inner),
    tree.AtPlacement: lambda inner: st.builds(
        tree.AtPlacement, _several(st.builds(tree.PaidOption, pays, inner))
    ),
}
"""Effects of each kind that has others inside."""

effects: st.SearchStrategy[Effect] = st.recursive(
    st.one_of(*LEAVES.values()),
    lambda inner: st.one_of(*(make(inner) for make in COMPOUND.values())),
    max_leaves=8,
)
