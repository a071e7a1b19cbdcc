"""Spies: placing and recalling them, Infiltrate and Gather Intelligence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules_engine.effects import tree
from rules_engine.imperium.actions import Decline, PlaceSpy, RecallSpy, Resolve
from rules_engine.imperium.frames import (
    AgentTurn,
    DrawFromDeck,
    Effects,
    GatherIntelligence,
    Item,
    PickSpies,
    Run,
    SpyPlacement,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Deed, Player, SpyAt, State, ThisTurn, follows
from rules_engine.kernel.decks import shuffled, size
from rules_engine.kernel.game import Action, Frame, asked, legal, options
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.changes import nothing_changed, only, player_kept, players_kept, table_kept
from verifier.current import assume, choose, claim, quantity, stage
from verifier.effects import OWNER
from verifier.numbers import all_of
from verifier.placements import (
    ABOUT_EFFECTS,
    ABOUT_SENDING,
    CARD,
    NOBODY,
    PLAYERS,
    SPACES,
    Seats,
    about_to_send,
    around,
    assume_default,
    can_visit,
    linked_posts,
    of_owner,
    opening,
    other_post,
    sending,
    spies_on_board,
)
from verifier.play import next_state
from verifier.positions import (
    NAMES,
    SPIES,
    covered,
    printed,
    symbolic_state,
    unchanged,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.seats import after as after_seat
from verifier.seats import anyone, claim_told, counting, done_alone, done_by
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.spies"
SPACES_FILE = "rules_engine/catalogue/uprising/spaces.toml"

POSTS = tuple({"post": post} for post in printed().posts)
ANYBODY: tuple[Seats, ...] = (NOBODY, (OWNER,), (1,), (OWNER, 1))


def _spying(frame: Frame, posts: Mapping[str, tuple[Seats, ...]], *away: int) -> State:
    """A position about Spies: a frame of the owner is pending, in the own turn or in none."""
    board, supplies = spies_on_board(posts, away or (0,))
    known = {"seat": OWNER, "deeds": (), "recalled_spy": Lazy("recalled", (False, True))}
    turn = covered("turn.", ThisTurn(OWNER), **known)
    state = symbolic_state(
        PLAYERS,
        lambda owner: {"spies": supplies[owner.seat]},
        spies=board,
        turn=Lazy("turn", (None, turn)),
        pending=(frame,),
    )
    stage(state)
    return state


def _effect(effect: tree.Effect) -> Run:
    return Run(OWNER, Item(effect, next(iter(printed().spaces))))


def _claim_moved(before: State, after: State, *, left: str | None, entered: str | None) -> None:
    """One Spy of the owner has left a post for the supply, or entered one from it; all else stays.

    `turn` and `pending` are no matter of the table.
    """
    spies = [spy for spy in before.spies if spy != SpyAt(str(left), OWNER)]
    spies += [] if entered is None else [SpyAt(entered, OWNER)]
    now = sorted(after.spies, key=lambda spy: (spy.post, spy.seat))
    claim(now == sorted(spies, key=lambda spy: (spy.post, spy.seat)), "just one Spy has moved")
    old, new = before.players[OWNER], after.players[OWNER]
    claim(new.spies - old.spies == len(before.spies) - len(after.spies), "the supply has the rest")
    claim(unchanged(old, new, "spies"), "the player has all else")
    claim(unchanged(before, after, "spies", "players", "turn", "pending"), "all else stays")
    for seat in range(1, PLAYERS):
        claim(unchanged(before.players[seat], after.players[seat]), f"{NAMES[seat]} has all")


# The board


@proves(
    {"UPR-SPY-001": Twin(SPACES_FILE, 'spaces = ["deep_desert"]', "spaces = []")},
    kind=DATA_CHECK,
)
def every_post_is_linked_to_a_space() -> None:
    """Unsatisfiable iff every observation post is linked to a space, and to such as there are."""
    for post in printed().posts.values():
        claim(len(post.spaces) >= 1, f"the {post.name} is linked to a space")
        claim(all(space in printed().spaces for space in post.spaces), f"the {post.name} is right")


# Placing


@proves(
    {
        "UPR-SPY-002": Twin(
            MODULE,
            "owner = change(owner, spies=owner.spies - 1)",
            "owner = change(owner, spies=owner.spies)",
        ),
        "UPR-SPY-003": Twin(
            MODULE,
            "return frame.seat in there if frame.sharing else bool(there)",
            "return frame.seat in there",
        ),
    },
    cases=POSTS,
)
def a_spy_goes_from_supply_to_a_post_without_a_spy(post: str) -> None:
    """Unsatisfiable iff a Spy icon lets a Spy go to a post exactly if that and the supply allow it.

    No Spy of anybody is on the post, or no own one if the effect says that posts may be shared, and
    one is in the supply, where so none comes back from the post. Then just this Spy moves from the
    supply to the post, and nothing else on the table.
    """
    sharing = choose("sharing", (False, True))
    start = _spying(_effect(tree.PlaceSpy(sharing=sharing)), {post: ANYBODY}, 0, 3)
    before = next_state(start)
    action = PlaceSpy(OWNER, post)
    stage(start, (action,))
    allowed = legal(IMPERIUM, before, action) is None
    there = [spy.seat for spy in before.spies if spy.post == post]
    closed = OWNER in there if sharing else there != []
    free = not closed and before.players[OWNER].spies >= 1
    claim(allowed == free, "it is allowed if the post is free and a Spy is there")
    claim((action in options(IMPERIUM, before)) == free, "it is offered then")
    back = legal(IMPERIUM, before, RecallSpy(OWNER, post)) is None
    claim(not back or before.players[OWNER].spies == 0, "with one in supply none comes back")
    if allowed:
        after = next_state(before, action)
        _claim_moved(before, after, left=None, entered=post)
        claim(not after.pending, "just one Spy is placed")


@proves(
    {
        "UPR-SPY-005": Twin(
            MODULE,
            "return Step(push(done.state, change(frame, recalled=True)), done.events)",
            """draw = DrawFromDeck(seat, 1)
            return Step(push(done.state, change(frame, recalled=True), draw), done.events)""",
        )
    },
    cases=POSTS,
)
def without_a_spy_in_supply_one_is_taken_back_first(post: str) -> None:
    """Unsatisfiable iff with an empty supply a Spy has to come back before one is placed.

    None may be placed before. Any own Spy may come back, or it is left; coming back does nothing
    else and leads to the placement, which is then a duty. In the end as many are out as before.
    """
    taken, free = [each for each in reversed(printed().posts) if each != post][:2]
    start = _spying(_effect(tree.PlaceSpy()), {post: ((OWNER,),), taken: ((1,),)}, 2)
    before = next_state(start)
    target = choose("target", (post, free, taken))
    claim(legal(IMPERIUM, before, PlaceSpy(OWNER, target)) is not None, "no Spy can be placed")
    claim(legal(IMPERIUM, before, Decline(OWNER)) is None, "it may be left")
    recalls = {RecallSpy(OWNER, each) for each in of_owner(before.spies)}
    claim(recalls == set(options(IMPERIUM, before)) - {Decline(OWNER)}, "any may come back")
    stage(start, (RecallSpy(OWNER, post),))
    home = next_state(before, RecallSpy(OWNER, post))
    _claim_moved(before, home, left=post, entered=None)
    claim(_is_placement(home), "nothing happens but that the Spy is placed next")
    if not _is_placement(home):
        return
    claim(legal(IMPERIUM, home, Decline(OWNER)) is not None, "it has to be placed now")
    action = PlaceSpy(OWNER, target)
    stage(start, (RecallSpy(OWNER, post), action))
    claim((legal(IMPERIUM, home, action) is None) == (target != taken), "on any free post")
    if target != taken:
        _claim_moved(home, next_state(home, action), left=None, entered=target)


def _is_placement(state: State) -> bool:
    return [type(frame) for frame in state.pending] == [SpyPlacement]


# Recalling


@proves(
    {
        "UPR-SPY-008": Twin(
            MODULE,
            "owner = change(owner, spies=owner.spies + 1)",
            "owner = change(owner, spies=owner.spies)",
        )
    },
    cases=POSTS,
)
def the_recall_icon_brings_one_own_spy_home(post: str) -> None:
    """Unsatisfiable iff a Recall Spy icon brings home one Spy, from any post with an own one.

    Just this Spy moves from the post to the supply. Without a Spy on a post nothing happens.
    """
    start = _spying(_effect(tree.RecallSpies(1)), {post: ANYBODY}, 0, 1, 3)
    before = next_state(start)
    if not of_owner(before.spies):
        claim(asked(IMPERIUM, before).nobody(), "nobody is asked")
        after = next_state(before)
        claim(unchanged(before, after, "pending") and not after.pending, "nothing happens")
        return
    action = RecallSpy(OWNER, post)
    stage(start, (action,))
    allowed = legal(IMPERIUM, before, action) is None
    own = post in of_owner(before.spies)
    claim(allowed == own, "it is allowed if an own Spy is there")
    claim((action in options(IMPERIUM, before)) == own, "it is offered then")
    if allowed:
        after = next_state(before, action)
        _claim_moved(before, after, left=post, entered=None)
        claim(not after.pending, "just one Spy comes home")


@proves(
    {
        "UPR-SPY-008": Twin(
            MODULE,
            "if len(_own_posts(state, seat)) < effect.amount:",
            "if len(_own_posts(state, seat)) + player(state, seat).spies < effect.amount:",
        )
    },
)
def a_spy_in_supply_does_not_pay_for_a_recall() -> None:
    """Unsatisfiable iff a cost of recalled Spies can be paid exactly if so many are on posts."""
    amount = quantity("amount", 1)
    cost = tree.Arrow(tree.RecallSpies(amount), tree.Gain(1, "water"))
    item = Item(cost, next(iter(printed().spaces)))
    state = _spying(Effects(OWNER, (item,)), {}, 0, 1, 2, 3)
    action = Resolve(OWNER, 0)
    stage(state, (action,))
    allowed = legal(IMPERIUM, state, action) is None
    claim((amount <= len(of_owner(state.spies))) == allowed, "it can be paid with Spies on posts")


# Infiltrate


@proves(
    {
        "UPR-SPY-011": Twin(
            MODULE,
            "    if not linked(state, post, space):\n",
            "    if post not in printed(state).posts:\n",
        )
    },
    cases=SPACES,
)
def a_linked_spy_lets_an_agent_infiltrate(space: str) -> None:
    """Unsatisfiable iff an Agent may Infiltrate exactly with an own Spy on a linked post.

    Another player's Agent is on the space and no own one. Then the Spy goes back to the supply, the
    Agent to the space, and all other Agents and Spies stay.
    """
    visitors = (NOBODY, (1,), (1, 2), (OWNER, 1))
    post = choose("infiltrate", (*linked_posts(space), other_post(space)))
    misleading = other_post(space) if post in linked_posts(space) else linked_posts(space)[0]
    spies = {post: ANYBODY, misleading: ((OWNER,),)}
    before = about_to_send(space, card=opening(space), visitors=visitors, spies=spies)
    assume(can_visit(before, space))
    action = sending(space, post)
    stage(before, (action,))
    allowed = legal(IMPERIUM, before, action) is None
    there = [at.seat for at in before.agents if at.space == space]
    spied = post in linked_posts(space) and post in of_owner(before.spies)
    infiltrates = spied and there != [] and OWNER not in there
    claim(allowed == infiltrates, "it is allowed if a linked Spy is there to be recalled")
    if not allowed:
        return
    assume_default(before, *ABOUT_SENDING)
    after = next_state(before, action)
    stay = [spy for spy in before.spies if spy != SpyAt(post, OWNER)]
    claim(list(after.spies) == stay, "the Spy has left its post, and no other")
    supplies = [
        new.spies - old.spies for old, new in zip(before.players, after.players, strict=True)
    ]
    claim(supplies == [1, 0, 0], "it is in the supply")
    agents = sorted((*before.agents, AgentAt(space, OWNER)), key=lambda at: (at.space, at.seat))
    claim(list(after.agents) == agents, "the Agent has joined those that were there")


# Gather Intelligence


@proves(
    {"UPR-SPY-015": Twin(MODULE, "DrawFromDeck(frame.seat, 1)", "DrawFromDeck(frame.seat, 2)")},
    cases=SPACES,
)
def a_linked_spy_comes_home_for_a_card(space: str) -> None:
    """Unsatisfiable iff an own Spy on a linked post, and no other, may come home for one card.

    The Spy goes to the supply and one card to the hand, if there is one: without any the ruling
    `gather_empty_deck` says whether it may be done. It may also be left, which changes nothing.
    """
    post = choose("post", (*linked_posts(space), other_post(space)))
    before = _gathering(space, post)
    done = next_state(before, Decline(OWNER))
    claim(unchanged(before, done, "pending") and not done.pending, "it may be left")
    owner = before.players[OWNER]
    cards = size(owner.deck) + len(owner.discard)
    action = RecallSpy(OWNER, post)
    stage(before, (action,))
    allowed = legal(IMPERIUM, before, action) is None
    spied = post in linked_posts(space) and post in of_owner(before.spies)
    drawn = cards > 0 or follows(before, "gather_empty_deck") == "allowed"
    claim(allowed == (spied and drawn), "it is allowed for an own Spy that is linked")
    claim((action in options(IMPERIUM, before)) == (spied and drawn), "it is offered then")
    if not allowed:
        return
    home = next_state(before, action)
    _claim_moved(before, home, left=post, entered=None)
    new = _all_drawn(home).players[OWNER]
    claim(len(new.hand) == min(cards, 1), "one card is drawn")
    claim(size(new.deck) + len(new.discard) == cards - min(cards, 1), "and no other")


def _gathering(space: str, post: str) -> State:
    """The owner has just sent an Agent to the space, and may Gather Intelligence."""
    decks = ((2, 0), (0, 2), (0, 0))
    own = {
        "deck": Lazy("deck", tuple(shuffled((CARD,) * deck) for deck, _ in decks)),
        "discard": Lazy("deck", tuple((CARD,) * pile for _, pile in decks)),
    }
    before = about_to_send(
        space,
        hand=(),
        spies={post: ANYBODY},
        own=own,
        turn=ThisTurn(OWNER, kind="agent", space=space),
        pending=(GatherIntelligence(OWNER, space),),
    )
    stage(before)
    return before


def _all_drawn(state: State) -> State:
    """The position after all cards are drawn that are due; there is one kind of card."""
    while state.pending and isinstance(state.pending[-1], DrawFromDeck):
        given = None if asked(IMPERIUM, state).nobody() else options(IMPERIUM, state)[0]
        state = next_state(state, given)
    return state


def _to_the_effects(
    before: State, infiltrate: str | None, space: str
) -> tuple[list[tuple[State, Action]], State]:
    """Send an Agent and go on to the effects of the turn: every decision on the way, and the end.

    The first cost is picked, and Intelligence is gathered or not in every way.
    """
    decisions: list[tuple[State, Action]] = []
    given: Action | None = sending(space, infiltrate)
    state = before
    while True:
        if given is not None:
            decisions.append((state, given))
            stage(before, tuple(action for _, action in decisions))
        state = next_state(state, given)
        if isinstance(state.pending[-1], AgentTurn | DrawFromDeck):
            return decisions, state
        offered = options(IMPERIUM, state)
        gathers = isinstance(state.pending[-1], GatherIntelligence)
        given = choose("gather", offered) if gathers else next(iter(offered), None)


@proves(
    {
        "UPR-SPY-016": Twin(
            "rules_engine.imperium.agent_turn",
            "state = push(state, GatherIntelligence(frame.seat, frame.space))",
            """gather = GatherIntelligence(frame.seat, frame.space)
        state = change(state, pending=(*state.pending[:-1], gather, state.pending[-1]))""",
        )
    },
    cases=SPACES,
    kind=ORDER,
)
def intelligence_is_gathered_before_any_effect(space: str) -> None:
    """Unsatisfiable iff a player with a linked Spy is asked to gather before any effect comes.

    Until then nothing has changed but by sending the Agent, by its cost and by the bonus of the
    location's controller, and all effects are due, as many as the space has and the card's; once
    they can be resolved it is too late.
    """
    box = {"agent": (tree.Gain(quantity("agent box", 1), "spice"),)}
    own = {"deck": shuffled((CARD,)), "discard": ()}
    spies = dict.fromkeys(linked_posts(space), (NOBODY, (OWNER,)))
    before = about_to_send(space, card={**opening(space), **box}, spies=spies, own=own)
    assume(can_visit(before, space))
    assume_default(before, *ABOUT_EFFECTS)
    decisions, end = _to_the_effects(before, None, space)
    turn = _all_drawn(end)
    asked_at = [at for at, _ in decisions if isinstance(at.pending[-1], GatherIntelligence)]
    spied = any(post in linked_posts(space) for post in of_owner(before.spies))
    claim(len(asked_at) == (1 if spied else 0), "it is asked once, if there is a linked Spy")
    for then in asked_at:
        claim(_only_sent(before, then, space), "no effect has come before")
        claim(then.pending[:-1] == turn.pending, "all effects are due after it")
    claim(_all_due(turn, space), "those of the space and that of the card")
    for post in of_owner(turn.spies):
        refused = legal(IMPERIUM, turn, RecallSpy(OWNER, post)) is not None
        claim(refused, "later it is refused")


def _all_due(turn: State, space: str) -> bool:
    """Whether as many effects are due as the space has, and the one of the card."""
    frame = turn.pending[-1]
    assert isinstance(frame, AgentTurn)
    sources = sorted(item.source for item in frame.items)
    return sources == sorted((CARD, *(space for _ in printed().spaces[space].effects)))


def _only_sent(before: State, then: State, space: str) -> Any:
    """Whether nothing has changed but by sending an Agent, its cost and a controller's bonus."""
    face = printed().spaces[space]
    paid = [each.what for each in face.control_bonus if isinstance(each, tree.Gain)]
    touched = [*paid, "agents", "hand", "in_play"]
    touched += [] if face.cost is None else [face.cost.what]
    players = zip(before.players, then.players, strict=True)
    same = [unchanged(old, new, *(paid if old.seat else touched)) for old, new in players]
    return all_of(*same, unchanged(before, then, "agents", "players", "turn", "pending"))


