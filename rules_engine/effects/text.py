"""The canonical sentence of an effect; reading it gives the same tree again."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect


def say(effect: Effect) -> str:
    """The effect in its canonical words."""
    match effect:
        case tree.Gain(amount, what):
            return f"gain {amount} {what}"
        case tree.Pay(amount, what):
            return f"pay {amount} {what}"
        case tree.Swords(amount):
            return _counted("+", amount, "sword")
        case tree.Recruit(amount):
            return _counted("recruit ", amount, "troop")
        case tree.Summon(amount):
            return _counted("summon ", amount, "sandworm")
        case tree.DrawCards(amount):
            return _counted("draw ", amount, "card")
        case tree.DrawIntrigue(amount):
            return f"draw {amount} intrigue"
        case tree.GainInfluence(amount, faction):
            return f"gain {amount} influence {faction}"
        case tree.LoseInfluence(amount, faction):
            return f"lose {amount} influence {faction}"
        case tree.TakeControl(space):
            return f"take control {space}"
        case tree.May(inner):
            return f"may {_inside(inner)}"
        case tree.If(condition, inner):
            return f"if {say_condition(condition)}: {say(inner)}"
        case tree.Choose(options):
            return "choose: " + " | ".join(_option(option) for option in options)
        case tree.All(inner_effects):
            return " & ".join(_inside(inner) for inner in inner_effects)
        case tree.Arrow(cost, inner):
            return f"{_inside(cost, tree.All)} -> {_inside(inner, tree.All, tree.Arrow)}"
        case tree.AtPlacement(paid):
            shown = (f"[{say(p.cost)}] {_inside(p.effect, tree.All, tree.Arrow)}" for p in paid)
            return "choose_at_placement: " + " | ".join(shown)
        case _:
            return _PLAIN[type(effect)]


def say_condition(condition: Condition) -> str:
    """A condition in its canonical words."""
    match condition:
        case tree.InfluenceAtLeast(faction, amount):
            return f"influence {faction} >= {amount}"
        case tree.RecalledSpyThisTurn():
            return "recalled_spy_this_turn"
        case tree.OwnsMakerHooks():
            return "maker_hooks"


_PLAIN: dict[type, str] = {
    tree.PlaceSpy: "place 1 spy",
    tree.TrashCard: "trash 1 card",
    tree.TrashSelf: "trash self",
    tree.TakeMakerHooks: "take maker_hooks",
    tree.RemoveShieldWall: "remove shield_wall",
    tree.GainBonusSpice: "gain bonus_spice",
    tree.UseSignet: "use leader signet ability",
}

_COMPOUND = (tree.If, tree.Choose, tree.All, tree.Arrow, tree.AtPlacement)


def _counted(verb: str, amount: int, noun: str) -> str:
    return f"{verb}{amount} {noun}" + ("" if amount == 1 else "s")


def _inside(effect: Effect, *bare: type) -> str:
    """The effect inside another one: in brackets if compound, unless its kind may stand bare."""
    if isinstance(effect, _COMPOUND) and not isinstance(effect, bare):
        return f"({say(effect)})"
    return say(effect)


def _option(effect: Effect) -> str:
    if isinstance(effect, tree.If):
        return f"if {say_condition(effect.condition)}: {_option(effect.effect)}"
    return _inside(effect, tree.All, tree.Arrow)
