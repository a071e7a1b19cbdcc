"""One step of the engine from any position: every kind of frame with every kind of input.

A step is called `Frame <- Input`, or `Frame` where the frame goes on by itself; an effect that
happens now is a step for each kind of effect, `Run Kind`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rules_engine.catalogue.faces import SpaceFace
from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium import actions, frames
from rules_engine.imperium.frames import Item
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.looking import FATES
from rules_engine.imperium.state import AgentAt, Alliance, State, Won
from rules_engine.kernel.decks import possibly_in, shuffled
from rules_engine.kernel.game import Amount, Answer, Frame, asked, handle, legal, options
from rules_engine.kernel.outcomes import Event, Refusal, Step
from rules_engine.kernel.records import change
from verifier.any_effect import INSIDE, any_effect, kinds, shapes
from verifier.any_position import (
    ANY_CARD,
    ANY_INTRIGUE,
    OTHER,
    OWNER,
    PLAYERS,
    Slots,
    agents,
    any_position,
    any_turn,
    full_stacks,
    imperium_cards,
    row_with_gaps,
    visited_spaces,
)
from verifier.current import assume, choose, claim, current, quantity, stage
from verifier.positions import (
    NAMES,
    Computed,
    factions,
    printed,
    some_contracts,
    some_leader,
)
from verifier.relied_on import relied_on
from verifier.watched import Lazy

Input = Callable[[State], Any]
"""Gives any input of a kind in a position; it need not be allowed."""


# Inputs


def offered(kind: type) -> Input:
    """Any input of a kind that the frame offers."""

    def pick(state: State) -> Any:
        found = [each for each in options(IMPERIUM, state) if _makes(each) is kind]
        assume(bool(found))
        option = choose("input", tuple(found))
        if not isinstance(option, Amount):
            return option
        make: Any = option.make
        return make(option.by, quantity("given"))

    return pick


def _makes(option: Any) -> type:
    return option.make if isinstance(option, Amount) else type(option)


def plain(kind: Any) -> Input:
    """The input of a kind that says nothing more."""
    return lambda _: kind(OWNER)


def troops(kind: Any) -> Input:
    """So many troops, any number."""
    return lambda _: kind(OWNER, quantity("given"))


def one_of(kind: Any, names: Callable[[], tuple[Any, ...]]) -> Input:
    """An input that names one of some things."""
    return lambda _: kind(OWNER, choose("input", names()))


# Shapes of frames


@dataclass(frozen=True)
class Shape:
    """How any frame of a kind is made, what is below it, what it is asked, and where it stands.

    `alone`: it may go on by itself. `special`: slots for one kind of input alone.
    """

    make: Callable[[], Frame]
    inputs: dict[type, Input] = field(default_factory=dict)
    alone: bool = False
    below: Callable[[], tuple[Frame, ...]] = tuple
    slots: Callable[[], Slots] = dict
    owner: Callable[[], Slots] = dict
    special: dict[type, Callable[[], Slots]] = field(default_factory=dict)


def _amount() -> Any:
    return quantity("amount")


def _source() -> str:
    return next(space.id for space in printed().spaces.values() if space.maker)


def no_turn() -> Slots:
    """Outside of all turns."""
    return {"turn": None}


def agent_turn() -> Slots:
    """In the own Agent turn."""
    return {"turn": any_turn(OWNER, "agent")}


def reveal_turn() -> Slots:
    """In the own Reveal turn."""
    return {"turn": any_turn(OWNER, "reveal")}


def undecided() -> Slots:
    """In the own turn, of which nothing is decided yet."""
    return {"turn": any_turn(OWNER, "undecided")}


# The round and its phases


def _next_phases(*upper: Frame) -> Callable[[], tuple[Frame, ...]]:
    """What is still to come of a round below a frame."""
    return lambda: (frames.Recall(), frames.Makers(), *upper)


def nothing_fought() -> Slots:
    """Nobody has revealed, and no unit is left of the last Conflict: the slots of the owner."""
    return {"troops": 0, "sandworms": 0, "swords": 0, "strength": 0, "revealed": False}


def _objectives() -> Slots:
    dealt = sorted(face.id for face in printed().objectives.values() if PLAYERS in face.players)
    return {"turn": None, "objectives": tuple(dealt)}


def _passed() -> tuple[int, ...]:
    return choose("passed", ((), (OTHER,), (OTHER, OTHER + 1)))


def _holds_intrigue() -> Slots:
    return {"intrigues": (ANY_INTRIGUE.id,)}


def _plays_intrigue(timing: str) -> Input:
    """The Intrigue card that can be played at any time, in any way for this time."""
    ways = tuple(at for at, way in enumerate(ANY_INTRIGUE.ways) if way.timing == timing)
    return lambda _: actions.PlayIntrigue(OWNER, ANY_INTRIGUE.id, choose("input", ways))


def _takings() -> tuple[frames.Taking, ...]:
    reward = choose("reward", ("first", "second", "third"))
    return choose("takings", ((), (frames.Taking(OWNER, reward), frames.Taking(OTHER, "second"))))


def _any_conflict() -> Slots:
    return {"turn": None, "conflict": Lazy("conflict", (None, *printed().conflicts))}


def _won() -> Slots:
    """Nothing, or any battle icon with a wild one beside it."""
    icons = {face.icon: face.id for face in printed().objectives.values()}
    wild = next(face.id for face in printed().conflicts.values() if face.icon == "wild")
    one = tuple((Won(card, icon),) for icon, card in icons.items())
    cards = (*one, (), *(_sorted((*won, Won(wild, "wild"))) for won in one))
    return {"won": Lazy("won", cards)}


def _sorted(won: tuple[Won, ...]) -> tuple[Won, ...]:
    return tuple(sorted(won, key=lambda each: each.card))


def _any_conflict_to_reveal() -> Slots:
    cards = tuple(printed().conflicts)
    return {
        "turn": None,
        "conflict": None,
        "conflict_deck": Lazy("conflict_deck", (shuffled(cards), ())),
    }


def _agents_met() -> Computed:
    """The owner's Agents at home or out; the other player's is on the space visited, or not."""
    usual, _ = agents()

    def board() -> tuple[AgentAt, ...]:
        there: tuple[AgentAt, ...] = choose(usual.path, usual.options)
        if not choose("met", (False, True)):
            return there
        met = (each if each.seat != OTHER else AgentAt(_visited_space(), OTHER) for each in there)
        return tuple(sorted(met, key=lambda each: (each.space, each.seat)))

    return Computed((usual.path,), board)


def _paid_options() -> tuple[tree.PaidOption, ...]:
    what = choose("what", ("solari", "spice"))
    free = tree.PaidOption(tree.Pay(0, what), INSIDE)
    return free, tree.PaidOption(tree.Pay(_amount(), what), INSIDE)


def _spied_on() -> str:
    """A space with a post on which the owner may have a Spy."""
    return next(iter(printed().posts.values())).spaces[0]


ROUND: dict[type[Frame], Shape] = {
    frames.DealObjectives: Shape(
        lambda: frames.DealObjectives(choose("seat", tuple(range(PLAYERS)))),
        {Answer: offered(Answer)},
        slots=_objectives,
        owner=lambda: {"won": ()},
    ),
    frames.FillRow: Shape(
        frames.FillRow, {Answer: offered(Answer)}, alone=True, slots=row_with_gaps
    ),
    frames.RoundStart: Shape(frames.RoundStart, alone=True, slots=no_turn),
    frames.RevealConflict: Shape(
        frames.RevealConflict,
        {Answer: offered(Answer)},
        alone=True,
        below=_next_phases(frames.Combat(), frames.PlayerTurns(OWNER), frames.DrawHands()),
        slots=_any_conflict_to_reveal,
    ),
    frames.Defend: Shape(
        lambda: frames.Defend(OWNER),
        {actions.Accept: plain(actions.Accept), actions.Decline: plain(actions.Decline)},
        below=lambda: (frames.PlayerTurns(OWNER), frames.DrawHands()),
        slots=no_turn,
    ),
    frames.DrawHands: Shape(
        frames.DrawHands, alone=True, below=lambda: (frames.PlayerTurns(OWNER),), slots=no_turn
    ),
    frames.PlayerTurns: Shape(
        lambda: frames.PlayerTurns(choose("next", tuple(range(PLAYERS)))),
        alone=True,
        below=_next_phases(frames.Combat()),
        slots=no_turn,
    ),
    frames.Combat: Shape(frames.Combat, alone=True, below=_next_phases(), slots=no_turn),
    frames.CombatIntrigues: Shape(
        lambda: frames.CombatIntrigues(OWNER, _passed(), choose("played", (False, True))),
        {
            actions.PlayIntrigue: _plays_intrigue("combat"),
            actions.Pass: plain(actions.Pass),
            actions.EndTurn: plain(actions.EndTurn),
        },
        alone=True,
        below=_next_phases(frames.ResolveCombat()),
        slots=no_turn,
        owner=_holds_intrigue,
    ),
    frames.ResolveCombat: Shape(
        frames.ResolveCombat, alone=True, below=_next_phases(), slots=no_turn
    ),
    frames.GiveRewards: Shape(
        lambda: frames.GiveRewards(_takings()),
        alone=True,
        below=_next_phases(frames.EndCombat(), frames.TakeConflictCard(OWNER)),
        slots=_any_conflict,
    ),
    frames.TakeConflictCard: Shape(
        lambda: frames.TakeConflictCard(OWNER),
        alone=True,
        below=_next_phases(frames.EndCombat(), frames.WinIntrigues(OWNER)),
        slots=_any_conflict,
    ),
    frames.WinIntrigues: Shape(
        lambda: frames.WinIntrigues(OWNER),
        {
            actions.PlayIntrigue: _plays_intrigue("won"),
            actions.Pass: plain(actions.Pass),
        },
        alone=True,
        below=_next_phases(frames.EndCombat()),
        slots=no_turn,
        owner=lambda: {"intrigues": Lazy("intrigues", ((ANY_INTRIGUE.id,), ()))},
    ),
    frames.EndCombat: Shape(frames.EndCombat, alone=True, below=_next_phases(), slots=no_turn),
    frames.Makers: Shape(
        frames.Makers, alone=True, below=lambda: (frames.Recall(),), slots=no_turn
    ),
    frames.Recall: Shape(frames.Recall, alone=True, slots=no_turn),
    frames.EndgameIntrigues: Shape(
        lambda: frames.EndgameIntrigues(OWNER),
        {
            actions.PlayIntrigue: _plays_intrigue("endgame"),
            actions.Flip: offered(actions.Flip),
            actions.Pass: plain(actions.Pass),
        },
        below=lambda: (frames.FinalScore(),),
        slots=no_turn,
        owner=lambda: {**_holds_intrigue(), **_won()},
    ),
    frames.FinalScore: Shape(
        frames.FinalScore,
        alone=True,
        slots=lambda: {"turn": None, "reveal_order": tuple(range(PLAYERS))},
    ),
}


# Turns


def _due() -> tuple[Item, ...]:
    """Effects that are due: one that may be left, one that has to come, and one in a box."""
    return (
        Item(tree.Arrow(tree.Pay(_amount(), "spice"), INSIDE), _source()),
        Item(tree.Gain(_amount(), "solari"), _source()),
        Item(tree.May(INSIDE), ANY_CARD.id, boxed=True),
    )


def _some_due() -> tuple[Item, ...]:
    return choose("due", ((), _due()))


def _plays_agent(_: State) -> Any:
    """Any card, any space, with a Spy on a post linked to it or without."""
    space = _visited_space()
    post = choose("post", (None, *_linked_posts(space)))
    return actions.PlayAgent(OWNER, ANY_CARD.id, space, post)


def _visited_space() -> str:
    return choose("space", _spaces())


def _linked_posts(space: str) -> tuple[str, ...]:
    return tuple(post.id for post in printed().posts.values() if space in post.spaces)[:1]


@functools.cache
def _spaces() -> tuple[str, ...]:
    """For each thing that a space can have which matters for sending an Agent, one that has it."""
    spaces = printed().spaces.values()
    found = (next(space.id for space in spaces if has(space)) for has in FEATURES)
    return tuple(dict.fromkeys(found))


FEATURES: tuple[Callable[[SpaceFace], Any], ...] = (
    lambda space: space.later_cost and space.requirement,
    lambda space: space.maker and space.cost,
    lambda space: space.icon in factions(),
    lambda space: any(isinstance(effect, tree.AtPlacement) for effect in space.effects),
)
"""A cost that changes and a requirement; a Maker space; a Faction's; a choice of costs."""


