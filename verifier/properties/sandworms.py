"""Sandworms: where they come, and who can call them."""

from __future__ import annotations

import functools

from rules_engine.effects.text import say
from rules_engine.effects.tree import Choose, Effect, Gain, If, Is, Summon, TakeMakerHooks
from rules_engine.imperium.actions import Choose as ChooseAction
from rules_engine.imperium.frames import (
    ChooseOption,
    GiveRewards,
    Item,
    ResolveCombat,
    Run,
)
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.state import State
from rules_engine.kernel.game import legal, options
from rules_engine.kernel.numbers import Quantity
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.records import change
from verifier.any_effect import printed_effects
from verifier.changes import players_kept
from verifier.current import assume, claim, quantity, stage
from verifier.effects import (
    OWNER,
    about_to_happen,
    frame_for,
    may_deploy,
    resolve,
)
from verifier.play import play_out
from verifier.positions import (
    NAMES,
    behind_the_wall,
    claim_only,
    conflict_at,
    covered_config,
    few_conflicts,
    printed,
    symbolic_state,
    with_cards,
)
from verifier.registry import ORDER, Twin, proves
from verifier.seats import claim_told

PLAYERS = 3
MODULE = "rules_engine.imperium.sandworms"
PLAIN = "an option with any number of sandworms"


def _source() -> str:
    return next(space.id for space in printed().spaces.values() if space.maker)


def _guarded(name: str) -> tuple[Choose, int]:
    """A choice of effects and which option is the sandworms that need Maker Hooks."""
    if name == PLAIN:
        amount = quantity("amount", 1)
        return Choose((Gain(amount, "spice"), If(Is("maker_hooks"), Summon(amount)))), 1
    effect = _printed_choices()[name]
    return effect, next(at for at, option in enumerate(effect.options) if _needs_hooks(option))


def _summoned(effect: Effect) -> Quantity:
    """How many sandworms an option calls for owners of Maker Hooks."""
    match effect:
        case If(Is("maker_hooks"), Summon(amount)):
            return amount
        case _:
            raise AssertionError(f"no sandworms that need Maker Hooks: {effect}")


def _needs_hooks(effect: Effect) -> bool:
    match effect:
        case If(Is("maker_hooks"), Summon()):
            return True
        case _:
            return False


@functools.cache
def _printed_choices() -> dict[str, Choose]:
    """The printed choices that offer sandworms to owners of Maker Hooks, by their sentences."""
    return {
        say(effect): effect
        for effect in printed_effects()
        if isinstance(effect, Choose) and any(_needs_hooks(option) for option in effect.options)
    }


def _choices() -> tuple[dict[str, str], ...]:
    """The printed choices that offer sandworms to owners of Maker Hooks, and one of any size."""
    found = _printed_choices()
    assert found, "no printed effect asks for Maker Hooks"
    return tuple({"effect": name} for name in (PLAIN, *found))


def _choosing(effect: Choose) -> State:
    state = about_to_happen(
        ChooseOption(OWNER, effect.options, _source()), PLAYERS, conflict=few_conflicts()
    )
    stage(state)
    return state


@proves(
    {
        "UPR-WORM-001": Twin(
            MODULE, "sandworms=owner.sandworms + sandworms)", "sandworms=owner.sandworms + 1)"
        ),
        "UPR-WORM-007": Twin(
            MODULE,
            """FORBIDDEN, seat),))
    owner = player(state, seat)""",
            """FORBIDDEN, seat),))
    owner = player(state, state.first_player)""",
        ),
        "UPR-WALL-002": Twin(
            "rules_engine.imperium.shield_wall",
            "return state.shield_wall and at_critical_location(state)",
            "return state.shield_wall",
        ),
    },
)
def summoned_sandworms_join_an_unsheltered_conflict() -> None:
    """Unsatisfiable iff every sandworm summoned to an unsheltered Conflict is in it at once.

    All of them are the summoner's, who may deploy units; nobody else's change.
    """
    amount = quantity("amount", 1)
    before = about_to_happen(frame_for(Summon(amount), _source()), PLAYERS)
    assume(not behind_the_wall(before))
    assume(may_deploy(before))
    after, _ = resolve(before)
    for seat in range(PLAYERS):
        came = amount if seat == OWNER else 0
        claim(
            after.players[seat].sandworms == before.players[seat].sandworms + came,
            f"{NAMES[seat]} has the sandworms that were summoned",
        )


@proves(
    {
        "UPR-WORM-003": Twin(
            "rules_engine.imperium.choices",
            'return iter((Reason("condition_not_met", rules),))',
            "return iter(())",
        )
    },
    cases=_choices(),
)
def sandworms_that_need_maker_hooks_do_not_come_without(effect: str) -> None:
    """Unsatisfiable iff without Maker Hooks the option is refused and no sandworm comes."""
    choice, at = _guarded(effect)
    before = _choosing(choice)
    assume(not before.players[OWNER].maker_hooks)
    pick = ChooseAction(OWNER, at)
    claim(legal(IMPERIUM, before, pick) is not None, "the sandworms are refused")
    claim(pick not in options(IMPERIUM, before), "the sandworms are not offered")
    after, _ = resolve(before)
    claim(
        after.players[OWNER].sandworms == before.players[OWNER].sandworms,
        f"no sandworm comes for {NAMES[OWNER]}",
    )


