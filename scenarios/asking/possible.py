"""Can somebody do something: every completion of the decision, what comes first, and why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rules_engine.effects.text import say
from rules_engine.imperium import actions, frames, spies
from rules_engine.imperium.choices import due
from rules_engine.imperium.combat import takes_part
from rules_engine.imperium.effects import rules_of as effect_rules
from rules_engine.imperium.faces import intrigue_face, printed
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, ThisTurn, clockwise, player
from rules_engine.imperium.trashing import ZONES
from rules_engine.kernel import game
from rules_engine.kernel.decks import ANY
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, Answer, asked, legal, settle, step, turn_rules
from rules_engine.kernel.outcomes import Event, Refusal, Seat
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite
from scenarios.asking.conditions import names_of, reasons, together
from scenarios.asking.position import Asked, source_of, standing_at
from scenarios.asking.said import NO, NOT_YET, YES, Part, Said, listed, sentence
from scenarios.asking.sources import deciding_first
from scenarios.groups import group_items, is_group
from scenarios.imperium.done.decisions import action_of, resolved_first
from scenarios.imperium.observing import Refused, refusal_of
from scenarios.imperium.table import effects_in
from scenarios.language.errors import NotDue
from scenarios.language.syntax import Line, Words, phrases, token, tokens
from scenarios.words import option_words, way_words

TOLD = ("summons", "resolves_effect")
"""Phrases that an effect tells a player to do: no decision, so nothing to complete."""

DEEPEST = 3
MOST_TRIED = 80
"""How many decisions ahead are looked at, and how many positions."""

SHOWN = 3
"""How many ways an answer lists."""

COMES_FIRST = frozenset(
    {
        "gather_first", "place_spy_first", "effects_are_due",
        "resolve_effects_first", "accept_or_decline", "choose_option", "deploy_or_decline",
        "say_how_many_retreat", "recall_agent_first", "finish_box_first", "take_contract_first",
        "pick_faction", "pick_cost", "pick_icon_to_flip", "pick_card_to_trash",
        "pick_card_to_discard", "pick_card_to_acquire", "pick_card_of_row", "pick_intrigue",
        "pick_training_space", "pick_spy_to_recall", "pick_tied_player", "pick_place", "pick_copy",
        "sort_cards", "defend_or_not", "play_a_card_first", "space_first", "agent_or_reveal",
    }
)  # fmt: skip
"""Reasons which say that something else has to be done or decided before."""

GONE_OUT = cite("UPR-REVEAL-009")


class Way(NamedTuple):
    """One completion of a decision, and the condition that it adds to the words of the question."""

    action: Action
    condition: str = ""


class Tried(NamedTuple):
    """The completions that are allowed in a position, and what stands against the others."""

    state: State
    allowed: tuple[Way, ...]
    against: tuple[Part, ...] = ()
    """The reasons against the completion that fewest reasons stand against."""
    keys: tuple[str, ...] = ()
    """What kinds of reason these are."""


def can(run: Asked, line: Line) -> Said:
    """Whether a player could do this now: by any completion of it, or after something else."""
    seat, deed = _asked(run, line)
    if deed.data in TOLD or not run.state.pending:
        return _of_engine(refusal_of(run, line, seat, deed))
    if run.stopped is not None:
        raise run.stopped
    offered = resolved_first(run, line, seat, deed)
    if offered is not None:
        return _of_an_effect(run, line, seat, deed, offered)
    here = _try(run, line, seat, deed)
    if here.allowed:
        return _yes(here, seat)
    if seat not in asked(IMPERIUM, here.state).players:
        return _on_own_chance(run, line, seat, deed, here)
    return _looking_ahead(run, line, seat, deed, here)


def cannot(run: Asked, line: Line) -> Said:
    """Why a player could not do this now."""
    said = can(run, line)
    if said.verdict == YES:
        words = said.words.removeprefix("Yes").removeprefix(".").removeprefix(", ")
        return said._replace(words="Nothing stands against it" + (f" {words}" if words else "."))
    return said._replace(words=said.words.removeprefix("No. "))


def _asked(run: Asked, line: Line) -> tuple[Seat, Words]:
    (deed,) = phrases(line.words)
    return run.table.seat(line, token(line.words, "NAME")), deed


def _of_engine(refused: Refused) -> Said:
    if not refused.reasons:
        return Said("Yes.", refused.rules, YES)
    return Said(f"No. {sentence(refused.words)}", refused.rules, NO)


# Every completion of a decision


def _try(run: Asked, line: Line, seat: Seat, deed: Words) -> Tried:
    """Ask the engine about every completion of a decision in the present position."""
    state = run.state
    try:
        ways = list(COMPLETIONS.get(str(deed.data), _as_said)(run, line, seat, deed))
    except NotDue as not_due:
        rules = not_due.rules or turn_rules(IMPERIUM, state, seat)
        return Tried(state, (), (Part(not_due.message, rules),))
    allowed, refusals = [], []
    for way in ways:
        refused = legal(IMPERIUM, state, way.action)
        if refused is None:
            allowed.append(way)
        else:
            refusals.append((way, refused))
    if allowed:
        return Tried(state, tuple(allowed))
    way, nearest = min(refusals, key=lambda each: len(each[1].reasons))
    against = reasons(state, seat, way.action, nearest)
    return Tried(state, (), tuple(against), tuple(each.key for each in nearest.reasons))


def _as_said(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    yield Way(action_of(run, line, seat, deed))


def _sends(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """Without a word about infiltrating, every own Spy that is linked to the space may do it."""
    plain = action_of(run, line, seat, deed)
    yield Way(plain)
    assert isinstance(plain, actions.PlayAgent)
    if plain.infiltrate is None:
        name = player(run.state, seat).name
        for post in spies.own_linked_posts(run.state, seat, plain.space):
            called = printed(run.state).posts[post].name
            yield Way(change(plain, infiltrate=post), f"if {name} recalls the Spy at {called}")


def _plays(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """Without a word about when or what for, an Intrigue card has all its ways."""
    card = run.table.id(line, token(deed, "STRING"), "intrigue")
    ways = intrigue_face(run.state, card).ways
    timings = [str(timing) for timing in tokens(deed, "TIMING")]
    fitting = [at for at, way in enumerate(ways) if not timings or way.timing in timings]
    for at in fitting or range(len(ways)):
        condition = f"for {way_words(run.state, card, at)}" if len(ways) > 1 else ""
        yield Way(actions.PlayIntrigue(seat, card, at), condition)


def _resolves(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """An effect that is due more than once stands for each of them."""
    top: Any = run.state.pending[-1]
    wanted = effects_in(line, token(deed, "STRING"))
    found = [at for at, item in enumerate(getattr(top, "items", ())) if (item.effect,) == wanted]
    if len(found) < 2 or phrases(deed, "source"):
        yield Way(action_of(run, line, seat, deed))
        return
    for at in found:
        yield Way(actions.Resolve(seat, at))


def _trashes_somewhere(run: Asked, line: Line, seat: Seat, deed: Words) -> Iterator[Way]:
    """A card can be trashed from any zone in which it is."""
    card = run.table.id(line, token(deed, "STRING"), "card")
    for zone in ZONES:
        called = {"in_play": "play"}.get(zone, zone)
        yield Way(actions.Trash(seat, card, zone), f"from {called}")


COMPLETIONS: dict[str, Callable[[Asked, Line, Seat, Words], Iterator[Way]]] = {
    "plays_to": _sends,
    "plays_intrigue": _plays,
    "resolves": _resolves,
    "trashes_somewhere": _trashes_somewhere,
}
"""Phrases that leave a part of a decision open."""


# Yes


def _yes(found: Tried, seat: Seat) -> Said:
    """Yes, with the conditions under which it is; the rules are those that permit the action."""
    plain = [way for way in found.allowed if not way.condition]
    rules = permitting(found.state, seat, (plain or found.allowed)[0].action)
    if plain:
        return Said("Yes.", rules, YES)
    conditions = [way.condition for way in found.allowed]
    shared = "if " if all(each.startswith("if ") for each in conditions) else ""
    told = names_of([each.removeprefix(shared) for each in conditions])
    return Said(f"Yes, {shared}{told}.", rules, YES, tuple(conditions))


def permitting(state: State, seat: Seat, action: Action) -> tuple[str, ...]:
    """The rules by which an allowed action is allowed, the one about it first."""
    events = _at_once(state, action)
    if isinstance(action, actions.PlayAgent) and action.infiltrate is not None:
        events = sorted(events, key=lambda event: event.key != "recalls_spy")
    own = _rules_of_effect(state.pending[-1], action)
    found = tuple(dict.fromkeys((*(rule for each in events for rule in each.rules), *own)))
    source = source_of(state.pending[-1], action)
    return deciding_first(state, seat, source, found) or turn_rules(IMPERIUM, state, seat)


def _rules_of_effect(top: Any, action: Action) -> tuple[str, ...]:
    """The rules of the effect that an action lets happen."""
    match action:
        case actions.Resolve(_, index):
            return effect_rules(top.items[index].effect)
        case actions.Choose(_, option) if isinstance(top, frames.ChooseOption | frames.PickSeveral):
            return effect_rules(top.options[option])
        case actions.Accept() if isinstance(top, frames.Decide):
            return effect_rules(top.item.effect)
        case _:
            return ()


def _at_once(state: State, action: Action) -> list[Event]:
    """What an allowed action does at once; if nothing, what follows from it by itself."""
    try:
        done = game.handle(IMPERIUM, state, action)
        assert not isinstance(done, Refusal)
        events = done.events or settle(IMPERIUM, done.state).events
    except UnknownRead:
        return []
    return list(events)


# What would have to come first


class Path(NamedTuple):
    """Decisions of the player, in words, and the position after them."""

    decisions: tuple[str, ...]
    state: State


def _of_an_effect(run: Asked, line: Line, seat: Seat, deed: Words, offered: Action) -> Said:
    """An option of an effect that is still due: the effect is resolved first."""
    refused = legal(IMPERIUM, run.state, offered)
    if refused is not None:
        return _no(tuple(reasons(run.state, seat, offered, refused)))
    done = step(IMPERIUM, run.state, offered)
    assert not isinstance(done, Refusal)
    with standing_at(run, done.state):
        there = _try(run, line, seat, deed)
    if not there.allowed:
        return _no(there.against)
    first = option_words(run.state, offered)
    return _yes(there, seat)._replace(words=f"Yes, after `{first}`.", items=(first,))


def _looking_ahead(run: Asked, line: Line, seat: Seat, deed: Words, here: Tried) -> Said:
    """Not now: but after something that comes first, or that the player may do now?"""
    must = _something_first(here)
    paths, after, open_end = _ahead(run, line, seat, deed, here, must)
    if not must:
        if not paths:
            return _no(here.against)
        words = f"Yes, after {_either(paths)}."
        return Said(words, rules_after(run, line, seat, deed, paths[0]), YES, _steps(paths))
    if "effects_are_due" in here.keys and is_group(here.state):
        return _not_yet(here, _due_first(here.state, seat), certain=True)
    if paths:
        said = _not_yet(here, _first_then(here.state, paths[0]), certain=True)
        if not isinstance(here.state.pending[-1], FREE):
            return said
        permits = rules_after(run, line, seat, deed, paths[0])
        return said._replace(rules=tuple(dict.fromkeys((*permits, *said.rules))))
    if after is not None and not open_end and not _something_first(after):
        return _no(after.against)
    return _not_yet(here, _choices(here.state), certain=False)


def _no(against: tuple[Part, ...]) -> Said:
    part = together(list(against))
    return Said(f"No. {sentence(part.words)}", part.rules, NO)


def _not_yet(here: Tried, first: str, *, certain: bool) -> Said:
    """What comes first, by the rule that says so."""
    part = here.against[-1]
    then = "; after that, yes" if certain else ""
    words = f"Not yet: first {first}{then}. {sentence(part.words)}"
    return Said(words, part.rules, NOT_YET, (first,))


def _something_first(here: Tried) -> bool:
    """Whether nothing but the moment is wrong: something has to be done or decided before.

    The last reason is that of what is pending; a card that may not be played yet has others too.
    """
    if not here.keys:
        return not isinstance(here.state.pending[-1], FREE) and not is_group(here.state)
    last = here.keys[-1]
    if last == "play_a_card_first":
        return len(here.keys) == 1
    return last in COMES_FIRST


def _is_final(there: Tried) -> bool:
    """Whether no effect that is still to be resolved could make it possible."""
    return there.keys[-1:] in (("turn_in_progress",), ("reveal_in_progress",))


def _first_then(state: State, path: Path) -> str:
    """The decision that is due, whichever way it goes, and what else has to follow."""
    first, *more = path.decisions
    due_now = f"`{first}`" if is_group(state) else _choices(state)
    return ", then ".join((due_now, *(f"`{each}`" for each in more)))


def rules_after(run: Asked, line: Line, seat: Seat, deed: Words, path: Path) -> tuple[str, ...]:
    """The rules that permit what was asked, after the decisions of a path."""
    with standing_at(run, path.state):
        found = _try(run, line, seat, deed)
    return permitting(path.state, seat, found.allowed[0].action)


def _steps(paths: list[Path]) -> tuple[str, ...]:
    return tuple(", then ".join(f"`{each}`" for each in path.decisions) for path in paths[:SHOWN])


def _either(paths: list[Path]) -> str:
    return names_of(list(_steps(paths)))


def _choices(state: State) -> str:
    """What is to be decided now."""
    shown = [f"`{option_words(state, each)}`" for each in game.options(IMPERIUM, state)[:SHOWN]]
    return names_of(shown)


def _due_first(state: State, seat: Seat) -> str:
    """The effects that have to be resolved before a group can be left."""
    name = player(state, seat).name
    items = due(state, seat, group_items(state))
    return f"{name} resolves {listed(chr(34) + say(item.effect) + chr(34) for item in items)}"


def _ahead(
    run: Asked, line: Line, seat: Seat, deed: Words, here: Tried, must: bool
) -> tuple[list[Path], Tried | None, bool]:
    """The shortest ways to a position that allows it, what stands against it there, and whether
    some way could not be followed to its end."""
    level, after, open_end, tried = [Path((), here.state)], None, False, 0
    for _ in range(DEEPEST):
        following: list[Path] = []
        found: list[Path] = []
        for path in level:
            for action in _decisions(path.state, seat, must):
                tried += 1
                if tried > MOST_TRIED:
                    return found, after, True
                onward = _onward(path, action)
                if onward is None:
                    open_end = True
                    continue
                if not onward.state.pending or seat not in asked(IMPERIUM, onward.state).players:
                    continue
                there = _try_at(run, line, seat, deed, onward.state)
                if there is None:
                    open_end = True
                elif there.allowed:
                    found += [onward] if _is_new(onward, found) else []
                else:
                    after = there
                    following += [] if _is_final(there) else [onward]
        if found:
            return found, after, open_end
        level = following
    return [], after, open_end or bool(level)


def _is_new(path: Path, found: list[Path]) -> bool:
    """Whether no other path has the same decisions in another order."""
    return all(sorted(path.decisions) != sorted(each.decisions) for each in found)


def _try_at(run: Asked, line: Line, seat: Seat, deed: Words, state: State) -> Tried | None:
    """What is allowed in another position; nothing if that depends on something unknown."""
    with standing_at(run, state):
        try:
            return _try(run, line, seat, deed)
        except UnknownRead:
            return None


def _onward(path: Path, action: Action) -> Path | None:
    """One decision further, with any card where one is drawn; nothing if that is not known."""
    given: Action | Answer = action
    state = path.state
    try:
        while True:
            done = step(IMPERIUM, state, given)
            if isinstance(done, Refusal):
                return None
            state = done.state
            if not asked(IMPERIUM, state).chance:
                return Path((*path.decisions, option_words(path.state, action)), state)
            given = Answer(ANY)
    except UnknownRead:
        return None


FREE = (frames.Turn, frames.AgentTurn, frames.RevealTurn, frames.CombatIntrigues)


def _decisions(state: State, seat: Seat, must: bool) -> Iterator[Action]:
    """What the player can do before: an effect that is due, or the choice that it asks for.

    A choice that has to be made leaves all its options; a free player resolves effects only, or
    reveals where the turn has to begin.
    """
    try:
        every = game.actions(IMPERIUM, state)
    except UnknownRead:
        return
    free = isinstance(state.pending[-1], FREE) or (not must and is_group(state))
    kinds: tuple[type, ...] = (actions.Resolve, actions.Reveal) if must else (actions.Resolve,)
    for action in every:
        own = isinstance(action, Action) and action.by == seat
        if own and (not free or isinstance(action, kinds)):
            yield action


# When it is another's turn


def _on_own_chance(run: Asked, line: Line, seat: Seat, deed: Words, here: Tried) -> Said:
    """It is not the player's decision: would it be allowed when the player's chance comes?"""
    state, name = here.state, player(here.state, seat).name
    own = _own_chance(state, seat)
    if own is None:
        if player(state, seat).revealed and _between_turns(state):
            gone = Part(f"{name} has taken the Reveal turn of this round", GONE_OUT)
            said = GONE_OUT[0] in here.against[0].rules
            return _no(here.against if said else (gone, *here.against))
        return _no(here.against)
    there = _try_at(run, line, seat, deed, own)
    if there is not None and not there.allowed:
        return _no(there.against)
    who = _who_decides(state)
    then = f"{name}'s own turn comes" if own.turn is not None else f"{name}'s own chance comes"
    rules = here.against[0].rules
    certain = "; after that, yes, as things stand" if there is not None else ""
    return Said(f"Not yet: it is {who}; first {then}{certain}.", rules, NOT_YET, (then,))


def _between_turns(state: State) -> bool:
    """Whether the phase of player turns is on."""
    return any(isinstance(frame, frames.PlayerTurns) for frame in state.pending)


def _who_decides(state: State) -> str:
    """Whose decision it is now."""
    who = asked(IMPERIUM, state)
    if who.chance:
        return "for chance to answer first"
    names = listed((player(state, each).name for each in who.players), "or")
    return f"{names}'s decision now"


def _own_chance(state: State, seat: Seat) -> State | None:
    """The position in which the player is next to decide, if one comes, and all else is as now."""
    for at in range(len(state.pending) - 1, -1, -1):
        match state.pending[at]:
            case frames.PlayerTurns() if not player(state, seat).revealed:
                below = state.pending[:at]
                following = clockwise(state, seat)[1]
                pending = (*below, frames.PlayerTurns(following), frames.Turn(seat))
                return change(state, turn=ThisTurn(seat), pending=pending)
            case frames.CombatIntrigues() if takes_part(state, seat):
                pending = (*state.pending[:at], frames.CombatIntrigues(seat))
                return change(state, turn=None, pending=pending)
            case frames.EndgameIntrigues(now) if _still_comes(state, now, seat):
                pending = (*state.pending[:at], frames.EndgameIntrigues(seat))
                return change(state, turn=None, pending=pending)
            case frames.PlayerTurns() | frames.CombatIntrigues() | frames.EndgameIntrigues():
                return None
    return None


def _still_comes(state: State, now: Seat, seat: Seat) -> bool:
    """Whether a player comes after another one in the round of Endgame Intrigue cards."""
    order = clockwise(state, state.first_player)
    return order.index(seat) > order.index(now)


# What can be done


EFFECTS_IN_ORDER: dict[type, tuple[str, ...]] = {
    frames.AgentTurn: cite("UPR-AGENT-009"),
    frames.RevealTurn: cite("UPR-REVEAL-002", "UPR-REVEAL-006", "UPR-REVEAL-007"),
}


def why_only_these(state: State, seat: Seat) -> tuple[str, ...]:
    """The rules by which a player has just these decisions: those that keep out all others."""
    top = state.pending[-1]
    if type(top) in EFFECTS_IN_ORDER:
        return EFFECTS_IN_ORDER[type(top)]
    own = IMPERIUM.frames[type(top)]
    stranger = own.legal(state, top, actions.GiveAlliance(seat, seat))
    if own.turn_rules is not None or stranger is None:
        return turn_rules(IMPERIUM, state, seat)
    return stranger.reasons[-1].rules
