"""Intrigue cards: when Plot cards can be played, and the step in which Combat cards are."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import IntrigueFace, Way
from rules_engine.effects.tree import Arrow, Gain, Pay, WhenAcquiring
from rules_engine.imperium.actions import EndTurn, Pass, PlayIntrigue, Resolve
from rules_engine.imperium.frames import (
    AgentTurn,
    Combat,
    CombatIntrigues,
    Effects,
    EndgameIntrigues,
    Item,
    ResolveCombat,
    RevealTurn,
    Turn,
    WinIntrigues,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, ThisTurn, follows
from rules_engine.kernel.game import Frame, asked, legal, options
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event, Seat
from verifier.current import assume, choose, claim, quantity, stage
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    claim_just,
    claim_open,
    full_table,
    plus,
)
from verifier.numbers import all_of, implies, opposite
from verifier.play import Watch, line_from, play_out
from verifier.positions import NAMES, printed, symbolic_state, with_cards
from verifier.registry import ORDER, Twin, proves

COMBAT = "rules_engine.imperium.combat"
PLAYERS = 3
SWORDS = "contingency_plan"
"""A Combat Intrigue card for swords, in its second way; the first is a Plot card's."""
SWORDS_OR_RETREAT = "tactical_option"
"""A Combat Intrigue card for swords or, in the second way, the retreat of any troops."""
RETREATS = (("tactical_option", 1), ("spice_is_power", 0))
"""Combat Intrigue cards that make troops retreat, and in which way, without Spies or contracts."""


def _units(owner: Player) -> Quantity:
    return owner.troops + owner.sandworms


def _step(frame: Frame, cards: dict[Seat, str], **slots: Any) -> State:
    """Phase 3: everybody has revealed, and some hold an Intrigue card."""

    def more(owner: Player) -> dict[str, Any]:
        held = (cards[owner.seat],) if owner.seat in cards else ()
        return {"revealed": True, "intrigues": held, "standing": (), **slots}

    return symbolic_state(PLAYERS, more, turn=None, intrigue_discard=(), pending=(frame,))


def _play_step(watch: Watch, card: str) -> tuple[State, tuple[Event, ...]]:
    """Phase 3 from its beginning up to the moment when Combat is to be resolved."""
    start = _step(Combat(), {1: card}, sandworms=0)
    return play_out(start, apart=(ResolveCombat,), watch=watch)


def _decides(state: State) -> Seat | None:
    """Whose chance to play or pass it is."""
    players = asked(IMPERIUM, state).players
    return players[0] if players and isinstance(state.pending[-1], CombatIntrigues) else None


def _keys(events: tuple[Event, ...]) -> list[str]:
    return [event.key for event in events]


# Plot cards


SCHEME = IntrigueFace(
    "scheme",
    "scheme",
    1,
    tuple(Way(timing, (Gain(1, "spice"),)) for timing in ("plot", "combat", "won", "endgame")),
)
"""A card that exists in this game only, with a way to use it at each moment."""


