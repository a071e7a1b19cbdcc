"""From notation to tree."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable
from importlib import resources
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Count, Effect
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.records import Record

LONGEST_EFFECT = 2_000
"""The characters of a text with effects; of what is printed, none has 200."""

DEEPEST_EFFECT = 20
"""How deep effects, conditions and counts may stand in each other; what is printed needs 5."""


class EffectError(TruthsayerError):
    """An effect that the language does not take, and the column that is to blame."""

    def __init__(self, code: str, message: str, column: int, help: str) -> None:
        super().__init__(code, message, help=help)
        self.column = column


def _unreadable(text: str, column: int, expected: Iterable[str]) -> EffectError:
    """The error for a text in which other words are `expected`."""
    pointed = text[max(0, column - 1) :].split(";")[0].strip() or "the end"
    near = difflib.get_close_matches(pointed.split()[0], sorted(expected), n=1)
    message = f"cannot read the effect `{text}` at `{pointed}`"
    return EffectError("TS0301", message, column, f"did you mean `{near[0]}`?" if near else LIKE)


LIKE = (
    "write it like `gain 2 spice`, `recruit 1 troop & draw 1 card`, "
    "`pay 3 spice -> gain 1 vp` or `if maker_hooks: summon 1 sandworm`"
)


class _ToTree(Transformer[Token, Any]):
    """Makes the record of each rule of the grammar."""

    def effects(self, items: list[Effect]) -> tuple[Effect, ...]:
        return tuple(items)

    def gain(self, items: list[Token]) -> Effect:
        return tree.Gain(int(items[0]), items[1].lower())

    def pay(self, items: list[Token]) -> Effect:
        return tree.Pay(int(items[0]), items[1].lower())

    def swords(self, items: list[Token]) -> Effect:
        return tree.Swords(int(items[0]))

    def gain_bonus_spice(self, _: list[Token]) -> Effect:
        return tree.GainBonusSpice()

    def double_bonus_spice(self, _: list[Token]) -> Effect:
        return tree.DoubleBonusSpice()

    def recruit(self, items: list[Token]) -> Effect:
        return tree.Recruit(int(items[0]), _unit(items[1]))

    def summon(self, items: list[Token]) -> Effect:
        return tree.Summon(int(items[0]))

    def deploy_troops(self, items: list[Any]) -> Effect:
        most, units, zone = items
        return tree.DeployTroops(int(most), _unit(units), _word(zone) or "garrison")

    def deploy_recruits(self, _: list[Token]) -> Effect:
        return tree.DeployRecruits()

    def retreat(self, items: list[Token]) -> Effect:
        return tree.Retreat(int(items[0]), int(items[0]), _unit(items[1]))

    def retreat_range(self, items: list[Token]) -> Effect:
        return tree.Retreat(int(items[0]), int(items[1]), _unit(items[2]))

    def retreat_up_to(self, items: list[Token]) -> Effect:
        return tree.Retreat(0, int(items[0]), _unit(items[1]))

    def retreat_any(self, items: list[Token]) -> Effect:
        return tree.Retreat(0, None, _unit(items[0]))

    def forbid_deployment(self, _: list[Token]) -> Effect:
        return tree.ForbidDeployment()

    def draw_cards(self, items: list[Token]) -> Effect:
        return tree.DrawCards(int(items[0]))

    def draw_intrigue(self, items: list[Token]) -> Effect:
        return tree.DrawIntrigue(int(items[0]))

    def discard_cards(self, items: list[Token]) -> Effect:
        return tree.DiscardCards(int(items[0]))

    def discard_intrigue(self, items: list[Token]) -> Effect:
        return tree.DiscardIntrigue(int(items[0]))

    def trash_intrigue(self, _: list[Token]) -> Effect:
        return tree.TrashIntrigue()

    def steal_intrigue(self, items: list[Token]) -> Effect:
        return tree.StealIntrigue(int(items[0]))

    def trash_card(self, items: list[Token | None]) -> Effect:
        other, faction, zone = items
        return tree.TrashCard(_word(faction), _word(zone), other is not None)

    def trash_self(self, _: list[Token]) -> Effect:
        return tree.TrashSelf()

    def return_self(self, _: list[Token]) -> Effect:
        return tree.ReturnSelf()

    def exactly(self, items: list[Token]) -> tuple[int, int]:
        return int(items[0]), int(items[0])

    def at_most(self, items: list[Token]) -> tuple[int, int]:
        return 0, int(items[0])

    def acquire_card(self, items: list[Any]) -> Effect:
        row, cost, zone, with_solari = items
        cheapest, dearest = cost or (0, None)
        to = _word(zone) or "discard"
        return tree.AcquireCard(cheapest, dearest, to, row is not None, with_solari is not None)

    def sort_top_cards(self, _: list[Token]) -> Effect:
        return tree.SortTopCards()

    def take_from_row(self, items: list[Token]) -> Effect:
        return tree.TakeFromRow(int(items[0]))

    def when_acquiring(self, items: list[Effect]) -> Effect:
        return tree.WhenAcquiring(items[0])

    def gain_influence(self, items: list[Token]) -> Effect:
        return tree.GainInfluence(int(items[0]), str(items[1]))

    def lose_influence(self, items: list[Token]) -> Effect:
        return tree.LoseInfluence(int(items[0]), str(items[1]))

    def visit_influence(self, items: list[Token]) -> Effect:
        return tree.VisitInfluence(int(items[0]))

    def place_spy(self, items: list[Token | None]) -> Effect:
        *on, sharing = items
        return tree.PlaceSpy(_words(on), sharing is not None)

    def recall_spies(self, items: list[Token]) -> Effect:
        return tree.RecallSpies(int(items[0]))

    def recall_agents(self, items: list[Token]) -> Effect:
        return tree.RecallAgents(int(items[0]))

    def take_control(self, items: list[Token]) -> Effect:
        return tree.TakeControl(str(items[0]))

    def take_maker_hooks(self, _: list[Token]) -> Effect:
        return tree.TakeMakerHooks()

    def remove_shield_wall(self, _: list[Token]) -> Effect:
        return tree.RemoveShieldWall()

    def take_seat(self, _: list[Token]) -> Effect:
        return tree.TakeSeat()

    def take_swordmaster(self, _: list[Token]) -> Effect:
        return tree.TakeSwordmaster()

    def take_contract(self, _: list[Token]) -> Effect:
        return tree.TakeContract()

    def complete_contract(self, items: list[Token]) -> Effect:
        return tree.CompleteContract(str(items[0]))

    def flip_icon(self, items: list[Token]) -> Effect:
        return tree.FlipIcon(str(items[0]))

    def add_first_reward(self, items: list[Effect]) -> Effect:
        return tree.AddFirstReward(items[0])

    def use_signet(self, _: list[Token]) -> Effect:
        return tree.UseSignet()

    def train(self, _: list[Token]) -> Effect:
        return tree.Train()

    def memorise(self, _: list[Token]) -> Effect:
        return tree.Memorise()

    def flip_leader(self, _: list[Token]) -> Effect:
        return tree.FlipLeader()

    def repeat_space(self, _: list[Token]) -> Effect:
        return tree.RepeatSpace()

    def acquire_named(self, items: list[Token]) -> Effect:
        return tree.AcquireNamed(str(items[0]))

    def put_acquired(self, items: list[Token]) -> Effect:
        return tree.PutAcquired(str(items[0]))

    def return_card(self, items: list[Any]) -> Effect:
        other, faction, zone = items
        return tree.ReturnCard(_word(faction), str(zone), other is not None)

    def look_at_deck(self, _: list[Token]) -> Effect:
        return tree.LookAtDeck()

    def lose_units(self, items: list[Any]) -> Effect:
        amount, units, zone = items
        return tree.LoseUnits(int(amount), _unit(units), _word(zone))

    def discount(self, items: list[Token]) -> Effect:
        return tree.Discount(str(items[0]), int(items[1]))

    def enter_occupied(self, items: list[Token | None]) -> Effect:
        return tree.EnterOccupied(_words(items))

    def change_turn(self, items: list[Token]) -> Effect:
        return tree.ChangeTurn(str(items[0]))

    def take_token(self, items: list[Token]) -> Effect:
        return tree.TakeToken(str(items[0]))

    def advance(self, items: list[Token]) -> Effect:
        return tree.Advance(str(items[0]), int(items[1]))

    def acquire_tech(self, items: list[Any]) -> Effect:
        return tree.AcquireTech(int(items[0]), items[1] is not None)

    def negotiate(self, items: list[Token]) -> Effect:
        return tree.Negotiate(int(items[0]))

    def flip_self(self, _: list[Token]) -> Effect:
        return tree.FlipSelf()

    def keep_intrigue(self, items: list[Token]) -> Effect:
        return tree.KeepIntrigue(int(items[0]))

    def bury_intrigue(self, items: list[Token]) -> Effect:
        return tree.BuryIntrigue(int(items[0]))

    def bury_any_intrigue(self, _: list[Token]) -> Effect:
        return tree.BuryIntrigue(None)

    def place_snoopers(self, items: list[Token]) -> Effect:
        return tree.PlaceSnoopers(int(items[0]))

    def take_snooper(self, _: list[Token]) -> Effect:
        return tree.TakeSnooper()

    def track_bonus(self, _: list[Token]) -> Effect:
        return tree.TrackBonus()

    def allow_deployment(self, _: list[Token]) -> Effect:
        return tree.AllowDeployment()

    def reveal_next(self, _: list[Token]) -> Effect:
        return tree.RevealNext()

    def replace_tleilaxu(self, items: list[Token]) -> Effect:
        return tree.ReplaceTleilaxu(str(items[0]))

    def trade(self, _: list[Token]) -> Effect:
        return tree.Trade()

    def reinforce(self, items: list[Token]) -> Effect:
        return tree.Reinforce(int(items[0]))

    def may(self, items: list[Effect]) -> Effect:
        return tree.May(items[0])

    def conditional(self, items: list[Any]) -> Effect:
        return tree.If(*items)

    def per(self, items: list[Any]) -> Effect:
        return tree.Per(items[0], items[1])

    def each_opponent(self, items: list[Effect]) -> Effect:
        return tree.EachOpponent(items[0])

    def for_others(self, items: list[Any]) -> Effect:
        return tree.For(str(items[0]), items[1])

    def when(self, items: list[Any]) -> Effect:
        return tree.When(str(items[0]), items[1])

    def choose(self, items: list[Any]) -> Effect:
        picks, *options = items
        return tree.Choose(tuple(options), 1 if picks is None else int(picks))

    def all(self, items: list[Effect]) -> Effect:
        return tree.All(tuple(items))

    def arrow(self, items: list[Effect]) -> Effect:
        return tree.Arrow(items[0], items[1])

    def paid(self, items: list[Any]) -> tree.PaidOption:
        return tree.PaidOption(items[0], items[1])

    def at_placement(self, items: list[tree.PaidOption]) -> Effect:
        return tree.AtPlacement(tuple(items))

    def negated(self, items: list[Condition]) -> Condition:
        return tree.Not(items[0])

    def both(self, items: list[Condition]) -> Condition:
        return tree.Both(items[0], items[1])

    def influence_at_least(self, items: list[Token]) -> Condition:
        return tree.InfluenceAtLeast(str(items[0]), int(items[1]))

    def beside_alliance(self, items: list[Token]) -> Condition:
        return tree.BesideAlliance(int(items[0]))

    def holds_alliance(self, items: list[Token]) -> Condition:
        return tree.HoldsAlliance(str(items[0]))

    def at_least(self, items: list[Token]) -> Condition:
        return tree.AtLeast(str(items[0]), int(items[1]))

    def is_so(self, items: list[Token]) -> Condition:
        return tree.Is(str(items[0]))

    def another_in_play(self, items: list[Token]) -> Condition:
        return tree.AnotherInPlay(str(items[0]))

    def discarded(self, items: list[Token]) -> Condition:
        return tree.Discarded(str(items[0]))

    def trashed(self, items: list[Token]) -> Condition:
        return tree.Trashed(int(items[0]))

    def placed_on(self, items: list[Token]) -> Condition:
        return tree.PlacedOn(str(items[0]))

    def owns(self, items: list[Token]) -> Condition:
        return tree.Owns(str(items[0]), int(items[1]))

    def acquired(self, items: list[Token]) -> Condition:
        return tree.Acquired(str(items[0]))

    def grafted(self, items: list[Token | None]) -> Condition:
        return tree.Grafted(_words(items))

    def some_of(self, items: list[Any]) -> Condition:
        amount, *conditions = items
        return tree.SomeOf(int(amount), tuple(conditions))

    def count_at_least(self, items: list[Any]) -> Condition:
        return tree.CountAtLeast(items[1], int(items[0]))

    def more_than_opponents(self, items: list[Count]) -> Condition:
        return tree.MoreThanOpponents(items[0])

    def number(self, items: list[Token]) -> Count:
        return tree.Number(str(items[0]))

    def cards_in_play(self, items: list[Token]) -> Count:
        return tree.CardsInPlay(str(items[0]))

    def cards_revealed(self, items: list[Token]) -> Count:
        return tree.CardsRevealed(str(items[0]))

    def sword_cards(self, _: list[Token]) -> Count:
        return tree.SwordCards()

    def face_up_icons(self, items: list[Token]) -> Count:
        return tree.FaceUpIcons(str(items[0]))

    def tracks_at_least(self, items: list[Token]) -> Count:
        return tree.Tracks(least=int(items[0]))

    def tracks_at_most(self, items: list[Token]) -> Count:
        return tree.Tracks(most=int(items[0]))

    def cards_owned(self, items: list[Token]) -> Count:
        return tree.CardsOwned(str(items[0]))

    def agents_on(self, items: list[Token | None]) -> Count:
        return tree.AgentsOn(_words(items))


def _word(token: Token | None) -> str | None:
    return None if token is None else str(token)


def _words(tokens: list[Token | None]) -> tuple[str, ...]:
    return tuple(str(token) for token in tokens if token is not None)


def _unit(token: Token) -> str:
    return token.removesuffix("s")


@functools.cache
def _parser() -> Lark:
    grammar = resources.files("rules_engine.effects").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, start=["effects", "condition"], parser="lalr", transformer=_ToTree())


def _read(text: str, start: str) -> Any:
    if len(text) > LONGEST_EFFECT:
        message = f"the effect has {len(text)} characters, more than {LONGEST_EFFECT}"
        raise EffectError("TS0304", message, LONGEST_EFFECT + 1, "write several cards or boxes")
    try:
        found = _parser().parse(text, start=start)
    except UnexpectedInput as problem:
        # lark places a missing end at the last word that was there.
        missing = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
        column = len(text) + 1 if missing else problem.column
        raise _unreadable(text, column, _expected(problem)) from None
    if not _is_within(found, DEEPEST_EFFECT):
        message = f"effects stand in each other more than {DEEPEST_EFFECT} deep"
        raise EffectError("TS0304", message, 1, "leave out some that stand around others")
    return found


def _is_within(found: object, depth: int) -> bool:
    """Whether what was read is no deeper than this."""
    match found:
        case tuple():
            return all(_is_within(each, depth) for each in found)
        case Record():
            inner = (getattr(found, field) for field in found.__struct_fields__)
            return depth > 0 and all(_is_within(each, depth - 1) for each in inner)
    return True


def _expected(problem: UnexpectedInput) -> set[str]:
    """The words that could stand where reading stopped."""
    kinds = getattr(problem, "allowed", None) or getattr(problem, "expected", None) or set()
    patterns = (each.pattern.value for each in _parser().terminals if each.name in kinds)
    return {word for pattern in patterns for word in re.findall(r"[a-z_]{3,}", pattern)}


@functools.lru_cache(maxsize=4096)
def parse(text: str) -> tuple[Effect, ...]:
    """The effects that a text says, in order."""
    effects: tuple[Effect, ...] = _read(text, "effects")
    return effects


def parse_condition(text: str) -> Condition:
    """The condition that a text says."""
    condition: Condition = _read(text, "condition")
    return condition


def parse_all(texts: list[str]) -> tuple[Effect, ...]:
    """The effects of a list of texts, each of which may hold several."""
    return tuple(effect for text in texts for effect in parse(text))