@proves(
    {
        "UPR-SPY-017": Twin(
            "rules_engine.imperium.agent_turn",
            "if action.infiltrate is not None:",
            "if action.infiltrate is not None and not spies.own_linked_posts(state, seat, space):",
        )
    },
    cases=SPACES,
)
def one_spy_serves_one_purpose(space: str) -> None:
    """Unsatisfiable iff each Infiltrate and each card for Intelligence takes a Spy of its own.

    The Spies that come home are one, and one more if the player gathers: then a card is drawn.
    """
    first, *_ = linked_posts(space)
    spies = {**around(space), first: ((OWNER,),)}
    own = {"deck": shuffled((CARD,)), "discard": ()}
    before = about_to_send(space, card=opening(space), visitors=((1,),), spies=spies, own=own)
    assume(can_visit(before, space))
    assume_default(before, *ABOUT_SENDING)
    decisions, end = _to_the_effects(before, first, space)
    gathered = sum(isinstance(given, RecallSpy) for _, given in decisions)
    drawn = sum(frame.count for frame in end.pending if isinstance(frame, DrawFromDeck))
    home = end.players[OWNER].spies - before.players[OWNER].spies
    claim(drawn == gathered, "a card is drawn for a Spy that gathers")
    claim(home == 1 + gathered, "a Spy comes home for each use")
    claim(len(before.spies) - len(end.spies) == home, "and leaves its post")


