"""Any frame in which something is chosen, drawn or left to chance."""

from __future__ import annotations

from typing import Any

from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium import actions, frames
from rules_engine.imperium.frames import Item
from rules_engine.imperium.looking import FATES
from rules_engine.imperium.state import Alliance
from rules_engine.kernel.decks import possibly_in, shuffled
from rules_engine.kernel.game import Answer, Frame
from rules_engine.kernel.records import change
from verifier.any_effect import INSIDE, any_effect, shapes
from verifier.any_position import (
    ANY_INTRIGUE,
    Slots,
    full_stacks,
    imperium_cards,
    intrigue_piles,
    visited_spaces,
)
from verifier.current import choose, quantity
from verifier.positions import factions, printed, some_contracts, some_leader
from verifier.shapes.common import (
    Shape,
    amount,
    below_or_not,
    deck_or_none,
    due,
    in_box,
    of_reserve,
    offered,
    offers,
    one_of,
    plain,
    reveal_turn,
    sets_aside,
    source,
    starting_cards,
    training,
    trashable,
    troops,
    won,
)
from verifier.tables import RED, actor, everyone, neighbour, third
from verifier.watched import Lazy


def _equal_cards() -> Slots:
    """Two equal cards in play."""
    card = starting_cards()[1]
    return {"in_play": (card, card)}


def _group() -> Frame:
    """A group of one or two effects, or the lines of a card."""
    items = choose("items", ((), due()[:1], due()[1:], due()[2:]))
    lines = choose("lines", (False, True))
    return frames.Effects(actor(), items, choose("committed", (False, True)), lines)


def _looked_at() -> tuple[str, ...]:
    return choose("seen", (starting_cards()[:3], starting_cards()[:2]))


def _to_sort() -> Frame:
    seen = _looked_at()
    left = FATES if len(seen) == len(FATES) else choose("left", (FATES[:2], FATES[1:]))
    return frames.SortCards(actor(), seen, left)


def _looking() -> Frame:
    seen = choose("seen", ((), starting_cards()[:1], starting_cards()[:3]))
    return frames.LookAtTop(actor(), len(FATES) - len(seen), seen)


def _intrigues_or_none() -> Slots:
    usual = intrigue_piles()
    return {
        "intrigue_deck": Lazy("intrigue deck", (usual["intrigue_deck"], ())),
        "intrigue_discard": Lazy("intrigue discard", (usual["intrigue_discard"], ())),
    }


def _two_intrigues() -> Slots:
    return {"intrigues": Lazy("intrigues", (tuple(printed().intrigue)[4:6], ()))}


def _hand_or_none() -> Slots:
    """Some cards in hand, one of which says something about being discarded, or none."""
    faces = printed().cards.values()
    said = next(face.id for face in faces if face.when_discarded)
    return {"hand": Lazy("hand", (tuple(sorted((said, starting_cards()[0]))), ()))}


def _trashable_too() -> Slots:
    """The same with a card of the Reserve."""
    usual = trashable()
    hand, *none = usual["hand"].options
    return {
        **usual,
        "hand": Lazy(usual["hand"].path, (tuple(sorted((*hand, of_reserve()))), *none)),
    }


def _one_taken() -> Slots:
    """The Reserve without the card that a player has."""
    full = full_stacks()
    first = change(full[0], left=full[0].left - 1)
    return {"reserve": Lazy("cards", ((first, *full[1:]), full))}


def _pick_trash() -> Frame:
    effect: Any = choose("effect", shapes(tree.TrashCard))
    return frames.PickTrash(actor(), effect.faction, effect.zone, effect.other, starting_cards()[1])


def _equal_in_row() -> Slots:
    """The same card set aside as in the Row."""
    return {"set_aside": imperium_cards()[:1]}


PLACES = (("discard", True), ("hand", False), ("deck_top", False))
"""Where a card goes, and whether it is paid for."""


def _spy_placement() -> Frame:
    effect: Any = choose("effect", shapes(tree.PlaceSpy))
    recalled = choose("recalled", (False, True))
    return frames.SpyPlacement(actor(), recalled, effect.on, effect.sharing, starting_cards()[0])


