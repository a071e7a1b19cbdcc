"""Which effect of a turn comes next, where a ruling has a box finished that was begun."""

from __future__ import annotations

from typing import Any

from rules_engine.effects.tree import Arrow, Gain, GainInfluence, If, InfluenceAtLeast, May, Pay
from rules_engine.imperium.actions import Resolve
from rules_engine.imperium.frames import AgentTurn, Item, RevealTurn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, State, ThisTurn, follows
from rules_engine.kernel.game import legal, options
from rules_engine.kernel.records import change
from verifier.changes import only
from verifier.current import assume, choose, claim, stage
from verifier.effects import OWNER
from verifier.play import line_from
from verifier.positions import covered_config, influence_of, open_rulings, symbolic_state
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.boxes"
CARD, SPACE = "dagger", "desert_tactics"
DUTY = Item(Gain(1, "spice"), CARD, boxed=True)
FREE = Item(May(Gain(1, "solari")), CARD, boxed=True)
OF_EQUAL_CARD = Item(Gain(1, "spice"), CARD, boxed=True, copy=1)
OF_SPACE = Item(Gain(1, "solari"), SPACE)
FOR_WATER = Item(Arrow(Pay(1, "water"), Gain(1, "spice")), SPACE)
OF_VISIT = Item(GainInfluence(1, "fremen"), SPACE)
WITH_FRIENDS = Item(If(InfluenceAtLeast("emperor", 2), Gain(1, "spice")), CARD, boxed=True)
BOXES = {
    "card": (DUTY, FREE, WITH_FRIENDS),
    "equal card": (OF_EQUAL_CARD,),
    "space": (OF_SPACE, FOR_WATER),
}
BOXES["visit"] = (OF_VISIT,)
OPTIONAL = (FREE, FOR_WATER)
GIVES: dict[Item, tuple[tuple[str, int], ...]] = {
    DUTY: (("spice", 1),),
    FREE: (("solari", 1),),
    OF_EQUAL_CARD: (("spice", 1),),
    OF_SPACE: (("solari", 1),),
    FOR_WATER: (("water", -1), ("spice", 1)),
    WITH_FRIENDS: (("spice", 1),),
}
"""What their owner has more afterwards."""
BEGUN = {None: None, "card": (CARD, 0), "equal card": (CARD, 1), "space": (SPACE, 0)}
LEFT = (
    (DUTY, FREE, OF_EQUAL_CARD, OF_SPACE, FOR_WATER, OF_VISIT),
    (FREE, OF_EQUAL_CARD, FOR_WATER),
    (WITH_FRIENDS, FREE, OF_SPACE),
)


def _during(turn: ThisTurn, frame: AgentTurn | RevealTurn) -> State:
    """A turn in which two equal cards are in play, with one ruling open."""
    config = change(covered_config(3), rulings=open_rulings(("icon_granularity",)))

    def cards(_: Player) -> dict[str, Any]:
        return {"in_play": (CARD, CARD), "hand": (), "intrigues": (), "set_aside": ()}

    return symbolic_state(3, cards, config=config, pending=(frame,), turn=turn, reserve=(), row=())


@proves(
    {
        "UPR-AGENT-009": Twin(
            MODULE,
            "if not unfinished or _box(state, frame.items[option.index]) == frame.begun:",
            "if not unfinished or _box(state, frame.items[option.index]) != frame.begun:",
        ),
        "UPR-REVEAL-006": Twin(
            MODULE,
            "or not optional(item.effect, committed=False)",
            "or not optional(item.effect, committed=True)",
        ),
    },
    cases=({"turn": "agent"}, {"turn": "reveal"}),
)
def a_box_that_was_begun_is_finished_first_if_the_ruling_says_so(turn: str) -> None:
    """Unsatisfiable iff a begun box with a duty left holds up all others, and only such a box.

    A duty that is impossible for now holds nothing up, and stays due.

    Just the effects that are so allowed are offered, each once. When one is resolved it happens,
    and nothing else. The others stay due, but for what the player left by choice in a box begun
    before; and the box of the one resolved is then the one begun, as long as something in it is
    left. Where the ruling lets every icon stand alone, the others simply stay due.
    """
    items, begun = choose("left", LEFT), choose("begun", tuple(BEGUN))
    kind = AgentTurn if turn == "agent" else RevealTurn
    before = _during(ThisTurn(OWNER, kind=turn), kind(OWNER, items, begun=BEGUN[begun]))
    whole_box = follows(before, "icon_granularity") == "whole_box"
    assume(whole_box or begun is None)
    stage(before)
    impossible = [] if before.players[OWNER].water >= 1 else [FOR_WATER]
    if WITH_FRIENDS in items and influence_of(before, "emperor", OWNER) < 2:
        impossible.append(WITH_FRIENDS)
    of_begun = BOXES[begun] if begun else ()
    duties = [item for item in items if item not in OPTIONAL and item not in impossible]
    held_up = any(item in of_begun for item in duties)
    allowed = [item not in impossible and (item in of_begun or not held_up) for item in items]
    for index, expected in enumerate(allowed):
        refused = legal(IMPERIUM, before, Resolve(OWNER, index))
        claim((refused is None) == expected, "it is allowed unless a box has to be finished")
    offered = [each for each in options(IMPERIUM, before) if isinstance(each, Resolve)]
    listed = [Resolve(OWNER, index) for index, each in enumerate(allowed) if each]
    claim(offered == listed, "just what is allowed is offered")
    index = choose("resolved", [at for at, item in enumerate(items) if item != OF_VISIT])
    assume(allowed[index])
    stage(before, (Resolve(OWNER, index),))
    after = line_from(before).then(Resolve(OWNER, index)).state
    old = before.players[OWNER]
    has = {what: getattr(old, what) + more for what, more in GIVES[items[index]]}
    claim(only(before, after, OWNER, **has), "what is resolved happens, and nothing else")
    rest: Any = after.pending[0]
    others = items[:index] + items[index + 1 :]
    box = next(name for name, each in BOXES.items() if items[index] in each)
    if whole_box:
        gone = of_begun if box != begun else ()
        others = tuple(item for item in others if item not in gone or item not in OPTIONAL)
    claim(rest.items == others, "the others stay due, but for what was left by choice")
    still = whole_box and any(item in BOXES[box] for item in others)
    claim((rest.begun is not None) == still, "a box is begun while something in it is left")
    if still and box in BEGUN:
        claim(rest.begun == BEGUN[box], "it is the box of what was resolved")
