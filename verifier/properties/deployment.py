"""Deploying by right of the space: where it is allowed, and how many troops may go."""

from __future__ import annotations

from rules_engine.effects.tree import Gain, May, Recruit
from rules_engine.imperium.actions import Deploy, EndTurn, PlayAgent, Retreat, Reveal
from rules_engine.imperium.frames import AgentTurn, Item, RevealTurn, Run, Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Control, State, ThisTurn, follows
from rules_engine.kernel.game import Amount, Frame, handle, legal, options, push
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Seat, Step
from verifier.changes import players_kept, table_kept
from verifier.current import assume, choose, claim, domain, quantity, stage
from verifier.numbers import all_of, any_of
from verifier.play import next_state, play_out
from verifier.positions import (
    NAMES,
    TROOPS,
    before_sending,
    plain_card,
    printed,
    symbolic_state,
)
from verifier.registry import Twin, proves

PLAYERS = 3
VISITOR: Seat = 0
MODULE = "rules_engine.imperium.units"
FROM_GARRISON = 2
"""How many troops beyond this turn's recruits may be deployed. UPR-UNIT-013"""

RULINGS = ("agent_turn_end", "no_deliberate_fizzle")
"""Rulings that say whether the turn goes on, so that troops can be deployed in it."""


# Sending the Agent


def _sent_to(space: str) -> tuple[State, State]:
    """The positions before and after an Agent was sent to a space; nothing else was done yet."""
    faces = printed().spaces.values()
    nobodys = tuple(Control(face.id, None) for face in faces if face.control_bonus)
    before = before_sending(
        space, VISITOR, PLAYERS, lambda _: {"discard": ()}, rulings=RULINGS, controls=nobodys
    )
    send = PlayAgent(VISITOR, plain_card(space), space)
    after, _ = play_out(before, apart=(AgentTurn,), first=send)
    return before, after


@proves(
    {
        "UPR-UNIT-008": Twin(
            "rules_engine.imperium.agent_turn", "combat=face.combat", "combat=face.maker"
        )
    },
)
def an_agent_at_a_combat_space_may_deploy() -> None:
    """Unsatisfiable iff an Agent brings the right to deploy to a Combat space, and to no other.

    At a Combat space one troop may go if the garrison has one; at another space, and before an
    Agent is sent in the turn, no number may.
    """
    space = choose("space", tuple(printed().spaces))
    before, state = _sent_to(space)
    given = Deploy(VISITOR, quantity("troops"))
    claim(legal(IMPERIUM, before, given) is not None, "nobody may go before the Agent")
    if not printed().spaces[space].combat:
        claim(legal(IMPERIUM, state, given) is not None, "nobody may go")
        return
    assume(state.players[VISITOR].garrison >= 1)
    claim(legal(IMPERIUM, state, Deploy(VISITOR, 1)) is None, "a troop may go")


@proves(
    {
        "UPR-UNIT-015": Twin(
            MODULE,
            "if turn is None or not (turn.combat or turn.deployable):\n        yield",
            "if turn is None:\n        yield",
        )
    },
)
def recruits_at_other_spaces_stay_in_the_garrison() -> None:
    """Unsatisfiable iff troops recruited at a space that is no Combat space cannot be deployed.

    They are in the garrison, the Conflict has as many troops as before, and no number may go.
    """
    space = choose("space", tuple(face.id for face in printed().spaces.values() if not face.combat))
    (_, sent), wanted = _sent_to(space), quantity("wanted")
    old = sent.players[VISITOR]
    assume(wanted <= old.supply)
    state = _recruits(sent, wanted, space)
    new = state.players[VISITOR]
    claim(new.garrison == old.garrison + wanted, "the recruits are in the garrison")
    claim(new.troops == old.troops, "the Conflict has as many troops as before")
    refused = legal(IMPERIUM, state, Deploy(VISITOR, quantity("troops"))) is not None
    claim(refused, "nobody may go")


def _recruits(state: State, wanted: Quantity, source: str) -> State:
    """The position after an effect of the turn in progress has recruited troops."""
    return next_state(push(state, Run(VISITOR, Item(Recruit(wanted), source))))


# How many