@proves(
    {
        "UPR-WORM-003": Twin(
            "rules_engine.imperium.conditions",
            "lambda state, seat: player(state, seat).maker_hooks",
            "lambda state, seat: not player(state, seat).maker_hooks",
        ),
        "UPR-ICON-008": Twin(
            MODULE,
            "sandworms=owner.sandworms + sandworms)",
            "sandworms=owner.sandworms + sandworms, maker_hooks=False)",
        ),
    },
    cases=_choices(),
)
def maker_hooks_bring_the_sandworms_that_need_them(effect: str) -> None:
    """Unsatisfiable iff with Maker Hooks, and no shelter, the option is allowed and all come.

    The owner may deploy units, and keeps the token. Nothing of the others changes.
    """
    choice, at = _guarded(effect)
    before = _choosing(choice)
    assume(before.players[OWNER].maker_hooks)
    assume(not behind_the_wall(before))
    assume(may_deploy(before))
    pick = ChooseAction(OWNER, at)
    allowed = legal(IMPERIUM, before, pick) is None
    claim(allowed, "the sandworms are allowed")
    claim(pick in options(IMPERIUM, before), "the sandworms are offered")
    if not allowed:
        return
    after, _ = resolve(before, first=pick)
    came = _summoned(choice.options[at])
    old, new = before.players[OWNER], after.players[OWNER]
    claim(new.sandworms == old.sandworms + came, f"all sandworms come for {NAMES[OWNER]}")
    claim(new.maker_hooks, f"{NAMES[OWNER]} keeps the Maker Hooks")
    claim(players_kept(before, after, OWNER), "nothing of the others changes")


# Where they are, and where they go


@proves(
    {
        "UPR-WORM-009": Twin(
            "rules_engine.imperium.combat",
            "troops=0, sandworms=0, strength=0",
            "troops=0, strength=0",
        )
    },
    kind=ORDER,
)
def sandworms_go_back_to_the_bank_after_the_rewards() -> None:
    """Unsatisfiable iff all sandworms stay until rewards are taken, and none is left after Combat.

    Combat is played out from its resolution; as long as a reward is to be given, everybody has the
    sandworms from before.
    """
    bare = change(conflict_at("imperial_basin"), location=None)
    before = symbolic_state(
        PLAYERS,
        lambda owner: {"won": (), "intrigues": (), **({"strength": 0} if owner.seat == 2 else {})},
        first_player=0,
        config=covered_config(PLAYERS, (bare,)),
        conflict=bare.id,
        pending=(ResolveCombat(),),
    )

    def watch(_: State, now: State, __: tuple[Event, ...]) -> None:
        if any(isinstance(frame, GiveRewards) for frame in now.pending):
            for old, new in zip(before.players, now.players, strict=True):
                claim(new.sandworms == old.sandworms, f"{old.name}'s sandworms are still there")

    after, _ = play_out(before, watch=watch)
    for each in after.players:
        claim(each.sandworms == 0, f"{each.name} has no sandworm left")


# Maker Hooks


@proves(
    {
        "UPR-ICON-007": Twin(
            "rules_engine.imperium.sandworms", "if owner.maker_hooks:", "if not owner.maker_hooks:"
        )
    },
)
def maker_hooks_are_taken_once_and_kept() -> None:
    """Unsatisfiable iff the hooks icon leaves its owner with the token, whoever had one or none.

    All are told whether it was taken or there already. Nothing else of anybody changes.
    """
    before = with_cards((Run(OWNER, Item(TakeMakerHooks(), _source())),), {})
    had = before.players[OWNER].maker_hooks
    after, events = play_out(before)
    claim(after.players[OWNER].maker_hooks, f"{NAMES[OWNER]} has the token")
    claim_told(events, "has_hooks_already" if had else "takes_hooks", OWNER)
    claim(len(events) == 1, "nothing else is told")
    claim_only(before, after, ("maker_hooks",), ("pending",))


@proves(
    {
        "UPR-ICON-008": Twin(
            "rules_engine.imperium.sandworms",
            "change(owner, sandworms=owner.sandworms + sandworms)",
            "change(owner, sandworms=owner.sandworms + sandworms, maker_hooks=False)",
        )
    },
)
def maker_hooks_are_needed_and_not_spent() -> None:
    """Unsatisfiable iff sandworms behind a hooks icon come just to an owner of the token.

    The owner keeps it. Without the token nothing changes. With it all of them come, the strength
    may change, and nothing else of anybody does.
    """
    amount = quantity("amount")
    effect = If(Is("maker_hooks"), Summon(amount))
    frame = Run(OWNER, Item(effect, _source()))
    before = with_cards((frame,), {}, shield_wall=False, turn=None)
    had = before.players[OWNER].maker_hooks
    after, _ = play_out(before)
    old, new = before.players[OWNER], after.players[OWNER]
    claim(new.sandworms == old.sandworms + (amount if had else 0), "they come with the token")
    claim(new.maker_hooks == had, "the token stays")
    changed = ("sandworms", "strength") if had else ()
    claim_only(before, after, changed, ("pending",))
