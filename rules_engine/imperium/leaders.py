"""Leaders: their own abilities, the Signet ability, the training track and memories."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.catalogue.faces import LeaderFace, TrainingSpace
from rules_engine.effects import tree
from rules_engine.imperium.actions import Train
from rules_engine.imperium.conditions import visited
from rules_engine.imperium.faces import leader_face, space_face
from rules_engine.imperium.frames import DrawFromDeck, Effects, Item, PickTraining, Run
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.spies import spied_spaces
from rules_engine.imperium.state import State, follows, player, with_player
from rules_engine.imperium.turn_items import add_to_turn, is_visit_influence, turn_frame
from rules_engine.imperium.units import make_up_shortage
from rules_engine.kernel.game import FrameRules, asks, push
from rules_engine.kernel.numbers import smaller
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

SIGNET = cite("UPR-AGENT-014")
TRAINING = cite("UPR-CLAR-001", "UPR-CLAR-002")
MEMORY = cite("UPR-AGENT-014", "UPR-UNIT-006")
FLIP = cite("UPR-CLAR-003", "UPR-ROUND-005")
OWN_WORDS = cite("UPR-ROUND-005")


# Abilities of one's own


def reveal_items(state: State, seat: Seat) -> tuple[Item, ...]:
    """What a Leader's ability adds to the own Reveal turn. UPR-ROUND-005"""
    face = leader_face(state, seat)
    return _ability_items(face) if face is not None and face.ability.when == "reveal_turn" else ()


def sending_items(state: State, seat: Seat, space: str) -> tuple[Item, ...]:
    """What a Leader's ability adds to the Agent turn at this space. UPR-ROUND-005"""
    face = leader_face(state, seat)
    if face is None or face.ability.when != "sends_agent":
        return ()
    return _ability_items(face) if space_face(state, space).icon in face.ability.icons else ()


def _ability_items(face: LeaderFace) -> tuple[Item, ...]:
    return tuple(Item(effect, face.id) for effect in face.ability.effects)


def watching(state: State, seat: Seat, space: str) -> tuple[Run, ...]:
    """What the Leaders of others get, at once, when an Agent is sent to a Maker space they spy on.

    UPR-ROUND-005
    """
    if not space_face(state, space).maker:
        return ()
    return tuple(
        Run(other.seat, item)
        for other in state.players
        if other.seat != seat and space in spied_spaces(state, other.seat)
        for face in [leader_face(state, other.seat)]
        if face is not None and face.ability.when == "opponent_harvests"
        for item in _ability_items(face)
    )


# The Signet ability


def signet_items(state: State, seat: Seat, box: tuple[Item, ...]) -> tuple[Item, ...]:
    """A played card's effects; in the place of the Signet icon come those of the Leader.

    UPR-AGENT-014
    """
    face = leader_face(state, seat)
    if face is None:
        return box
    return tuple(
        change(item, effect=effect)
        for item in box
        for effect in (face.signet if _is_signet(item) else (item.effect,))
    )


def on_signet(state: State, seat: Seat, box: tuple[Item, ...]) -> tuple[Run, ...]:
    """What applies from the moment an Agent is sent with the Signet icon. UPR-CLAR-007"""
    face = leader_face(state, seat)
    if face is None or not any(map(_is_signet, box)):
        return ()
    return tuple(Run(seat, Item(effect, face.id)) for effect in face.on_signet)


def _is_signet(item: Item) -> bool:
    return isinstance(item.effect, tree.UseSignet)


def _use_signet(state: State, seat: Seat, _: tree.UseSignet, source: str) -> Step[State]:
    """The ability is the Leader's; a game without Leaders has none. UPR-AGENT-014"""
    face = leader_face(state, seat)
    if face is None:
        return Step(state, (Event("no_leader", SIGNET, seat),))
    items = tuple(Item(effect, source) for effect in face.signet)
    return Step(push(state, Effects(seat, items)))


# The training track


def _training_space(state: State, seat: Seat, space: str) -> TrainingSpace:
    face = leader_face(state, seat)
    assert face is not None
    (found,) = (each for each in face.training if each.id == space)
    return found


def _ways_on(state: State, seat: Seat) -> tuple[str, ...]:
    """The spaces that come after the token's: none at the right end. UPR-CLAR-002"""
    at = player(state, seat).training
    return () if at is None else _training_space(state, seat, at).next


def _train(state: State, seat: Seat, _: tree.Train, __: str) -> Step[State]:
    """The token goes on one space, along a path of choice; at the end it stays. UPR-CLAR-002"""
    ways = _ways_on(state, seat)
    if not ways:
        return Step(state, (Event("training_over", TRAINING, seat),))
    if len(ways) == 1:
        return _step_on(state, seat, ways[0])
    return Step(push(state, PickTraining(seat)))


