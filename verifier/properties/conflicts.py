"""A Conflict's rewards, doubled by sandworms or not, and where its troops go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from rules_engine.catalogue.faces import ConflictFace
from rules_engine.effects import tree
from rules_engine.effects.tree import Effect
from rules_engine.imperium.actions import EndTurn, Resolve, Retreat
from rules_engine.imperium.frames import (
    Effects,
    EndCombat,
    GiveRewards,
    Item,
    ResolveCombat,
    Run,
    Taking,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, ThisTurn
from rules_engine.kernel.game import Amount, Frame, asked, legal, options
from rules_engine.kernel.numbers import Quantity, pick, smaller
from rules_engine.kernel.outcomes import Event, Seat
from verifier.changes import left_alone, same
from verifier.current import assume, choose, claim, quantity, stage
from verifier.numbers import all_of, implies
from verifier.play import line_from, next_state, play_out
from verifier.positions import (
    NAMES,
    claim_only,
    covered,
    covered_config,
    printed,
    symbolic_state,
    unchanged,
)
from verifier.registry import ORDER, Twin, proves
from verifier.watched import AnyNumber

PLAYERS = 3
OWNER: Seat = 0
"""Who takes the reward."""
PLACES = ("first", "second", "third")
LOCATIONS = ("arrakeen", "spice_refinery", "imperial_basin")
RESOURCES = ("solari", "spice", "water")


Slots = Callable[[Player], dict[str, Any]]


def _twin(old: str, new: str) -> Twin:
    return Twin("rules_engine.imperium.combat", old, new)


REWARD = "(effects + again if twice else effects)"
NOT_CONTROL = "if not isinstance(effect, tree.TakeControl))"


# Rewards


def _conflict(effect: Effect) -> ConflictFace:
    """A Conflict with the same effect as its reward for each place."""
    return ConflictFace("one_reward", "One Reward", (effect,), (effect,), (effect,))


def _position(frame: Frame, face: ConflictFace, own: Slots = lambda _: {}) -> State:
    """Something of this Conflict comes next; nobody holds cards, and no turn is in progress."""
    added = () if face.id in printed().conflicts else (face,)
    return symbolic_state(
        PLAYERS,
        lambda owner: {"intrigues": (), "won": (), **own(owner)},
        config=covered_config(PLAYERS, added),
        conflict=face.id,
        shield_wall=False,
        turn=None,
        pending=(frame,),
    )


def _rewarded(effect: Effect, place: str = PLACES[0]) -> State:
    """The owner is about to take this effect as a reward."""
    return _position(GiveRewards((Taking(OWNER, place),)), _conflict(effect))


def _times(state: State) -> Quantity:
    """How often a reward is taken: twice with at least one sandworm in the Conflict."""
    return pick(state.players[OWNER].sandworms >= 1, 2, 1)


@proves(
    {
        "UPR-COMBAT-034": _twin("return owner.sandworms >= 1", "return owner.sandworms >= 2"),
        "UPR-COMBAT-037": _twin(NOT_CONTROL, ")"),
    },
)
def every_printed_reward_but_control_is_due_twice_with_a_sandworm() -> None:
    """Unsatisfiable iff each effect of a reward is due once, or with any sandworms twice.

    Control of a location is due once in any case. Nothing else is due, and all of it is the
    owner's.
    """
    card = choose("card", tuple(printed().conflicts))
    place = choose("place", PLACES)
    face = printed().conflicts[card]
    before = _position(GiveRewards((Taking(OWNER, place),)), face)
    stage(before)
    after = next_state(before)
    groups = [frame for frame in after.pending if isinstance(frame, Effects)]
    claim(all(group.seat == OWNER for group in groups), f"all is due for {NAMES[OWNER]}")
    due = Counter(item.effect for group in groups for item in group.items)
    once = Counter(_printed_reward(face, place))
    twice = Counter(
        {
            effect: number if isinstance(effect, tree.TakeControl) else 2 * number
            for effect, number in once.items()
        }
    )
    worms = before.players[OWNER].sandworms
    claim(implies(worms < 1, due == once), "each effect is due once without a sandworm")
    claim(implies(worms >= 1, due == twice), "each but control is due twice with a sandworm")


def _printed_reward(face: ConflictFace, place: str) -> tuple[Effect, ...]:
    return {"first": face.first, "second": face.second, "third": face.third}[place]


@proves(
    {
        "UPR-COMBAT-034": _twin(REWARD, "(again if twice else effects)"),
        "UPR-COMBAT-035": _twin(
            REWARD,
            "((effects + again * (2 if player(state, taking.seat).sandworms > 1 else 1)) "
            "if twice else effects)",
        ),
    },
)
def sandworms_double_the_amount_of_a_reward_and_no_more() -> None:
    """Unsatisfiable iff the owner has the amount once, or twice with one or more sandworms.

    No other resources or Victory Points change, and nobody else's.
    """
    amount = quantity("amount")
    what = choose("what", (*RESOURCES, "vp"))
    before = _rewarded(tree.Gain(amount, what), choose("place", PLACES))
    after, _ = play_out(before)
    name = "victory_points" if what == "vp" else what
    for old, new in zip(before.players, after.players, strict=True):
        for each in (*RESOURCES, "victory_points"):
            gained = amount if each == name and old.seat == OWNER else 0
            total = pick(old.sandworms >= 1, 2 * gained, gained)
            claim(
                getattr(new, each) == getattr(old, each) + total,
                f"{old.name} has the {each} of the reward",
            )


@proves(
    {"UPR-COMBAT-037": _twin(NOT_CONTROL, "if not isinstance(effect, tree.Arrow))")},
)
def control_is_taken_once_with_any_sandworms() -> None:
    """Unsatisfiable iff the winner takes control just once, has it, and of no other location."""
    space = choose("space", LOCATIONS)
    before = _rewarded(tree.TakeControl(space))
    taken: list[State] = []

    def watch(state: State, then: State, _: tuple[Event, ...]) -> None:
        if not same(state, then, "controls"):
            taken.append(then)

    after, _ = play_out(before, watch=watch)
    claim(len(taken) == 1, "a marker is put on a location once")
    for old, new in zip(before.controls, after.controls, strict=True):
        if old.space == space:
            claim(new.holder == OWNER, f"{NAMES[OWNER]} has control")
        else:
            claim(left_alone(old, new) or old.holder == new.holder, "no other location is touched")


@proves(
    {
        "UPR-COMBAT-039": _twin(
            NOT_CONTROL, "if not isinstance(effect, tree.TakeControl | tree.Arrow))"
        )
    },
)
def a_doubled_cost_may_be_paid_up_to_twice() -> None:
    """Unsatisfiable iff the cost of a reward may be paid once, or with sandworms a second time.

    Each time it may be paid if all of it is there, and may be left. Each payment takes the cost
    and gives the points once; nobody has points without paying.
    """
    cost, points = quantity("cost", 1), quantity("points")
    what = choose("what", RESOURCES)
    before = _rewarded(tree.Arrow(tree.Pay(cost, what), tree.Gain(points, "vp")))
    pay, leave = Resolve(OWNER, 0), EndTurn(OWNER)
    line = line_from(before)
    while line.state.pending:
        if asked(IMPERIUM, line.state).nobody():
            line = line.given(None)
            continue
        enough = getattr(line.state.players[OWNER], what) >= cost
        may = legal(IMPERIUM, line.state, pay) is None
        claim(enough == may, "the cost may be paid if it is there")
        claim(legal(IMPERIUM, line.state, leave) is None, "it may be left")
        line = line.given(choose(f"input {len(line.inputs)}", (pay, leave) if may else (leave,)))
    number, left = line.inputs.count(pay), leave in line.inputs
    claim(number <= _times(before), "it is paid once, or twice with a sandworm")
    claim(implies(number < _times(before), left), "it is left if it is not paid so often")
    old, new = before.players[OWNER], line.state.players[OWNER]
    claim(getattr(new, what) == getattr(old, what) - number * cost, "each payment is taken")
    claim(new.victory_points == old.victory_points + number * points, "each payment gives points")


# Where troops go


@proves(
    {
        "UPR-COMBAT-031": _twin(
            "supply=each.supply + each.troops, troops=0",
            "garrison=each.garrison + each.troops, troops=0",
        ),
        "UPR-COMBAT-033": _twin("sandworms=0, strength=0,", "sandworms=0,"),
    },
    cases=({"players": 3}, {"players": 4}),
)
def when_combat_ends_troops_go_to_supply_and_markers_to_zero(players: int) -> None:
    """Unsatisfiable iff at the end of Combat everybody's troops in it are in supply again.

    No garrison changes, no troop is left in the Conflict, and every strength is 0. What cards have
    added to the first reward is gone with the Conflict. Sandworms, swords and the Conflict aside,
    nothing else changes.
    """
    added = (tree.Gain(1, "spice"),)
    before = symbolic_state(players, shield_wall=False, first_reward=added, pending=(EndCombat(),))
    stage(before)
    after = next_state(before)
    for old, new in zip(before.players, after.players, strict=True):
        claim(new.supply == old.supply + old.troops, f"{old.name}'s troops are in supply")
        claim(new.garrison == old.garrison, f"{old.name}'s garrison stays")
        claim(new.troops == 0, f"{old.name} has no troop in the Conflict")
        claim(new.strength == 0, f"{old.name} has strength 0")
        units = ("supply", "troops", "sandworms", "swords", "strength")
        claim(unchanged(old, new, *units), f"{old.name} has all else")
    claim(after.first_reward == (), "nothing is added to the next first reward")
    table = unchanged(before, after, "players", "conflict", "first_reward", "pending")
    claim(table, "the table stays as it is")


@proves(
    {
        "UPR-COMBAT-031": _twin(
            """    state = push(state, EndCombat())
    for taking in takings:""",
            """    state = _end(state, EndCombat(), None).state
    for taking in takings:""",
        )
    },
    kind=ORDER,
)
def troops_leave_the_conflict_after_the_rewards() -> None:
    """Unsatisfiable iff troops recruited as a reward stay in the garrison and all others go back.

    The supply that they are recruited from does not yet hold the troops of this Conflict: those go
    to supply after the rewards. The contender is rewarded with any strength above 0.
    """
    reward = quantity("reward", 1)

    def more(owner: Player) -> dict[str, Any]:
        return {"sandworms": 0} if owner.seat == OWNER else {"sandworms": 0, "strength": 0}

    face = _conflict(tree.Recruit(reward))
    before = _position(ResolveCombat(), face, more)
    after, _ = play_out(before)
    for old, new in zip(before.players, after.players, strict=True):
        recruited = pick(old.strength > 0, smaller(reward, old.supply), 0)
        claim(new.garrison == old.garrison + recruited, f"{old.name}'s recruits are in garrison")
        claim(new.supply == old.supply + old.troops - recruited, f"{old.name}'s others in supply")
        claim(all_of(new.troops == 0, new.strength == 0), f"{old.name} has left the Conflict")


# Retreat


def _about_to_retreat(effect: Run, in_combat: bool) -> State:
    """In Combat everybody has revealed and no turn is in progress; else it is the owner's turn."""
    counted = {name: AnyNumber(f"turn.{name}") for name in ("deployed", "staying")}
    turn = covered("turn.", ThisTurn(OWNER, "agent"), seat=OWNER, **counted)
    return symbolic_state(
        PLAYERS,
        lambda _: {"revealed": in_combat},
        turn=None if in_combat else turn,
        pending=(effect,),
    )


