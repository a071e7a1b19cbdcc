"""What the kit says to an adapter and what it is answered: the same on every transport.

A message is a batch of calls, answered by a batch with an answer for each, in their order. Setups,
positions, inputs, chance and observations are plain JSON, as `docs/conformance` tells field by
field; in protobuf they are strings that hold this JSON.
"""

from __future__ import annotations

from typing import Any

from rules_engine.kernel.records import Record

PROTOCOL = 1
"""Changes when a call or an answer changes its meaning or goes away."""

Json = dict[str, Any]

INJECT = "inject"
REPORT = "report"
"""How an adapter takes chance: it arranges what it is told, or it tells what came."""

INPUT, TURN, COMBAT, PHASE = "input", "turn", "combat", "phase"
STEPS = (INPUT, TURN, COMBAT, PHASE)
"""What an adapter takes at once, and after which it can be compared; each is within the next."""

POSITION = "position"
BEGIN = "begin"
EFFECT = "effect"
OWN_CARDS = "own_cards"
ACTIONS = "actions"
VIEWS = "views"
UNDO = "undo"
REVISIONS = "revisions"

CAPABILITIES = {
    POSITION: "starts from any position, not only from the setup of a game",
    BEGIN: "can begin a phase at once",
    EFFECT: "can be told to resolve an effect that nobody has on a card",
    OWN_CARDS: "takes cards that exist in one case only",
    ACTIONS: "lists what is allowed",
    VIEWS: "shows what one player may see",
    UNDO: "takes the last input back",
    REVISIONS: "refuses an input that was made for an earlier position",
}
"""What an adapter may be able to do besides playing games from their setup."""


# Calls


class Call(Record, tag_field="call", forbid_unknown_fields=True):
    """Something that an adapter is asked to do."""


class Describe(Call, tag="describe"):
    """Tell what you are."""


class Start(Call, tag="start"):
    """Start a game from its setup, or from a position; chance brings this before a decision."""

    setup: Json
    position: Json | None = None
    to_move: int | None = None
    chance: tuple[Json, ...] = ()
    observe: bool = True


class Apply(Call, tag="apply"):
    """Take an input; chance brings this before the next decision.

    `revision` counts the inputs that were accepted before it.
    """

    input: Json
    chance: tuple[Json, ...] = ()
    revision: int = 0
    observe: bool = True


class ApplyUnit(Call, tag="apply_unit"):
    """Take all inputs of a unit, one after the other; chance brings this in the whole unit.

    It is for adapters of larger steps, and the only way in which they are given inputs. A unit is
    taken or refused as a whole. `revision` counts the units that were accepted before it.
    """

    inputs: tuple[Json, ...]
    chance: tuple[Json, ...] = ()
    revision: int = 0
    observe: bool = True


class Observe(Call, tag="observe"):
    """Show the position, or what a player may see of it."""

    seat: int | None = None


class ListActions(Call, tag="list_actions"):
    """List every decision that is allowed now."""


class Undo(Call, tag="undo"):
    """Take the last accepted input or unit back, with all that chance brought after it."""


class Finish(Call, tag="finish"):
    """Forget the game."""


AnyCall = Describe | Start | Apply | ApplyUnit | Observe | ListActions | Undo | Finish


class Calls(Record, forbid_unknown_fields=True):
    """A batch of calls."""

    id: int
    calls: tuple[AnyCall, ...]


# Answers


class Answer(Record, tag_field="answer", forbid_unknown_fields=True):
    """What an adapter says to one call."""


class Described(Answer, tag="described"):
    """What the adapter is and can do; without `fields` it observes all of them.

    Of a kind of thing that `features` names it has those listed, and of all others everything.
    """

    name: str
    version: str
    products: tuple[str, ...]
    protocol: int = PROTOCOL
    chance: str = INJECT
    step: str = INPUT
    capabilities: tuple[str, ...] = ()
    rulings: dict[str, str] = {}
    fields: tuple[str, ...] = ()
    features: dict[str, tuple[str, ...]] = {}


class Done(Answer, tag="done"):
    """It was done. `chance` is what came, of an adapter that reports it."""

    observation: Json | None = None
    chance: tuple[Json, ...] = ()


class Refused(Answer, tag="refused"):
    """The input is not allowed, and nothing has changed."""

    reason: str = ""


class Listed(Answer, tag="listed"):
    """The decisions that are allowed."""

    actions: tuple[Json, ...]


class Unsupported(Answer, tag="unsupported"):
    """The adapter cannot do this; the case is not counted against it."""

    what: str


class Failed(Answer, tag="failed"):
    """Something went wrong inside the adapter."""

    message: str


AnyAnswer = Described | Done | Refused | Listed | Unsupported | Failed


class Answers(Record, forbid_unknown_fields=True):
    """The answers to a batch."""

    id: int
    answers: tuple[AnyAnswer, ...]
