"""The canonical sentence of an effect; reading it gives the same tree again."""

from __future__ import annotations

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Count, Effect
from rules_engine.kernel.numbers import Quantity


def say(effect: Effect) -> str:
    """The effect in its canonical words."""
    match effect:
        case tree.May(inner):
            return f"may {_inside(inner)}"
        case tree.If(condition, inner, otherwise):
            return f"if {say_condition(condition)}: " + _branches(inner, otherwise)
        case tree.Per(count, inner):
            return f"per {say_count(count)}: {say(inner)}"
        case tree.EachOpponent(inner):
            return f"each opponent: {say(inner)}"
        case tree.For(who, inner):
            return f"for {who}: {say(inner)}"
        case tree.When(trigger, inner):
            return f"when {trigger}: {say(inner)}"
        case tree.WhenAcquiring(inner):
            return f"when acquiring: {say(inner)}"
        case tree.AddFirstReward(inner):
            return f"add to first reward {_inside(inner)}"
        case tree.Choose(options, picks):
            several = "" if picks == 1 else f" {picks} different"
            return f"choose{several}: " + " | ".join(_option(option) for option in options)
        case tree.All(inner_effects):
            return " & ".join(_inside(inner) for inner in inner_effects)
        case tree.Arrow(cost, inner):
            return f"{_inside(cost, tree.All)} -> {_inside(inner, tree.All, tree.Arrow)}"
        case tree.AtPlacement(paid):
            shown = (f"[{say(p.cost)}] {_inside(p.effect, tree.All, tree.Arrow)}" for p in paid)
            return "choose_at_placement: " + " | ".join(shown)
        case _:
            return _simple(effect)


def _branches(then: Effect, otherwise: Effect | None) -> str:
    if otherwise is None:
        return say(then)
    return f"{_inside(then, tree.All)} otherwise: {say(otherwise)}"


def _simple(effect: Effect) -> str:
    """An effect without others inside it."""
    match effect:
        case tree.Gain(amount, what):
            return f"gain {amount} {what}"
        case tree.Pay(amount, what):
            return f"pay {amount} {what}"
        case tree.Swords(amount):
            return _counted("+", amount, "sword")
        case tree.GainInfluence(amount, faction):
            return f"gain {amount} influence {faction}"
        case tree.LoseInfluence(amount, faction):
            return f"lose {amount} influence {faction}"
        case tree.VisitInfluence(amount):
            return f"visit influence {amount}"
        case tree.TakeControl(space):
            return f"take control {space}"
        case tree.CompleteContract(contract):
            return f"complete {contract}"
        case tree.FlipIcon(icon):
            return f"flip {icon}"
        case tree.PlaceSpy(on, sharing):
            where = f" on {' or '.join(on)} post" if on else ""
            return f"place 1 spy{where}" + (" sharing" if sharing else "")
        case _:
            return _units_or_cards(effect)


def _units_or_cards(effect: Effect) -> str:
    match effect:
        case tree.Recruit(amount, unit):
            return _counted("recruit ", amount, unit)
        case tree.Summon(amount):
            return _counted("summon ", amount, "sandworm")
        case tree.DeployTroops(most, unit, zone):
            outside = "" if zone == "garrison" else f" from {zone}"
            return _counted("deploy up to ", most, unit) + outside
        case tree.Retreat(least, most, unit):
            return _retreat(least, most, unit)
        case tree.DrawCards(amount):
            return _counted("draw ", amount, "card")
        case tree.DrawIntrigue(amount):
            return f"draw {amount} intrigue"
        case tree.DiscardCards(amount):
            return _counted("discard ", amount, "card")
        case tree.DiscardIntrigue(amount):
            return f"discard {amount} intrigue"
        case tree.StealIntrigue(least):
            return f"steal intrigue from holders of {least}"
        case tree.TrashCard(faction, zone, other):
            kind = ("other " if other else "") + (f"{faction} " if faction else "")
            return f"trash 1 {kind}card" + (f" from {zone}" if zone else "")
        case tree.AcquireCard():
            return _acquire(effect)
        case tree.TakeFromRow(discount):
            return f"take from row for {discount} less"
        case tree.RecallSpies(amount):
            return f"recall {amount} {'spy' if amount == 1 else 'spies'}"
        case tree.RecallAgents(amount):
            return _counted("recall ", amount, "agent")
        case _:
            return _of_base(effect)


def _of_base(effect: Effect) -> str:
    """Kinds that the base game brings."""
    match effect:
        case tree.AcquireNamed(card):
            return f"acquire {card}"
        case tree.PutAcquired(to):
            return f"put acquired to {to}"
        case tree.ReturnCard(faction, zone, other):
            kind = ("other " if other else "") + (f"{faction} " if faction else "")
            return f"return 1 {kind}card from {zone}"
        case tree.LoseUnits(amount, unit, lost_from):
            return _counted("lose ", amount, unit) + (f" from {lost_from}" if lost_from else "")
        case tree.Discount(what, amount):
            return f"discount {what} by {amount}"
        case tree.EnterOccupied(on):
            return "enter occupied" + (f" on {' or '.join(on)}" if on else "")
        case tree.ChangeTurn(to):
            return f"turn {to}"
        case tree.TakeToken(token):
            return f"take {token}"
        case _:
            return _of_expansions(effect)


