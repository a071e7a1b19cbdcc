"""`ask why did … not happen`: the reason, from what happened and what the engine says of it."""

from __future__ import annotations

from rules_engine.effects.text import say
from rules_engine.imperium.actions import Resolve
from rules_engine.imperium.faces import printed, space_face
from rules_engine.imperium.frames import AgentTurn, Effects, Item, RevealTurn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.shield_wall import PROTECTS, protects_conflict
from rules_engine.imperium.state import State, player
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import step
from rules_engine.kernel.outcomes import Event, Refusal, Seat
from rules_engine.rulebook.index import cite
from scenarios.asking.happened import NOT_SO, told_rules
from scenarios.asking.missed import (
    missed,
    why_left,
    why_no_alliance,
    why_no_strength,
    why_not_completed,
)
from scenarios.asking.position import Asked
from scenarios.asking.said import NO, NOT_YET, YES, Part, Said, listed, sentence
from scenarios.asking.wanted import LOSES, LOSES_POINTS, Wanted, is_wanted, wanted_on
from scenarios.asking.winning import nobody_wins
from scenarios.imperium.changes import changes, losses
from scenarios.language.syntax import Line
from scenarios.words import event_words

AGAINST: dict[str, tuple[str, ...]] = {
    "summons": ("no_sandworm", "may_not_deploy"),
    "takes_hooks": ("has_hooks_already",),
    "takes_seat": ("has_seat_already",),
    "takes_swordmaster": ("has_swordmaster_already",),
    "removes_wall": ("no_wall_left", "declines"),
    "places_spy": ("no_open_post", "declines_spy"),
    "deploys": ("may_not_deploy",),
    "trains": ("training_over",),
    "trashes": ("nothing_to_trash", "declines"),
    "takes_contract": ("declines_contract",),
    "acquires": ("nothing_to_acquire",),
    "steals_intrigue": ("nobody_to_steal_from",),
    "wins_conflict": ("reward",),
    "reward": ("reward",),
    "takes_conflict_card": ("reward",),
    "takes_control": ("reward",),
}
"""The events that stand in for one that does not happen."""

GIVES: dict[str, tuple[str, ...]] = {
    "gains": cite("UPR-COST-007"),
    "scores": cite("UPR-END-007", "UPR-FACTION-004", "UPR-FACTION-009", "UPR-COMBAT-029"),
    "recruits": cite("UPR-UNIT-005", "UPR-UNIT-006"),
    "deploys": cite("UPR-UNIT-008", "UPR-UNIT-014"),
    "retreats": cite("UPR-COMBAT-041"),
    "removes_wall": cite("UPR-WALL-004"),
    "summons": cite("UPR-WORM-001", "UPR-WORM-003"),
    "takes_hooks": cite("UPR-ICON-007"),
    "takes_control": cite("UPR-CTRL-002"),
    "defends": cite("UPR-CTRL-008"),
    "places_spy": cite("UPR-SPY-002", "UPR-SPY-004"),
    "recalls_spy": cite("UPR-SPY-010"),
    "influence": cite("UPR-FACTION-002", "UPR-FACTION-003"),
    "bonus_at_four": cite("UPR-FACTION-006"),
    "draws": cite("UPR-ICON-003"),
    "draws_intrigue": cite("UPR-ICON-004"),
    "reveals": cite("UPR-REVEAL-003"),
    "trashes": cite("UPR-ICON-011", "UPR-ICON-013"),
    "takes_seat": cite("UPR-BOARD-013"),
    "takes_swordmaster": cite("UPR-BOARD-022"),
    "recalls_agent": cite("UPR-AGENT-013"),
    "takes_contract": cite("UPR-CHOAM-007", "UPR-CHOAM-006"),
    "contract_up": cite("UPR-CHOAM-008"),
    "plays_intrigue": cite("UPR-ROUND-007"),
    "acquires": cite("UPR-ACQ-001"),
    "row_filled": cite("UPR-ACQ-010"),
    "wins_conflict": cite("UPR-COMBAT-011"),
    "reward": cite("UPR-COMBAT-010"),
    "doubles": cite("UPR-COMBAT-034"),
    "takes_conflict_card": cite("UPR-COMBAT-011"),
    "matches_icons": cite("UPR-COMBAT-028"),
    "matches_wild": cite("UPR-COMBAT-030"),
    "bonus_spice": cite("UPR-MAKER-003"),
    "endgame": cite("UPR-END-001", "UPR-END-002"),
    "agents_return": cite("UPR-RECALL-002"),
    "wins": cite("UPR-END-004"),
    "swords": cite("UPR-STR-006"),
    "strength": cite("UPR-STR-001", "UPR-STR-007"),
    "discards": cite("UPR-ICON-001"),
    "steals_intrigue": cite("UPR-ICON-009"),
    "loses_alliance": cite("UPR-FACTION-010"),
}
"""The rule that says when a thing happens, for what nothing else can be said of."""