MOVES: dict[type, Input] = {
    actions.Deploy: troops(actions.Deploy),
    actions.Retreat: troops(actions.Retreat),
    actions.PlayIntrigue: _plays_intrigue("plot"),
}
"""What can be done at any moment of the own turn."""


def _in_hand() -> Slots:
    """A card that opens every space, and an Intrigue card; an ability that looks at the visit."""
    return {"hand": (ANY_CARD.id,), **_holds_intrigue(), **_visiting_leader()}


def _visiting_leader() -> Slots:
    """No Leader, or one whose ability or Signet Ring acts when an Agent is sent."""
    faces = printed().leaders.values()
    on_visit = next(face.id for face in faces if face.ability.when == "sends_agent")
    on_signet = next(face.id for face in faces if face.on_signet)
    return {"leader": Lazy(f"{NAMES[OWNER]}.leader", (None, on_visit, on_signet))}


def _offers() -> tuple[str, ...]:
    """A card of the Row, one of the Reserve, one set aside."""
    return imperium_cards()[0], _of_reserve(), imperium_cards()[8]


def _sets_aside() -> Slots:
    return {"set_aside": (imperium_cards()[8],)}


TURNS: dict[type[Frame], Shape] = {
    frames.Turn: Shape(
        lambda: frames.Turn(OWNER),
        {
            actions.PlayAgent: _plays_agent,
            actions.Reveal: plain(actions.Reveal),
            **MOVES,
        },
        below=lambda: (frames.PlayerTurns(OTHER),),
        slots=undecided,
        owner=_in_hand,
        special={actions.PlayAgent: lambda: {"agents": _agents_met()}},
    ),
    frames.PickCost: Shape(
        lambda: frames.PickCost(OWNER, _paid_options(), (), _source()),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1))},
        slots=agent_turn,
    ),
    frames.Placed: Shape(
        lambda: frames.Placed(OWNER, choose("space", tuple(printed().spaces)), _some_due()),
        alone=True,
        slots=agent_turn,
    ),
    frames.GatherIntelligence: Shape(
        lambda: frames.GatherIntelligence(OWNER, _spied_on()),
        {
            actions.RecallSpy: offered(actions.RecallSpy),
            actions.Decline: plain(actions.Decline),
        },
        slots=agent_turn,
    ),
    frames.AgentTurn: Shape(
        lambda: frames.AgentTurn(OWNER, _some_due()),
        {
            actions.Resolve: one_of(actions.Resolve, lambda: (0, 1, 2)),
            actions.EndTurn: plain(actions.EndTurn),
            **MOVES,
        },
        alone=True,
        below=lambda: (frames.PlayerTurns(OTHER),),
        slots=agent_turn,
        owner=_holds_intrigue,
    ),
    frames.RevealTurn: Shape(
        lambda: frames.RevealTurn(OWNER, _some_due()),
        {
            actions.Resolve: one_of(actions.Resolve, lambda: (0, 1, 2)),
            actions.Acquire: one_of(actions.Acquire, _offers),
            actions.EndTurn: plain(actions.EndTurn),
            **MOVES,
        },
        below=lambda: (frames.PlayerTurns(OTHER),),
        slots=reveal_turn,
        owner=lambda: {**_holds_intrigue(), **_sets_aside(), "standing": (ANY_INTRIGUE.id,)},
    ),
}