def _of_expansions(effect: Effect) -> str:
    """Kinds that Rise of Ix, Immortality, Rivals or the six-player game bring."""
    match effect:
        case tree.Advance(track, amount):
            return f"advance {track} {amount}"
        case tree.AcquireTech(discount, with_solari):
            return f"acquire tech discount {discount}" + (" with solari" if with_solari else "")
        case tree.Negotiate(amount):
            return f"negotiate {amount}"
        case tree.KeepIntrigue(of):
            return f"keep 1 of top {of} intrigue"
        case tree.BuryIntrigue(buried):
            return f"bury {'any' if buried is None else buried} intrigue"
        case tree.PlaceSnoopers(influence):
            return f"place snoopers at {influence}"
        case tree.ReplaceTleilaxu(place):
            return f"replace {place} tleilaxu card"
        case tree.Reinforce(amount):
            return f"reinforce {amount}"
        case _:
            return _PLAIN[type(effect)]


def _retreat(least: Quantity, most: Quantity | None, unit: str) -> str:
    if most is None:
        return f"retreat any {unit}s"
    if least == most:
        return _counted("retreat ", most, unit)
    if least == 0:
        return _counted("retreat up to ", most, unit)
    return f"retreat {least} or {most} {unit}s"


def _acquire(effect: tree.AcquireCard) -> str:
    words = ["acquire 1", *(["row"] if effect.row else []), "card"]
    if effect.dearest is not None:
        exactly = effect.cheapest == effect.dearest
        words += ["costing", *([] if exactly else ["<="]), str(effect.dearest)]
    words += ["to", effect.to] if effect.to != "discard" else []
    words += ["with solari"] if effect.with_solari else []
    return " ".join(words)


def say_condition(condition: Condition) -> str:
    """A condition in its canonical words."""
    match condition:
        case tree.InfluenceAtLeast(faction, amount):
            return f"influence {faction} >= {amount}"
        case tree.HoldsAlliance(faction):
            return f"alliance {faction}"
        case tree.BesideAlliance(amount):
            return f"influence >= {amount} beside alliance"
        case tree.AtLeast(measure, amount):
            return f"{measure} >= {amount}"
        case tree.Is(flag):
            return flag
        case tree.AnotherInPlay(faction):
            return f"another {faction} card in play"
        case tree.Discarded(faction):
            return f"discarded {faction} card"
        case tree.Trashed(cost):
            return f"trashed card costing >= {cost}"
        case tree.PlacedOn(kind):
            return f"placed on {kind} post"
        case tree.Owns(card, amount):
            return f"owned {card} >= {amount}"
        case tree.Acquired(card):
            return f"acquired {card}"
        case tree.Not(inner):
            return f"not {say_condition(inner)}"
        case tree.Both(one, other):
            return f"{say_condition(one)} and {say_condition(other)}"
        case tree.SomeOf(amount, conditions):
            return f"at least {amount} of ({', '.join(map(say_condition, conditions))})"
        case tree.CountAtLeast(count, amount):
            return f"at least {amount} of {say_count(count)}"
        case tree.MoreThanOpponents(count):
            return f"more {say_count(count)} than opponents"
        case tree.Grafted(factions):
            return "grafted" + (f" to {' or '.join(factions)}" if factions else "")


def say_count(count: Count) -> str:
    """What is counted, in its canonical words."""
    match count:
        case tree.Number(measure):
            return measure
        case tree.CardsInPlay(faction):
            return f"{faction} card in play"
        case tree.CardsRevealed(faction):
            return f"{faction} card revealed"
        case tree.SwordCards():
            return "other sword card revealed"
        case tree.FaceUpIcons(icon):
            return f"face_up {icon}"
        case tree.Tracks(least, None):
            return f"tracks with influence >= {least}"
        case tree.Tracks(_, most):
            return f"tracks with influence <= {most}"
        case tree.CardsOwned(card):
            return f"owned {card}"
        case tree.AgentsOn(icons):
            return f"agents on {' or '.join(icons)}"


_PLAIN: dict[type, str] = {
    tree.GainBonusSpice: "gain bonus_spice",
    tree.DoubleBonusSpice: "double bonus_spice",
    tree.DeployRecruits: "deploy recruits",
    tree.ForbidDeployment: "forbid deployment",
    tree.TrashIntrigue: "trash 1 intrigue",
    tree.TrashSelf: "trash self",
    tree.ReturnSelf: "return self",
    tree.SortTopCards: "sort top cards",
    tree.TakeMakerHooks: "take maker_hooks",
    tree.RemoveShieldWall: "remove shield_wall",
    tree.TakeSeat: "take high_council seat",
    tree.TakeSwordmaster: "take swordmaster",
    tree.TakeContract: "take 1 contract",
    tree.UseSignet: "use leader signet ability",
    tree.Train: "train",
    tree.Memorise: "memorise 1 troop",
    tree.FlipLeader: "flip leader",
    tree.RepeatSpace: "repeat visited_space",
    tree.LookAtDeck: "look at deck",
    tree.FlipSelf: "flip self",
    tree.TakeSnooper: "take snooper",
    tree.TrackBonus: "gain track_bonus",
    tree.AllowDeployment: "allow deployment",
    tree.RevealNext: "reveal next card",
    tree.Trade: "trade",
}

_COMPOUND = (
    tree.If,
    tree.Per,
    tree.EachOpponent,
    tree.For,
    tree.When,
    tree.WhenAcquiring,
    tree.Choose,
    tree.All,
    tree.Arrow,
    tree.AtPlacement,
)


def _counted(verb: str, amount: Quantity, noun: str) -> str:
    return f"{verb}{amount} {noun}" + ("" if amount == 1 else "s")


def _inside(effect: Effect, *bare: type) -> str:
    """The effect inside another one: in brackets if compound, unless its kind may stand bare."""
    if isinstance(effect, _COMPOUND) and not isinstance(effect, bare):
        return f"({say(effect)})"
    return say(effect)


def _option(effect: Effect) -> str:
    if isinstance(effect, tree.If) and effect.otherwise is None:
        return f"if {say_condition(effect.condition)}: {_option(effect.effect)}"
    return _inside(effect, tree.All, tree.Arrow)
