"""CHOAM contracts: taking one, what completes it, and what that pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from rules_engine.catalogue.faces import CardFace, ContractFace
from rules_engine.effects.tree import (
    CompleteContract,
    Effect,
    Gain,
    GainBonusSpice,
    Number,
    Per,
    TakeContract,
    walk,
)
from rules_engine.imperium import actions
from rules_engine.imperium.actions import Decline, EndTurn, PlayAgent, PlayIntrigue, Resolve
from rules_engine.imperium.frames import AgentTurn, Effects, Item, PickContract, PickCost, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, follows
from rules_engine.kernel.decks import Cards, possibly_in, shuffled, size, zone
from rules_engine.kernel.game import Frame, asked, legal, options, settle
from rules_engine.kernel.numbers import pick
from rules_engine.kernel.outcomes import Seat
from verifier.current import assume, choose, claim, quantity
from verifier.full_tables import (
    TABLES,
    any_seat,
    busy_turn,
    card_of,
    claim_just,
    claim_open,
    full_table,
    plus,
)
from verifier.numbers import opposite
from verifier.play import Line, line_from, play_out
from verifier.positions import (
    NAMES,
    before_sending,
    claim_only,
    covered_config,
    influence_of,
    plain_card,
    printed,
    symbolic_state,
)
from verifier.registry import DATA_CHECK, ORDER, Twin, proves

MODULE = "rules_engine.imperium.contracts"
CONTRACTS_FILE = "rules_engine/catalogue/uprising/contracts.toml"

SOURCE = "imperial_basin"
PLAYERS = 3
WHO: Seat = 0
OTHER: Seat = 1
REST: Seat = 2
"""Who has completed all contracts that a position does not speak of."""


# Positions


def _of_kind(*kinds: str) -> tuple[str, ...]:
    """The contracts that are completed in one of these ways, each face once."""
    faces = printed().contracts.values()
    return tuple(face.id for face in faces if face.completed_by in kinds)


EVERY_KIND = ("visit", "harvest", "acquire", "taking")


def _all_copies(*kinds: str) -> Cards:
    return zone(each for each in _of_kind(*kinds) for _ in range(printed().contracts[each].copies))


def _another(contract: str) -> str:
    """A contract that is not this one."""
    return next(each for each in _of_kind("visit") if each != contract)


Slots = dict[str, Any]


def _dealt(
    row: Cards = (), bank: Cards = (), held: Cards = (), face_down: Cards = (), others: Cards = ()
) -> tuple[Slots, Callable[[Player], Slots]]:
    """Contracts on the board, held and completed by the one who acts, and held by another player.

    A third player has completed all the rest.
    """
    used = Counter((*row, *bank, *held, *face_down, *others))
    rest = Counter(_all_copies(*EVERY_KIND))
    rest.subtract(used)
    own = {
        WHO: {"contracts": zone(held), "completed": zone(face_down)},
        OTHER: {"contracts": zone(others), "completed": ()},
        REST: {"contracts": (), "completed": zone(rest.elements())},
    }
    table = {
        "contract_row": zone(row),
        "contract_deck": shuffled(bank),
        "leader_contracts": (),
    }
    return table, lambda owner: own[owner.seat]


def _about_to(frame: Frame, **lots: Cards) -> Line:
    """A position with the module, the contracts dealt in some way, in which a frame comes next."""
    table, own = _dealt(**lots)
    config = covered_config(PLAYERS, choam=True)
    return line_from(
        symbolic_state(PLAYERS, own, config=config, pending=(frame,), turn=None, **table)
    )


def _icon() -> Frame:
    """The contract icon."""
    return Run(WHO, Item(TakeContract(), next(iter(printed().spaces))))


# Taking


@proves(
    {
        "UPR-CHOAM-006": Twin(
            MODULE, "return _solari_instead(state, seat, MODULE_OFF)", "return Step(state)"
        )
    },
)
def without_the_module_the_contract_icon_is_two_solari() -> None:
    """Unsatisfiable iff the icon then gives 2 Solari and nothing else, and leaves no choice.

    Nobody has a contract before it, and nobody has one after.
    """
    none: dict[str, Any] = {"contract_row": (), "contract_deck": (), "leader_contracts": ()}
    before = symbolic_state(
        PLAYERS, lambda _: {"contracts": (), "completed": ()}, pending=(_icon(),), **none
    )
    after = line_from(before).given(None).state
    claim(not after.pending, "nothing is left to be done")
    gained = after.players[WHO].solari - before.players[WHO].solari
    claim(gained == 2, f"{NAMES[WHO]} gains 2 Solari")
    claim_only(before, after, ("solari",), ("pending",))
    held = [owner.contracts + owner.completed for owner in after.players]
    claim(not any(held), "nobody has a contract")


@proves(
    {"UPR-CHOAM-007": Twin(MODULE, "case Decline() if _may_decline(state):", "case Decline():")},
)
def the_contract_icon_takes_a_face_up_contract() -> None:
    """Unsatisfiable iff with the module the player has to pick one of the face-up contracts.

    These and no others are offered and allowed; leaving it is allowed only if `contract_taking` is
    `optional`. The contract picked is then the player's, face up, and no longer on the board.
    Nothing else changes for anybody: there are no Solari for it.
    """
    first = choose("contract", _of_kind(*EVERY_KIND))
    row = zone((first, _another(first)))
    line = _about_to(_icon(), row=row)
    before = line.state
    line = line.given(None)
    claim(asked(IMPERIUM, line.state).players == (WHO,), f"{NAMES[WHO]} has to decide")
    optional = follows(before, "contract_taking") == "optional"
    offered = [actions.TakeContract(WHO, each) for each in row]
    leave = [Decline(WHO)] if optional else []
    claim(list(options(IMPERIUM, line.state)) == [*offered, *leave], "these are offered")
    for each in _of_kind(*EVERY_KIND):
        allowed = legal(IMPERIUM, line.state, actions.TakeContract(WHO, each)) is None
        claim(allowed == (each in row), "just the face-up contracts are allowed")
    for leaving in (Decline(WHO), EndTurn(WHO)):
        allowed = legal(IMPERIUM, line.state, leaving) is None
        claim(allowed == (optional and leaving in leave), "the contract has to be taken")
    taken = choose("taken", row)
    after = line.given(actions.TakeContract(WHO, taken)).state
    claim(after.players[WHO].contracts == (taken,), "the contract is the player's")
    left = tuple(each for each in row if each != taken)
    claim(after.contract_row == left, "it is no longer on the board")
    claim_only(before, after, ("contracts",), ("contract_row", "pending"))


@proves(
    {
        "UPR-CHOAM-008": Twin(
            MODULE,
            "state = push(change(state, contract_row=row), FillContracts())",
            "state = change(state, contract_row=row)",
        )
    },
)
def a_taken_contract_is_replaced_from_the_bank() -> None:
    """Unsatisfiable iff a contract from the bank takes the place of one taken from the board.

    Any that is face up may be taken. There are two face up again while the bank has one, else one
    fewer than before. What is turned up was in the bank and no longer is, and the other face-up
    contract stays.
    """
    every = (*_all_copies("visit", "harvest", "acquire"), *_all_copies("taking"))
    in_bank = choose("bank", range(len(every) - 1))
    face_up = choose("face up", (1, 2)) if in_bank == 0 else 2
    row, bank = every[:face_up], every[face_up : face_up + in_bank]
    taken = choose("taken", row)
    before = _about_to(PickContract(WHO), row=row, bank=bank).state
    take = actions.TakeContract(WHO, taken)
    claim(legal(IMPERIUM, before, take) is None, "it may be taken")
    after, _ = play_out(before, first=take)
    left = Counter(row) - Counter((taken,))
    turned_up = Counter(after.contract_row) - left
    replaced = min(in_bank, 1)
    claim(turned_up.total() == replaced, "one is turned up if there is one")
    claim(len(after.contract_row) == face_up - 1 + replaced, "so many are face up")
    claim(size(after.contract_deck) == in_bank - replaced, "so many are in the bank")
    now = Counter(possibly_in(after.contract_deck)) + turned_up
    claim(now == Counter(bank), "what is turned up comes from the bank")


# Completing


@proves(
    {
        "UPR-CHOAM-010": Twin(
            MODULE,
            'if contract_face(state, contract).completed_by == "taking":',
            'if contract_face(state, contract).completed_by != "acquire":',
        )
    },
)
def taking_a_contract_pays_nothing_yet() -> None:
    """Unsatisfiable iff a contract that was just taken lies face up and has given nothing.

    Nothing changes for anybody but that it is held, and nothing is left to be done.
    """
    contract = choose("contract", _of_kind("visit", "harvest", "acquire"))
    line = _about_to(PickContract(WHO), row=(contract,))
    before, after = line.state, line.then(actions.TakeContract(WHO, contract)).state
    claim(not after.pending, "nothing is left to be done")
    claim(after.players[WHO].contracts == (contract,), "the contract is held")
    claim_only(before, after, ("contracts",), ("contract_row", "pending"))


@proves(
    {
        "UPR-CHOAM-015": Twin(
            MODULE,
            "contracts=without_card(owner.contracts, contract),",
            "contracts=owner.contracts,",
        ),
        "UPR-CHOAM-010": Twin(
            MODULE,
            """    if contract not in owner.contracts:
        return Step(state)
    face = contract_face(state, contract)
    changed = change(
        owner,
        contracts=without_card(owner.contracts, contract),""",
            """    face = contract_face(state, contract)
    changed = change(
        owner,
        contracts=tuple(each for each in owner.contracts if each != contract),""",
        ),
    },
)
def a_contract_pays_once_when_it_is_completed() -> None:
    """Unsatisfiable iff completing a held contract turns it down and makes its reward due once.

    It is announced; the whole reward printed on it comes next, for its owner alone, and nothing
    else changes. For a contract that lies face down already nothing changes, nothing is announced
    and nothing is due.
    """
    contract = choose("contract", _of_kind(*EVERY_KIND))
    held = choose("held", (True, False))
    lot = {"held" if held else "face_down": (contract,)}
    line = _about_to(Run(WHO, Item(CompleteContract(contract), contract)), **lot)
    before, line = line.state, line.given(None)
    after = line.state
    announced = [event.player for event in line.events if event.key == "completes_contract"]
    claim(announced == ([WHO] if held else []), "it is announced exactly if it was held")
    claim(after.players[WHO].contracts == (), "it is not held")
    claim(after.players[WHO].completed == (contract,), "it lies face down")
    reward = tuple(Item(effect, contract) for effect in printed().contracts[contract].reward)
    due = (Effects(WHO, reward),) if held else ()
    claim(after.pending == due, "its reward is due exactly if it was held")
    claim_only(before, after, ("contracts", "completed") if held else (), ("pending",))


@proves(
    {
        "UPR-CHOAM-015": Twin(
            MODULE,
            """    if effect.contract not in player(state, seat).contracts:
        yield""",
            """    if not player(state, seat).contracts + player(state, seat).completed:
        yield""",
        )
    },
)
def a_contract_that_lies_face_down_is_not_completed_again() -> None:
    """Unsatisfiable iff completing a contract can be picked among effects just while it is held.

    A ruling lets duties be picked at any time, and so this one too.
    """
    contract = choose("contract", _of_kind(*EVERY_KIND))
    held = choose("held", (True, False))
    items = (Item(CompleteContract(contract), contract), Item(Gain(1, "spice"), contract))
    state = _about_to(Effects(WHO, items), **{"held" if held else "face_down": (contract,)}).state
    allowed = legal(IMPERIUM, state, Resolve(WHO, 0)) is None
    any_time = follows(state, "no_deliberate_fizzle") == "any_time"
    claim(allowed == (held or any_time), "it can be picked only while it is held")


# What a visit completes


def _sent(before: State, space: str) -> Line:
    """An Agent is sent to the space wherever that is allowed; the cheapest cost is picked."""
    send = PlayAgent(WHO, plain_card(space), space)
    assume(legal(IMPERIUM, before, send) is None)
    line = line_from(before).then(send)
    if isinstance(line.state.pending[-1], PickCost):
        line = line.then(actions.Choose(WHO, 0))
    return line


def _effects_due(state: State) -> list[Effect]:
    """The effects of the turn in progress, in their places."""
    turn = state.pending[0]
    assert isinstance(turn, AgentTurn)
    return [item.effect for item in turn.items]


def _completions(state: State) -> dict[int, str]:
    """The effects of the turn in progress that may complete a contract, by their place."""
    return {
        at: part.contract
        for at, effect in enumerate(_effects_due(state))
        for part in walk(effect)
        if isinstance(part, CompleteContract)
    }


WHOSE = ("held", "face_down", "others")
"""Whose contracts they are: held by the visitor, completed by the visitor, or held by another."""


def _visiting(space: str, whose: str, contracts: Cards) -> State:
    table, own = _dealt(**{whose: contracts})
    return before_sending(space, WHO, PLAYERS, own, choam=True, **table)


SPACES = tuple(printed().spaces)


@proves(
    {
        "UPR-CHOAM-011": Twin(
            MODULE,
            'if face.completed_by == "visit" and face.target == space:',
            'if face.completed_by == "visit":',
        )
    },
)
def a_visit_completes_the_contracts_that_name_the_space() -> None:
    """Unsatisfiable iff an Agent sent to a space completes exactly the contracts that name it.

    Those of them that the visitor holds become due, each once, and any of them can be completed at
    once. Contracts of other players, contracts that lie face down and those that name another
    space, or a card, do not become due. Nobody's contracts change by the sending itself.
    """
    space, whose = choose("space", SPACES), choose("whose", WHOSE)
    contracts = _all_copies("visit", "acquire")
    before = _visiting(space, whose, contracts)
    line = _sent(before, space)
    sent = line.state
    named = [each for each in contracts if printed().contracts[each].target == space]
    wanted = named if whose == "held" else []
    due = _completions(sent)
    claim(sorted(due.values()) == wanted, "the contracts that name the space are due")
    now = [legal(IMPERIUM, sent, Resolve(WHO, at)) is None for at in due]
    claim(all(now), "any of them can be completed at once")
    if wanted:
        claim(legal(IMPERIUM, sent, EndTurn(WHO)) is not None, "the turn cannot end before")
    for old, new in zip(before.players, sent.players, strict=True):
        same = old.contracts == new.contracts and old.completed == new.completed
        claim(same, f"{old.name}'s contracts are as before")


MAKER_SPACES = ("deep_desert", "hagga_basin", "imperial_basin")


@proves(
    {
        "UPR-CHOAM-012": Twin(
            MODULE,
            'elif face.completed_by == "harvest" and space_face(state, space).maker:',
            'elif face.completed_by == "harvest":',
        )
    },
)
def a_harvest_contract_needs_a_visit_to_a_maker_space() -> None:
    """Unsatisfiable iff only an Agent sent to a Maker space can complete a Harvest contract.

    Then each that the visitor holds can become due once, and those of others or face down cannot.
    """
    space, whose = choose("space", SPACES), choose("whose", WHOSE)
    contracts = _all_copies("harvest")
    sent = _sent(_visiting(space, whose, contracts), space).state
    wanted = list(contracts) if whose == "held" and space in MAKER_SPACES else []
    found = sorted(_completions(sent).values())
    claim(found == wanted, "Harvest contracts can be completed exactly at Maker spaces")


@proves(
    {
        "UPR-CHOAM-012": Twin(
            "rules_engine.imperium.resources",
            "turn=change(turn, spice=turn.spice + amount)",
            "turn=change(turn, spice=amount)",
        )
    },
)
def a_harvest_is_all_the_spice_gained_in_the_turn() -> None:
    """Unsatisfiable iff a Harvest contract is completed exactly with so much spice in the turn.

    What counts is all spice gained in the turn until then: before the visit, from the controlled
    space, from the bonus spice. With the amount shown or more (with just the amount, if the ruling
    says `exactly`) the contract can be completed and lies face down then. With any other amount it
    cannot be completed and is still held.
    """
    space = choose("space", MAKER_SPACES)
    contract = choose("contract", _of_kind("harvest"))
    table, own = _dealt(held=(contract,))
    before = before_sending(
        space, WHO, PLAYERS, own, rulings=("harvest_amount",), choam=True, **table
    )
    line = _sent(before, space)
    if choose("bonus", (False, True)):
        bonus = _effects_due(line.state).index(GainBonusSpice())
        line = line.given(Resolve(WHO, bonus))
    assert before.turn is not None
    gained = line.state.players[WHO].spice - before.players[WHO].spice
    total, shown = before.turn.spice + gained, printed().contracts[contract].amount
    exactly = follows(before, "harvest_amount") == "exactly"
    enough = total == shown if exactly else total >= shown
    (place,) = _completions(line.state)
    allowed = legal(IMPERIUM, line.state, Resolve(WHO, place)) is None
    claim(allowed == enough, "it can be completed exactly with so much spice")
    claim(line.state.players[WHO].contracts == (contract,), "it is still held")
    if not allowed:
        return
    after = line.given(Resolve(WHO, place)).given(None).state
    claim(after.players[WHO].completed == (contract,), "it is completed")


@proves(
    {
        "UPR-CHOAM-011": Twin(
            MODULE, "yield Item(completes, contract)", "yield Item(tree.May(completes), contract)"
        )
    },
)
def a_contract_that_is_due_cannot_be_left() -> None:
    """Unsatisfiable iff the visitor has completed the contract, and has its reward, at turn's end.

    The contract is that of Deliver Supplies, with all effects of that visit in any order. The turn
    cannot end while it is held. At the end the visitor has the 3 Solari of the contract, and 3 more
    exactly if the visit led up to 4 Influence with the Spacing Guild.
    """
    space, contract = "deliver_supplies", "contract_deliver_supplies"
    before = _visiting(space, "held", (contract,))
    line = _sent(before, space)
    while left := len(_effects_due(line.state)):
        held = contract in line.state.players[WHO].contracts
        ends = legal(IMPERIUM, line.state, EndTurn(WHO)) is None
        claim(not (held and ends), "the turn cannot end while the contract is held")
        line = line.then(Resolve(WHO, choose(f"{left} left", range(left))))
    claim(legal(IMPERIUM, line.state, EndTurn(WHO)) is None, "then the turn can end")
    old, new = before.players[WHO], line.state.players[WHO]
    claim(new.contracts == () and new.completed == (contract,), "the contract lies face down")
    bonus = pick(influence_of(before, "spacing_guild", WHO) == 3, 3, 0)
    claim(new.solari == old.solari + 3 + bonus, f"{NAMES[WHO]} has the Solari")


@proves(
    {
        "UPR-CHOAM-012": Twin(
            MODULE,
            "yield Item(tree.If(_harvested(state, face.amount), completes), contract)",
            "yield Item(tree.May(tree.If(_harvested(state, face.amount), completes)), contract)",
        )
    },
)
def a_harvest_that_is_enough_cannot_be_left() -> None:
    """Unsatisfiable iff the turn can end exactly if the spice gained in it is not enough.

    The visit is to Imperial Basin, and its other effects are resolved. With the amount shown or
    more the Harvest contract is to be completed first; with less the turn can end, and the contract
    is still held.
    """
    contract = choose("contract", _of_kind("harvest"))
    before = _visiting("imperial_basin", "held", (contract,))
    line = _sent(before, "imperial_basin")
    while len(_effects_due(line.state)) > 1:
        line = line.given(Resolve(WHO, 0))
    assert before.turn is not None
    gained = line.state.players[WHO].spice - before.players[WHO].spice
    enough = before.turn.spice + gained >= printed().contracts[contract].amount
    ends = legal(IMPERIUM, line.state, EndTurn(WHO)) is None
    claim(opposite(enough) == ends, "the turn can end exactly without enough spice")
    claim(line.state.players[WHO].contracts == (contract,), "the contract is still held")


PLOT = "leverage"
"""A Plot Intrigue card that takes a contract in the middle of a turn."""


@proves(
    {
        "UPR-CHOAM-017": Twin(
            MODULE,
            'if contract_face(state, contract).completed_by == "taking":',
            """turn, face = own_turn(state, seat), contract_face(state, contract)
    if face.completed_by == "taking" or (turn is not None and turn.space == face.target):""",
        )
    },
    kind=ORDER,
)
def a_contract_taken_after_the_visit_is_not_completed_by_it() -> None:
    """Unsatisfiable iff a visit completes no contract that was taken after the Agent was sent.

    Of the contracts that name the space, just those held before the sending are due, as often as
    they were held then. The one taken later is held, and still is when the others are completed.
    """
    taken = choose("contract", _of_kind("visit"))
    space = printed().contracts[taken].target
    assert space is not None
    same = [each for each in _all_copies("visit") if printed().contracts[each].target == space]
    same.remove(taken)
    held = tuple(same[:1]) if choose("one held before", (False, True)) else ()
    table, own = _dealt(row=(taken,), held=held)

    def more(owner: Player) -> Slots:
        intrigues = (PLOT,) if owner.seat == WHO else ()
        return {**own(owner), "intrigues": intrigues, "standing": ()}

    before = before_sending(space, WHO, PLAYERS, more, choam=True, intrigue_discard=(), **table)
    line = _sent(before, space)
    play = PlayIntrigue(WHO, PLOT, 0)
    assume(legal(IMPERIUM, line.state, play) is None)
    line = line.then(play).then(actions.TakeContract(WHO, taken))
    now = line.state.players[WHO]
    claim(now.contracts == zone((*held, taken)), "the contract taken later is held")
    due = _completions(line.state)
    claim(tuple(due.values()) == held, "just what was held before the sending is due")
    if held and due:
        after = line.given(Resolve(WHO, min(due))).state
        claim(after.players[WHO].completed == held, "what was held before is completed")
        claim(after.players[WHO].contracts == (taken,), "the contract taken later is still held")
        claim(not _completions(after), "no other contract is due")


# Anybody, and nothing empty

SHADDAM = "shaddam_corrino_iv"
ASIDE = ("contract_sardaukar_cards", "contract_sardaukar_recall")
"""The Leader for whom contracts are set aside, and these."""


@proves(
    {
        "UPR-CHOAM-007": Twin(
            MODULE,
            "return tuple(contract for contract in state.leader_contracts if contract in own)",
            "return state.leader_contracts",
        ),
        "UPR-CHOAM-006": Twin(
            MODULE,
            "    if _prefers_solari(state):\n        return _solari_instead",
            "    if not state.contract_row:\n        return _solari_instead",
        ),
        "UPR-CHOAM-008": Twin(
            MODULE, "row = with_card(state.contract_row, contract)", "row = (contract,)"
        ),
    },
    cases=TABLES,
)
def contracts_set_aside_are_for_that_leader_alone(players: int) -> None:
    """Unsatisfiable iff just their Leader may take them instead of one that is face up.

    If none is face up, the icon is 2 Solari for everybody else, and for that Leader as a ruling
    says: the contracts, 2 Solari, or either. To take nothing is allowed just then or if taking is
    optional, and pays 2 Solari just then. What is taken is held beside the others; one taken from
    the board is replaced from the bank. Nothing else of anybody changes.
    """
    seat = any_seat(players)
    whose = choose("Leader of", (seat, (seat + 1) % players, None))
    row = choose("face up", (("table_contract_row", "wares"), ()))
    leaders = {whose: {"leader": SHADDAM}}
    before = full_table(
        seat,
        players,
        (Run(seat, Item(TakeContract(), SOURCE)),),
        each=lambda who: leaders.get(who, {}),
        contracts=(ContractFace("wares", "wares", 1, "visit", (), SOURCE),),
        contract_row=row,
        leader_contracts=ASIDE,
        turn=busy_turn(seat, "agent"),
    )
    old = before.players[seat]
    own = ASIDE if whose == seat else ()
    ruled = follows(before, "shaddam_exhausted_market") if not row and own else "set_aside"
    line = line_from(before).given(None)
    paid = {seat: {"solari": old.solari + 2}}
    if not row and (not own or ruled == "two_solari"):
        claim(not line.state.pending, "nobody is asked")
        claim_just(before, line.state, paid)
        return
    either = not row and ruled == "choice"
    may_leave = either or follows(before, "contract_taking") == "optional"
    offered = [actions.TakeContract(seat, each) for each in (*row, *own)]
    leave = [Decline(seat)] if may_leave else []
    claim(list(options(IMPERIUM, line.state)) == [*offered, *leave], "just these are offered")
    for each in (*row, *ASIDE, "table_contract_deck"):
        allowed = legal(IMPERIUM, line.state, actions.TakeContract(seat, each)) is None
        claim(allowed == (each in (*row, *own)), "just these are allowed")
    claim((legal(IMPERIUM, line.state, Decline(seat)) is None) == may_leave, "leaving, if it is")
    taken = choose("taken", (*row, *own, None)) if may_leave else choose("takes", (*row, *own))
    if taken is None:
        left = line.given(Decline(seat)).state
        claim_just(before, left, paid if either else {})
        return
    after, _ = play_out(line.given(actions.TakeContract(seat, taken)).state)
    held = {seat: {"contracts": plus(old.contracts, taken)}}
    if taken in own:
        aside = tuple(each for each in ASIDE if each != taken)
        claim_just(before, after, held, leader_contracts=aside)
        return
    face_up = plus(tuple(each for each in row if each != taken), "table_contract_deck")
    claim_just(before, after, held, contract_row=face_up, contract_deck=())


@proves(
    {
        "UPR-CHOAM-015": Twin(
            MODULE,
            "contracts=without_card(owner.contracts, contract),",
            "contracts=tuple(each for each in owner.contracts if each != contract),",
        ),
        "UPR-CHOAM-010": Twin(
            MODULE, "completed=with_card(owner.completed, contract),", "completed=(contract,),"
        ),
    },
    cases=TABLES,
)
def a_completed_contract_lies_beside_those_completed_before(players: int) -> None:
    """Unsatisfiable iff one of two equal contracts is turned down and pays its owner once.

    An effect completes it, or it is complete when it is taken. The others stay, held or face down,
    and nothing else of anybody changes.
    """
    seat = any_seat(players)
    how = choose("how", ("effect", "taking"))
    turn = busy_turn(choose("turn", (seat, (seat + 1) % players)), "agent")
    solari = quantity("reward", 1)
    kind = {"effect": "visit", "taking": "taking"}[how]
    face = ContractFace("pays", "pays", 9, kind, (Gain(solari, "solari"),), SOURCE)
    taking = how == "taking"
    held = ("pays",) if taking else ("pays", "pays")
    effect = TakeContract() if taking else CompleteContract("pays")
    before = full_table(
        seat,
        players,
        (Run(seat, Item(effect, SOURCE)),),
        {"contracts": zone((card_of(seat, "contracts"), *held))},
        {"contracts": ("pays",)},
        contracts=(face,),
        contract_row=("pays", "table_contract_row"),
        turn=turn,
    )
    first = actions.TakeContract(seat, "pays") if taking else None
    start = line_from(before).given(None).state if taking else before
    after, events = play_out(start, first=first)
    old = before.players[seat]
    new = {
        "contracts": zone((card_of(seat, "contracts"), "pays")),
        "completed": plus(old.completed, "pays"),
        "solari": old.solari + solari,
    }
    board = {"contract_row": plus(("table_contract_row",), "table_contract_deck")}
    board |= {"contract_deck": ()}
    claim_just(before, after, {seat: new}, **(board if taking else {}))
    told = [event for event in events if event.key == "completes_contract"]
    claim([event.player for event in told] == [seat], "it is told once")
    claim_open(events, players)


TRADE = "trade"


@proves(
    {
        "UPR-CHOAM-016": Twin(
            MODULE,
            "*_counted_again(state, seat), Effects(seat, reward))",
            "Effects(seat, reward))",
        ),
        "UPR-CHOAM-010": Twin(
            MODULE,
            '    if turn is None or turn.kind != "reveal":\n        return ()\n    return tuple(\n'
            "        Run(seat",
            "    if turn is None:\n        return ()\n    return tuple(\n        Run(seat",
        ),
    },
    cases=TABLES,
)
def what_counted_contracts_may_count_a_later_one(players: int) -> None:
    """Unsatisfiable iff a card counts each contract that lies face down, and later ones as ruled.

    If the ruling says that the count grows, and just in the own Reveal turn, the one completed
    afterwards is counted too. The contract itself gives nothing here; nothing else changes, but for
    what the turn remembers.
    """
    seat = any_seat(players)
    kinds = ((seat, "reveal"), (seat, "agent"), ((seat + 1) % players, "reveal"))
    whose, kind = choose("turn", kinds)
    amount = quantity("amount", 1)
    per = Per(Number("completed_contracts"), Gain(amount, "persuasion"))
    own = {"contracts": ("late",), "completed": ("early", "late")}
    before = full_table(
        seat,
        players,
        (Run(seat, Item(CompleteContract("late"), "late")), Run(seat, Item(per, TRADE))),
        own,
        cards=(CardFace(TRADE, TRADE, reveal=(per,)),),
        contracts=tuple(ContractFace(each, each, 9, "visit", ()) for each in ("early", "late")),
        turn=busy_turn(whose, kind),
    )
    after = settle(IMPERIUM, before).state
    grows = follows(before, "interstellar_trade_count") == "grows"
    times = 3 if grows and whose == seat and kind == "reveal" else 2
    old = before.players[seat]
    new = {
        "contracts": (),
        "completed": ("early", "late", "late"),
        "persuasion": old.persuasion + times * amount,
    }
    claim_just(before, after, {seat: new}, turn=after.turn)


# What the module consists of


@proves(
    {
        "UPR-CHOAM-021": Twin(
            CONTRACTS_FILE,
            'copies = 2\ncompleted_by = "harvest"',
            'copies = 1\ncompleted_by = "harvest"',
        )
    },
    kind=DATA_CHECK,
)
def the_choam_module_has_its_components() -> None:
    """Unsatisfiable iff the tables have what the module consists of.

    These are 20 contracts, 4 cards for the Imperium Deck, 4 Intrigue cards and one Leader, Shaddam
    Corrino IV.
    """
    faces = printed()
    contracts = sum(face.copies for face in faces.contracts.values())
    cards = sum(face.copies for face in faces.cards.values() if face.choam)
    intrigues = sum(face.copies for face in faces.intrigue.values() if face.choam)
    leaders = [face.id for face in faces.leaders.values() if face.choam]
    claim(contracts == 20, "there are 20 contracts")
    claim(cards == 4, "there are 4 Imperium cards of the module")
    claim(intrigues == 4, "there are 4 Intrigue cards of the module")
    claim(leaders == ["shaddam_corrino_iv"], "there is one Leader of the module")