@proves(
    {
        "UPR-COMBAT-041": Twin(
            "rules_engine.imperium.units",
            "owner = change(before, garrison=before.garrison + troops,",
            "owner = change(before, supply=before.supply + troops,",
        )
    },
)
def retreating_troops_go_from_the_conflict_to_the_garrison() -> None:
    """Unsatisfiable iff troops that retreat are in the garrison, as many as the effect lets.

    As many leave the Conflict as come to the garrison: at least `least`, and never more than are
    there or than `most`. Every such number is allowed and offered, where the player has to say one,
    and then so many go.
    Swords, strength and what the turn counts aside, nothing else of anybody changes.
    """
    least = quantity("least")
    most = choose("has a most", (None, quantity("most")))
    assume(most is None or most >= least)
    source = next(iter(printed().spaces))
    retreat = Run(OWNER, Item(tree.Retreat(least, most), source))
    before = _about_to_retreat(retreat, choose("in Combat", (True, False)))
    old, number = before.players[OWNER], quantity("number")
    assume(old.troops >= least)
    line, given = line_from(before).given(None), None
    if not asked(IMPERIUM, line.state).nobody():
        given = Retreat(OWNER, number)
        allowed = legal(IMPERIUM, line.state, given) is None
        fits = all_of(least <= number, number <= old.troops, most is None or number <= most)
        claim(allowed == fits, "every number that the effect lets is allowed, and no other")
        (offered,) = options(IMPERIUM, line.state)
        assert isinstance(offered, Amount)
        claim(fits == all_of(offered.low <= number, number <= offered.high), "so it is offered")
        if not allowed:
            return
    after = line.given(given).state
    new = after.players[OWNER]
    gone = old.troops - new.troops
    claim(given is None or gone == number, "as many retreat as the player says")
    claim(all_of(gone >= least, new.troops >= 0), "as many retreat as have to and can")
    claim(most is None or gone <= most, "no more retreat than the effect says")
    claim(new.garrison == old.garrison + gone, "they are in the garrison")
    claim_only(before, after, ("troops", "garrison", "swords", "strength"), ("turn", "pending"))
