"""`then`: what can be seen of a position and of what happened since the last `when`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from lark import Token

from rules_engine.effects.text import say
from rules_engine.imperium import control, influence
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State, player
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Action, asked, handle, legal, step
from rules_engine.kernel.outcomes import Event, Refusal, Seat
from rules_engine.kernel.views import view_of
from scenarios.imperium import doing
from scenarios.imperium.changes import changes, gains
from scenarios.imperium.names import lower_snake
from scenarios.imperium.table import ZONES, effects_in
from scenarios.language.errors import NotDue, ScenarioError
from scenarios.language.syntax import Line, Words, has_word, phrases, token, tokens, unquoted
from scenarios.language.values import amount, exactly_one
from scenarios.words import card_name, event_words, refusal_words, telling

if TYPE_CHECKING:
    from scenarios.run import Run


class Seen(NamedTuple):
    """Whether an expectation holds, what was expected and what there is."""

    holds: Any
    expected: str
    actual: str
    about: Seat | None = None
    rules: tuple[str, ...] | None = None


def check(run: Run, line: Line) -> None:
    """Compare one `then` line with what the engine shows."""
    claim, *because = phrases(line.words)
    wanted = [str(rule) for part in because for rule in tokens(part, "RULE")]
    seen = _look(run, line, claim)
    rules = seen.rules if seen.rules is not None else _cited(run, seen.about)
    run.expects(line, seen.holds, seen.expected, seen.actual, rules, "TS0120")
    # Why something happened that did not is no second mistake.
    for rule in wanted if seen.holds is not False else ():
        actual = "cited: " + (", ".join(rules) or "no rule")
        run.expects(line, rule in rules, f"because {rule}", actual, rules, "TS0121")


def _cited(run: Run, about: Seat | None) -> tuple[str, ...]:
    """The rules of what happened to a player since the last `when`."""
    events = [event for event in run.events if about is None or event.player in (about, None)]
    return tuple(dict.fromkeys(rule for event in events for rule in event.rules))


def _look(run: Run, line: Line, words: Words) -> Seen:
    match words.data:
        case "has" | "gains" | "loses" | "keeps":
            return _quantity(run, line, words)
        case "cannot" | "can":
            return _possible(run, line, words)
        case "property":
            return _property(run, line, words)
        case "fact" | "observed":
            (inner,) = phrases(words)
            return _look(run, line, inner)
        case other:
            return LOOKS[str(other)](run, line, words)


# Quantities


def _quantity(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    (phrase,) = phrases(words)
    wanted = amount(line, phrases(phrase)[0], run.environment)
    now = read_quantity(run, line, run.state, seat, phrase)
    name, verb = run.state.players[seat].name, str(words.data)
    if verb == "has":
        holds, actual = now == wanted, f"{name} has {now!r}"
    else:
        before = read_quantity(run, line, run.before, seat, phrase)
        holds, actual = _compared(name, verb, before, now, wanted)
    what = " ".join(str(each) for each in phrase.children if isinstance(each, Token))
    return Seen(holds, f"{name} {verb} {wanted!r} {what}", actual, seat)


def _compared(name: str, verb: str, before: Any, now: Any, wanted: Any) -> tuple[Any, str]:
    """Whether what a line says of a change is so, and what there is instead."""
    if verb == "keeps":
        return (now == wanted) & (before == wanted), f"before {before!r}, now {now!r}"
    change = now - before if verb == "gains" else before - now
    return change == wanted, f"{name} {verb} {change!r}"


def read_quantity(run: Run, line: Line, state: State, seat: Seat, words: Words) -> Any:
    """The number that a phrase like `troops in garrison` means in a position."""
    owner = player(state, seat)
    match words.data:
        case "resource":
            return getattr(owner, str(token(words, "RESOURCE")).lower())
        case "influence":
            faction = run.table.id(line, token(words, "FACTION"), "faction")
            return influence.influence(state, seat, faction)
        case "sandworms_in_garrison":
            return 0
        case "cards":
            zone = ZONES[str(token(words, "ZONE"))]
            return size(owner.deck) if zone == "deck" else len(getattr(owner, zone))
        case "intrigues" | "contracts" | "completed":
            return len(getattr(owner, str(words.data)))
        case field:
            return getattr(owner, str(field))


# Possible or not


def _possible(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    (deed,) = phrases(words)
    refused = refusal_of(run, line, seat, deed)
    can = not refused.reasons
    name = run.state.players[seat].name
    actual = f"{name} can" if can else f"{name} cannot: {refused.words}"
    return Seen(can == (words.data == "can"), f"{name} {words.data}", actual, seat, refused.rules)


class Refused(NamedTuple):
    """Why something cannot be done: no reasons if it can."""

    reasons: int
    words: str
    rules: tuple[str, ...]


def refusal_of(run: Run, line: Line, seat: Seat, deed: Words) -> Refused:
    """Whether a player could do this now, and every rule against it."""
    if run.stopped is not None:
        raise run.stopped
    if deed.data in ("summons", "resolves_effect"):
        return _told(run, line, seat, deed)
    if not run.state.pending:
        raise ScenarioError(
            "TS0116",
            "nobody has to decide anything here",
            place=line.place,
            help="put it into a scenario of its own, with a line like "
            f"`given it is the turn of {run.scenario.players[seat]}`",
        )
    first = doing.resolved_first(run, line, seat, deed)
    if first is not None:
        return _after(run, first, lambda: refusal_of(run, line, seat, deed))
    try:
        action = doing.action_of(run, line, seat, deed)
    except NotDue as not_due:
        return Refused(1, not_due.message, ())
    refused = legal(IMPERIUM, run.state, action)
    if refused is None:
        return Refused(0, "", _rules_of_doing(run.state, action))
    return _refused(run.state, refused)


def _refused(state: State, refused: Refusal) -> Refused:
    return Refused(len(refused.reasons), refusal_words(state, refused), refused.rules)


def _after(run: Run, action: Action, look: Callable[[], Refused]) -> Refused:
    """What would be found after an action that has to come first, if it is allowed."""
    here = run.state
    done = step(IMPERIUM, here, action)
    if isinstance(done, Refusal):
        return _refused(here, done)
    run.state = done.state
    try:
        return look()
    finally:
        run.state = here


def _rules_of_doing(state: State, action: Action) -> tuple[str, ...]:
    """The rules behind what an allowed action does at once, as far as that is known."""
    try:
        done = handle(IMPERIUM, state, action)
    except UnknownRead:
        return ()
    assert not isinstance(done, Refusal)
    return tuple(dict.fromkeys(rule for event in done.events for rule in event.rules))


def _told(run: Run, line: Line, seat: Seat, deed: Words) -> Refused:
    """Would it happen if an effect said so now? An effect that changes nothing does not happen."""
    told = doing.told_to(run, line, seat, deed)
    done = handle(IMPERIUM, told)
    assert not isinstance(done, Refusal)
    rules = tuple(rule for event in done.events for rule in event.rules)
    if done.state == run.state:
        return Refused(1, "; ".join(event_words(told, event) for event in done.events), rules)
    return Refused(0, "", rules)


# Facts


def _cards(run: Run, cards: tuple[str, ...]) -> str:
    return ", ".join(card_name(run.state, card) for card in cards) or "nothing"


def _see_hand(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.cards(line, phrases(words, "cards")[0], "card")
    hand = player(run.state, seat).hand
    return Seen(Counter(hand) == Counter(wanted), _cards(run, wanted), _cards(run, hand), seat)


def _see_intrigue(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.cards(line, phrases(words, "cards")[0], "intrigue")
    held = player(run.state, seat).intrigues
    return Seen(Counter(held) == Counter(wanted), _cards(run, wanted), _cards(run, held), seat)


def _see_in_zone(run: Run, line: Line, words: Words) -> Seen:
    """The named cards are among those of the zone."""
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], "card"))
    zone = ZONES[str(token(words, "ZONE"))]
    if zone == "deck":
        raise ScenarioError(
            "TS0116",
            "the cards of a deck are not seen",
            place=line.place,
            help=f"count them, like `{run.scenario.players[seat]} has 4 cards in deck`",
        )
    there = getattr(player(run.state, seat), zone)
    missing = wanted - Counter(there)
    return Seen(not missing, _cards(run, tuple(wanted.elements())), _cards(run, there), seat)


def _see_intrigue_discard(run: Run, line: Line, words: Words) -> Seen:
    wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], "intrigue"))
    there = run.state.intrigue_discard
    missing = wanted - Counter(there)
    return Seen(not missing, _cards(run, tuple(wanted.elements())), _cards(run, there))


def _see_row(run: Run, line: Line, words: Words) -> Seen:
    wanted = run.table.cards(line, phrases(words, "cards")[0], "card")
    row = run.state.row
    return Seen(Counter(row) == Counter(wanted), _cards(run, wanted), _cards(run, row))


def _see_row_size(run: Run, line: Line, words: Words) -> Seen:
    wanted = amount(line, phrases(words)[0], run.environment)
    return Seen(len(run.state.row) == wanted, f"{wanted} cards", f"{len(run.state.row)} cards")


def _see_spy(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    post = run.table.post(line, phrases(words, "space", "post")[0])
    wanted = amount(line, phrases(words)[0], run.environment)
    posts = [spy.post for spy in run.state.spies if spy.seat == seat]
    there = posts.count(post)
    faces = run.table.names.printed.posts
    shown = ", ".join(faces[each].name for each in posts) or "none"
    return Seen(there == wanted, f"{wanted!r} at {faces[post].name}", shown, seat)


def _see_agent(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    space = run.table.id(line, token(words, "SPACE"), "space")
    wanted = amount(line, phrases(words)[0], run.environment)
    spaces = [at.space for at in run.state.agents if at.seat == seat]
    there = spaces.count(space)
    faces = run.table.names.printed.spaces
    shown = ", ".join(faces[each].name for each in spaces) or "none"
    return Seen(there == wanted, f"{wanted!r} at {faces[space].name}", shown, seat)


def _see_no_spy(run: Run, line: Line, words: Words) -> Seen:
    exactly_one(line, phrases(words)[0], run.environment)
    post = run.table.post(line, phrases(words, "space", "post")[0])
    owners = [_holder(run, spy.seat) for spy in run.state.spies if spy.post == post]
    return Seen(not owners, "nobody", ", ".join(owners) or "nobody")


def _see_no_agent(run: Run, line: Line, words: Words) -> Seen:
    exactly_one(line, phrases(words)[0], run.environment)
    space = run.table.id(line, token(words, "SPACE"), "space")
    owners = [_holder(run, at.seat) for at in run.state.agents if at.space == space]
    return Seen(not owners, "nobody", ", ".join(owners) or "nobody")


def _flag(field: str, yes: str, no: str, wanted: bool) -> Callable[[Run, Line, Words], Seen]:
    """Whether a player has something of which there is one or none."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        has = bool(getattr(player(run.state, seat), field))
        return Seen(has == wanted, yes if wanted else no, yes if has else no, seat)

    return look