@proves(
    {
        "UPR-ROUND-004": Twin(
            "rules_engine.imperium.reveal_turn",
            'return refusal(why_not_play(state, action, "plot"))',
            'return refusal(why_not_play(state, action, "combat"))',
        )
    },
    cases=({"turn": "undecided"}, {"turn": "agent"}, {"turn": "reveal"}),
)
def plot_cards_can_be_played_at_any_point_of_the_own_turn(turn: str) -> None:
    """Unsatisfiable iff in one's own turn a Plot card can be played, and no other Intrigue card.

    This is so while an effect is due and when all are resolved, in an Agent turn then only if it
    does not end by itself, as `agent_turn_end` says; before the kind of turn is decided only under
    the ruling that counts it as part of the turn. Just what is allowed is offered, and no other
    player may play a card.
    """
    space = next(iter(printed().spaces))
    item = Item(Gain(1, "spice"), space)
    pending: Frame
    if turn == "undecided":
        pending = Turn(0)
    elif turn == "agent":
        pending = choose("due", (AgentTurn(0, (item,)), AgentTurn(0, ())))
    else:
        pending = choose("due", (RevealTurn(0, (item,)), RevealTurn(0, ())))
    own = {"intrigues": (SCHEME.id,), "set_aside": ()}
    before = with_cards(
        (pending,),
        {**own, "hand": (), "agents": 2},
        own,
        intrigues=(SCHEME,),
        turn=ThisTurn(0, kind=turn, space=space if turn == "agent" else None),
        row=(),
        reserve=(),
    )
    stage(before)
    offered = options(IMPERIUM, before)
    goes_on = pending != AgentTurn(0, ()) or follows(before, "agent_turn_end") == "said"
    for number, way in enumerate(SCHEME.ways):
        own_card, anothers = (PlayIntrigue(seat, SCHEME.id, number) for seat in (0, 1))
        decided = turn != "undecided" or follows(before, "plot_window") == "whole_turn"
        plot = way.timing == "plot" and decided and goes_on
        claim((legal(IMPERIUM, before, own_card) is None) == plot, "just Plot cards are allowed")
        claim((own_card in offered) == plot, "just Plot cards are offered")
        claim(legal(IMPERIUM, before, anothers) is not None, "nobody else may play a card")


MOMENTS: dict[str, Any] = {
    "plot": RevealTurn(0, ()),
    "combat": CombatIntrigues(0),
    "won": WinIntrigues(0),
    "endgame": EndgameIntrigues(0),
}
"""When a card is played in each way."""


@proves(
    {
        "UPR-END-003": Twin(
            "rules_engine.imperium.endgame",
            'yield from play_options(state, frame.seat, "endgame")',
            'yield from play_options(state, frame.seat, "plot")',
        ),
        "UPR-ROUND-007": Twin(
            "rules_engine.imperium.intrigue",
            "if not 0 <= action.way < len(ways):",
            "if not -len(ways) <= action.way < len(ways):",
        ),
    },
    cases=tuple({"moment": moment} for moment in MOMENTS),
)
def a_card_is_offered_in_just_the_ways_it_has(moment: str) -> None:
    """Unsatisfiable iff a card is allowed, and offered, in the way that is meant for the moment.

    No other way is, also none that the card does not have.
    """
    own = {"intrigues": (SCHEME.id,), "set_aside": (), "won": (), "troops": 1, "garrison": 0}
    before = with_cards(
        (MOMENTS[moment],),
        own | {"supply": 11},
        intrigues=(SCHEME,),
        turn=ThisTurn(0, kind="reveal") if moment == "plot" else None,
        row=(),
        reserve=(),
    )
    stage(before)
    offered = options(IMPERIUM, before)
    timings = dict(enumerate(way.timing for way in SCHEME.ways))
    for number in range(-len(timings) - 1, len(timings) + 2):
        action = PlayIntrigue(0, SCHEME.id, number)
        meant = timings.get(number) == moment
        claim((legal(IMPERIUM, before, action) is None) == meant, "it is allowed if meant for it")
        claim((action in offered) == meant, "it is offered if meant for it")


# The step


@proves(
    {
        "UPR-COMBAT-001": Twin(
            COMBAT,
            "push(state, ResolveCombat(), CombatIntrigues(state.first_player))",
            "push(state, CombatIntrigues(state.first_player), ResolveCombat())",
        )
    },
    kind=ORDER,
)
def combat_is_resolved_after_everybody_could_play_intrigue_cards() -> None:
    """Unsatisfiable iff the Intrigue step is over before Combat is resolved and rewarded.

    When Combat is to be resolved, everybody with a unit in the Conflict has had a chance to play,
    no such chance is to come any more, and no reward was given.
    """
    had: set[Seat | None] = set()

    def watch(before: State, _: State, __: tuple[Event, ...]) -> None:
        had.add(_decides(before))

    end, events = _play_step(watch, SWORDS)
    claim(end.pending == (ResolveCombat(),), "Combat is to be resolved, and nothing else")
    claim("reward" not in _keys(events), "no reward was given before")
    for each in end.players:
        claim(implies(_units(each) >= 1, each.seat in had), f"{each.name} had a chance to play")