# Whoever does it, and whatever the turn remembers

HERE = "post_refinery_arrakeen"
SPACE = "arrakeen"
"""A post, and a space that is linked to it."""
CITY_POSTS = ("post_research_sietch", "post_research_refinery", HERE)
SOURCE = "dagger"


def _board(who: Seat, frame: Frame, spies: tuple[SpyAt, ...]) -> State:
    """A player has to do something with Spies, in no turn, the own one or that of the next player.

    The own Agent turn is at a space, and another player's Agent may be there.
    """
    own = counting(who, "agent", space=SPACE)
    other = counting(after_seat(who, PLAYERS), "agent", space=SPACE)
    board = tuple(sorted(spies, key=lambda spy: (spy.post, spy.seat)))

    def more(owner: Player) -> dict[str, Any]:
        out = sum(spy.seat == owner.seat for spy in spies)
        return {"spies": SPIES - out, "deck": shuffled((SOURCE,)), "discard": ()}

    return symbolic_state(
        PLAYERS,
        more,
        agents=(),
        spies=board,
        turn=Lazy("turn", (None, own, other)),
        pending=(frame,),
    )


RECALLS: dict[str, str] = {
    "placement": "a Spy is taken back for a placement",
    "effect": "an effect recalls it",
    "gather": "Intelligence is gathered",
}


