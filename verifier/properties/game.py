"""The game as a whole: inputs that name what is not there."""

from __future__ import annotations

import typing

from rules_engine.imperium import actions
from rules_engine.imperium.actions import AnyInput
from rules_engine.imperium.frames import PickDiscard
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import ThisTurn
from rules_engine.kernel.game import Action, Answer, legal
from rules_engine.kernel.records import change
from verifier.current import choose, claim, stage
from verifier.effects import OWNER
from verifier.positions import with_cards
from verifier.registry import Twin, proves

MODULE = "rules_engine.imperium.game"
PLAYERS = 3

NAMING: tuple[Action, ...] = (
    actions.PlayAgent(OWNER, "dagger", "arrakeen", "post_emperor"),
    actions.PickFaction(OWNER, "fremen"),
    actions.PlaceSpy(OWNER, "post_emperor"),
    actions.RecallSpy(OWNER, "post_emperor"),
    actions.Trash(OWNER, "dagger", "hand"),
    actions.Discard(OWNER, "dagger"),
    actions.GiveUpIntrigue(OWNER, "contingency_plan"),
    actions.SortCard(OWNER, "dagger", "draw"),
    actions.TakeFromRow(OWNER, "dagger"),
    actions.RecallAgent(OWNER, "arrakeen"),
    actions.TakeContract(OWNER, "contract_arrakeen_water"),
    actions.Train(OWNER, "final"),
    actions.Flip(OWNER, "objective_crysknife"),
    actions.Acquire(OWNER, "dagger"),
    actions.PlayIntrigue(OWNER, "contingency_plan", 1),
    actions.GiveAlliance(OWNER, 1),
)
"""Each input that names something besides the player who gives it, here only what there is."""
NAMING_NOTHING = (
    actions.Reveal, actions.Resolve, actions.Choose, actions.Accept, actions.Decline,
    actions.Deploy, actions.Retreat, actions.Pass, actions.EndTurn,
)  # fmt: skip
OF_NO_KIND = "no_such_thing"
NO_PLAYER = (-1, PLAYERS, PLAYERS + 1)


def _strange(given: Action) -> tuple[Action, ...]:
    """The input with each thing or player that it names replaced by one that there is not."""
    found: list[Action] = []
    for field in given.__struct_fields__:
        value = getattr(given, field)
        if field == "to":
            found += (change(given, to=player) for player in NO_PLAYER)
        elif isinstance(value, str):
            # There is something of this name, but of another kind.
            other = "dagger" if field != "card" else "arrakeen"
            found += (change(given, **{field: name}) for name in (OF_NO_KIND, other))
    return tuple(found)


@proves(
    {
        "UPR-ROUND-003": Twin(
            MODULE,
            "if not 0 <= getattr(given, name) < len(state.players):",
            "if not 0 <= getattr(given, name) <= len(state.players):",
        ),
    },
    cases=tuple({"kind": type(each).__name__} for each in NAMING),
)
def what_does_not_exist_is_refused_before_any_rule_looks_at_it(kind: str) -> None:
    """Unsatisfiable iff an input that names a thing or player not in the game is refused.

    That is so of each thing that any kind of input names, and a thing of another kind is none. Its
    one reason is that there is no such thing or player, whatever else stands against it.
    """
    every = {*map(type, NAMING), *NAMING_NOTHING, Answer}
    claim(every == {*typing.get_args(AnyInput)}, "every kind of input is looked at")
    (fitting,) = (each for each in NAMING if type(each).__name__ == kind)
    given = choose("given", _strange(fitting))
    own = {"hand": ("dagger",), "in_play": (), "intrigues": ()}
    frame = PickDiscard(OWNER, 1, "arrakeen")
    before = with_cards((frame,), own, turn=ThisTurn(OWNER), agents=(), spies=())
    stage(before, (given,))
    refused = legal(IMPERIUM, before, given)
    claim(refused is not None, "it is refused")
    if refused is not None:
        wanted = "no_such_player" if kind == "GiveAlliance" else "no_such_thing"
        claim([reason.key for reason in refused.reasons] == [wanted], "there is no such thing")
