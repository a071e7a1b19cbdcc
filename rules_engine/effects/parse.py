"""From notation to tree."""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect
from rules_engine.kernel.errors import TruthsayerError


class EffectError(TruthsayerError):
    """An effect that the language cannot read."""

    def __init__(self, text: str, column: int) -> None:
        pointed = text[max(0, column - 1) :].split(";")[0].strip() or "the end"
        super().__init__(
            "TS0301",
            f"cannot read the effect `{text}` at `{pointed}`",
            help="write it like `gain 2 spice`, `recruit 1 troop & draw 1 card`, "
            "`pay 3 spice -> gain 1 vp` or `if maker_hooks: summon 1 sandworm`",
        )
        self.column = column


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

    def recruit(self, items: list[Token]) -> Effect:
        return tree.Recruit(int(items[0]))

    def summon(self, items: list[Token]) -> Effect:
        return tree.Summon(int(items[0]))

    def draw_cards(self, items: list[Token]) -> Effect:
        return tree.DrawCards(int(items[0]))

    def draw_intrigue(self, items: list[Token]) -> Effect:
        return tree.DrawIntrigue(int(items[0]))

    def gain_influence(self, items: list[Token]) -> Effect:
        return tree.GainInfluence(int(items[0]), str(items[1]))

    def lose_influence(self, items: list[Token]) -> Effect:
        return tree.LoseInfluence(int(items[0]), str(items[1]))

    def place_spy(self, _: list[Token]) -> Effect:
        return tree.PlaceSpy()

    def trash_card(self, _: list[Token]) -> Effect:
        return tree.TrashCard()

    def trash_self(self, _: list[Token]) -> Effect:
        return tree.TrashSelf()

    def take_control(self, items: list[Token]) -> Effect:
        return tree.TakeControl(str(items[0]))

    def take_maker_hooks(self, _: list[Token]) -> Effect:
        return tree.TakeMakerHooks()

    def remove_shield_wall(self, _: list[Token]) -> Effect:
        return tree.RemoveShieldWall()

    def gain_bonus_spice(self, _: list[Token]) -> Effect:
        return tree.GainBonusSpice()

    def use_signet(self, _: list[Token]) -> Effect:
        return tree.UseSignet()

    def may(self, items: list[Effect]) -> Effect:
        return tree.May(items[0])

    def conditional(self, items: list[Any]) -> Effect:
        return tree.If(items[0], items[1])

    def choose(self, items: list[Effect]) -> Effect:
        return tree.Choose(tuple(items))

    def all(self, items: list[Effect]) -> Effect:
        return tree.All(tuple(items))

    def arrow(self, items: list[Effect]) -> Effect:
        return tree.Arrow(items[0], items[1])

    def paid(self, items: list[Any]) -> tree.PaidOption:
        return tree.PaidOption(items[0], items[1])

    def at_placement(self, items: list[tree.PaidOption]) -> Effect:
        return tree.AtPlacement(tuple(items))

    def influence_at_least(self, items: list[Token]) -> tree.Condition:
        return tree.InfluenceAtLeast(str(items[0]), int(items[1]))

    def recalled_spy_this_turn(self, _: list[Token]) -> tree.Condition:
        return tree.RecalledSpyThisTurn()

    def owns_maker_hooks(self, _: list[Token]) -> tree.Condition:
        return tree.OwnsMakerHooks()


@functools.cache
def _parser() -> Lark:
    grammar = resources.files("rules_engine.effects").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, start=["effects", "condition"], parser="lalr", transformer=_ToTree())


def _read(text: str, start: str) -> Any:
    try:
        return _parser().parse(text, start=start)
    except UnexpectedInput as problem:
        # lark places a missing end at the last word that was there.
        missing = isinstance(problem, UnexpectedToken) and problem.token.type == "$END"
        raise EffectError(text, len(text) + 1 if missing else problem.column) from None


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