@proves(
    {
        "UPR-SPY-008": Twin(
            MODULE,
            "at = spies.index(SpyAt(start, seat))",
            "at = [spy.post for spy in spies].index(start)",
        ),
        "UPR-SPY-009": Twin(
            MODULE,
            "if counts and state.turn is not None and state.turn.seat == seat:",
            "if counts and state.turn is not None:",
        ),
    },
)
def a_recall_is_noted_by_the_own_turn() -> None:
    """Unsatisfiable iff a Spy recalled is the own one, and the own turn remembers that one was.

    The Spies of others on the same post stay. A recall for a placement counts as
    `recall_first_counts` says, one in the turn of another does not. Everybody is told which Spy it
    was and what for. Nothing else changes.
    """
    who, why = anyone(PLAYERS), choose("why", tuple(RECALLS))
    count = choose("count", (1, 2)) if why == "effect" else 1
    asking: dict[str, Frame] = {
        "placement": SpyPlacement(who, source=SOURCE),
        "effect": PickSpies(who, count),
        "gather": GatherIntelligence(who, SPACE),
    }
    away = ("post_emperor", "post_fremen")
    spies = (*(SpyAt(HERE, seat) for seat in range(PLAYERS)), *(SpyAt(at, who) for at in away))
    before = _board(who, asking[why], spies)
    now, events = done_by(before, RecallSpy(who, HERE))
    claim_told(events, "recalls_spy", who, post=HERE, why=why)
    stay = [spy for spy in before.spies if spy != SpyAt(HERE, who)]
    claim(list(now.spies) == stay, "the own Spy has left its post, and no other")
    claim(now.players[who].spies == before.players[who].spies + 1, "it is in the supply")
    kept = all_of(
        player_kept(before, now, who, "spies"),
        players_kept(before, now, who),
        table_kept(before, now, "spies"),
    )
    claim(kept, "nothing else changes")
    left = {
        "placement": (SpyPlacement(who, recalled=True, source=SOURCE),),
        "effect": (PickSpies(who, 1),) if count == 2 else (),
        "gather": (DrawFromDeck(who, 1),),
    }
    claim(now.pending == left[why], "what is still due comes next")
    old, new = before.turn, now.turn
    if old is None or new is None:
        claim(old is None and new is None, "no turn begins")
        return
    own = old.seat == who
    counts = why != "placement" or follows(before, "recall_first_counts") == "yes"
    claim(new.recalled_spy == (own and counts), "the own turn remembers it")
    claim(unchanged(old, new, "recalled_spy"), "and all else that it knew")


