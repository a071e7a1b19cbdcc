"""CHOAM contracts: taking them, completing them, and what counts them."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Count
from rules_engine.imperium import resources
from rules_engine.imperium.actions import Decline, TakeContract
from rules_engine.imperium.faces import (
    card_face,
    contract_face,
    knows_card,
    leader_face,
    space_face,
)
from rules_engine.imperium.frames import Effects, FillContracts, Item, PickContract, Run
from rules_engine.imperium.meaning import Meaning, Meanings
from rules_engine.imperium.state import (
    State,
    ThisTurn,
    follows,
    own_turn,
    player,
    with_deed,
    with_player,
)
from rules_engine.kernel.decks import ANY, Cards, with_card, without_card, without_top
from rules_engine.kernel.drawing import draws_from
from rules_engine.kernel.errors import UnknownRead
from rules_engine.kernel.game import Answer, FrameRules, asks, push
from rules_engine.kernel.outcomes import Event, Reason, Refusal, Seat, Step, refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.index import cite

FACE_UP = 2
INSTEAD = 2
"""The Solari that the icon gives when there is no contract to take."""

MODULE_OFF = cite("UPR-CHOAM-006")
NONE_LEFT = cite("UPR-CHOAM-009")
TAKE = cite("UPR-CHOAM-007", "UPR-CHOAM-008")
SET_ASIDE = cite("UPR-CHOAM-005", "UPR-ROUND-005")
COMPLETE = cite("UPR-CHOAM-010", "UPR-CHOAM-015", "UPR-CHOAM-016")
HELD = cite("UPR-CHOAM-017", "UPR-CHOAM-010")
UNFULFILLED = cite("UPR-CHOAM-010")
HARVEST = cite("UPR-CHOAM-012", "UPR-CHOAM-010")
REFILL = cite("UPR-CHOAM-002", "UPR-CHOAM-008")
COMPLETED_BY = {
    "visit": cite("UPR-CHOAM-011", "UPR-CHOAM-017"),
    "harvest": cite("UPR-CHOAM-012", "UPR-CHOAM-017"),
    "taking": cite("UPR-CHOAM-013"),
    "acquire": cite("UPR-CHOAM-014"),
}
"""The rules about what completes a contract."""

COUNTED = tree.Number("completed_contracts")


# Taking


def set_aside_for(state: State, seat: Seat) -> Cards:
    """The contracts that only this player's Leader may take."""
    face = leader_face(state, seat)
    own = () if face is None else face.contracts
    return tuple(contract for contract in state.leader_contracts if contract in own)


def _take_by_effect(state: State, seat: Seat, _: tree.TakeContract, __: str) -> Step[State]:
    """A contract is taken; where there is none, the icon is 2 Solari. UPR-CHOAM-006, UPR-CHOAM-009

    Those set aside for a Leader are taken instead of face-up ones, or after them as a ruling says.
    """
    if not state.config.choam:
        return _solari_instead(state, seat, MODULE_OFF)
    if not state.contract_row and not _set_aside_remain(state, seat):
        return _solari_instead(state, seat, NONE_LEFT)
    return Step(push(state, PickContract(seat)))


def _set_aside_remain(state: State, seat: Seat) -> bool:
    """Whether an empty market leaves contracts for this player. UPR-CHOAM-009"""
    ruled_out = follows(state, "shaddam_exhausted_market") == "two_solari"
    return bool(set_aside_for(state, seat)) and not ruled_out


def _solari_instead(state: State, seat: Seat, rules: tuple[str, ...]) -> Step[State]:
    return resources.gain(state, seat, INSTEAD, "solari", rules)


def why_no_contract(state: State, _: object) -> Iterator[Reason]:
    """Why no contract can be taken where no effect says so now.

    UPR-CHOAM-006, UPR-CHOAM-007, UPR-CHOAM-009
    """
    if state.contract_row:
        yield Reason("only_by_effect", TAKE)
    elif state.config.choam:
        yield Reason("no_contract_left", NONE_LEFT + TAKE)
    else:
        yield Reason("no_module", MODULE_OFF + TAKE)