@proves(
    {
        "UPR-COMBAT-002": Twin(
            COMBAT,
            "following = clockwise(state, frame.seat)[1]",
            "following = clockwise(state, frame.seat)[-1]",
        )
    },
    kind=ORDER,
)
def chances_for_combat_intrigue_go_clockwise_from_the_first_player() -> None:
    """Unsatisfiable iff each chance is that of the next player clockwise who has a unit.

    The first one is looked for from the First Player on, each later one from the player after the
    last. A player who has played, and still has a unit, goes on: the chance lasts until the player
    passes or says that it is over.
    """
    following: list[Seat] = []

    def watch(before: State, _: State, events: tuple[Event, ...]) -> None:
        seat = _decides(before)
        if seat is None:
            return
        start = following[-1] if following else before.first_player
        claim(seat == _next_with_unit(before, start), f"it is the chance of {NAMES[seat]}")
        following.append(seat if "plays_intrigue" in _keys(events) else seat + 1)

    _play_step(watch, SWORDS_OR_RETREAT)


def _next_with_unit(state: State, start: Seat) -> Seat | None:
    seats = [(start + step) % PLAYERS for step in range(PLAYERS)]
    return next((seat for seat in seats if _units(state.players[seat]) >= 1), None)


@proves(
    {"UPR-COMBAT-006": Twin(COMBAT, "if all(each.seat in passed", "if any(each.seat in passed")},
    kind=ORDER,
)
def the_intrigue_step_ends_when_all_have_passed_in_a_row() -> None:
    """Unsatisfiable iff the step ends as soon as, and not before, all involved passed in a row.

    Involved are those with a unit in the Conflict at that time. A play by anybody begins a new row.
    """
    row: set[Seat] = set()

    def watch(before: State, _: State, events: tuple[Event, ...]) -> None:
        seat = _decides(before)
        if seat is None:
            return
        going_on = opposite(_all_passed(before, row))
        claim(going_on, "the step goes on only until all have passed in a row")
        if "plays_intrigue" in _keys(events):
            row.clear()
        if "passes" in _keys(events):
            row.add(seat)

    end, _ = _play_step(watch, SWORDS_OR_RETREAT)
    claim(_all_passed(end, row), "all have passed in a row when the step is over")


def _all_passed(state: State, row: set[Seat]) -> Any:
    return all_of(*(_units(each) < 1 for each in state.players if each.seat not in row))


# Who takes part


@proves(
    {
        "UPR-COMBAT-003": Twin(
            COMBAT,
            "return units(player(state, seat)) >= 1",
            "return units(player(state, seat)) >= 0",
        )
    },
)
def only_players_with_a_unit_take_part_in_the_intrigue_step() -> None:
    """Unsatisfiable iff on a player's chance just that player may play, and only with a unit.

    With a unit, a troop or a sandworm, the player is asked and may play the card or pass; without
    one nobody is asked. Nobody else may play or pass, with or without units.
    """
    at = choose("whose chance", range(PLAYERS))
    by = choose("who plays", range(PLAYERS))
    state = _step(CombatIntrigues(at), dict.fromkeys(range(PLAYERS), SWORDS))
    play = PlayIntrigue(by, SWORDS, 1)
    stage(state, (play,))
    may = all_of(by == at, _units(state.players[by]) >= 1)
    for action in (play, Pass(by)):
        allowed = legal(IMPERIUM, state, action) is None
        claim(may == allowed, f"{NAMES[by]} may act on the own chance with a unit only")
        claim(
            may == (action in options(IMPERIUM, state)), f"{NAMES[by]} is offered what is allowed"
        )
    is_asked = by in asked(IMPERIUM, state).players
    claim(may == is_asked, f"{NAMES[by]} is asked on the own chance with a unit only")