def _at_a_combat_space() -> State:
    """An Agent turn at a Combat space: any troops were recruited and deployed in it.

    No more than the rules allow are deployed, and some of them may have left the Conflict again. An
    effect is still due, so that the turn goes on under every ruling.
    """
    space = next(face.id for face in printed().spaces.values() if face.combat)
    recruited, deployed = quantity("recruited"), quantity("deployed")
    domain(deployed <= recruited + FROM_GARRISON)
    staying = quantity("staying")
    domain(all_of(staying <= deployed, staying <= quantity(f"{NAMES[VISITOR]}.troops", 0, TROOPS)))
    return symbolic_state(
        PLAYERS,
        lambda owner: {"intrigues": ()} if owner.seat == VISITOR else {},
        turn=ThisTurn(
            VISITOR,
            kind="agent",
            space=space,
            combat=True,
            recruited=recruited,
            deployed=deployed,
            staying=staying,
            most_deployed=deployed,
        ),
        pending=(AgentTurn(VISITOR, (Item(Gain(1, "spice"), space),)),),
    )


@proves(
    {
        "UPR-UNIT-012": Twin(
            MODULE,
            "return turn.recruited + others - turn.deployed",
            "return smaller(turn.recruited, 1) + others - turn.deployed",
        )
    },
)
def all_recruits_of_the_turn_may_be_deployed() -> None:
    """Unsatisfiable iff any number of this turn's recruits may be deployed at a Combat space.

    They are those recruited before and by one more effect of the space or of a card, as far as they
    are in the garrison, and none was deployed yet: under a ruling all go at once. Just as many go
    from the garrison to the Conflict.
    """
    before = _at_a_combat_space()
    recruited = quantity("recruited")
    assume(quantity("deployed") == 0)
    space, card = next(iter(printed().spaces)), next(iter(printed().cards))
    state = _recruits(before, quantity("wanted"), choose("source", (space, card)))
    old = state.players[VISITOR]
    more = before.players[VISITOR].supply - old.supply
    troops = quantity("troops", 1)
    assume(all_of(troops <= recruited + more, troops <= old.garrison))
    given = Deploy(VISITOR, troops)
    stage(state, (given,))
    done = handle(IMPERIUM, state, given)
    claim(isinstance(done, Step), "so many recruits may go")
    if isinstance(done, Step):
        new = done.state.players[VISITOR]
        claim(new.garrison == old.garrison - troops, "they leave the garrison")
        claim(new.troops == old.troops + troops, "they are in the Conflict")


def _offered(state: State) -> list[Amount]:
    """The numbers of troops that the visitor is offered to deploy."""
    found = [each for each in options(IMPERIUM, state) if isinstance(each, Amount)]
    return [each for each in found if each.make is Deploy]


@proves(
    {"UPR-UNIT-013": Twin(MODULE, "FROM_GARRISON = 2", "FROM_GARRISON = 3")},
)
def at_most_two_more_than_the_recruits_are_deployed() -> None:
    """Unsatisfiable iff a number of troops is allowed, and offered, just within the limit.

    With what was deployed before it is at most this turn's recruits and two more; it is at least
    one, and no more than the garrison has. Where the ruling `deploy_split` says so, nothing is
    allowed after a first deployment. What is deployed so far is counted, so the limit of the turn
    is kept in the end.
    """
    before = _at_a_combat_space()
    recruited, deployed = quantity("recruited"), quantity("deployed")
    troops = quantity("troops")
    old = before.players[VISITOR]
    within = all_of(
        troops >= 1,
        troops <= old.garrison,
        deployed + troops <= recruited + FROM_GARRISON,
        any_of(deployed == 0, follows(before, "deploy_split") != "at_once"),
    )
    given = Deploy(VISITOR, troops)
    stage(before, (given,))
    done = handle(IMPERIUM, before, given)
    claim(within == isinstance(done, Step), "it is allowed just within the limit")
    offered = [all_of(each.low <= troops, troops <= each.high) for each in _offered(before)]
    claim(within == any_of(*offered), "it is offered just within the limit")
    if isinstance(done, Step):
        turn = done.state.turn
        assert turn is not None
        claim(turn.deployed == deployed + troops, "what is deployed is counted")
        claim(turn.deployed <= turn.recruited + FROM_GARRISON, "the limit is kept")