def _prefers_solari(state: State) -> bool:
    """Whether 2 Solari may be chosen: the market is empty, and the ruling gives the choice."""
    return not state.contract_row and follows(state, "shaddam_exhausted_market") == "choice"


def _may_decline(state: State) -> bool:
    return _prefers_solari(state) or follows(state, "contract_taking") == "optional"


def _legal_contract(state: State, _: PickContract, action: object) -> Refusal | None:
    match action:
        case Decline() if _may_decline(state):
            return None
        case TakeContract(seat, contract):
            if contract in state.contract_row or contract in set_aside_for(state, seat):
                return None
            if ANY in state.contract_row:
                raise UnknownRead("the face-up contracts")
            facts = {"contract": contract}
            if contract in state.leader_contracts:
                return refusal([Reason("contract_set_aside", SET_ASIDE + TAKE, facts)])
            return refusal([Reason("contract_not_there", TAKE, facts)])
        case _:
            return refusal([Reason("take_contract_first", TAKE)])


def _contract_options(state: State, frame: PickContract) -> tuple[TakeContract | Decline, ...]:
    there = dict.fromkeys((*state.contract_row, *set_aside_for(state, frame.seat)))
    takes = tuple(TakeContract(frame.seat, contract) for contract in there if contract != ANY)
    return (*takes, *((Decline(frame.seat),) if _may_decline(state) else ()))


def _pick(state: State, frame: PickContract, action: object) -> Step[State]:
    """The picked contract is kept, and one taken from the board is replaced. UPR-CHOAM-008"""
    if isinstance(action, TakeContract):
        return take(state, frame.seat, action.contract)
    if _prefers_solari(state):
        return _solari_instead(state, frame.seat, NONE_LEFT)
    return Step(state, (Event("declines_contract", TAKE, frame.seat),))


PICK_CONTRACT = FrameRules(
    asks=lambda _, frame: asks(frame.seat),
    apply=_pick,
    legal=_legal_contract,
    options=_contract_options,
)


def take(state: State, seat: Seat, contract: str) -> Step[State]:
    """A contract goes to its taker; one that is complete when taken is completed at once.

    UPR-CHOAM-007, UPR-CHOAM-008, UPR-CHOAM-013
    """
    owner = player(state, seat)
    state = with_player(state, change(owner, contracts=with_card(owner.contracts, contract)))
    if contract_face(state, contract).completed_by == "taking":
        state = push(state, Run(seat, Item(tree.CompleteContract(contract), contract)))
    rules = TAKE
    if contract in state.contract_row:
        row = without_card(state.contract_row, contract)
        state = push(change(state, contract_row=row), FillContracts())
    else:
        left = without_card(state.leader_contracts, contract)
        state, rules = change(state, leader_contracts=left), SET_ASIDE
    return Step(state, (Event("takes_contract", rules, seat, {"contract": contract}),))


# The face-up contracts are filled up


def _fill(state: State, frame: FillContracts, answer: Answer | None) -> Step[State]:
    """A contract from the bank is turned up while there are fewer than two. UPR-CHOAM-008"""
    if answer is None:
        return Step(state)
    contract = answer.outcome
    deck = without_top(state.contract_deck, contract)
    row = with_card(state.contract_row, contract)
    state = push(change(state, contract_deck=deck, contract_row=row), frame)
    return Step(state, (Event("contract_up", REFILL, None, {"contract": contract}),))


FILL_CONTRACTS = draws_from(
    lambda state, _: state.contract_deck,
    lambda state, _: len(state.contract_row) < FACE_UP,
    _fill,
    REFILL,
)


# Completing


def sending_items(state: State, turn: ThisTurn, space: str) -> tuple[Item, ...]:
    """The contracts held when the Agent was sent that this visit completes, or may complete.

    UPR-CHOAM-011, UPR-CHOAM-012, UPR-CHOAM-017
    """
    return tuple(item for held in turn.held for item in _completions(state, held, space))