@proves(
    {
        "UPR-COMBAT-004": Twin(
            COMBAT,
            'wanted = "play_or_end" if frame.played else "play_or_pass"',
            'wanted = "play_or_pass"',
        )
    },
)
def a_chance_is_passed_before_a_play_and_ended_after_it() -> None:
    """Unsatisfiable iff a player passes who has not played on the chance, and else ends the turn.

    The other one of both is refused, and the reason names the one that is left.
    """
    at, played = choose("whose chance", range(PLAYERS)), choose("played", (False, True))
    state = _step(CombatIntrigues(at, played=played), {at: SWORDS})
    assume(_units(state.players[at]) >= 1)
    right, wrong = (EndTurn(at), Pass(at)) if played else (Pass(at), EndTurn(at))
    stage(state, (wrong,))
    claim(legal(IMPERIUM, state, right) is None, "one of both is allowed")
    refused = legal(IMPERIUM, state, wrong)
    keys = [] if refused is None else [reason.key for reason in refused.reasons]
    left = "play_or_end" if played else "play_or_pass"
    claim(keys == [left], "the other is refused, and the reason names what is left")


@proves(
    {
        "UPR-COMBAT-009": Twin(
            "rules_engine.imperium.units",
            """== "yes")
    moved = move_marker(state, seat)""",
            """== "yes")
    moved = Step(state)""",
        )
    },
)
def strength_is_zero_once_the_last_unit_has_left_in_combat() -> None:
    """Unsatisfiable iff whoever has no unit left after a retreat in the step has strength 0.

    Nobody else's strength moves.
    """
    seat = choose("who plays", range(PLAYERS))
    card, way = choose("card", RETREATS)
    before = _step(CombatIntrigues(seat), {seat: card})
    after, _ = play_out(before, apart=(CombatIntrigues,), first=PlayIntrigue(seat, card, way))
    assume(_units(after.players[seat]) == 0)
    claim(after.players[seat].strength == 0, f"{NAMES[seat]} has strength 0")
    for old, new in zip(before.players, after.players, strict=True):
        claim(old.seat == seat or old.strength == new.strength, f"{old.name}'s strength stays")


# Anybody's card, and nothing empty

ENGINE = "rules_engine.imperium.intrigue"
PLAYED = "played"


def _holding(seat: Seat, players: int, way: Way, **own: Any) -> State:
    """A Reveal turn with nothing due and nothing to acquire, in which two equal cards are held."""
    face = IntrigueFace(PLAYED, PLAYED, 2, (way,))
    return full_table(
        seat,
        players,
        (RevealTurn(seat, ()),),
        {"intrigues": (PLAYED, PLAYED), "set_aside": (), **own},
        intrigues=(face,),
        turn=busy_turn(seat, "reveal"),
        row=(),
        reserve=(),
    )


@proves(
    {
        "UPR-ROUND-006": Twin(
            "rules_engine.imperium.held_intrigue",
            "intrigues=without_card(owner.intrigues, card)",
            "intrigues=tuple(each for each in owner.intrigues if each != card)",
        ),
        "UPR-ROUND-004": Twin(
            ENGINE,
            "items = tuple(Item(effect, card) for effect in (way.lines or way.effects))",
            "items = tuple(Item(effect, card) for effect in (way.lines or way.effects)[:1])",
        ),
    },
    cases=TABLES,
)
def a_played_card_is_shown_resolved_and_then_discarded(players: int) -> None:
    """Unsatisfiable iff one copy is shown to all, both its effects apply, and it is discarded then.

    It is on the discard pile, beside what lies there, just when both effects are resolved; until
    then it is in no zone. The Reveal turn goes on, and nothing else of anybody changes.
    """
    seat = any_seat(players)
    effects = (Gain(quantity("one", 1), "solari"), Gain(quantity("other", 1), "water"))
    before = _holding(seat, players, Way("plot", effects))
    old = before.players[seat]
    line = line_from(before).given(PlayIntrigue(seat, PLAYED, 0))
    claim_just(before, line.state, {seat: {"intrigues": (PLAYED,)}})
    claim_open(line.events, players)
    first = choose("first", (0, 1))
    line = line.then(Resolve(seat, first))
    gained = {
        "solari": old.solari + quantity("one", 1),
        "water": old.water + quantity("other", 1),
        "intrigues": (PLAYED,),
    }
    pile = plus(before.intrigue_discard, PLAYED)
    claim_just(before, line.state, {seat: gained}, intrigue_discard=pile)
    claim(line.state.pending == (RevealTurn(seat, ()),), "the turn goes on")