@proves(
    {
        "UPR-SPY-007": Twin(
            MODULE,
            "if icon in frame.on or (FACTION in frame.on and icon in printed(state).tracks):",
            "if icon in frame.on or FACTION in frame.on:",
        )
    },
)
def a_spy_is_placed_where_the_effect_says() -> None:
    """Unsatisfiable iff the post has to be linked to a space of the named sort, and is noted.

    A space visited is that of the own turn. The Spy goes there from the supply; the own turn notes
    what placed it and where, and everybody is told. Nothing else changes.
    """
    who = anyone(PLAYERS)
    names = ((), ("city",), ("emperor", "fremen"), ("faction",), ("visited_space",))
    on, post = choose("on", names), choose("post", tuple(printed().posts))
    before = _board(who, SpyPlacement(who, on=on, source=SOURCE), ())
    given = PlaceSpy(who, post)
    stage(before, (given,))
    allowed = legal(IMPERIUM, before, given) is None
    turn = before.turn if on == ("visited_space",) else None
    visited = turn.space if turn is not None and turn.seat == who else None
    spaces = [printed().spaces[each] for each in printed().posts[post].spaces]
    icons = {each.icon for each in spaces}
    fits = not on or icons & {*on} or (on == ("faction",) and icons & {*printed().tracks})
    named = bool(fits) or visited in [each.id for each in spaces]
    claim(allowed == named, "it is linked to what the effect names")
    if not allowed:
        return
    now, events = done_by(before, given)
    claim_told(events, "places_spy", who, post=post)
    claim(now.spies == (SpyAt(post, who),), "the Spy is there")
    claim(only(change(before, spies=now.spies), now, who, spies=SPIES - 1), "from the supply")
    old, new = before.turn, now.turn
    if old is None or new is None:
        claim(old is None and new is None, "no turn begins")
        return
    deeds = (Deed("places", SOURCE, post),) if old.seat == who else ()
    claim(new.deeds == deeds, "the own turn notes what placed it, and where")
    claim(unchanged(old, new, "deeds"), "it remembers all else")