# Effects and choices


def _in_box() -> tuple[Frame, ...]:
    """An own turn with what is due of a visit and of the boxes of two equal cards."""
    card = _starting_cards()[1]
    visit = Item(tree.GainInfluence(1, "emperor"), "dutiful_service")
    boxes = tuple(Item(INSIDE, card, boxed=True, copy=copy) for copy in (0, 1))
    return (frames.AgentTurn(OWNER, (visit, *boxes)),)


def _starting_cards() -> tuple[str, ...]:
    return tuple(card.id for card in printed().cards.values() if card.starting)


def _below_or_not() -> tuple[Frame, ...]:
    return choose("below", ((), _in_box()))


def _equal_cards() -> Slots:
    """Two equal cards in play."""
    card = _starting_cards()[1]
    return {"in_play": (card, card)}


def _group() -> Frame:
    """A group of one or two effects, or the lines of a card."""
    items = choose("items", ((), _due()[:1], _due()[1:], _due()[2:]))
    lines = choose("lines", (False, True))
    return frames.Effects(OWNER, items, choose("committed", (False, True)), lines)


def _looked_at() -> tuple[str, ...]:
    return choose("seen", (_starting_cards()[:3], _starting_cards()[:2]))


def _to_sort() -> Frame:
    seen = _looked_at()
    left = FATES if len(seen) == len(FATES) else choose("left", (FATES[:2], FATES[1:]))
    return frames.SortCards(OWNER, seen, left)