@proves(
    {
        "UPR-ROUND-006": Twin(
            ENGINE,
            "    if _stays(way):",
            "    if _stays(way) and False:",
        ),
        "UPR-ROUND-005": Twin(
            ENGINE, "standing=with_card(owner.standing, card)", "standing=(card,)"
        ),
    },
    cases=TABLES,
)
def a_card_that_speaks_of_the_whole_turn_stays_face_up(players: int) -> None:
    """Unsatisfiable iff such a card lies face up beside others, and is not discarded yet.

    Nothing comes of it now, the turn goes on, and nothing else of anybody changes.
    """
    seat = any_seat(players)
    before = _holding(seat, players, Way("plot", (WhenAcquiring(Gain(1, "water")),)))
    line = line_from(before).then(PlayIntrigue(seat, PLAYED, 0))
    standing = plus(before.players[seat].standing, PLAYED)
    claim_just(before, line.state, {seat: {"intrigues": (PLAYED,), "standing": standing}})
    claim(line.state.pending == (RevealTurn(seat, ()),), "the turn goes on")


WATER = Arrow(Pay(1, "water"), Gain(1, "solari"))
SPICE = Arrow(Pay(1, "spice"), Gain(1, "solari"))


@proves(
    {
        "UPR-COST-003": Twin(
            ENGINE,
            "return any(resolvable(state, seat, effect, card) "
            "for effect in (*way.effects, *way.lines))",
            "return all(resolvable(state, seat, effect, card) "
            "for effect in (*way.effects, *way.lines))",
        ),
        "UPR-COST-004": Twin(
            ENGINE, "committed=not way.lines, lines=bool(way.lines)", "lines=bool(way.lines)"
        ),
    },
    cases=TABLES,
)
def a_card_can_be_played_if_any_of_it_can_be_used(players: int) -> None:
    """Unsatisfiable iff it is allowed, and offered, just if one of its costs can be paid.

    Once it is played a cost among its effects that can be paid has to be; of lines one is enough,
    and none is not, but under `intrigue_multi_line` `all_mandatory` they are like its effects.
    """
    seat = any_seat(players)
    lines = choose("lines", (False, True))
    way = Way("plot", lines=(WATER, SPICE)) if lines else Way("plot", (WATER, SPICE))
    before = _holding(seat, players, way)
    owner = before.players[seat]
    play = PlayIntrigue(seat, PLAYED, 0)
    stage(before, (play,))
    pays = {0: bool(owner.water >= 1), 1: bool(owner.spice >= 1)}
    allowed = legal(IMPERIUM, before, play) is None
    claim(allowed == any(pays.values()), "it is allowed if a cost can be paid")
    claim((play in options(IMPERIUM, before)) == allowed, "it is offered then")
    if not allowed:
        return
    one_is_enough = lines and follows(before, "intrigue_multi_line") != "all_mandatory"
    state = line_from(before).given(play).state
    for number, can in pays.items():
        usable = legal(IMPERIUM, state, Resolve(seat, number)) is None
        claim(usable == can, "what can be paid can be used")
    claim(legal(IMPERIUM, state, EndTurn(seat)) is not None, "something has to be used")
    number = next(each for each, can in pays.items() if can)
    state = line_from(state).then(Resolve(seat, number)).state
    if isinstance(state.pending[-1], Effects):
        may_end = legal(IMPERIUM, state, EndTurn(seat)) is None
        claim(may_end == (one_is_enough or not all(pays.values())), "one line may be enough")
