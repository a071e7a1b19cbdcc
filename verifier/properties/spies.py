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
    Run,
    SpyPlacement,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, SpyAt, State, ThisTurn, follows
from rules_engine.kernel.decks import shuffled, size
from rules_engine.kernel.game import Action, Frame, asked, legal, options
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
    covered,
    printed,
    symbolic_state,
    unchanged,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.spies"
SPACES_FILE = "rules_engine/catalogue/uprising/spaces.toml"

POSTS = tuple({"post": post} for post in printed().posts)
ANYBODY: tuple[Seats, ...] = (NOBODY, (OWNER,), (1,), (OWNER, 1))
ON_A_POST = "on it nobody, the player, another or both, up to three own Spies on other posts"
OF_EFFECT = "3 players without Leaders, the effect is the first one's, in the own turn or in none"


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
    bounds="every observation post of the catalogue",
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
    bounds=f"every observation post, {ON_A_POST}; {OF_EFFECT}; an effect that names no post",
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
    bounds="every observation post as the one whose Spy comes back, all own Spies on posts; then "
    f"to the same post, to a free one or to another player's; {OF_EFFECT}; an effect that names "
    "no post and shares none",
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
    bounds=f"every observation post, {ON_A_POST}; {OF_EFFECT}",
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
    bounds=f"a cost of any number of Spies, none to three of the own ones on posts; {OF_EFFECT}",
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

TABLE = "every board space, 3 players without Leaders, the first of them in turn"
QUANTITIES = "any resources and Influence with which the space can be visited"
DEFAULT = "the default of the three rulings about which effects are due after sending"


@proves(
    {
        "UPR-SPY-011": Twin(
            MODULE,
            "    if not linked(state, post, space):\n",
            "    if post not in printed(state).posts:\n",
        )
    },
    bounds=f"{TABLE}; {QUANTITIES}; a card with the icon of the space, on it nobody, another, both "
    "others, or the player and another; a linked post named or one that is not, on it nobody, the "
    "player, another or both, and an own Spy on a post of the other kind; for what the move does, "
    f"{DEFAULT}",
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
    bounds=f"{TABLE}; each linked post and one that is not linked, on it nobody, the player, "
    "another or both; two cards in the deck or in the discard pile, or no card at all",
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
    bounds=f"{TABLE}; {QUANTITIES}; a card with the icon of the space that gives any spice in its "
    "Agent box, nobody on the space, on each linked post an own Spy or none; the first of several "
    "costs is picked; the default of the six rulings about when which effects of a turn are due",
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
    bounds=f"{TABLE}; {QUANTITIES}; a card with the icon of the space, another player on it; an "
    "own Spy on the linked post to Infiltrate with, on a second linked post and one that is not "
    f"linked an own Spy or none; the first of several costs is picked; {DEFAULT}",
    cases=SPACES,
)
def one_spy_serves_one_purpose(space: str) -> None:
    """Unsatisfiable iff each Infiltrate and each card for Intelligence takes a Spy of its own.

    The Spies that come home are one, and one more for the card that is to be drawn.
    """
    first, *_ = linked_posts(space)
    spies = {**around(space), first: ((OWNER,),)}
    own = {"deck": shuffled((CARD,)), "discard": ()}
    before = about_to_send(space, card=opening(space), visitors=((1,),), spies=spies, own=own)
    assume(can_visit(before, space))
    assume_default(before, *ABOUT_SENDING)
    _, end = _to_the_effects(before, first, space)
    drawn = sum(frame.count for frame in end.pending if isinstance(frame, DrawFromDeck))
    home = end.players[OWNER].spies - before.players[OWNER].spies
    claim(home == 1 + drawn, "a Spy comes home for each use")
    claim(len(before.spies) - len(end.spies) == home, "and leaves its post")