def _posts() -> tuple[str, ...]:
    return tuple(printed().posts)


def _options() -> tuple[Effect, ...]:
    """A gain, Influence on a track that may be full, and sandworms."""
    faction = factions()[0]
    influence = tree.GainInfluence(amount(), faction)
    return (tree.Gain(amount(), "spice"), influence, tree.Summon(amount()))


def _another_loss() -> tuple[Frame, ...]:
    """Nothing, or after a loss of Influence the next one of the same cost, and a payment."""
    if choose("gain", (True, False)):
        return ()
    again = frames.Run(actor(), Item(tree.LoseInfluence(amount(), tree.ANY_FACTION), source()))
    return choose("below", ((), (_payment(), again)))


def _payment() -> Frame:
    """The last part of a cost: something is still to be paid."""
    return frames.Run(actor(), Item(tree.Pay(quantity("to be paid"), "solari"), source()))


def _full_row() -> tuple[str, ...]:
    return tuple(sorted(imperium_cards()[:5]))


def _deck() -> Any:
    return shuffled(imperium_cards()[5:7])


def _contracts_with_gap() -> Slots:
    """The second of two face-up contracts is not there yet, wherever there are two."""
    _, board, _ = some_contracts(actor(), neighbour())
    rows, decks = board["contract_row"].options, board["contract_deck"].options
    deeper = (
        shuffled((*possibly_in(deck), *row[1:])) for row, deck in zip(rows, decks, strict=True)
    )
    return {
        "contract_row": Lazy(board["contract_row"].path, tuple(row[:1] for row in rows)),
        "contract_deck": Lazy(board["contract_deck"].path, tuple(deeper)),
    }


def _icons() -> tuple[str, ...]:
    return tuple(sorted({face.icon for face in printed().objectives.values()}))