def _looking() -> Frame:
    seen = choose("seen", ((), _starting_cards()[:1], _starting_cards()[:3]))
    return frames.LookAtTop(OWNER, len(FATES) - len(seen), seen)


def _deck_or_none() -> Slots:
    """Three cards in the deck, or none; the discard pile empty or not."""
    return {
        "deck": Lazy("deck", (shuffled(_starting_cards()[:3]), ())),
        "discard": Lazy("discard", (_starting_cards()[:1], ())),
    }


def _intrigues_or_none() -> Slots:
    one, other, third, *_ = printed().intrigue
    return {
        "intrigue_deck": Lazy("intrigue deck", (shuffled((one, other)), ())),
        "intrigue_discard": Lazy("intrigue discard", ((third,), ())),
    }


def _two_intrigues() -> Slots:
    return {"intrigues": Lazy("intrigues", (tuple(printed().intrigue)[4:6], ()))}


def _hand_or_none() -> Slots:
    """Some cards in hand, one of which says something about being discarded, or none."""
    faces = printed().cards.values()
    said = next(face.id for face in faces if face.when_discarded)
    return {"hand": Lazy("hand", (tuple(sorted((said, _starting_cards()[0]))), ()))}


def _trashable() -> Slots:
    """Cards in every zone, one of them with words about being trashed, or none at all."""
    said = next(face.id for face in printed().cards.values() if face.when_trashed)
    card = _starting_cards()[1]
    return {
        "hand": Lazy("cards", ((said,), ())),
        "discard": Lazy("cards", ((card,), ())),
        "in_play": Lazy("cards", ((card, card), ())),
    }


