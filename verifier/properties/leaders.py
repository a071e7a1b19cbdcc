"""What Leaders do by themselves: the training track, and a space once more."""

from __future__ import annotations

from rules_engine.effects.tree import Effect, Gain, Train, UseSignet
from rules_engine.imperium.actions import Resolve
from rules_engine.imperium.actions import Train as PickWay
from rules_engine.imperium.frames import AgentTurn, Effects, Item, Run
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import Player, ThisTurn
from rules_engine.kernel.game import legal, options
from rules_engine.kernel.outcomes import Seat
from verifier.current import assume, choose, claim, stage
from verifier.play import Line, line_from
from verifier.positions import printed, symbolic_state, unchanged
from verifier.registry import Twin, proves

FEYD = "feyd_rautha_harkonnen"
END = "final"
"""The rightmost space of the training track."""

COLUMNS = {
    "start": 0,
    "paid_trash": 1,
    "spy_a": 1,
    "trash_b": 2,
    "trash_c": 3,
    "spy_c": 3,
    "spice_d": 4,
    END: 5,
}
"""How far to the right each space of the training track is."""

PLAYERS = 3
SIGNET = "signet_ring"


def _training(effect: Effect, space: str) -> Line:
    """Feyd's token is on a space of its track, and an effect of Feyd's is about to happen."""
    who: Seat = 0

    def led(owner: Player) -> dict[str, str]:
        return {"leader": FEYD, "training": space} if owner.seat == who else {}

    return line_from(symbolic_state(PLAYERS, led, pending=(Run(who, Item(effect, SIGNET)),)))


@proves(
    {
        "UPR-CLAR-002": Twin(
            "rules_engine/catalogue/uprising/leaders.toml", "next = []", 'next = ["start"]'
        )
    },
    bounds="the training step and the Signet Ring, all quantities, 3 players, the first of them "
    "with Feyd-Rautha Harkonnen",
)
def the_training_token_stays_at_the_right_end() -> None:
    """Unsatisfiable iff at the right end the token stays where it is, and nothing comes of it.

    A further step of training, also by the Signet Ring, changes nothing for anybody, and nothing
    is left to be done.
    """
    effects: tuple[Effect, ...] = (Train(), UseSignet())
    line = _training(choose("effect", effects), END)
    before = line.state
    while line.state.pending and not options(IMPERIUM, line.state):
        line = line.given(None)
    after = line.state
    claim(not after.pending, "nothing is left to be done")
    for old, new in zip(before.players, after.players, strict=True):
        claim(unchanged(old, new), f"nothing changes for {old.name}")
    claim(unchanged(before, after, "players", "pending"), "the table stays as it is")


@proves(
    {
        "UPR-CLAR-002": Twin(
            "rules_engine/catalogue/uprising/leaders.toml",
            'next = ["spice_d"]',
            'next = ["trash_b"]',
        )
    },
    bounds="every space of the training track, all quantities, 3 players, the first of them with "
    "Feyd-Rautha Harkonnen",
)
def training_goes_to_the_right() -> None:
    """Unsatisfiable iff a step of training never takes the token to the left or leaves it behind.

    From every space but the rightmost the token goes to a space further to the right, along each
    way that is allowed or offered, which are the same, so that it comes to the right end.
    """
    space = choose("space", tuple(each for each in COLUMNS if each != END))
    line = _training(Train(), space).given(None)
    if line.state.players[0].training == space:
        way = PickWay(0, choose("way", tuple(COLUMNS)))
        allowed = legal(IMPERIUM, line.state, way) is None
        claim(allowed == (way in options(IMPERIUM, line.state)), "what is allowed is offered")
        assume(allowed)
        line = line.given(way)
    now = line.state.players[0].training
    claim(now in COLUMNS and COLUMNS[now] > COLUMNS[space], "the token is further to the right")


# The visited space once more


REPEAT = "reverend_mother_jessica"
SPACE = "fremkit"
"""A space of the Fremen, where a card is drawn."""


@proves(
    {
        "UPR-ROUND-005": Twin(
            "rules_engine.imperium.leaders",
            "if any(_is_printed_duty(state, item, space) for item in frame.items):",
            "if all(_is_printed_duty(state, item, space) for item in frame.items):",
        )
    },
    bounds="any quantities, 3 players, the first of them with Reverend Mother Jessica after a "
    "visit to Fremkit, the ability and another effect being due; of the turn both effects of the "
    "space, the Influence or none are due beside one of a card, or the turn itself is not pending",
)
def a_space_is_repeated_after_it_was_resolved() -> None:
    """Unsatisfiable iff one water buys the visited space again just when its own effects are done.

    The Influence of the visit may still be due. So may effects of the card, and where no turn is
    pending nothing of the space is.
    """
    who: Seat = 0
    visit, draw = (Item(effect, SPACE) for effect in printed().spaces[SPACE].effects)
    of_card = Item(Gain(1, "spice"), SIGNET)
    dues = {
        "both": (AgentTurn(who, (visit, draw, of_card)),),
        "influence": (AgentTurn(who, (visit, of_card)),),
        "none": (AgentTurn(who, (of_card,)),),
        "no turn": (),
    }
    due = choose("due", tuple(dues))
    (ability,) = printed().leaders[REPEAT].ability.effects
    next_up = Effects(who, (Item(ability, REPEAT), of_card))
    before = symbolic_state(
        PLAYERS,
        lambda owner: {"leader": REPEAT} if owner.seat == who else {},
        turn=ThisTurn(who, kind="agent", space=SPACE),
        pending=(*dues[due], next_up),
    )
    buys = Resolve(who, 0)
    stage(before, (buys,))
    allowed = legal(IMPERIUM, before, buys) is None
    enough = before.players[who].water >= 1
    if due == "both":
        claim(not allowed, "the space is resolved first")
    else:
        claim(allowed == enough, "the space is repeated for a water")