def _own_cards(field: str, kind: str) -> Callable[[Run, Line, Words], Seen]:
    """The named things are among those that a player has there."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], kind))
        there = getattr(player(run.state, seat), field)
        holds = not wanted - Counter(there) if wanted else not there
        return Seen(holds, _cards(run, tuple(wanted.elements())), _cards(run, there), seat)

    return look


def _see_contract_row(run: Run, line: Line, words: Words) -> Seen:
    wanted = run.table.cards(line, phrases(words, "cards")[0], "contract")
    there = run.state.contract_row
    return Seen(Counter(there) == Counter(wanted), _cards(run, wanted), _cards(run, there))


def _is_empty(deck: str) -> Callable[[Run, Line, Words], Seen]:
    def look(run: Run, _: Line, __: Words) -> Seen:
        left = size(getattr(run.state, deck))
        return Seen(left == 0, "an empty deck", f"{left} left")

    return look


def _see_led_by(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.id(line, token(words, "STRING"), "leader")
    leader = player(run.state, seat).leader
    faces = run.table.names.printed.leaders
    shown = faces[leader].name if leader else "no Leader"
    return Seen(leader == wanted, faces[wanted].name, shown, seat)


def _see_trained(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.id(line, token(words, "STRING"), "training")
    there = player(run.state, seat).training
    return Seen(there == wanted, wanted, there or "no training track", seat)


def _see_out_of_game(run: Run, line: Line, words: Words) -> Seen:
    wanted = Counter(run.table.cards(line, phrases(words, "cards")[0], "card", "intrigue"))
    there = (*run.state.trashed, *run.state.trashed_intrigues)
    missing = wanted - Counter(there)
    return Seen(not missing, _cards(run, tuple(wanted.elements())), _cards(run, there))


def _see_is_asked(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    who = asked(IMPERIUM, run.state).players
    shown = ", ".join(_holder(run, each) for each in who) or "nobody"
    return Seen(who == (seat,), _holder(run, seat), shown, seat)


def _won(face_up: bool) -> Callable[[Run, Line, Words], Seen]:
    """The named cards lie face up or face down in a player's supply; `nothing`: no card does."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        seat = run.table.seat(line, token(words, "NAME"))
        wanted = run.table.cards(line, phrases(words, "cards")[0], "conflict", "objective")
        won = player(run.state, seat).won
        there = [each.card for each in won if each.face_up == face_up]
        holds = not Counter(wanted) - Counter(there) if wanted else not there
        shown = ", ".join(
            card_name(run.state, each.card) + ("" if each.face_up else " (face down)")
            for each in won
        )
        return Seen(holds, _cards(run, wanted), shown or "nothing", seat)

    return look


