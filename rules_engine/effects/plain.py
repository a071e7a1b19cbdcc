"""Effects, conditions and counts in plain words: what a player is told, and nobody reads back.

The canonical sentence, which is read back, is in `text`. Each kind of node has its phrase in one of
the tables here; `plain_words` says what the words inside them are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rules_engine.effects import plain_words as words
from rules_engine.effects import tree
from rules_engine.effects.plain_words import Measure, Noun
from rules_engine.effects.tree import Condition, Count, Effect
from rules_engine.kernel.numbers import Quantity

Names = Mapping[str, str]
"""What things are called, by their ids."""


class Phrase(NamedTuple):
    """What an effect does: an order such as `gain 2 spice`, or words that are a clause already."""

    text: str
    order: bool = True


# Sentences


def sentence(effect: Effect, names: Names) -> str:
    """The effect as a sentence of its own."""
    return _as_sentence(_tell(effect, names).text)


def sentences(effects: Iterable[Effect], names: Names, *, chosen: bool = False) -> str:
    """Effects that stand side by side, as one sentence each; equal ones are told once.

    `chosen`: they are what the player decided to use, so that no cost in them may be declined.
    """
    texts = (_option(each, names) if chosen else _tell(each, names).text for each in effects)
    return " ".join(map(_as_sentence, _with_repeats(texts)))


def condition_words(condition: Condition, names: Names) -> str:
    """The condition as words that follow `if`."""
    return _condition(condition, names)


def name_of(id_: str, names: Names) -> str:
    """What something is called; an id that names nothing is written as a name."""
    return names.get(id_, id_.replace("_", " ").title())


def _as_sentence(text: str) -> str:
    ended = text if text.endswith((".", ".”")) else f"{text}."
    return ended[0].upper() + ended[1:]


def _with_repeats(texts: Iterable[str]) -> list[str]:
    """Equal neighbours as one text that says how often."""
    runs = [(text, len(list(run))) for text, run in groupby(texts)]
    return [f"{text}{_often(number)}" for text, number in runs]


def _often(number: int) -> str:
    return {1: "", 2: " (twice)"}.get(number, f" ({number} times)")


def _tell(effect: Effect, names: Names) -> Phrase:
    told = _COMPOUND.get(type(effect))
    return told(effect, names) if told is not None else Phrase(_ORDERS[type(effect)](effect, names))


# Structure


def _may(effect: tree.May, names: Names) -> Phrase:
    inner = _tell(effect.effect, names)
    if inner.order:
        return Phrase(f"you may {inner.text}", order=False)
    said = inner.text if inner.text.startswith("you may ") else f"if you like, {inner.text}"
    return Phrase(said.replace("if you like, choose ", "you may choose "), order=False)


def _if(effect: tree.If, names: Names) -> Phrase:
    said = f"if {_condition(effect.condition, names)}, {_tell(effect.effect, names).text}"
    if effect.otherwise is not None:
        said += f"; otherwise, {_tell(effect.otherwise, names).text}"
    return Phrase(said, order=False)


def _per(effect: tree.Per, names: Names) -> Phrase:
    said = f"for each {_each(effect.count, names)}, {_tell(effect.effect, names).text}"
    return Phrase(said, order=False)


def _choose(effect: tree.Choose, names: Names) -> Phrase:
    common = _influence_with_some(effect, names)
    if common is not None:
        return Phrase(common)
    if effect.picks == 1 and all(_is_short(_tell(option, names)) for option in effect.options):
        return Phrase(_listed([_option(option, names) for option in effect.options], "or"))
    picked = "one" if effect.picks == 1 else f"{effect.picks} different ones"
    *most, last = [_option(option, names) for option in effect.options]
    last = f", {last}" if last.startswith("if ") else f" {last}"
    return Phrase(f"choose {picked}: {'; '.join(most)}; or{last}", order=False)


def _is_short(phrase: Phrase) -> bool:
    return phrase.order and not any(each in phrase.text for each in (" and ", " or ", ",", ":"))


def _option(effect: Effect, names: Names) -> str:
    """An effect that was picked: its cost is no longer left to the player."""
    if isinstance(effect, tree.If) and effect.otherwise is None:
        return f"if {_condition(effect.condition, names)}, {_option(effect.effect, names)}"
    told = _tell(effect, names).text
    if not isinstance(effect, tree.Arrow):
        return told
    return told.removeprefix("you may ").replace("; if you do, ", "; then ", 1)


def _influence_with_some(effect: tree.Choose, names: Names) -> str | None:
    """Options that are all so much Influence with some Faction, told in one."""
    gains = [option for option in effect.options if isinstance(option, tree.GainInfluence)]
    amounts = [gain.amount for gain in gains]
    if len(gains) < len(effect.options) or any(each != amounts[0] for each in amounts):
        return None
    factions = [_scope(gain.faction, names) for gain in gains]
    if effect.picks == 1:
        return f"gain {amounts[0]} Influence with {_listed(factions, 'or')}"
    which = f"{effect.picks} Factions of your choice ({_listed(factions, 'or')})"
    return f"gain {amounts[0]} Influence with each of {which}"


def _all(effect: tree.All, names: Names) -> Phrase:
    phrases = [_tell(inner, names) for inner in effect.effects]
    if all(phrase.order for phrase in phrases):
        return Phrase(_listed(_with_repeats(phrase.text for phrase in phrases)))
    return Phrase(_in_a_row(phrases), order=False)


def _in_a_row(phrases: Sequence[Phrase]) -> str:
    """Phrases of which some are clauses: what is left to the player does not bind what follows."""
    first, *rest = phrases
    if first.text.startswith("you may ") and all(phrase.order for phrase in rest):
        return f"{_listed([phrase.text for phrase in rest])}, and before that {first.text}"
    said = first.text
    for before, phrase in zip(phrases, rest, strict=False):
        said += f", and {phrase.text}" if before.order else f"; either way, {phrase.text}"
    return said


def _arrow(effect: tree.Arrow, names: Names) -> Phrase:
    cost, gain = _tell(effect.cost, names), _tell(effect.effect, names)
    paid = f"you may {cost.text}" if cost.order else f"{cost.text}, if you like"
    if gain.order:
        return Phrase(f"{paid} to {gain.text}", order=False)
    return Phrase(f"{paid}; if you do, {gain.text}", order=False)


def _at_placement(effect: tree.AtPlacement, names: Names) -> Phrase:
    options = [
        f"for {_price(option.cost)}, {_tell(option.effect, names).text}"
        for option in effect.options
    ]
    return Phrase(
        f"when you send the Agent, choose what to pay: {'; or '.join(options)}", order=False
    )


def _price(cost: tree.Pay) -> str:
    return "nothing" if cost.amount == 0 else _resource(cost.amount, cost.what)


def _each_opponent(effect: tree.EachOpponent, names: Names) -> Phrase:
    return _by_others("each opponent", _tell(effect.effect, names))


def _for(effect: tree.For, names: Names) -> Phrase:
    return _by_others(words.OTHERS[effect.who], _tell(effect.effect, names))


def _by_others(who: str, phrase: Phrase) -> Phrase:
    """What someone else does, who is spoken of instead of spoken to."""
    text = _spoken_of(phrase.text)
    verb, _, rest = text.partition(" ")
    if phrase.order and " and " not in text and " or " not in text:
        return Phrase(f"{who} {_third_person(verb)} {rest}".rstrip(), order=False)
    return Phrase(f"{who} does this: {text}", order=False)


def _spoken_of(text: str) -> str:
    said = text.replace("your ", "their ").replace("yours", "theirs")
    return " ".join("they" if word == "you" else word for word in said.split(" "))


def _third_person(verb: str) -> str:
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "o")) else f"{verb}s"


def _when(effect: tree.When, names: Names) -> Phrase:
    said = f"{words.TRIGGERS[effect.trigger]}, {_tell(effect.effect, names).text}"
    return Phrase(said, order=False)


def _when_acquiring(effect: tree.WhenAcquiring, names: Names) -> Phrase:
    every = "for each card that you acquire on your Reveal turn of this round"
    return Phrase(f"{every}, {_tell(effect.effect, names).text}", order=False)


def _add_first_reward(effect: tree.AddFirstReward, names: Names) -> Phrase:
    return Phrase(
        f"add this to the first reward of the Conflict: {_tell(effect.effect, names).text}"
    )


_COMPOUND: dict[type, Callable[[Any, Names], Phrase]] = {
    tree.May: _may,
    tree.If: _if,
    tree.Per: _per,
    tree.Choose: _choose,
    tree.All: _all,
    tree.Arrow: _arrow,
    tree.AtPlacement: _at_placement,
    tree.EachOpponent: _each_opponent,
    tree.For: _for,
    tree.When: _when,
    tree.WhenAcquiring: _when_acquiring,
    tree.AddFirstReward: _add_first_reward,
}
"""Effects with others inside them."""


# Orders


def _resource(amount: Quantity, what: str) -> str:
    return words.RESOURCES[what].counted(amount)


def _scope(scope: str, names: Names) -> str:
    return words.SCOPES.get(scope) or f"the {name_of(scope, names)}"


def _listed(texts: Sequence[str], last: str = "and") -> str:
    if len(texts) == 1:
        return texts[0]
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


def _deploy(effect: tree.DeployTroops, _: Names) -> str:
    limit = "" if effect.most == 1 else "up to "
    units = words.UNITS[effect.unit].counted(effect.most)
    return f"deploy {limit}{units} from {words.ZONES[effect.zone]} to the Conflict"


def _retreat(effect: tree.Retreat, _: Names) -> str:
    noun, least, most = words.UNITS[effect.unit], effect.least, effect.most
    if most is None:
        return f"retreat any number of {noun.many}"
    if least == most:
        return f"retreat {noun.counted(most)}"
    if least == 0:
        return f"retreat up to {noun.counted(most)}"
    return f"retreat {least} {'or' if most == least + 1 else 'to'} {noun.counted(most)}"


def _own_card(faction: str | None, other: bool, names: Names) -> str:
    kind = f"{name_of(faction, names)} card" if faction else "card"
    return f"1 other {kind}" if other else f"1 {kind}"


def _trash(effect: tree.TrashCard, names: Names) -> str:
    card = _own_card(effect.faction, effect.other, names)
    if effect.zone == "in_play":
        return f"trash {card} that you have in play"
    return f"trash {card}" + (f" from {words.ZONES[effect.zone]}" if effect.zone else "")


def _acquire(effect: tree.AcquireCard, _: Names) -> str:
    source = " of the Imperium Row" if effect.row else ""
    paid = "for its cost in Solari" if effect.with_solari else "for free"
    goes = "" if effect.to == "discard" else f" and {words.GOES[effect.to]}"
    return f"acquire 1 card{source}{_costing(effect)}, {paid}{goes}"


def _costing(effect: tree.AcquireCard) -> str:
    if effect.dearest is None:
        return ""
    exactly = effect.cheapest == effect.dearest
    return f" that costs {'exactly' if exactly else 'at most'} {effect.dearest} Persuasion"


def _place_spy(effect: tree.PlaceSpy, names: Names) -> str:
    where = f" on a post linked to {_listed(_spaces(effect.on, names), 'or')}" if effect.on else ""
    shared = ", even where another player's Spy is" if effect.sharing else ""
    return f"place 1 Spy{where}{shared}"


def _spaces(icons: Sequence[str], names: Names) -> list[str]:
    return [words.PLACES.get(each) or _space(name_of(each, names)) for each in icons]


def _space(icon: str) -> str:
    return f"{_article(icon)} {icon} space"


def _article(word: str) -> str:
    return "an" if word[0] in "AEIOUaeiou" else "a"


def _recall_agents(effect: tree.RecallAgents, _: Names) -> str:
    return f"recall {effect.amount} of your other Agents"


def _discount(effect: tree.Discount, names: Names) -> str:
    return f"pay {effect.amount} less for {name_of(effect.what, names)}"


def _enter_occupied(effect: tree.EnterOccupied, names: Names) -> str:
    where = _listed(_spaces(effect.on, names), "or") if effect.on else "any space"
    return f"ignore opponents' Agents when you send an Agent to {where} this turn"


def _return_card(effect: tree.ReturnCard, names: Names) -> str:
    card = _own_card(effect.faction, effect.other, names)
    return f"return {card} from {words.ZONES[effect.zone]} to your hand"


def _lose_units(effect: tree.LoseUnits, _: Names) -> str:
    place = "your garrison or the Conflict" if effect.zone is None else words.ZONES[effect.zone]
    return f"lose {words.UNITS[effect.unit].counted(effect.amount)} from {place}"


def _acquire_tech(effect: tree.AcquireTech, _: Names) -> str:
    less = f" for {effect.discount} less" if effect.discount else ""
    return f"acquire 1 tech tile{less}" + (", in Solari if you like" if effect.with_solari else "")


def _bury(effect: tree.BuryIntrigue, _: Names) -> str:
    noun = words.INTRIGUE_CARD
    number = f"any number of {noun.many}" if effect.amount is None else noun.counted(effect.amount)
    return f"put {number} of yours under the Intrigue Deck"


def _amount_of(verb: str, noun: Noun, after: str = "") -> Callable[[Any, Names], str]:
    """The phrase of effects that say no more than how many."""
    return lambda effect, _: f"{verb} {noun.counted(effect.amount)}{after}"


def _fixed(text: str) -> Callable[[Any, Names], str]:
    """The phrase of effects that say nothing more."""
    return lambda _effect, _names: text


_ORDERS: dict[type, Callable[[Any, Names], str]] = {
    tree.Gain: lambda e, _: f"gain {_resource(e.amount, e.what)}",
    tree.Pay: lambda e, _: f"pay {_resource(e.amount, e.what)}",
    tree.Swords: _amount_of("add", words.SWORD),
    tree.GainBonusSpice: _fixed("take all bonus spice from the space"),
    tree.DoubleBonusSpice: _fixed(
        "gain as much spice again as the bonus spice that this turn's Agent took"
    ),
    tree.Recruit: lambda e, _: f"recruit {words.UNITS[e.unit].counted(e.amount)}",
    tree.Summon: _amount_of("summon", words.SANDWORM),
    tree.DeployTroops: _deploy,
    tree.DeployRecruits: _fixed("deploy troops that you recruited this turn to the Conflict"),
    tree.Retreat: _retreat,
    tree.ForbidDeployment: _fixed("deploy no unit for the rest of this turn"),
    tree.DrawCards: _amount_of("draw", words.CARD),
    tree.DrawIntrigue: _amount_of("draw", words.INTRIGUE_CARD),
    tree.DiscardCards: _amount_of("discard", words.CARD, " from your hand"),
    tree.DiscardIntrigue: _amount_of("discard", words.INTRIGUE_CARD),
    tree.TrashIntrigue: _fixed("trash 1 Intrigue card"),
    tree.StealIntrigue: lambda e, _: (
        f"take 1 random Intrigue card from each opponent who holds {e.least} or more"
    ),
    tree.TrashCard: _trash,
    tree.TrashSelf: _fixed("trash this card"),
    tree.ReturnSelf: _fixed("return this card to your hand"),
    tree.AcquireCard: _acquire,
    tree.SortTopCards: _fixed(
        "look at the top 3 cards of your deck: draw one, discard one and trash one"
    ),
    tree.TakeFromRow: lambda e, _: (
        f"set 1 card of the Imperium Row aside, to be acquired for {e.discount} Persuasion less on "
        "your Reveal turn of this round"
    ),
    tree.GainInfluence: lambda e, names: (
        f"gain {e.amount} Influence with {_scope(e.faction, names)}"
    ),
    tree.LoseInfluence: lambda e, names: (
        f"lose {e.amount} Influence with {_scope(e.faction, names)}"
    ),
    tree.VisitInfluence: lambda e, _: (
        f"gain {e.amount} Influence instead of 1 with the Faction that you visit this turn"
    ),
    tree.PlaceSpy: _place_spy,
    tree.RecallSpies: _amount_of("recall", words.SPY),
    tree.RecallAgents: _recall_agents,
    tree.TakeControl: lambda e, names: f"take control of {name_of(e.space, names)}",
    tree.TakeMakerHooks: _fixed("take Maker Hooks"),
    tree.RemoveShieldWall: _fixed("remove the Shield Wall"),
    tree.TakeSeat: _fixed("take a seat on the High Council"),
    tree.TakeSwordmaster: _fixed("take the Swordmaster, your third Agent"),
    tree.TakeContract: _fixed("take 1 contract"),
    tree.CompleteContract: lambda e, names: f"complete the contract {name_of(e.contract, names)}",
    tree.FlipIcon: lambda e, names: (
        f"turn 1 of your face-up cards with the {name_of(e.icon, names)} or the wild battle icon "
        "face down"
    ),
    tree.UseSignet: _fixed("use your Leader's Signet Ring ability"),
    tree.Train: _fixed(
        "move your Leader's token one space along the training track for what that space shows"
    ),
    tree.Memorise: _fixed("put 1 troop of your supply with your Leader's memories"),
    tree.FlipLeader: _fixed(
        "return all memories to your supply, draw 1 card for each of them and turn your Leader over"
    ),
    tree.RepeatSpace: _fixed(f"resolve once more what is printed on {words.TURN_SPACE}"),
    tree.AcquireNamed: lambda e, names: f"acquire {name_of(e.card, names)} for free",
    tree.PutAcquired: lambda e, _: f"put the acquired card {words.GOES[e.to]}",
    tree.ReturnCard: _return_card,
    tree.LookAtDeck: _fixed("look at the top card of your deck"),
    tree.LoseUnits: _lose_units,
    tree.Discount: _discount,
    tree.EnterOccupied: _enter_occupied,
    tree.ChangeTurn: lambda e, _: words.TURNS[e.to],
    tree.TakeToken: lambda e, _: f"take {words.TOKENS[e.token]}",
    tree.Advance: lambda e, _: (
        f"go {Noun('step', 'steps').counted(e.amount)} on {words.TRACKS[e.track]}"
    ),
    tree.AcquireTech: _acquire_tech,
    tree.Negotiate: _amount_of("put", words.TROOP, " of your supply among the negotiators"),
    tree.FlipSelf: _fixed("turn this tile face down until the next round"),
    tree.KeepIntrigue: lambda e, _: (
        f"look at the top {words.INTRIGUE_CARD.counted(e.of)}, keep one and put the rest back"
    ),
    tree.BuryIntrigue: _bury,
    tree.PlaceSnoopers: lambda e, _: (
        f"place 1 snooper on every Influence track, at {e.influence} Influence"
    ),
    tree.TakeSnooper: _fixed(
        "move the snooper to your Leader's topmost free slot for what the slot shows"
    ),
    tree.TrackBonus: _fixed("take the track's bonus for 4 Influence"),
    tree.AllowDeployment: _fixed("deploy units this turn as if you had visited a Combat space"),
    tree.RevealNext: _fixed("reveal 1 more House Hagal card"),
    tree.ReplaceTleilaxu: lambda e, _: (
        f"replace the {words.SIDES[e.place]} card of the Tleilaxu Row"
    ),
    tree.Trade: _fixed("trade any amount of one thing each with a member of your team"),
    tree.Reinforce: _amount_of(
        "recruit", words.TROOP, " for your team's Allies, deployed if wanted"
    ),
}
"""Effects without others inside them, each beginning with its verb."""


# Conditions


def _condition(condition: Condition, names: Names, holds: bool = True) -> str:
    return _CONDITIONS[type(condition)](condition, names, holds)


def _at_least(measure: Measure, amount: Quantity, holds: bool) -> str:
    """There are so many or more of something, or there are not."""
    fewer = "less than" if measure.uncounted else "fewer than"
    number = measure.noun.counted(amount)
    if not holds and amount == 1:
        number = f"no {measure.noun.many}"
    elif holds:
        number = f"at least {number}"
    else:
        number = f"{fewer} {number}"
    return f"{measure.before} {number} {measure.after}".rstrip()


def _influence(condition: tree.InfluenceAtLeast, names: Names, holds: bool) -> str:
    amount = f"{'at least' if holds else 'less than'} {condition.amount} Influence"
    return f"you have {amount} with {_scope(condition.faction, names)}"


def _alliance(condition: tree.HoldsAlliance, names: Names, holds: bool) -> str:
    if condition.faction == tree.ANY_FACTION:
        return f"you hold {'an' if holds else 'no'} Alliance"
    if condition.faction in words.SCOPES:
        alliance = f"the Alliance of {words.SCOPES[condition.faction]}"
    else:
        alliance = f"the {name_of(condition.faction, names)} Alliance"
    return f"you {'hold' if holds else 'do not hold'} {alliance}"


def _beside_alliance(condition: tree.BesideAlliance, _: Names, holds: bool) -> str:
    faction = "a Faction whose Alliance an opponent holds"
    amount = f"at least {condition.amount} Influence"
    return f"you {'have' if holds else 'do not have'} {amount} with {faction}"


def _flag(condition: tree.Is, _: Names, holds: bool) -> str:
    flag = words.FLAGS[condition.flag]
    return flag.yes if holds else flag.no


def _another_in_play(condition: tree.AnotherInPlay, names: Names, holds: bool) -> str:
    number = "another" if holds else "no other"
    return f"you have {number} {name_of(condition.faction, names)} card in play"


def _discarded(condition: tree.Discarded, names: Names, holds: bool) -> str:
    was = "was" if holds else "was not"
    faction = name_of(condition.faction, names)
    return f"the discarded card {was} {_article(faction)} {faction} card"


def _trashed(condition: tree.Trashed, _: Names, holds: bool) -> str:
    number = "at least" if holds else "less than"
    return f"the trashed card costs {number} {condition.cost} Persuasion"


def _placed_on(condition: tree.PlacedOn, names: Names, holds: bool) -> str:
    (space,) = _spaces((condition.kind,), names)
    return f"the Spy {'went' if holds else 'did not go'} to a post linked to {space}"


def _owns(condition: tree.Owns, names: Names, holds: bool) -> str:
    return _at_least(_copies_of(condition.card, names), condition.amount, holds)


def _copies_of(card: str, names: Names) -> Measure:
    return Measure("you have", Noun("copy", "copies"), f"of {name_of(card, names)}")


def _acquired(condition: tree.Acquired, names: Names, holds: bool) -> str:
    verb = "acquired" if holds else "did not acquire"
    return f"you {verb} {name_of(condition.card, names)} this turn"


def _not(condition: tree.Not, names: Names, holds: bool) -> str:
    return _condition(condition.condition, names, not holds)


def _both(condition: tree.Both, names: Names, holds: bool) -> str:
    both = f"{_condition(condition.one, names)} and {_condition(condition.other, names)}"
    return both if holds else f"it is not so that {both}"


def _some_of(condition: tree.SomeOf, names: Names, holds: bool) -> str:
    tests = _listed([_condition(each, names) for each in condition.conditions])
    number = "at least" if holds else "fewer than"
    return f"{number} {condition.amount} of these are so: {tests}"


def _count_at_least(condition: tree.CountAtLeast, names: Names, holds: bool) -> str:
    return _at_least(_measure(condition.count, names), condition.amount, holds)


def _more_than_opponents(condition: tree.MoreThanOpponents, names: Names, holds: bool) -> str:
    measure = _measure(condition.count, names)
    what = f"{measure.noun.many} {measure.after}".rstrip()
    return f"{measure.before} {'more' if holds else 'no more'} {what} than each opponent"


def _grafted(condition: tree.Grafted, names: Names, holds: bool) -> str:
    factions = [name_of(each, names) for each in condition.factions]
    to = f" to {_article(factions[0])} {_listed(factions, 'or')} card" if factions else ""
    return f"this card is {'' if holds else 'not '}grafted{to}"


_CONDITIONS: dict[type, Callable[[Any, Names, bool], str]] = {
    tree.InfluenceAtLeast: _influence,
    tree.HoldsAlliance: _alliance,
    tree.BesideAlliance: _beside_alliance,
    tree.AtLeast: lambda c, _, holds: _at_least(words.MEASURES[c.measure], c.amount, holds),
    tree.Is: _flag,
    tree.AnotherInPlay: _another_in_play,
    tree.Discarded: _discarded,
    tree.Trashed: _trashed,
    tree.PlacedOn: _placed_on,
    tree.Owns: _owns,
    tree.Acquired: _acquired,
    tree.Not: _not,
    tree.Both: _both,
    tree.SomeOf: _some_of,
    tree.CountAtLeast: _count_at_least,
    tree.MoreThanOpponents: _more_than_opponents,
    tree.Grafted: _grafted,
}
"""What each condition says, and what is said if it does not hold."""


# What is counted


def _measure(count: Count, names: Names) -> Measure:
    return _COUNTS[type(count)](count, names)


def _each(count: Count, names: Names) -> str:
    """One of what is counted: `contract that you have completed`."""
    measure = _measure(count, names)
    whose = f" that {measure.before}" if measure.before.startswith("you") else ""
    return f"{measure.noun.one}{whose} {measure.after}".rstrip()


def _cards_of(faction: str, names: Names) -> Noun:
    name = name_of(faction, names)
    return Noun(f"{name} card", f"{name} cards")


def _tracks(count: tree.Tracks, _: Names) -> Measure:
    limit = f"at least {count.least}" if count.most is None else f"at most {count.most}"
    return Measure("you have", Noun("Faction", "Factions"), f"with {limit} Influence")


def _agents_on(count: tree.AgentsOn, names: Names) -> Measure:
    return Measure("you have", words.AGENT, f"on {_listed(_spaces(count.icons, names), 'or')}")


def _face_up(count: tree.FaceUpIcons, names: Names) -> Measure:
    icon = f"{name_of(count.icon, names)} battle icon"
    return Measure("you have", Noun(icon, f"{icon}s"), "face up")


_COUNTS: dict[type, Callable[[Any, Names], Measure]] = {
    tree.Number: lambda count, _: words.MEASURES[count.measure],
    tree.CardsInPlay: lambda count, names: Measure(
        "you have", _cards_of(count.faction, names), "in play"
    ),
    tree.CardsRevealed: lambda count, names: Measure(
        "you revealed", _cards_of(count.faction, names), "this turn"
    ),
    tree.SwordCards: lambda _count, _names: Measure(
        "you revealed", Noun("other card", "other cards"), "this turn that gave a sword"
    ),
    tree.FaceUpIcons: _face_up,
    tree.Tracks: _tracks,
    tree.CardsOwned: lambda count, names: _copies_of(count.card, names),
    tree.AgentsOn: _agents_on,
}
"""What each count counts."""