def _trashable_too() -> Slots:
    """The same with a card of the Reserve."""
    usual = _trashable()
    hand, *none = usual["hand"].options
    return {
        **usual,
        "hand": Lazy(usual["hand"].path, (tuple(sorted((*hand, _of_reserve()))), *none)),
    }


def _of_reserve() -> str:
    return next(face.id for face in printed().cards.values() if face.reserve)


def _one_taken() -> Slots:
    """The Reserve without the card that a player has."""
    full = full_stacks()
    first = change(full[0], left=full[0].left - 1)
    return {"reserve": Lazy("cards", ((first, *full[1:]), full))}


def _pick_trash() -> Frame:
    effect: Any = choose("effect", shapes(tree.TrashCard))
    return frames.PickTrash(OWNER, effect.faction, effect.zone, effect.other, _starting_cards()[1])


def _equal_in_row() -> Slots:
    """The same card set aside as in the Row."""
    return {"set_aside": imperium_cards()[:1]}


def _training() -> Slots:
    return some_leader(NAMES[OWNER], "training")


def _spy_placement() -> Frame:
    effect: Any = choose("effect", shapes(tree.PlaceSpy))
    recalled = choose("recalled", (False, True))
    return frames.SpyPlacement(OWNER, recalled, effect.on, effect.sharing, _starting_cards()[0])


