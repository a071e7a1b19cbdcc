"""`when`: what players do and what chance brings, as inputs of the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rules_engine.effects import tree
from rules_engine.effects.text import say
from rules_engine.effects.tree import Effect
from rules_engine.imperium import actions, frames
from rules_engine.imperium.faces import intrigue_face
from rules_engine.imperium.frames import Item
from rules_engine.imperium.frames import Run as RunEffect
from rules_engine.imperium.setup import DEALING
from rules_engine.imperium.state import State, with_player
from rules_engine.imperium.strength import strength
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.game import Action, Answer, push
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from scenarios.cases import play_case
from scenarios.groups import (
    LARGEST_GROUP,
    NeedsChoice,
    OrderMatters,
    TooManyEffects,
    finish_group,
    group_items,
    is_group,
)
from scenarios.imperium.table import ZONES, effects_in, new_effects
from scenarios.language.errors import ScenarioError
from scenarios.language.syntax import Line, Words, has_word, phrases, token, tokens
from scenarios.language.values import amount, exactly_one
from scenarios.words import way_effects

if TYPE_CHECKING:
    from scenarios.run import Run

PHASES: dict[str, tuple[Any, ...]] = {
    "game_begins": DEALING,
    "round_begins": (frames.RoundStart(),),
    "combat_begins": (frames.Combat(),),
    "combat_resolves": (frames.ResolveCombat(),),
    "makers_begin": (frames.Makers(),),
    "recall_begins": (frames.Recall(),),
}
"""What is pending when a phase begins, in the order in which phases follow each other."""

COMBAT = ("combat_begins", "combat_resolves")


def act(run: Run, line: Line, following: list[Line]) -> None:
    """Carry out one `when` line; draws that belong to it are taken from the lines that follow."""
    words = line.words
    if words.data == "case":
        play_case(run, line)
    elif words.data == "rolls":
        raise ScenarioError(
            "TS0403",
            "nothing is rolled in this game",
            place=line.place,
            help='leave the line out: chance deals cards here, like `Abby draws "Dagger"`',
        )
    elif words.data == "does":
        seat = run.table.seat(line, token(words, "NAME"))
        (deed,) = phrases(words)
        if deed.data in SPECIAL:
            SPECIAL[str(deed.data)](run, line, seat, deed, following)
        else:
            run.give(line, action_of(run, line, seat, deed))
    else:
        (event,) = phrases(words)
        EVENTS[str(event.data)](run, line, event)


def _row_gets(run: Run, line: Line, words: Words) -> None:
    _chance(run, line, frames.FillRow, run.table.id(line, token(words, "STRING"), "card"))


def _row_gets_any(run: Run, line: Line, _: Words) -> None:
    _chance(run, line, frames.FillRow, ANY)


def _contracts_get(run: Run, line: Line, words: Words) -> None:
    contract = run.table.id(line, token(words, "STRING"), "contract")
    _chance(run, line, frames.FillContracts, contract)


def _conflict_is(run: Run, line: Line, words: Words) -> None:
    card = run.table.id(line, token(words, "STRING"), "conflict")
    _chance(run, line, frames.RevealConflict, card)


def _phase(run: Run, line: Line, words: Words) -> None:
    """A phase begins where the scenario starts, or once an earlier phase is over."""
    name = str(words.data)
    if run.stopped is not None:
        raise run.stopped
    if _something_happened(run, line):
        _check_follows(run, line, name)
    run.phase = name
    state = change(run.state, pending=PHASES[name], turn=None)
    if name in COMBAT:
        state = _all_revealed(state)
    run.take(state, ())
    run.settle()


def _something_happened(run: Run, line: Line) -> bool:
    steps = run.scenario.steps
    return any(step.section == "when" for step in steps[: steps.index(line)])


def _check_follows(run: Run, line: Line, name: str) -> None:
    """A later phase follows an earlier one that is over; after turns, it comes by itself."""
    order = list(PHASES)
    if run.phase is None or order.index(run.phase) >= order.index(name):
        raise ScenarioError(
            "TS0117",
            "a phase can only begin as the first thing that happens, or after an earlier phase",
            place=line.place,
            help="put it into a scenario of its own, or end the turns that come before",
        )
    if run.state.pending:
        raise run.unstated(line.place, "the phase before this one is not over")


def _all_revealed(state: State) -> State:
    """Combat comes after every Reveal turn, so each marker shows the units and swords there are."""
    for owner in state.players:
        if not owner.revealed:
            state = with_player(state, change(owner, revealed=True, strength=strength(owner)))
    return state


def _chance(run: Run, line: Line, frame: type[Any], outcome: str) -> None:
    if run.stopped is not None:
        raise run.stopped
    if not run.state.pending or not isinstance(run.state.pending[-1], frame):
        raise run.not_due(line.place, "nothing of the kind is due now")
    run.give(line, Answer(outcome))


def _draws(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    for card in run.table.cards(line, phrases(words, "cards")[0], "card", "intrigue"):
        _draw(run, line, seat, card)


def _draws_any(run: Run, line: Line, seat: Seat, _: Words, __: list[Line]) -> None:
    _draw(run, line, seat, ANY)


def _draw(run: Run, line: Line, seat: Seat, card: str) -> None:
    if run.stopped is not None:
        raise run.stopped
    top: Any = run.state.pending[-1] if run.state.pending else None
    drawing = isinstance(top, (frames.DrawFromDeck, frames.DrawFromIntrigue))
    if not drawing or top.seat != seat:
        name = run.state.players[seat].name
        raise run.not_due(line.place, f"{name} draws nothing now")
    run.give(line, Answer(card))


def _gets_objective(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    top: Any = run.state.pending[-1] if run.state.pending else None
    if isinstance(top, frames.DealObjectives) and top.seat != seat:
        name = run.state.players[top.seat].name
        raise run.unstated(line.place, f"the next Objective goes to {name}")
    card = run.table.id(line, token(words, "STRING"), "objective")
    _chance(run, line, frames.DealObjectives, card)


def _shuffles(run: Run, line: Line, seat: Seat, _: Words, __: list[Line]) -> None:
    """A shuffle happens by itself when the deck runs out; it is stated to be sure that it does."""
    name = run.state.players[seat].name
    shuffled = any(each.key == "reshuffles" and each.player == seat for each in run.recent)
    _check_shuffled(run, line, shuffled, f"{name} does not shuffle now")


def _intrigues_shuffled(run: Run, line: Line, _: Words) -> None:
    shuffled = any(each.key == "reshuffles_intrigue" for each in run.recent)
    _check_shuffled(run, line, shuffled, "the Intrigue cards are not shuffled now")


def _check_shuffled(run: Run, line: Line, shuffled: bool, message: str) -> None:
    if run.stopped is not None:
        raise run.stopped
    if not shuffled:
        raise ScenarioError(
            "TS0403",
            message,
            place=line.place,
            help="leave the line out: a discard pile is shuffled when a deck has run out",
        )


def _looks_at(run: Run, line: Line, _: Seat, words: Words, __: list[Line]) -> None:
    for card in run.table.cards(line, phrases(words, "cards")[0], "card"):
        _chance(run, line, frames.LookAtTop, card)


def _steals(run: Run, line: Line, _: Seat, words: Words, __: list[Line]) -> None:
    victim = run.table.seat(line, token(words, "NAME"))
    top: Any = run.state.pending[-1] if run.state.pending else None
    if isinstance(top, frames.Steal) and top.victim != victim:
        asked_of = run.state.players[top.victim].name
        raise run.unstated(line.place, f"the next card is taken from {asked_of}")
    card = run.table.id(line, token(words, "STRING"), "intrigue")
    _chance(run, line, frames.Steal, card)


def _resolve_all(run: Run, line: Line, seat: Seat, _: Words, following: list[Line]) -> None:
    """Resolve the whole group, with the draws stated on the lines that follow."""
    top: Any = run.state.pending[-1] if run.state.pending else None
    if top is None or not is_group(run.state) or top.seat != seat:
        name = run.state.players[seat].name
        raise run.not_due(line.place, f"{name} has no effects to resolve now")
    draws: list[str] = []
    lines = 0
    for later in following:
        cards = _drawn(run, later, seat)
        if cards is None:
            break
        draws += cards
        lines += 1
    try:
        done = finish_group(run.state, tuple(draws), optional_asks=False)
    except NeedsChoice as met:
        message = "an effect of the group asks for a choice or a draw that is not stated"
        raise run.unstated(line.place, message, met.state) from None
    except TooManyEffects:
        raise ScenarioError(
            "TS0113",
            f"the group has more than {LARGEST_GROUP} effects",
            place=line.place,
            help=_in_order(run, seat, tuple(say(each.effect) for each in group_items(run.state))),
        ) from None
    except OrderMatters as found:
        raise ScenarioError(
            "TS0113",
            f"the order matters: `{', '.join(found.one)}` and `{', '.join(found.other)}` differ",
            place=line.place,
            help=_in_order(run, seat, found.one),
        ) from None
    del following[:lines]
    run.take(done.state, done.events, done.inputs)
    run.settle()
    for card in draws[done.answers_used :]:
        _draw(run, line, seat, card)


def _in_order(run: Run, seat: Seat, effects: tuple[str, ...]) -> str:
    """The lines that resolve effects in an order."""
    name = run.state.players[seat].name
    lines = "; ".join(f'`{name} resolves "{effect}"`' for effect in effects)
    return f"state the order, a line for each: {lines}; or another"


def _drawn(run: Run, line: Line, seat: Seat) -> list[str] | None:
    """The cards that a following line says are drawn, if it says so of this player."""
    if line.words.data != "does" or run.table.seat(line, token(line.words, "NAME")) != seat:
        return None
    (deed,) = phrases(line.words)
    if deed.data == "draws_any":
        return [ANY]
    if deed.data == "draws":
        return list(run.table.cards(line, phrases(deed, "cards")[0], "card", "intrigue"))
    return None


# A player's decisions


def action_of(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    """The input that a phrase stands for in the present position."""
    if words.data not in ACTIONS:
        raise ScenarioError(
            "TS0116",
            "only a decision of a player can be possible or not",
            place=line.place,
            help=f"write about one, like `{run.scenario.players[seat]} can deploy 2 troops`",
        )
    action: Action = ACTIONS[str(words.data)](run, line, seat, words)
    return action


def _told(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    """An effect tells the player to do something now."""
    run.take(told_to(run, line, seat, words), ())
    run.settle()


def told_to(run: Run, line: Line, seat: Seat, words: Words) -> Any:
    """The position in which an effect tells a player to do something now."""
    if words.data == "summons":
        effects: tuple[Effect, ...] = (
            tree.Summon(amount(line, phrases(words)[0], run.environment)),
        )
    else:
        effects = new_effects(line, token(words, "STRING"), run.table.names.printed)
    pending = tuple(RunEffect(seat, Item(effect, "scenario")) for effect in reversed(effects))
    return push(run.state, *pending)


def _plays_to(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    card = run.table.id(line, token(words, "STRING"), "card")
    space = run.table.id(line, token(words, "SPACE"), "space")
    places = phrases(words, "space", "post")
    post = run.table.post(line, places[0]) if places else None
    return actions.PlayAgent(seat, card, space, post)


def _plays_intrigue(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    card = run.table.id(line, token(words, "STRING"), "intrigue")
    ways = intrigue_face(run.state, card).ways
    timings = [str(timing) for timing in tokens(words, "TIMING")] or [_timing_now(run)]
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


def _timing_now(run: Run) -> str:
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
    raise run.not_due(line.place, f"there is no cost of {value!r} {what} to pay now")


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


def _resolves(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    """One of the effects that are due; of equal ones, the one of what is named."""
    wanted = _one_effect(line, words)
    named = [run.table.source(line, each) for each in phrases(words, "source")]
    top = run.state.pending[-1] if run.state.pending else None
    due = {
        number: item.source
        for number, item in enumerate(getattr(top, "items", ()))
        if item.effect == wanted and item.source in (named or (item.source,))
    }
    if not due:
        raise run.not_due(line.place, f"the effect `{say(wanted)}` is not due now")
    if len(set(due.values())) > 1:
        raise run.unstated(line.place, f"the effect `{say(wanted)}` is due more than once")
    return actions.Resolve(seat, min(due))


def _choose(run: Run, line: Line, seat: Seat, words: Words, _: list[Line]) -> None:
    """Choosing an option of an effect that is due resolves that effect first."""
    first = resolved_first(run, line, seat, words)
    if first is not None:
        run.give(line, first)
    run.give(line, action_of(run, line, seat, words))


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
        raise run.not_due(line.place, "intelligence cannot be gathered now")
    return actions.RecallSpy(seat, post)


def _deploys(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    return actions.Deploy(seat, amount(line, phrases(words)[0], run.environment))


def _places(run: Run, line: Line, seat: Seat, words: Words) -> Action:
    exactly_one(line, phrases(words)[0], run.environment)
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

SPECIAL: dict[str, Callable[[Run, Line, Seat, Words, list[Line]], None]] = {
    "resolves_all": _resolve_all,
    "resolves_effect": _told,
    "summons": _told,
    "draws": _draws,
    "draws_any": _draws_any,
    "looks_at": _looks_at,
    "shuffles": _shuffles,
    "gets_objective": _gets_objective,
    "steals": _steals,
    "chooses": _choose,
}
"""Phrases about a player that are more, or other, than one decision."""

EVENTS: dict[str, Callable[[Run, Line, Words], None]] = {
    "row_gets": _row_gets,
    "row_gets_any": _row_gets_any,
    "contracts_get": _contracts_get,
    "conflict_is": _conflict_is,
    "intrigues_shuffled": _intrigues_shuffled,
    **dict.fromkeys(PHASES, _phase),
}
"""What happens by itself or by chance."""