@proves(
    {
        "UPR-SPY-004": Twin(
            MODULE,
            'return frame.recalled or follows(state, "spy_placement_mandatory") == "yes"',
            'return frame.recalled or follows(state, "spy_placement_mandatory") == "no"',
        ),
        "UPR-SPY-006": Twin(
            MODULE,
            'return frame.recalled or follows(state, "spy_placement_mandatory") == "yes"',
            'return follows(state, "spy_placement_mandatory") == "yes"',
        ),
    },
)
def a_placement_may_be_left_but_for_a_recall_or_a_ruling() -> None:
    """Unsatisfiable iff a placement can be left unless one was taken back for it, or so ruled.

    It changes nothing, and everybody is told who has left it. Without a Spy in supply it may be
    left in any case.
    """
    who = anyone(PLAYERS)
    recalled, out = choose("supply", ((False, 2), (True, 2), (False, 3)))
    posts = ("post_emperor", "post_fremen", HERE)[:out]
    frame = SpyPlacement(who, recalled=recalled, source=SOURCE)
    before = _board(who, frame, tuple(SpyAt(post, who) for post in posts))
    given = Decline(who)
    stage(before, (given,))
    allowed = legal(IMPERIUM, before, given) is None
    duty = out < SPIES and (recalled or follows(before, "spy_placement_mandatory") == "yes")
    claim(allowed == (not duty), "it may be left")
    claim((given in options(IMPERIUM, before)) == allowed, "it is offered then")
    if allowed:
        now, events = done_by(before, given)
        claim(nothing_changed(before, now) and not now.pending, "nothing changes")
        claim_told(events, "declines_spy", who)


