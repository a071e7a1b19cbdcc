"""What players decide, as inputs of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lark import Token, Tree

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium import actions, frames
from rules_engine.imperium.faces import intrigue_face
from rules_engine.imperium.not_due import why_cost_not_due, why_effect_not_due
from rules_engine.imperium.spies import why_not_gather
from rules_engine.kernel.game import Action
from rules_engine.kernel.outcomes import Reason, Refusal, Seat
from scenarios.groups import group_items, is_group
from scenarios.imperium.table import ZONES, effects_in
from scenarios.language.errors import NotDue, ScenarioError
from scenarios.language.syntax import Line, Words, has_word, phrases, token, tokens
from scenarios.language.values import amount
from scenarios.words import refusal_words, way_effects

if TYPE_CHECKING:
    from scenarios.run import Run


def action_of(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    """The input that a phrase stands for in the present position."""
    parts = one_by_one(run, line, words)
    if len(parts) > 1:
        raise ScenarioError(
            "TS0116",
            "this is asked of one at a time",
            place=line.place,
            help="write a line for each: " + ", ".join(f"`{each}`" for each in _lines(line, parts)),
        )
    if words.data not in ACTIONS:
        raise ScenarioError(
            "TS0116",
            "only a decision of a player can be possible or not",
            place=line.place,
            help=f"write about one, like `{run.scenario.players[seat]} can deploy 2 troops`",
        )
    action: Action = ACTIONS[str(words.data)](run, line, seat, words)
    return action


LISTS = {
    "chooses": ("STRING",),
    "chooses_faction": ("FACTION",),
    "discards": ("STRING",),
    "discards_intrigue": ("STRING",),
    "flips": ("STRING",),
    "places": ("space", "post"),
    "recalls": ("space", "post"),
    "recalls_agent": ("SPACE",),
    "sorts": ("STRING", "FATE"),
    "trashes": ("STRING",),
    "trashes_intrigue": ("STRING",),
}
"""Phrases that can list what is decided one after the other, and what they list."""


def one_by_one(run: Run, line: Line, words: Words) -> list[Words]:
    """The decisions that a phrase states: one for each thing that it lists, in this order."""
    kinds = LISTS.get(str(words.data), ())
    listed = [each for each in words.children if _kind(each) in kinds]
    each_has = 2 if words.data == "sorts" else 1
    if words.data == "places":
        _check_places(run, line, words, len(listed))
    if len(listed) == each_has or not listed:
        return [words]
    rest = [
        ONE if words.data == "places" and isinstance(each, Tree) else each
        for each in words.children
        if _kind(each) not in (*kinds, "COMMA")
    ]
    return [
        Tree(words.data, [*rest, *listed[at : at + each_has]])
        for at in range(0, len(listed), each_has)
    ]


ONE = Tree("number", [Token("NUMBER", "1")])


def _lines(line: Line, parts: list[Words]) -> Iterator[str]:
    """The line about each of the things that it lists."""
    listed = [each for part in parts for each in _listed(part)]
    text = line.written.text
    begin, end = _start(listed[0]), _start(listed[-1]) + len(listed[-1])
    for part in parts:
        first, *_, last = [*_listed(part), *_listed(part)[-1:]]
        yield text[:begin] + text[_start(first) : _start(last) + len(last)] + text[end:]


def _listed(part: Words) -> list[Token]:
    kinds = LISTS[str(part.data)]
    found = (each for each in part.children if _kind(each) in kinds)
    return [
        word
        for each in found
        for word in ([each] if isinstance(each, Token) else each.children)
        if isinstance(word, Token)
    ]


def _start(word: Token) -> int:
    return (word.column or 1) - 1


def _kind(part: Words | Token) -> str:
    return part.type if isinstance(part, Token) else str(part.data)


def _check_places(run: Run, line: Line, words: Words, places: int) -> None:
    """As many Spies are placed as places are named."""
    (number,) = (each for each in phrases(words) if _kind(each) not in LISTS["places"])
    if amount(line, number, run.environment) != places:
        raise ScenarioError(
            "TS0116",
            f"a place is named for each spy, and {places} {'is' if places == 1 else 'are'} here",
            place=line.place,
            help=f"write `{'a spy' if places == 1 else f'{places} spies'}`, or name other places",
        )


def _plays_to(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    card = run.table.id(line, token(words, "STRING"), "card")
    space = run.table.id(line, token(words, "SPACE"), "space")
    places = phrases(words, "space", "post")
    post = run.table.post(line, places[0]) if places else None
    return actions.PlayAgent(seat, card, space, post)


def _plays_intrigue(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    card = run.table.id(line, token(words, "STRING"), "intrigue")
    ways = intrigue_face(run.state, card).ways
    timings = [str(timing) for timing in tokens(words, "TIMING")] or [timing_now(run)]
    fitting = [number for number, way in enumerate(ways) if way.timing == timings[0]]
    if len(fitting) > 1:
        name, word = run.scenario.players[seat], token(words, "STRING")
        help_ = "; ".join(f'`{name} plays {word} for "{way_effects(ways[n])}"`' for n in fitting)
        raise ScenarioError(
            "TS0111",
            "this card can be played in more than one way",
            place=line.place,
            help=f"state one of: {help_}",
        )
    return actions.PlayIntrigue(seat, card, fitting[0] if fitting else 0)


def _plays_way(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    """An Intrigue card is played in the way that says these effects."""
    card_word, effect_word = tokens(words, "STRING")
    card = run.table.id(line, card_word, "intrigue")
    wanted = effects_in(line, effect_word)
    ways = intrigue_face(run.state, card).ways
    for number, way in enumerate(ways):
        if (*way.effects, *way.lines)[: len(wanted)] == wanted:
            return actions.PlayIntrigue(seat, card, number)
    raise ScenarioError(
        "TS0116",
        "the card has no such way to be played",
        place=line.at(effect_word),
        help="write one of " + ", ".join(f'`"{way_effects(way)}"`' for way in ways),
    )


def timing_now(run: Run) -> str:
    """Which Intrigue cards have their moment now."""
    top = run.state.pending[-1] if run.state.pending else None
    if isinstance(top, frames.WinIntrigues):
        return "won"
    if isinstance(top, frames.CombatIntrigues):
        return "combat"
    return "endgame" if isinstance(top, frames.EndgameIntrigues) else "plot"


def _pays(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    value = amount(line, phrases(words)[0], run.environment)
    what = str(token(words, "RESOURCE")).lower()
    top = run.state.pending[-1] if run.state.pending else None
    if isinstance(top, frames.PickCost):
        for number, option in enumerate(top.options):
            if option.cost.what == what and option.cost.amount == value:
                return actions.Choose(seat, number)
        raise run.unstated(line.place, f"the space has no cost of {value!r} {what}")
    for number, item in enumerate(getattr(top, "items", ())):
        if isinstance(item.effect, tree.Arrow) and item.effect.cost == tree.Pay(value, what):
            return actions.Resolve(seat, number)
    why = why_cost_not_due(run.state, seat, tree.Pay(value, what))
    raise _not_due(run, line, f"there is no cost of {value!r} {what} to pay now", why)


def _not_due(run: Run, line: Line, message: str, why: Iterable[Reason]) -> NotDue:
    """What a line states cannot happen now, for the reasons that the engine finds."""
    refused = Refusal(tuple(why))
    said = f": {refusal_words(run.state, refused)}" if refused.reasons else ""
    return run.not_due(line.place, message + said, refused.rules)


def _resolves(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    """One of the effects that are due; of equal ones, the one of what is named."""
    wanted = _one_effect(line, words)
    due = _due(run, line, words)
    if not due:
        why = why_effect_not_due(run.state, seat, wanted)
        raise _not_due(run, line, f"the effect `{say(wanted)}` is not due now", why)
    if len(set(due.values())) > 1:
        raise run.unstated(line.place, f"the effect `{say(wanted)}` is due more than once")
    return actions.Resolve(seat, min(due))


def _due(run: Run, line: Line, words: Words) -> dict[int, str]:
    """The effects of the group on top that a line means, by number, and what they come from."""
    wanted = _one_effect(line, words)
    named = [run.table.source(line, each) for each in phrases(words, "source")]
    top = run.state.pending[-1] if run.state.pending else None
    return {
        number: item.source
        for number, item in enumerate(getattr(top, "items", ()))
        if item.effect == wanted and item.source in (named or (item.source,))
    }


def is_due(run: Run, line: Line, words: Words) -> bool:
    """Whether the group on top has the effect that a line resolves."""
    return bool(_due(run, line, words))


def _one_effect(line: Line, words: Words) -> Effect:
    """The one effect that a quoted text says."""
    text = token(words, "STRING")
    effects = effects_in(line, text)
    if len(effects) != 1:
        raise ScenarioError(
            "TS0116",
            "effects are resolved one at a time",
            place=line.at(text),
            help="write a line for each: " + ", ".join(f'`"{say(each)}"`' for each in effects),
        )
    return effects[0]


def resolved_first(run: Run, line: Line, seat: Seat, words: Words) -> Action | None:
    """The effect that offers an option, if a line is about one and the effect is still due."""
    if words.data != "chooses" or not run.state.pending or not is_group(run.state):
        return None
    wanted = _one_effect(line, words)
    for number, item in enumerate(group_items(run.state)):
        if isinstance(item.effect, tree.Choose) and wanted in item.effect.options:
            return actions.Resolve(seat, number)
    return None


def _chooses(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    wanted = _one_effect(line, words)
    top = run.state.pending[-1] if run.state.pending else None
    if isinstance(top, (frames.ChooseOption, frames.PickSeveral, frames.PickCopy)):
        for number, option in enumerate(top.options):
            if option == wanted:
                return actions.Choose(seat, number)
    raise run.not_due(line.place, f"`{say(wanted)}` is not an option now")


def _trashes(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    card = run.table.id(line, token(words, "STRING"), "card")
    return actions.Trash(seat, card, ZONES[str(token(words, "ZONE"))])


def _flips(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    return actions.Flip(seat, run.table.id(line, token(words, "STRING"), "conflict", "objective"))


def _retreats(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    return actions.Retreat(seat, amount(line, phrases(words)[0], run.environment))


def _sorts(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    card = run.table.id(line, token(words, "STRING"), "card")
    fate = {"hand": "draw"}.get(str(token(words, "FATE")), str(token(words, "FATE")))
    return actions.SortCard(seat, card, fate)


def _naming(make: Callable[[Seat, str], Action], kind: str) -> Callable[..., Action]:
    """A phrase about one named thing of this kind."""

    def read(run: Run, line: Line, seat: Seat, words: Words) -> Action:
        return make(seat, run.table.id(line, token(words, "STRING"), kind))

    return read


def _recalls(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    post = run.table.post(line, phrases(words, "space", "post")[0])
    top = run.state.pending[-1] if run.state.pending else None
    if has_word(words, "gather") and not isinstance(top, frames.GatherIntelligence):
        why = why_not_gather(run.state, seat, post)
        raise _not_due(run, line, "intelligence cannot be gathered now", why)
    return actions.RecallSpy(seat, post)


def _deploys(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    return actions.Deploy(seat, amount(line, phrases(words)[0], run.environment))


def _places(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    return actions.PlaceSpy(seat, run.table.post(line, phrases(words, "space", "post")[0]))


ACTIONS: dict[str, Any] = {
    "plays_to": _plays_to,
    "plays_intrigue": _plays_intrigue,
    "plays_way": _plays_way,
    "recalls": _recalls,
    "declines": lambda _, __, seat, ___: actions.Decline(seat),
    "accepts": lambda _, __, seat, ___: actions.Accept(seat),
    "pays": _pays,
    "resolves": _resolves,
    "chooses": _chooses,
    "chooses_faction": lambda run, line, seat, words: actions.PickFaction(
        seat, run.table.id(line, token(words, "FACTION"), "faction")
    ),
    "deploys": _deploys,
    "places": _places,
    "reveals": lambda _, __, seat, ___: actions.Reveal(seat),
    "acquires": _naming(actions.Acquire, "card"),
    "trashes": _trashes,
    "trashes_intrigue": _naming(actions.GiveUpIntrigue, "intrigue"),
    "discards_intrigue": _naming(actions.GiveUpIntrigue, "intrigue"),
    "discards": _naming(actions.Discard, "card"),
    "takes_contract": _naming(actions.TakeContract, "contract"),
    "trains": _naming(actions.Train, "training"),
    "sets_aside": _naming(actions.TakeFromRow, "card"),
    "flips": _flips,
    "retreats": _retreats,
    "sorts": _sorts,
    "recalls_agent": lambda run, line, seat, words: actions.RecallAgent(
        seat, run.table.id(line, token(words, "SPACE"), "space")
    ),
    "gives_alliance": lambda run, line, seat, words: actions.GiveAlliance(
        seat, run.table.seat(line, token(words, "NAME"))
    ),
    "passes": lambda _, __, seat, ___: actions.Pass(seat),
    "ends": lambda _, __, seat, ___: actions.EndTurn(seat),
}
"""The input that each phrase about a player's decision stands for."""
