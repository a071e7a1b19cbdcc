"""A wrong moment: the rule that a refusal names first is the one that says when."""

from __future__ import annotations

from typing import Any

from rules_engine.catalogue.faces import IntrigueFace, Way
from rules_engine.effects.tree import Gain
from rules_engine.imperium import actions, frames
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import AgentAt, Player, SpyAt, State
from rules_engine.kernel.game import Action, Frame, legal, window
from rules_engine.kernel.outcomes import Seat
from rules_engine.kernel.records import change
from verifier.current import choose, claim, stage
from verifier.positions import SPIES, TROOPS, covered_config, printed, symbolic_state
from verifier.registry import Twin, proves
from verifier.seats import after, anyone, counting
from verifier.watched import Lazy

MODULE = "rules_engine.imperium.windows"
PLAYERS = 3
SPACE, LINKED, ELSEWHERE = "arrakeen", "post_refinery_arrakeen", "post_emperor"
"""A space, a post that is linked to it, and one that is not."""
CARD = "any_intrigue"
WAYS = ("plot", "combat", "won", "endgame")

COMBAT = (frames.EndCombat(), frames.ResolveCombat())


def _moments(other: Seat) -> dict[str, tuple[Frame, ...]]:
    """Moments in which another player, or nobody, has to decide something."""
    return {
        "nothing": (),
        "a turn": (frames.Turn(other),),
        "a question": (frames.PickTrack(other, 1, gain=True),),
        "the Intrigue step": (*COMBAT, frames.CombatIntrigues(other)),
        "a question in it": (
            *COMBAT,
            frames.CombatIntrigues(other),
            frames.PickTrack(other, 1, gain=True),
        ),
        "rewards": (frames.EndCombat(), frames.PickTrack(other, 1, gain=True)),
        "a Conflict won": (frames.EndCombat(), frames.WinIntrigues(other)),
    }


IN_TURNS = ("PlayAgent", "Reveal", "EndTurn", "Acquire", "Deploy")
STEP = ("the Intrigue step", "a question in it")
RESOLVED = ("rewards", "a Conflict won")


A_TROOP: dict[str, Any] = {
    "supply": TROOPS - 1,
    "garrison": 0,
    "troops": 1,
    "sandworms": 0,
    "strength": 0,
}


def _at(pending: tuple[Frame, ...], *turns: Any, fights: Seat | None = None, **slots: Any) -> State:
    """A position in which these frames are pending, in no turn or in one of these.

    Everybody has a troop in the Conflict, but for one who may have any units.
    """
    face = IntrigueFace(CARD, "Any", 1, tuple(Way(each, (Gain(1, "spice"),)) for each in WAYS))
    config = change(covered_config(PLAYERS), intrigues=(face,))
    known: dict[str, Any] = {"config": config, "turn": Lazy("turn", (None, *turns))}
    frames_now: Any = pending

    def more(owner: Player) -> dict[str, Any]:
        return {"intrigues": (), **({} if owner.seat == fights else A_TROOP)}

    return symbolic_state(PLAYERS, more, pending=frames_now, **{**known, **slots})


def _turns(who: Seat) -> tuple[Any, ...]:
    """An own Agent or Reveal turn, with or without a Combat space, or the next player's."""
    combat = Lazy("turn.combat", (False, True))
    deployable = Lazy("turn.deployable", (False, True))
    known = {"combat": combat, "deployable": deployable, "space": None}
    own = tuple(counting(who, kind, **known) for kind in ("agent", "reveal"))
    return (*own, counting(after(who, PLAYERS), "agent", **known))


def _first_rules(state: State, given: Action) -> list[str]:
    """The rule that each reason of a closed window names first, and of the refusal the same.

    The refusal begins with them.
    """
    stage(state, (given,))
    told = window(IMPERIUM, state, given)
    refused = legal(IMPERIUM, state, given)
    claim(refused is not None, "it is refused")
    if refused is not None:
        claim(refused.reasons[: len(told)] == told, "the rule that says when comes first")
    return [reason.rules[0] for reason in told]