def _posts() -> tuple[str, ...]:
    return tuple(printed().posts)


def _options() -> tuple[Effect, ...]:
    """A gain, Influence on a track that may be full, and sandworms."""
    faction = factions()[0]
    influence = tree.GainInfluence(_amount(), faction)
    return (tree.Gain(_amount(), "spice"), influence, tree.Summon(_amount()))


def _another_loss() -> tuple[Frame, ...]:
    """Nothing, or after a loss of Influence the next one of the same cost."""
    if choose("gain", (True, False)):
        return ()
    again = frames.Run(OWNER, Item(tree.LoseInfluence(_amount(), tree.ANY_FACTION), _source()))
    return choose("below", ((), (again,)))


def _full_row() -> tuple[str, ...]:
    return tuple(sorted(imperium_cards()[:5]))


def _deck() -> Any:
    return shuffled(imperium_cards()[5:7])


def _contracts_with_gap() -> Slots:
    """The second of two face-up contracts is not there yet, wherever there are two."""
    _, board, _ = some_contracts(OWNER, OTHER)
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


def _remembering() -> str:
    return next(face.id for face in printed().leaders.values() if face.turns_into is not None)


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
        lambda: frames.Decide(OWNER, choose("item", _due())),
        {actions.Accept: plain(actions.Accept), actions.Decline: plain(actions.Decline)},
    ),
    frames.ChooseOption: Shape(
        lambda: frames.ChooseOption(OWNER, _options(), _source()),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1, 2))},
    ),
    frames.PickSeveral: Shape(
        lambda: frames.PickSeveral(OWNER, _options(), 2, _source(), choose("picked", ((), (0,)))),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1, 2))},
    ),
    frames.PickTrack: Shape(
        lambda: frames.PickTrack(OWNER, _amount(), choose("gain", (True, False))),
        {actions.PickFaction: one_of(actions.PickFaction, factions)},
        below=_another_loss,
        owner=lambda: some_leader(NAMES[OWNER], "a bonus at 2"),
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
        lambda: frames.PickSpies(OWNER, _amount()),
        {actions.RecallSpy: offered(actions.RecallSpy)},
        alone=True,
    ),
    frames.PickTrash: Shape(
        _pick_trash,
        {actions.Trash: offered(actions.Trash), actions.Decline: plain(actions.Decline)},
        alone=True,
        below=_below_or_not,
        slots=_one_taken,
        owner=_trashable_too,
    ),
    frames.PickCopy: Shape(
        lambda: frames.PickCopy(OWNER, _starting_cards()[1], (INSIDE, tree.TakeSeat()), (0, 1)),
        {actions.Choose: one_of(actions.Choose, lambda: (0, 1))},
        below=_in_box,
        owner=_equal_cards,
    ),
    frames.PickDiscard: Shape(
        lambda: frames.PickDiscard(OWNER, _amount(), _source()),
        {actions.Discard: offered(actions.Discard)},
        alone=True,
        owner=_hand_or_none,
    ),
    frames.PickIntrigue: Shape(
        lambda: frames.PickIntrigue(OWNER, _amount(), choose("trash", (False, True))),
        {actions.GiveUpIntrigue: offered(actions.GiveUpIntrigue)},
        alone=True,
        owner=_two_intrigues,
    ),
    frames.Steal: Shape(
        lambda: frames.Steal(OWNER, choose("victim", (OTHER, OTHER + 1))),
        {Answer: offered(Answer)},
        alone=True,
    ),
    frames.PickCard: Shape(
        lambda: frames.PickCard(OWNER, any_effect(tree.AcquireCard), _source()),
        {actions.Acquire: one_of(actions.Acquire, _offers)},
        alone=True,
        owner=_sets_aside,
    ),
    frames.PickPlace: Shape(
        lambda: frames.PickPlace(
            OWNER, imperium_cards()[0], *choose("bought", (("discard", True), ("hand", False)))
        ),
        {actions.Accept: plain(actions.Accept), actions.Decline: plain(actions.Decline)},
        slots=reveal_turn,
        owner=_equal_in_row,
    ),
    frames.PickFromRow: Shape(
        lambda: frames.PickFromRow(OWNER),
        {actions.TakeFromRow: one_of(actions.TakeFromRow, lambda: imperium_cards()[:2])},
        alone=True,
        slots=lambda: {
            "row": Lazy("row", (_full_row(), ())),
            "imperium_deck": Lazy("row", (_deck(), ())),
        },
    ),
    frames.LookAtTop: Shape(_looking, {Answer: offered(Answer)}, alone=True, owner=_deck_or_none),
    frames.SortCards: Shape(_to_sort, {actions.SortCard: offered(actions.SortCard)}),
    frames.PickRetreat: Shape(
        lambda: frames.PickRetreat(OWNER, quantity("least"), quantity("most")),
        {actions.Retreat: troops(actions.Retreat)},
        alone=True,
    ),
    frames.PickDeploy: Shape(
        lambda: frames.PickDeploy(OWNER, _amount()),
        {actions.Deploy: troops(actions.Deploy), actions.Decline: plain(actions.Decline)},
        alone=True,
    ),
    frames.PickAgent: Shape(
        lambda: frames.PickAgent(OWNER, _amount()),
        {actions.RecallAgent: one_of(actions.RecallAgent, visited_spaces)},
        alone=True,
    ),
    frames.PickContract: Shape(
        lambda: frames.PickContract(OWNER),
        {
            actions.TakeContract: offered(actions.TakeContract),
            actions.Decline: plain(actions.Decline),
        },
        owner=lambda: some_leader(NAMES[OWNER], "contracts"),
    ),
    frames.FillContracts: Shape(
        frames.FillContracts, {Answer: offered(Answer)}, alone=True, slots=_contracts_with_gap
    ),
    frames.PickTraining: Shape(
        lambda: frames.PickTraining(OWNER),
        {actions.Train: offered(actions.Train)},
        owner=_training,
    ),
    frames.PickFlip: Shape(
        lambda: frames.PickFlip(OWNER, choose("icon", _icons())),
        {actions.Flip: offered(actions.Flip)},
        alone=True,
        owner=_won,
    ),
    frames.AllianceTie: Shape(
        lambda: frames.AllianceTie(OWNER, choose("faction", factions()), (OTHER, OTHER + 1)),
        {actions.GiveAlliance: one_of(actions.GiveAlliance, lambda: tuple(range(PLAYERS)))},
        slots=lambda: {"alliances": tuple(Alliance(faction, None) for faction in factions())},
    ),
    frames.DrawFromDeck: Shape(
        lambda: frames.DrawFromDeck(OWNER, _amount()),
        {Answer: offered(Answer)},
        alone=True,
        owner=_deck_or_none,
    ),
    frames.DrawFromIntrigue: Shape(
        lambda: frames.DrawFromIntrigue(OWNER, _amount()),
        {Answer: offered(Answer)},
        alone=True,
        slots=_intrigues_or_none,
        owner=lambda: {"intrigues": tuple(printed().intrigue)[4:5]},
    ),
    frames.IntriguePlayed: Shape(lambda: frames.IntriguePlayed(OWNER, ANY_INTRIGUE.id), alone=True),
}