CHOICES: dict[type[Frame], Shape] = {
    frames.Effects: Shape(
        _group,
        {
            actions.Resolve: one_of(actions.Resolve, lambda: (0, 1)),
            actions.EndTurn: plain(actions.EndTurn),
        },
        alone=True,
    ),
    frames.Decide: Shape(
        lambda: frames.Decide(actor(), choose("item", due())),
        {actions.Accept: plain(actions.Accept), actions.Decline: plain(actions.Decline)},
    ),
    frames.ChooseOption: Shape(
        lambda: frames.ChooseOption(actor(), _options(), source()),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1, 2))},
    ),
    frames.PickSeveral: Shape(
        lambda: frames.PickSeveral(actor(), _options(), 2, source(), choose("picked", ((), (0,)))),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1, 2))},
    ),
    frames.PickTrack: Shape(
        lambda: frames.PickTrack(actor(), amount(), choose("gain", (True, False))),
        {actions.PickFaction: one_of(actions.PickFaction, factions)},
        below=_another_loss,
        owner=lambda: some_leader(RED, "a bonus at 2"),
    ),
    frames.SpyPlacement: Shape(
        _spy_placement,
        {
            actions.PlaceSpy: one_of(actions.PlaceSpy, _posts),
            actions.RecallSpy: offered(actions.RecallSpy),
            actions.Decline: plain(actions.Decline),
        },
        alone=True,
    ),
    frames.PickSpies: Shape(
        lambda: frames.PickSpies(actor(), amount()),
        {actions.RecallSpy: offered(actions.RecallSpy)},
        alone=True,
    ),
    frames.PickTrash: Shape(
        _pick_trash,
        {actions.Trash: offered(actions.Trash), actions.Decline: plain(actions.Decline)},
        alone=True,
        below=below_or_not,
        slots=_one_taken,
        owner=_trashable_too,
    ),
    frames.PickCopy: Shape(
        lambda: frames.PickCopy(actor(), starting_cards()[1], (INSIDE, tree.TakeSeat()), (0, 1)),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1))},
        below=in_box,
        owner=_equal_cards,
    ),
    frames.PickDiscard: Shape(
        lambda: frames.PickDiscard(actor(), amount(), source()),
        {actions.Discard: offered(actions.Discard)},
        alone=True,
        below=lambda: (_payment(),),
        owner=_hand_or_none,
    ),
    frames.PickIntrigue: Shape(
        lambda: frames.PickIntrigue(actor(), amount(), choose("trash", (False, True))),
        {actions.GiveUpIntrigue: offered(actions.GiveUpIntrigue)},
        alone=True,
        below=lambda: (_payment(),),
        owner=_two_intrigues,
    ),
    frames.Steal: Shape(
        lambda: frames.Steal(actor(), choose("victim", (neighbour(), third()))),
        {Answer: offered(Answer)},
        alone=True,
    ),
    frames.PickCard: Shape(
        lambda: frames.PickCard(actor(), any_effect(tree.AcquireCard), source()),
        {actions.Acquire: one_of(actions.Acquire, offers)},
        alone=True,
        owner=sets_aside,
    ),
    frames.PickPlace: Shape(
        lambda: frames.PickPlace(actor(), imperium_cards()[0], *choose("bought", PLACES)),
        {actions.Accept: plain(actions.Accept), actions.Decline: plain(actions.Decline)},
        slots=reveal_turn,
        owner=_equal_in_row,
    ),
    frames.PickFromRow: Shape(
        lambda: frames.PickFromRow(actor()),
        {actions.TakeFromRow: one_of(actions.TakeFromRow, lambda: imperium_cards()[:2])},
        alone=True,
        slots=lambda: {
            "row": Lazy("row", (_full_row(), ())),
            "imperium_deck": Lazy("row", (_deck(), ())),
        },
    ),
    frames.LookAtTop: Shape(_looking, {Answer: offered(Answer)}, alone=True, owner=deck_or_none),
    frames.SortCards: Shape(_to_sort, {actions.SortCard: offered(actions.SortCard)}),
    frames.PickRetreat: Shape(
        lambda: frames.PickRetreat(actor(), quantity("least"), quantity("most")),
        {actions.Retreat: troops(actions.Retreat)},
        alone=True,
    ),
    frames.PickDeploy: Shape(
        lambda: frames.PickDeploy(actor(), amount()),
        {actions.Deploy: troops(actions.Deploy), actions.Decline: plain(actions.Decline)},
        alone=True,
    ),
    frames.PickAgent: Shape(
        lambda: frames.PickAgent(actor(), amount()),
        {actions.RecallAgent: one_of(actions.RecallAgent, visited_spaces)},
        alone=True,
    ),
    frames.PickContract: Shape(
        lambda: frames.PickContract(actor()),
        {
            actions.TakeContract: offered(actions.TakeContract),
            actions.Decline: plain(actions.Decline),
        },
        owner=lambda: some_leader(RED, "contracts"),
    ),
    frames.FillContracts: Shape(
        frames.FillContracts, {Answer: offered(Answer)}, alone=True, slots=_contracts_with_gap
    ),
    frames.PickTraining: Shape(
        lambda: frames.PickTraining(actor()),
        {actions.Train: offered(actions.Train)},
        owner=training,
    ),
    frames.PickFlip: Shape(
        lambda: frames.PickFlip(actor(), choose("icon", _icons())),
        {actions.Flip: offered(actions.Flip)},
        alone=True,
        owner=won,
    ),
    frames.AllianceTie: Shape(
        lambda: frames.AllianceTie(actor(), choose("faction", factions()), (neighbour(), third())),
        {actions.GiveAlliance: one_of(actions.GiveAlliance, lambda: everyone())},
        slots=lambda: {"alliances": tuple(Alliance(faction, None) for faction in factions())},
    ),
    frames.DrawFromDeck: Shape(
        lambda: frames.DrawFromDeck(actor(), amount()),
        {Answer: offered(Answer)},
        alone=True,
        owner=deck_or_none,
    ),
    frames.DrawFromIntrigue: Shape(
        lambda: frames.DrawFromIntrigue(actor(), amount()),
        {Answer: offered(Answer)},
        alone=True,
        slots=_intrigues_or_none,
        owner=lambda: {"intrigues": tuple(printed().intrigue)[4:5]},
    ),
    frames.IntriguePlayed: Shape(
        lambda: frames.IntriguePlayed(actor(), ANY_INTRIGUE.id), alone=True
    ),
}
"""The frames of choices and of chance."""