@proves(
    {
        "UPR-SPY-005": Twin(
            MODULE,
            "can = any(_opens_when_left(state, frame, post) for post in own)",
            "can = bool(own)",
        ),
        "UPR-SPY-007": Twin(
            MODULE,
            "            elif not _opens_when_left(state, frame, post):\n",
            "            elif _opens_when_left(state, frame, post) and post == frame.source:\n",
        ),
    },
)
def a_spy_comes_back_only_where_that_opens_a_post() -> None:
    """Unsatisfiable iff a Spy can be taken back just if a named post is open once it has left.

    If none opens one nobody is asked and nothing happens.
    """
    who = anyone(PLAYERS)
    other = after_seat(who, PLAYERS)
    holder = choose("holder", (who, other, None))
    away = ("post_emperor", "post_fremen", "post_choam")
    own = (HERE, *away[:2]) if holder == who else away
    theirs = (*CITY_POSTS[:2], *((HERE,) if holder == other else ()))
    spies = (*(SpyAt(post, who) for post in own), *(SpyAt(post, other) for post in theirs))
    before = _board(who, SpyPlacement(who, on=("city",), source=SOURCE), spies)
    stage(before)
    if holder == other:
        claim(asked(IMPERIUM, before).nobody(), "nobody is asked")
        now, events = done_alone(before)
        claim(nothing_changed(before, now) and not now.pending, "nothing happens")
        claim_told(events, "no_open_post", who)
        return
    for post in (*own, *theirs):
        opens = post in own and (holder is None or post == HERE)
        allowed = legal(IMPERIUM, before, RecallSpy(who, post)) is None
        claim(allowed == opens, f"{post} is left only if that helps")
        claim((RecallSpy(who, post) in options(IMPERIUM, before)) == opens, "it is offered then")