@proves(
    {
        "UPR-REVEAL-009": Twin(
            MODULE, "if player(state, action.by).revealed:", "if player(state, 0).revealed:"
        ),
        "UPR-ROUND-003": Twin(
            MODULE,
            "return () if own_turn(state, action.by) else (Reason",
            "return () if state.turn else (Reason",
        ),
        "UPR-ACQ-001": Twin(
            MODULE,
            'if turn is not None and turn.kind == "reveal":',
            "if turn is not None:",
        ),
        "UPR-UNIT-008": Twin(
            MODULE,
            "if turn is not None and (turn.combat or turn.deployable):",
            "if turn is not None and turn.combat:",
        ),
    },
    cases=tuple({"action": name} for name in IN_TURNS),
)
def what_is_done_in_turns_waits_for_the_own_turn(action: str) -> None:
    """Unsatisfiable iff what belongs to a turn is refused by the rule that says to which.

    No turn after the own Reveal turn, none besides one in progress, and else the turn order; cards
    are bought in the own Reveal turn; deploying takes a Combat space in the own turn, and when
    Combat is being resolved it is told that the Intrigue step is over, too.
    """
    who = anyone(PLAYERS)
    moments = _moments(after(who, PLAYERS))
    deploys = action == "Deploy"
    moment = choose("moment", tuple(moments) if deploys else ("nothing", "a turn", "rewards"))
    before = _at(moments[moment], *_turns(who))
    given: dict[str, Action] = {
        "PlayAgent": actions.PlayAgent(who, "dagger", SPACE),
        "Reveal": actions.Reveal(who),
        "EndTurn": actions.EndTurn(who),
        "Acquire": actions.Acquire(who, "dagger"),
        "Deploy": actions.Deploy(who, 1),
    }
    told = _first_rules(before, given[action])
    turn = before.turn if before.turn is not None and before.turn.seat == who else None
    over = ["UPR-COMBAT-006"] if moment in RESOLVED else []
    match action:
        case "PlayAgent" | "Reveal":
            busy = "UPR-ROUND-003" if turn is None else "UPR-AGENT-003"
            wanted = ["UPR-REVEAL-009" if before.players[who].revealed else busy]
        case "EndTurn":
            wanted = ["UPR-ROUND-003"] if turn is None else []
        case "Acquire":
            revealing = turn is not None and turn.kind == "reveal"
            wanted = [] if revealing else ["UPR-ACQ-001"]
        case _:
            may = turn is not None and (turn.combat or turn.deployable)
            wanted = [] if may else ["UPR-UNIT-008", *over]
    claim(told == wanted, "the rule that says when is named")


@proves(
    {
        "UPR-ROUND-007": Twin(
            MODULE,
            "return () if own_turn(state, seat) else (Reason",
            "return () if state.turn else (Reason",
        ),
        "UPR-COMBAT-003": Twin(
            MODULE,
            "        if combat.takes_part(state, seat):\n",
            "        if combat.takes_part(state, state.first_player):\n",
        ),
        "UPR-COMBAT-006": Twin(
            MODULE,
            "return any(isinstance(frame, AFTER_STEP) for frame in state.pending)",
            "return any(isinstance(frame, AFTER_STEP) for frame in state.pending[-1:])",
        ),
    },
)
def an_intrigue_card_out_of_time_is_told_its_time() -> None:
    """Unsatisfiable iff an Intrigue card is refused by the rule about the time of its type.

    A Plot card waits for the own turn. A Combat card, and a pass, are told that chances go round,
    that a unit is missing, that the step is over, or that there is none as yet. A card that acts on
    winning waits for that, one of the Endgame for the Endgame.
    """
    who = anyone(PLAYERS)
    moments = _moments(after(who, PLAYERS))
    moment = choose("moment", tuple(moments))
    before = _at(moments[moment], *_turns(who)[:1], _turns(who)[-1], fights=who)
    kind = choose("kind", (*WAYS, "pass"))
    play = actions.PlayIntrigue(who, CARD, WAYS.index(kind) if kind in WAYS else 0)
    told = _first_rules(before, actions.Pass(who) if kind == "pass" else play)
    wanted: list[str]
    match kind:
        case "plot":
            own = before.turn is not None and before.turn.seat == who
            wanted = [] if own else ["UPR-ROUND-004"]
        case "won":
            wanted = ["UPR-COMBAT-008"]
        case "endgame":
            wanted = ["UPR-END-003"]
        case _ if moment in STEP:
            owner = before.players[who]
            fights = owner.troops + owner.sandworms >= 1
            wanted = ["UPR-COMBAT-002" if fights else "UPR-COMBAT-003"]
        case _ if moment in RESOLVED:
            wanted = ["UPR-COMBAT-006"]
        case _:
            wanted = ["UPR-COMBAT-002" if kind == "pass" else "UPR-COMBAT-007"]
    claim(told == wanted, "the rule about its time is named")