def _completions(state: State, contract: str, space: str) -> Iterator[Item]:
    face = contract_face(state, contract)
    completes = tree.CompleteContract(contract)
    if face.completed_by == "visit" and face.target == space:
        yield Item(completes, contract)
    elif face.completed_by == "harvest" and space_face(state, space).maker:
        yield Item(tree.If(_harvested(state, face.amount), completes), contract)


def _harvested(state: State, amount: int) -> Condition:
    """So much spice was gained in the turn, or just so much if the ruling says so."""
    enough = tree.AtLeast("spice_gained_this_turn", amount)
    if follows(state, "harvest_amount") == "at_least":
        return enough
    return tree.Both(enough, tree.Not(tree.AtLeast("spice_gained_this_turn", amount + 1)))


def after_acquiring(state: State, seat: Seat, card: str) -> State:
    """The acquired card's own box comes first, so it is to be pushed after this. UPR-CHOAM-014"""
    completed = (
        Run(seat, Item(tree.CompleteContract(contract), contract))
        for contract in player(state, seat).contracts
        if contract_face(state, contract).completed_by == "acquire"
        and contract_face(state, contract).target == card
    )
    return push(state, *completed)


def complete(state: State, seat: Seat, contract: str) -> Step[State]:
    """A completed contract is turned down, and its reward gained. UPR-CHOAM-015, UPR-CHOAM-016"""
    owner = player(state, seat)
    if contract not in owner.contracts:
        return Step(state)
    face = contract_face(state, contract)
    changed = change(
        owner,
        contracts=without_card(owner.contracts, contract),
        completed=with_card(owner.completed, contract),
    )
    reward = tuple(Item(effect, contract) for effect in face.reward)
    state = push(with_player(state, changed), *_counted_again(state, seat), Effects(seat, reward))
    rules = COMPLETED_BY[face.completed_by] + COMPLETE
    return Step(state, (Event("completes_contract", rules, seat, {"contract": contract}),))


def note_count(state: State, seat: Seat, counted: Count, source: str) -> State:
    """Remember what has counted completed contracts, if later ones are still to be added."""
    if counted != COUNTED or follows(state, "interstellar_trade_count") == "once":
        return state
    return with_deed(state, seat, "counts", source, COUNTED.measure)


def _counted_again(state: State, seat: Seat) -> tuple[Run, ...]:
    """What has counted completed contracts in this Reveal turn gets one more."""
    turn = own_turn(state, seat)
    if turn is None or turn.kind != "reveal":
        return ()
    return tuple(
        Run(seat, Item(part.effect, deed.source))
        for deed in turn.deeds
        if deed.kind == "counts" and knows_card(state, deed.source)
        for effect in card_face(state, deed.source).reveal
        for part in tree.walk(effect)
        if isinstance(part, tree.Per) and part.count == COUNTED
    )


def why_not_completed(state: State, seat: Seat, contract: str) -> Iterator[Reason]:
    """Why nothing that happened in this turn completes a contract.

    UPR-CHOAM-010, UPR-CHOAM-017
    """
    facts = {"contract": contract}
    kind = contract_face(state, contract).completed_by
    turn = own_turn(state, seat)
    if contract not in player(state, seat).contracts:
        yield Reason("contract_not_held", UNFULFILLED + COMPLETED_BY[kind], facts)
    elif turn is not None and turn.space is not None and contract not in turn.held:
        yield Reason("contract_taken_since", HELD + COMPLETED_BY[kind], facts)
    else:
        yield Reason("contract_not_fulfilled", COMPLETED_BY[kind] + UNFULFILLED, facts)


def _why_not_complete(
    state: State, seat: Seat, effect: tree.CompleteContract, _: str
) -> Iterator[Reason]:
    if effect.contract not in player(state, seat).contracts:
        yield Reason("contract_not_held", HELD, {"contract": effect.contract})


MEANING: Meanings = {
    tree.TakeContract: Meaning(_take_by_effect, TAKE + MODULE_OFF),
    tree.CompleteContract: Meaning(
        lambda state, seat, effect, _: complete(state, seat, effect.contract),
        COMPLETE,
        _why_not_complete,
    ),
}