def why_not(run: Asked, line: Line) -> Said:
    """Why something did not happen since the last `when`."""
    wanted = wanted_on(run, line)
    if wanted.key in (LOSES, LOSES_POINTS):
        return _not_lost(run, wanted)
    same = [each for each in run.told if is_wanted(run, each.event, wanted)]
    if same:
        words = event_words(run.state, same[0].event)
        return Said(f"It did happen: {words}.", told_rules(run, same[0]), YES)
    for look in REASONS:
        found = look(run, wanted)
        if found is not None:
            verdict = NOT_YET if look is _still_due else NO
            return Said(sentence(found.words), found.rules, verdict)
    raise AssertionError(wanted)


def _not_lost(run: Asked, wanted: Wanted) -> Said:
    """Why a player has not less of something; or that it is less, and by how much."""
    assert wanted.seat is not None
    lost = losses(changes(run.before, run.state, wanted.seat))
    name, text = player(run.state, wanted.seat).name, str(wanted.facts["less"])
    unit = text.partition(" ")[2]
    same = [
        each for each in lost if unit in (each.holding.one.lower(), each.holding.several.lower())
    ]
    if same:
        so = same[0].text().lower() == text
        how = "It did happen" if so else "It is another amount"
        words = f"{how}: {name} loses {same[0].text()}."
        return Said(words, _rules_of_loss(run, wanted), YES if so else NO)
    rules = POINT_LOST if wanted.key == LOSES_POINTS else ()
    if lost:
        told = listed(each.text() for each in lost)
        return Said(f"Nothing takes it away; what {name} loses is {told}.", rules, NO)
    return Said("Nothing that happened since the last `when` takes it away.", rules, NO)


def _rules_of_loss(run: Asked, wanted: Wanted) -> tuple[str, ...]:
    """The rules of what took points, or of what was paid."""
    text = str(wanted.facts["less"])
    for each in run.told:
        event = each.event
        point = event.key == "scores" and wanted.key == LOSES_POINTS and event.facts["points"] < 0
        paid = event.key == "pays" and str(event.facts["what"]) in text
        if event.player == wanted.seat and (point or paid):
            return told_rules(run, each)
    return ()


POINT_LOST = cite("UPR-END-007", "UPR-FACTION-005", "UPR-FACTION-010")
"""By what a player loses Victory Points."""


# Reasons


def _special(run: Asked, wanted: Wanted) -> Part | None:
    """Things that have a reason of their own."""
    seat = wanted.seat
    if wanted.key == "completes_contract" and seat is not None and "contract" in wanted.facts:
        return why_not_completed(run, seat, str(wanted.facts["contract"]))
    if wanted.key == "takes_alliance" and seat is not None and "faction" in wanted.facts:
        return why_no_alliance(run.state, seat, str(wanted.facts["faction"]))
    if wanted.key == "row_filled" and size(run.state.imperium_deck) == 0:
        return Part("the Imperium Deck is empty", GIVES["row_filled"])
    if wanted.key == "wins_conflict" and seat is not None:
        return _no_win(run, seat)
    if wanted.key == "strength" and seat is not None:
        return why_no_strength(run.state, seat)
    if wanted.key == "bonus_spice":
        return _bonus_spice(run.state)
    return None


def _no_win(run: Asked, seat: Seat) -> Part | None:
    """What a player takes instead of the first reward."""
    own = [each for each in run.events if each.key == "reward" and each.player == seat]
    if not own:
        return None
    nobody = nobody_wins(run.events)
    words = event_words(run.state, own[0])
    if nobody is None:
        return Part(words, tuple(dict.fromkeys((*own[0].rules, *GIVES["wins_conflict"]))))
    return Part(f"{nobody.words}; {words}", nobody.rules)


def _bonus_spice(state: State) -> Part:
    """Bonus spice gathers where no Agent is."""
    makers = [
        space_face(state, maker.space).name
        for maker in state.makers
        if any(at.space == maker.space for at in state.agents)
    ]
    words = "an Agent is at " + " and ".join(makers) if makers else "no Makers phase began"
    return Part(words, GIVES["bonus_spice"])


def _stood_in(run: Asked, wanted: Wanted) -> Part | None:
    """An event which says that it does not happen, or what happens instead."""
    keys = AGAINST.get(wanted.key, ())
    for each in run.told:
        if each.event.key in keys and each.event.player in (wanted.seat, None):
            return Part(event_words(run.state, each.event), told_rules(run, each))
    return None


def _still_due(run: Asked, wanted: Wanted) -> Part | None:
    """An effect that would do it waits to be resolved."""
    for seat, place, item in _waiting(run.state, wanted.seat):
        if place is not None and _would(run, seat, place, wanted):
            name = player(run.state, seat).name
            words = f'it has not happened yet: {name} has not resolved "{say(item.effect)}"'
            return Part(words, cite("UPR-AGENT-009"))
    return None