BY_EFFECT: dict[str, tuple[Action, str]] = {
    "a retreat": (actions.Retreat(0, 1), "UPR-COMBAT-041"),
    "a Spy placed": (actions.PlaceSpy(0, LINKED), "UPR-SPY-002"),
    "an Agent recalled": (actions.RecallAgent(0, SPACE), "UPR-AGENT-013"),
    "Influence of choice": (actions.PickFaction(0, "fremen"), "UPR-FACTION-016"),
    "a card trashed": (actions.Trash(0, "dagger", "hand"), "UPR-ICON-011"),
    "a card discarded": (actions.Discard(0, "dagger"), "UPR-ICON-001"),
    "an Intrigue card given up": (actions.GiveUpIntrigue(0, CARD), "UPR-ICON-010"),
    "a card dealt out": (actions.SortCard(0, "dagger", "draw"), "UPR-ROUND-005"),
    "a card of the Row set aside": (actions.TakeFromRow(0, "dagger"), "UPR-ROUND-005"),
    "training": (actions.Train(0, "final"), "UPR-CLAR-001"),
    "a pair": (actions.Flip(0, "objective_crysknife"), "UPR-COMBAT-030"),
    "an Alliance given": (actions.GiveAlliance(0, 1), "UPR-FACTION-011"),
}
"""What only an effect, or a moment of its own, lets a player do, and the rule about it."""


@proves(
    {
        "UPR-COMBAT-041": Twin(
            MODULE,
            'return isinstance(top, takers) and getattr(top, "seat", None) == seat',
            'return getattr(top, "seat", None) == seat',
        ),
        "UPR-ICON-011": Twin(
            MODULE,
            'reasons = (Reason("only_by_effect", rules),)',
            'reasons = (Reason("only_by_effect", OWN_WORDS),)',
        ),
    },
)
def what_only_effects_allow_is_refused_by_the_rule_about_it() -> None:
    """Unsatisfiable iff what takes an effect is refused by the rule about just that."""
    who = anyone(PLAYERS)
    asked = choose("asked", (who, after(who, PLAYERS), None))
    picks = frames.ChooseOption(asked or 0, (Gain(1, "spice"), Gain(2, "spice")), "dagger")
    given, rule = BY_EFFECT[choose("what", tuple(BY_EFFECT))]
    before = _at(() if asked is None else (picks,))
    told = _first_rules(before, change(given, by=who))
    claim(told == [rule], "the rule about it is named")