def _see_won_by_nobody(run: Run, line: Line, words: Words) -> Seen:
    wanted = run.table.cards(line, phrases(words, "cards")[0], "conflict")
    owners = [
        each.name for each in run.state.players if any(won.card in wanted for won in each.won)
    ]
    return Seen(not owners, "nobody", ", ".join(owners) or "nobody")


def _see_objective(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    icon = lower_snake(token(words, "ICON"))
    objectives = run.table.names.printed.objectives
    own = [w for w in player(run.state, seat).won if w.card in objectives and w.face_up]
    wanted = amount(line, phrases(words)[0], run.environment)
    icons = [w.icon for w in own]
    shown = ", ".join(str(each) for each in icons) or "none"
    return Seen(icons.count(icon) == wanted, f"{wanted!r} {icon}", shown, seat)


def _holder(run: Run, seat: Seat | None) -> str:
    return "nobody" if seat is None else run.state.players[seat].name


def _see_controls(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    space = run.table.id(line, token(words, "SPACE"), "space")
    holder = control.holder_of(run.state, space)
    return Seen(holder == seat, _holder(run, seat), _holder(run, holder), seat)


def _see_uncontrolled(run: Run, line: Line, words: Words) -> Seen:
    space = run.table.id(line, token(words, "SPACE"), "space")
    holder = control.holder_of(run.state, space)
    return Seen(holder is None, "nobody", _holder(run, holder))


def _see_holds(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    faction = run.table.id(line, token(words, "FACTION"), "faction")
    holder = influence.holder_of(run.state, faction)
    return Seen(holder == seat, _holder(run, seat), _holder(run, holder), seat)


def _see_unheld(run: Run, line: Line, words: Words) -> Seen:
    faction = run.table.id(line, token(words, "FACTION"), "faction")
    holder = influence.holder_of(run.state, faction)
    return Seen(holder is None, "nobody", _holder(run, holder))


def _wall(run: Run) -> str:
    return "the Shield Wall stands" if run.state.shield_wall else "the Shield Wall is gone"


def _see_wall_stands(run: Run, _: Line, __: Words) -> Seen:
    return Seen(run.state.shield_wall, "the Shield Wall stands", _wall(run))


def _see_wall_gone(run: Run, _: Line, __: Words) -> Seen:
    return Seen(not run.state.shield_wall, "the Shield Wall is gone", _wall(run))


def _see_bonus_spice(run: Run, line: Line, words: Words) -> Seen:
    space = run.table.id(line, token(words, "SPACE"), "space")
    wanted = amount(line, phrases(words)[0], run.environment)
    there = [maker.bonus_spice for maker in run.state.makers if maker.space == space]
    now = there[0] if there else 0
    return Seen(now == wanted, f"{wanted!r} bonus spice", f"{now!r} bonus spice")


def _see_strength(run: Run, line: Line, words: Words) -> Seen:
    names = tokens(words, "NAME")
    holds: Any = True
    expected, actual = [], []
    for name, phrase in zip(names, phrases(words), strict=True):
        seat = run.table.seat(line, name)
        wanted = amount(line, phrase, run.environment)
        now = player(run.state, seat).strength
        holds = (now == wanted) if holds is True else holds & (now == wanted)
        expected.append(f"{name} {wanted!r}")
        actual.append(f"{name} {now!r}")
    return Seen(holds, ", ".join(expected), ", ".join(actual))


def _see_no_conflicts_left(run: Run, _: Line, __: Words) -> Seen:
    left = size(run.state.conflict_deck)
    return Seen(left == 0, "no Conflict card left", f"{left} left")


def _see_turn_of(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    turn = run.state.turn
    now = None if turn is None else turn.seat
    return Seen(now == seat, _holder(run, seat), _holder(run, now), seat)


def _see_first_reward(run: Run, line: Line, words: Words) -> Seen:
    wanted = effects_in(line, token(words, "STRING"))
    there = run.state.first_reward
    shown = "; ".join(say(effect) for effect in there) or "nothing"
    return Seen(not Counter(wanted) - Counter(there), unquoted(token(words, "STRING")), shown)


def _see_round(run: Run, _: Line, words: Words) -> Seen:
    wanted = int(token(words, "NUMBER"))
    return Seen(run.state.round == wanted, f"round {wanted}", f"round {run.state.round}")


def _see_nobody_asked(run: Run, _: Line, __: Words) -> Seen:
    who = asked(IMPERIUM, run.state)
    shown = "chance" if who.chance else ", ".join(_holder(run, each) for each in who.players)
    return Seen(who.nobody(), "nobody", shown or "nobody")


def _seeing(wanted: bool) -> Callable[[Run, Line, Words], Seen]:
    """Whether the view of one player shows the cards of another, or only how many there are."""

    def look(run: Run, line: Line, words: Words) -> Seen:
        viewer, owner = (run.table.seat(line, name) for name in tokens(words, "NAME"))
        (what,) = phrases(words, "hidden")
        field = "intrigues" if has_word(what, "intrigue") else "hand"
        held = getattr(player(run.state, owner), field)
        seen = bool(view_of(player(run.state, owner), field, viewer) == list(held))
        words_for = {True: "seen", False: "hidden"}
        return Seen(seen == wanted, words_for[wanted], words_for[seen], viewer)

    return look


# What happened


def _happening(wanted: bool) -> Callable[[Run, Line, Words], Seen]:
    """Whether something happened since the last `when` that is told in these words."""

    def look(run: Run, _: Line, words: Words) -> Seen:
        sentence = unquoted(token(words, "STRING"))
        told = {event_words(run.state, event).lower(): event for event in run.events}
        found = told.get(sentence.lower())
        shown = [event_words(run.state, event) for event in telling(run.events)]
        actual = "; ".join(shown) or "nothing"
        expected = f"that {sentence}" if wanted else f"not that {sentence}"
        rules = found.rules if found is not None else None
        return Seen((found is not None) == wanted, expected, actual, rules=rules)

    return look


def _see_has_trashed(run: Run, line: Line, words: Words) -> Seen:
    """The named cards were trashed by a player since the last `when`."""
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = run.table.cards(line, phrases(words, "cards")[0], "card")
    trashed = tuple(
        event.facts["card"] for event in _happened(run, "trashes") if event.player == seat
    )
    holds = not Counter(wanted) - Counter(trashed) if wanted else not trashed
    return Seen(holds, _cards(run, wanted), _cards(run, trashed), seat)


def _see_gains_nothing(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    gained = gains(changes(run.before, run.state, seat))
    return Seen(not gained, "nothing", ", ".join(each.text() for each in gained) or "nothing", seat)


NO_COMBAT = Seen(False, "a reward", "no Combat was resolved since the last `when`")


def _happened(run: Run, key: str) -> list[Event]:
    return [event for event in run.events if event.key == key]


def _rewards(run: Run) -> dict[Seat, str]:
    return {
        event.player: event.facts["reward"]
        for event in _happened(run, "reward")
        if event.player is not None
    }


def _reward_word(words: Words) -> str:
    word = words.children[0]
    assert isinstance(word, Token)
    return str(word)


def _see_rewards(run: Run, line: Line, words: Words) -> Seen:
    given = _rewards(run)
    if not given:
        return NO_COMBAT
    wanted = {
        run.table.seat(line, name): _reward_word(reward)
        for name, reward in zip(tokens(words, "NAME"), phrases(words, "reward"), strict=True)
    }
    actual = {seat: given.get(seat, "none") for seat in wanted}
    return Seen(wanted == actual, _placings(run, wanted), _placings(run, actual))


def _placings(run: Run, rewards: dict[Seat, str]) -> str:
    return ", ".join(f"{run.state.players[seat].name} {word}" for seat, word in rewards.items())


def _see_gains_reward(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    wanted = _reward_word(phrases(words, "reward")[0])
    if not _rewards(run):
        return NO_COMBAT
    now = _rewards(run).get(seat, "none")
    return Seen(now == wanted, f"the {wanted} reward", f"the reward: {now}", seat)


def _see_gains_no_reward(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    if not _rewards(run):
        return NO_COMBAT
    now = _rewards(run).get(seat, "none")
    return Seen(now == "none", "no reward", f"the reward: {now}", seat)


def _see_wins_conflict(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    winners = [event.player for event in _happened(run, "wins_conflict")]
    shown = ", ".join(_holder(run, winner) for winner in winners) or "nobody"
    return Seen(winners == [seat], _holder(run, seat), shown, seat)


def _see_nobody_wins(run: Run, _: Line, __: Words) -> Seen:
    winners = [event.player for event in _happened(run, "wins_conflict")]
    resolved = bool(_happened(run, "reward"))
    shown = ", ".join(_holder(run, winner) for winner in winners) or "nobody"
    return Seen(resolved and not winners, "nobody", shown if resolved else "no Combat resolved")


def _see_wins_game(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    shown = ", ".join(_holder(run, winner) for winner in run.state.winners) or "nobody"
    return Seen(run.state.winners == (seat,), _holder(run, seat), shown, seat)


def _see_share_victory(run: Run, line: Line, words: Words) -> Seen:
    seats = tuple(run.table.seat(line, name) for name in tokens(words, "NAME"))
    shown = ", ".join(_holder(run, winner) for winner in run.state.winners) or "nobody"
    wanted = ", ".join(_holder(run, seat) for seat in seats)
    return Seen(set(run.state.winners) == set(seats), wanted, shown)


def _see_is_first(run: Run, line: Line, words: Words) -> Seen:
    seat = run.table.seat(line, token(words, "NAME"))
    first = run.state.first_player
    return Seen(first == seat, _holder(run, seat), _holder(run, first), seat)


def _property(run: Run, line: Line, words: Words) -> Seen:
    """A property of the verifier, in the case of it that was played."""
    name = token(words, "WORD")
    if run.case is None or run.case.name != name:
        raise ScenarioError(
            "TS0118",
            f"no case of the property `{name}` was played",
            place=line.at(name),
            help=f'write `when case "…" of {name} is played` above it',
        )
    broken = run.case.failed
    return Seen(not broken, f"{name} holds", "; ".join(broken) or "it holds")


LOOKS: dict[str, Callable[[Run, Line, Words], Seen]] = {
    "hand": _see_hand,
    "intrigue": _see_intrigue,
    "in_zone": _see_in_zone,
    "intrigue_discard": _see_intrigue_discard,
    "row": _see_row,
    "row_size": _see_row_size,
    "spy": _see_spy,
    "agent": _see_agent,
    "no_spy": _see_no_spy,
    "no_agent": _see_no_agent,
    "hooks": _flag("maker_hooks", "Maker Hooks", "no Maker Hooks", wanted=True),
    "no_hooks": _flag("maker_hooks", "Maker Hooks", "no Maker Hooks", wanted=False),
    "swordmaster": _flag("swordmaster", "a Swordmaster", "no Swordmaster", wanted=True),
    "no_swordmaster": _flag("swordmaster", "a Swordmaster", "no Swordmaster", wanted=False),
    "seated": _flag("high_council", "a seat", "no seat", wanted=True),
    "not_seated": _flag("high_council", "a seat", "no seat", wanted=False),
    "led_by": _see_led_by,
    "trained": _see_trained,
    "holds_contracts": _own_cards("contracts", "contract"),
    "has_completed": _own_cards("completed", "contract"),
    "set_aside": _own_cards("set_aside", "card"),
    "standing": _own_cards("standing", "intrigue"),
    "contract_row": _see_contract_row,
    "no_contracts_left": _is_empty("contract_deck"),
    "no_cards_left": _is_empty("imperium_deck"),
    "no_intrigues_left": _is_empty("intrigue_deck"),
    "out_of_game": _see_out_of_game,
    "is_asked": _see_is_asked,
    "nobody_asked": _see_nobody_asked,
    "gains_nothing": _see_gains_nothing,
    "happens": _happening(wanted=True),
    "does_not_happen": _happening(wanted=False),
    "sees": _seeing(wanted=True),
    "does_not_see": _seeing(wanted=False),
    "won": _won(face_up=True),
    "matched": _won(face_up=False),
    "won_by_nobody": _see_won_by_nobody,
    "objective": _see_objective,
    "holds_objectives": _won(face_up=True),
    "has_trashed": _see_has_trashed,
    "revealed": _flag("revealed", "revealed", "not revealed", wanted=True),
    "not_revealed": _flag("revealed", "revealed", "not revealed", wanted=False),
    "first_reward": _see_first_reward,
    "round": _see_round,
    "controls": _see_controls,
    "uncontrolled": _see_uncontrolled,
    "holds": _see_holds,
    "unheld": _see_unheld,
    "wall_stands": _see_wall_stands,
    "wall_gone": _see_wall_gone,
    "bonus_spice": _see_bonus_spice,
    "strength": _see_strength,
    "no_conflicts_left": _see_no_conflicts_left,
    "turn_of": _see_turn_of,
    "rewards": _see_rewards,
    "gains_reward": _see_gains_reward,
    "gains_no_reward": _see_gains_no_reward,
    "wins_conflict": _see_wins_conflict,
    "nobody_wins": _see_nobody_wins,
    "wins_game": _see_wins_game,
    "share_victory": _see_share_victory,
    "is_first": _see_is_first,
}
"""How each fact or observation of the vocabulary is seen."""