def _impossible_now(run: Asked, wanted: Wanted) -> Part | None:
    """An effect that speaks of it cannot be resolved as things are."""
    for seat, _, item in _waiting(run.state, wanted.seat):
        parts = why_left(run.state, seat, item)
        if parts and _says(item, wanted):
            return parts[0]
    return None


def _waiting(state: State, seat: Seat | None) -> list[tuple[Seat, int | None, Item]]:
    """The effects that are due, with their place if they can be resolved now."""
    found: list[tuple[Seat, int | None, Item]] = []
    for at, frame in enumerate(state.pending):
        if isinstance(frame, AgentTurn | RevealTurn | Effects) and frame.seat == (
            frame.seat if seat is None else seat
        ):
            top = at == len(state.pending) - 1
            found += [(frame.seat, n if top else None, each) for n, each in enumerate(frame.items)]
    return found


def _would(run: Asked, seat: Seat, place: int, wanted: Wanted) -> bool:
    """Whether resolving an effect brings what was asked about, as far as that is known."""
    try:
        done = step(IMPERIUM, run.state, Resolve(seat, place))
    except UnknownRead:
        return False
    return not isinstance(done, Refusal) and any(
        is_wanted(run, each, wanted) for each in done.events
    )


EFFECT_WORDS = {
    "gains": "gain",
    "recruits": "recruit",
    "summons": "summon",
    "draws": "draw",
    "draws_intrigue": "intrigue",
    "influence": "influence",
    "takes_hooks": "maker_hooks",
    "places_spy": "spy",
    "takes_contract": "contract",
    "scores": "vp",
    "swords": "sword",
    "trashes": "trash",
    "removes_wall": "shield_wall",
}
"""How the effect is called that brings an event about."""


def _says(item: Item, wanted: Wanted) -> bool:
    """Whether an effect speaks of what was asked about."""
    word = EFFECT_WORDS.get(wanted.key)
    what = str(wanted.facts.get("what", ""))
    return word is not None and word in say(item.effect) and what in say(item.effect)


def _was_left(run: Asked, wanted: Wanted) -> Part | None:
    """An effect that would have done it was left, or could not be resolved."""
    for state, seat, item in run.left:
        if wanted.seat in (seat, None) and _says(item, wanted):
            parts = why_left(state, seat, item)
            if parts:
                return parts[0]
            name = player(state, seat).name
            return Part(f'{name} left "{say(item.effect)}" unused', cite("UPR-COST-004"))
    return None


def _instead(run: Asked, wanted: Wanted) -> Part | None:
    """What happened of the kind, or came to nothing."""
    notes = [
        note.part for note in missed(run) if wanted.seat is None or note.seat in (wanted.seat, None)
    ]
    near = {"recruits": "recruits", "draws": "draws"}.get(wanted.key)
    for note in notes:
        if near is not None and near in note.words:
            return note
    for each in run.told:
        same = each.event.key == wanted.key and _of_one_kind(each.event, wanted)
        if each.event.player == wanted.seat and (same or each.event.key in NOT_SO):
            return Part(event_words(run.state, each.event), told_rules(run, each))
    return None


def _of_one_kind(event: Event, wanted: Wanted) -> bool:
    """Whether an event is about the same resource or Faction."""
    return all(event.facts.get(each) == wanted.facts.get(each) for each in ("what", "faction"))


def _never_near(run: Asked, wanted: Wanted) -> Part:
    """Nothing that happened does it; the rule says what would."""
    if wanted.key == "summons" and _protected(run.state):
        return Part("the Shield Wall protects the Conflict, so no sandworm comes", PROTECTS)
    if wanted.key == "draws" and wanted.seat is not None:
        owner = player(run.state, wanted.seat)
        if size(owner.deck) == 0 and not owner.discard:
            return Part(f"{owner.name} has no card left to draw", GIVES["draws"])
    hooks = wanted.key == "takes_hooks" and wanted.seat is not None
    if hooks and player(run.state, wanted.seat or 0).maker_hooks:
        return Part("a player has Maker Hooks only once", GIVES["takes_hooks"])
    called = (
        f"the {printed(run.state).tracks[str(wanted.facts['faction'])].name}"
        if (wanted.key == "influence")
        else ""
    )
    about = f" for Influence with {called}" if called else ""
    words = f"nothing that happened since the last `when` brings it about{about}"
    return Part(words, GIVES.get(wanted.key, cite("UPR-ROUND-005")))


def _protected(state: State) -> bool:
    try:
        return protects_conflict(state)
    except UnknownRead:
        return False


REASONS = (
    _special,
    _stood_in,
    _still_due,
    _impossible_now,
    _was_left,
    _instead,
    _never_near,
)
"""Where a reason is looked for, the most telling first."""