def _step_on(state: State, seat: Seat, space: str) -> Step[State]:
    """The token is moved, and the reward of its new space is gained."""
    owner = player(state, seat)
    state = with_player(state, change(owner, training=space))
    reward = _training_space(state, seat, space).reward
    items = tuple(Item(effect, str(owner.leader)) for effect in reward)
    event = Event("trains", TRAINING, seat, {"training": space})
    return Step(push(state, Effects(seat, items)), (event,))


def _legal_training(state: State, frame: PickTraining, action: object) -> Refusal | None:
    if not isinstance(action, Train) or action.space not in _ways_on(state, frame.seat):
        return refusal([Reason("pick_training_space", TRAINING)])
    return None


PICK_TRAINING = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=lambda state, frame, action: _step_on(state, frame.seat, action.space),
    legal=_legal_training,
    options=lambda state, frame: tuple(
        Train(frame.seat, space) for space in _ways_on(state, frame.seat)
    ),
)


# Memories and the other side


def memorise(state: State, seat: Seat) -> Step[State]:
    """A troop goes from the supply to the Leader's memories, if there is one. UPR-UNIT-006"""
    owner = player(state, seat)
    moved = smaller(1, owner.supply)
    changed = change(owner, supply=owner.supply - moved, memories=owner.memories + moved)
    event = Event("memorises", MEMORY, seat, {"troops": moved})
    return Step(with_player(state, changed), (event,))


def _why_not_memorise(state: State, seat: Seat, _: tree.Memorise, __: str) -> Iterator[Reason]:
    allowed = follows(state, "jessica_spice_agony_no_troop") == "pay_and_draw"
    if not allowed and player(state, seat).supply < 1:
        yield Reason("no_troop_in_supply", MEMORY)


def flip(state: State, seat: Seat) -> Step[State]:
    """All memories go back to the supply, a card is drawn for each, the Leader is turned over.

    The other side's ability can be used on this very turn. UPR-CLAR-003
    """
    face = leader_face(state, seat)
    if face is None or face.turns_into is None:
        return Step(state)
    owner = player(state, seat)
    memories = owner.memories
    changed = change(owner, leader=face.turns_into, memories=0, supply=owner.supply + memories)
    made_up = make_up_shortage(with_player(state, changed), seat)
    state, space = made_up.state, visited(state, seat)
    if space is not None:
        state = add_to_turn(state, seat, sending_items(state, seat, space))
    facts = {"troops": memories, "leader": face.turns_into}
    event = Event("flips_leader", FLIP, seat, facts)
    return Step(push(state, DrawFromDeck(seat, memories)), (event, *made_up.events))


def _why_not_flip(state: State, seat: Seat, _: tree.FlipLeader, __: str) -> Iterator[Reason]:
    allowed = follows(state, "jessica_zero_memories") == "allowed"
    if not allowed and player(state, seat).memories < 1:
        yield Reason("no_memories", FLIP)


# The visited space once more


def _repeat(state: State, seat: Seat, _: tree.RepeatSpace, __: str) -> Step[State]:
    """What is printed on the visited space is due once more, and is not paid again.

    A ruling says whether the Influence of the visit is. UPR-ROUND-005
    """
    space = visited(state, seat)
    if space is None:
        return Step(state)
    again = follows(state, "reverend_mother_scope") == "with_influence"
    items = (Item(effect, space) for effect in space_face(state, space).effects)
    repeated = tuple(
        item
        for item in items
        if not isinstance(item.effect, tree.AtPlacement)
        and (again or not is_visit_influence(state, item))
    )
    event = Event("repeats_space", OWN_WORDS, seat, {"space": space})
    return Step(add_to_turn(state, seat, repeated), (event,))


def _why_not_repeat(state: State, seat: Seat, _: tree.RepeatSpace, __: str) -> Iterator[Reason]:
    """The space is resolved once before it is repeated."""
    space, frame = visited(state, seat), turn_frame(state, seat)
    if space is None or frame is None:
        return
    if any(_is_printed_duty(state, item, space) for item in frame.items):
        yield Reason("space_first", OWN_WORDS, {"space": space})


def _is_printed_duty(state: State, item: Item, space: str) -> bool:
    """Whether an effect that is still due is printed on the space and cannot be declined."""
    if item.source != space or is_visit_influence(state, item):
        return False
    return not isinstance(item.effect, tree.May | tree.Arrow)


MEANING: Meanings = {
    tree.UseSignet: Meaning(_use_signet, SIGNET),
    tree.Train: Meaning(_train, TRAINING),
    tree.Memorise: Meaning(
        lambda state, seat, _, __: memorise(state, seat), MEMORY, why_not_buy=_why_not_memorise
    ),
    tree.FlipLeader: Meaning(lambda state, seat, _, __: flip(state, seat), FLIP, _why_not_flip),
    tree.RepeatSpace: Meaning(_repeat, OWN_WORDS, why_not_buy=_why_not_repeat),
}