# Effects that happen now


SOURCES: dict[type, Callable[[], str]] = {
    tree.TrashSelf: lambda: _starting_cards()[1],
    tree.ReturnSelf: lambda: _starting_cards()[1],
    tree.TrashCard: lambda: _starting_cards()[1],
    tree.If: lambda: _starting_cards()[1],
    tree.Per: lambda: _starting_cards()[1],
}
"""Where an effect comes from, if that makes a difference to it."""

LOOKS_BELOW = (
    tree.GainInfluence,
    tree.VisitInfluence,
    tree.RepeatSpace,
    tree.FlipLeader,
    tree.TrashSelf,
)
"""Effects that look at the turn in progress among what is pending."""

OWNERS: dict[type, Callable[[], Slots]] = {
    tree.GainInfluence: lambda: some_leader(NAMES[OWNER], "a bonus at 2"),
    tree.VisitInfluence: lambda: some_leader(NAMES[OWNER], "a bonus at 2"),
    tree.Train: _training,
    tree.UseSignet: _training,
    tree.FlipLeader: lambda: {"leader": _remembering()},
    tree.TakeContract: lambda: some_leader(NAMES[OWNER], "contracts"),
    tree.SortTopCards: _deck_or_none,
    tree.TrashCard: _trashable,
    tree.TrashSelf: _trashable,
    tree.ReturnSelf: _trashable,
}
"""What an effect looks at of its owner, besides numbers."""