@proves(
    {
        "UPR-UNIT-011": Twin(
            "rules_engine.imperium.deployment",
            "deploy_or_not = units.deploy if isinstance(action, Deploy) else units.take_back",
            "deploy_or_not = units.deploy",
        )
    },
)
def troops_deployed_this_turn_are_taken_back_only_as_ruled() -> None:
    """Unsatisfiable iff just troops deployed this turn may be taken back, if the ruling lets them.

    They are at least one, and no more than were deployed and are still in the Conflict; a number is
    offered exactly if it is allowed. Just as many are in the garrison again, the turn counts them
    no longer, and nothing changes for anybody else or on the board.
    """
    before = _at_a_combat_space()
    troops = quantity("troops")
    given = Retreat(VISITOR, troops)
    stage(before, (given,))
    may = all_of(
        troops >= 1,
        troops <= quantity("staying"),
        follows(before, "deploy_takeback") != "final",
    )
    done = handle(IMPERIUM, before, given)
    claim(may == isinstance(done, Step), "it is allowed just as ruled")
    numbers = [each for each in options(IMPERIUM, before) if isinstance(each, Amount)]
    back = [each for each in numbers if each.make is Retreat]
    offered = [all_of(each.low <= troops, troops <= each.high) for each in back]
    claim(may == any_of(*offered), "it is offered just then")
    if isinstance(done, Step):
        old, new = before.players[VISITOR], done.state.players[VISITOR]
        claim(new.garrison == old.garrison + troops, "they are in the garrison")
        claim(new.troops == old.troops - troops, "they have left the Conflict")
        turn = done.state.turn
        assert turn is not None
        claim(turn.deployed == quantity("deployed") - troops, "they count as not deployed")
        claim(turn.staying == quantity("staying") - troops, "they count as not there")
        claim(players_kept(before, done.state, VISITOR), "nothing changes for the others")
        claim(table_kept(before, done.state), "nothing changes on the board")


# Whether


def _with_rights() -> State:
    """A Reveal turn with nothing due, an Agent turn with no duty, or a turn not yet decided.

    Once it is decided it is so with and without each word about deploying in the turn; before, only
    an effect can have let recruits be deployed.
    """
    kind = choose("kind", ("undecided", "agent", "reveal"))
    decided = kind != "undecided"
    deployable = choose("deployable", (False, True))
    combat, forbidden = (
        decided and choose(name, (False, True)) for name in ("combat", "forbidden")
    )
    turn = ThisTurn(
        VISITOR,
        kind=kind,
        combat=combat,
        deployable=deployable,
        forbidden=forbidden,
        recruited=quantity("recruited"),
        deployed=quantity("deployed", 0, 2),
        staying=0,
    )
    left = (Item(May(Gain(1, "spice")), next(iter(printed().spaces))),)
    frames: dict[str, Frame] = {
        "undecided": Turn(VISITOR),
        "agent": AgentTurn(VISITOR, left),
        "reveal": RevealTurn(VISITOR, ()),
    }
    own = {"intrigues": (), "set_aside": (), "hand": (), "agents": 2}
    return symbolic_state(
        PLAYERS,
        lambda owner: own if owner.seat == VISITOR else {},
        turn=turn,
        row=(),
        reserve=(),
        pending=(frames[kind],),
    )


@proves(
    {
        "UPR-UNIT-014": Twin(
            MODULE,
            'FORBIDDEN)\n    if troops < 1:\n        yield Reason("at_least_one"',
            'FORBIDDEN)\n    if troops < 2:\n        yield Reason("at_least_one"',
        )
    },
)
def whoever_may_deploy_may_deploy_fewer_or_none() -> None:
    """Unsatisfiable iff with a number of troops every smaller one may be deployed, and none too.

    That is so before the kind of turn is decided, in an Agent turn without a duty and in a Reveal
    turn. A number is offered exactly if it is allowed, and without any the turn can always be
    ended, or the Reveal turn begun.
    """
    before = _with_rights()
    troops, fewer = quantity("troops", 1), quantity("fewer", 1)
    assume(fewer <= troops)
    stage(before, (Deploy(VISITOR, fewer),))
    allowed = legal(IMPERIUM, before, Deploy(VISITOR, troops)) is None
    if allowed:
        smaller = legal(IMPERIUM, before, Deploy(VISITOR, fewer)) is None
        claim(smaller, "fewer may be deployed")
    offered = [all_of(each.low <= troops, troops <= each.high) for each in _offered(before)]
    claim(any_of(*offered) == allowed, "a number is offered exactly if it is allowed")
    going_on = Reveal if isinstance(before.pending[-1], Turn) else EndTurn
    claim(going_on(VISITOR) in options(IMPERIUM, before), "the turn may go on without any")