@proves(
    {
        "UPR-CTRL-008": Twin(
            MODULE,
            "if control.defender(state) == action.by:",
            "if control.defender(state) is not None:",
        ),
        "UPR-CTRL-009": Twin(
            MODULE,
            'return (Reason("defence_moment_over", DEFENDS_AT_ONCE),)',
            'return (Reason("defence_moment_over", control.DEFENCE),)',
        ),
    },
)
def only_the_controller_defends_and_at_once() -> None:
    """Unsatisfiable iff a defence is refused by whose it is, or by its moment being over."""
    who = anyone(PLAYERS)
    other = after(who, PLAYERS)
    faces = printed().conflicts.values()
    there = next(face.id for face in faces if face.location == SPACE)
    nowhere = next(face.id for face in faces if face.location is None)
    frame = choose("frame", (frames.Defend(other), frames.Turn(other)))
    conflicts = Lazy("conflict", (there, nowhere, None))
    before = _at((frame,), conflict=conflicts)
    (holder,) = (each.holder for each in before.controls if each.space == SPACE)
    told = _first_rules(before, actions.Accept(who))
    if before.conflict == there and holder == who:
        wanted = ["UPR-CTRL-009"]
    else:
        wanted = ["UPR-CTRL-008"] if isinstance(frame, frames.Defend) else []
    claim(told == wanted, "the rule about the defence is named")


# Spies


def _spying(who: Seat) -> State:
    """The next player has to decide, and a player may have a Spy on a linked post.

    In the own turn an Agent was sent to the space, perhaps by Infiltrating.
    """
    other = after(who, PLAYERS)
    sent = {"space": SPACE, "recalled_spy": Lazy("turn.recalled", (False, True))}
    turns = (counting(who, "agent", **sent), counting(who, "undecided"), counting(other, "agent"))
    boards = ((), (SpyAt(LINKED, who),), (SpyAt(LINKED, other),))
    agents = Lazy("agents", ((AgentAt(SPACE, who),), (AgentAt(SPACE, other), AgentAt(SPACE, who))))

    def more(owner: Player) -> dict[str, Any]:
        supplies = (SPIES - sum(spy.seat == owner.seat for spy in board) for board in boards)
        home = (2 - (owner.seat == who), 2 - (owner.seat in (who, other)))
        known = {"agents": Lazy("agents", home), "swordmaster": False}
        return {**known, "spies": Lazy("spies", tuple(supplies))}

    board = Lazy("agents", tuple(tuple(sorted(each, key=_place)) for each in agents.options))
    return symbolic_state(
        PLAYERS,
        more,
        spies=Lazy("spies", boards),
        agents=board,
        turn=Lazy("turn", turns),
        pending=(frames.Turn(other),),
    )


def _place(at: AgentAt) -> tuple[str, Seat]:
    return at.space, at.seat


@proves(
    {
        "UPR-SPY-016": Twin(
            "rules_engine.imperium.spies",
            '    yield Reason("gather_moment_over", DIRECTLY_AFTER)\n',
            "",
        ),
        "UPR-SPY-017": Twin(
            "rules_engine.imperium.spies",
            "return joined and turn is not None and turn.space == space and turn.recalled_spy",
            "return joined and turn is not None and turn.space == space",
        ),
    },
)
def a_spy_recalled_out_of_time_is_told_its_two_uses() -> None:
    """Unsatisfiable iff a recall without a card's word names the two uses, and what stands against.

    Intelligence is gathered after sending an Agent: without one that is told. Else it is told that
    the Spy has Infiltrated already, or that none is there or linked, and that the moment is over.
    """
    who, post = anyone(PLAYERS), choose("post", (LINKED, ELSEWHERE))
    before = _spying(who)
    told = _first_rules(before, actions.RecallSpy(who, post))
    turn = before.turn
    if turn is None or turn.seat != who or turn.space is None:
        claim(told == ["UPR-SPY-010", "UPR-SPY-015"], "no Agent was sent")
        return
    there = SpyAt(post, who) in before.spies
    linked = post == LINKED
    joined = len(before.agents) > 1
    if linked and not there and joined and turn.recalled_spy:
        against = ["UPR-SPY-017"]
    else:
        against = [*([] if there else ["UPR-SPY-008"]), *([] if linked else ["UPR-SPY-011"])]
    claim(told == ["UPR-SPY-010", *against, "UPR-SPY-016"], "all that stands against it is told")