BOARDS: dict[type, Callable[[], Slots]] = {
    tree.AddFirstReward: lambda: {"first_reward": (tree.TakeSeat(),)},
}
"""What an effect looks at of the board, besides numbers."""


def _run(kind: type) -> Shape:
    return Shape(
        lambda: frames.Run(OWNER, Item(any_effect(kind), SOURCES.get(kind, _source)())),
        alone=True,
        below=_below_or_not if kind in LOOKS_BELOW else tuple,
        slots=BOARDS.get(kind, dict),
        owner=OWNERS.get(kind, dict),
    )


# The table of steps


SHAPES: dict[str, Shape] = {
    **{kind.__name__: shape for kind, shape in (ROUND | TURNS | CHOICES).items()},
    **{f"Run {kind.__name__}": _run(kind) for kind in kinds()},
}
"""How to make any frame of a kind; what is run is told apart by the kind of effect."""


def _named() -> Any:
    for name, shape in SHAPES.items():
        if shape.alone:
            yield name, (name, None)
        for kind in shape.inputs:
            yield f"{name} <- {kind.__name__}", (name, kind)


_STEPS: dict[str, tuple[str, type | None]] = dict(_named())

STEPS: tuple[str, ...] = tuple(_STEPS)
"""Every kind of frame with every kind of input that it takes, and every kind of effect."""


def take_step(step: str) -> tuple[State, State, tuple[Event, ...]]:
    """The position before and after a step, and what happened, along every path of it.

    An input that is not allowed is no step: the path ends there.
    """
    name, kind = _STEPS[step]
    shape = SHAPES[name]
    before = _position(name, kind)
    assume(relied_on(before))
    if kind is None:
        stage(before)
        assume(asked(IMPERIUM, before).nobody())
        return _done(before, None)
    given = shape.inputs[kind](before)
    stage(before, (given,))
    if legal(IMPERIUM, before, given) is not None:
        refused = isinstance(handle(IMPERIUM, before, given), Refusal)
        claim(refused, "an input that is not allowed is refused")
        assume(False)
    return _done(before, given)


def _done(before: State, given: Any) -> tuple[State, State, tuple[Event, ...]]:
    done = handle(IMPERIUM, before, given)
    assert isinstance(done, Step)
    return before, done.state, done.events


def _position(name: str, kind: type | None) -> State:
    """Slots keep no values, so a proof makes them only once; a replay makes real ones."""
    make = _same_open_position if current().values is None else _open_position
    shape = SHAPES[name]
    return change(make(name, kind), pending=(*shape.below(), shape.make()))


def _open_position(name: str, kind: type | None) -> State:
    shape = SHAPES[name]
    special = shape.special[kind]() if kind in shape.special else {}
    return any_position({**shape.slots(), **special}, shape.owner())


_same_open_position = functools.cache(_open_position)
