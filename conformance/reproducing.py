"""The scenario that reproduces a divergence: it holds on the engine and not where it was found.

It starts as late as words allow, states every input and all of chance, and ends with what the
implementation got wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from conformance import reading
from conformance.cases import Case, Move
from conformance.reference import SHUFFLED, Moved
from conformance.replaying import Replay, replay, starts_a_turn
from conformance.results import Divergence
from conformance.wording import asked_words, field_words, view_words
from rules_engine.imperium.faces import printed
from rules_engine.imperium.game import IMPERIUM, TURN_RULES
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import size
from rules_engine.kernel.errors import TruthsayerError
from rules_engine.kernel.game import Answer, asked
from rules_engine.kernel.outcomes import Event
from rules_engine.kernel.records import change
from rules_engine.kernel.rulings import Rulings
from rules_engine.rulebook.rulings import rulings as all_rulings
from scenarios.check import check, read
from scenarios.format import format_text
from scenarios.groups import NeedsChoice, OrderMatters, TooManyEffects, finish_group, has_effects
from scenarios.imperium.stating import givens, heading
from scenarios.language.values import Environment
from scenarios.resting import left_open
from scenarios.run import Expectation, Run
from scenarios.words import card_name, event_words, option_words, telling

Json = dict[str, Any]

FILE = "reproduction.scenario"

STARTS = 3
"""From so many turns before the divergence it is tried to start, the latest first."""

LONGEST = 240
"""Values in remarks are cut after so many characters: an adapter may say anything."""

RESOLVED = "by now the effects that leave no choice have resolved themselves"

PHASES = {
    "game_begins": "the game begins",
    "round_begins": "the round begins",
    "combat_begins": "combat begins",
    "combat_resolves": "combat resolves",
    "makers_begin": "the makers phase begins",
    "recall_begins": "recall begins",
}


def reproduction(case: Case, divergence: Divergence, rulings: Mapping[str, str]) -> str:
    """A scenario file that fails for an implementation as the case did.

    `rulings` are the readings that the reference followed where they are not those of the case.
    """
    followed = {**case.setup["rulings"], **rulings}
    case = change(case, setup={**case.setup, "rulings": followed})
    played = replay(case, divergence.move)
    for target in _targets(case, divergence):
        for start in _starts(played, min(target.after, divergence.move - 1)):
            text = _tried(case, divergence, played, start, target)
            if text is not None:
                return text
    return _as_much_as_can_be_said(case, divergence, played)


# What is to be shown, and after how many moves


class _Target(NamedTuple):
    """After so many moves this is expected; `exact` says that the divergence itself is."""

    after: int
    exact: bool
    deed: tuple[str, Json] | None = None


def _targets(case: Case, divergence: Divergence) -> Iterator[_Target]:
    """Ways to show a divergence, the best first."""
    last = divergence.move
    match divergence.kind:
        case "accepted" | "failure" if last and case.moves[last - 1].refused:
            yield _Target(last - 1, True, ("cannot", divergence.given["do"]))
        case "refused" if "do" in divergence.given:
            yield _Target(last - 1, True, ("can", divergence.given["do"]))
        case "actions" if isinstance(divergence.expected, dict):
            yield _Target(last, True, ("can", divergence.expected))
        case "actions":
            yield _Target(last, True, ("cannot", divergence.got))
        case "field":
            yield _Target(last, True)
        case kind if kind.startswith("view"):
            yield _Target(last, True)
    yield _Target(last, False)


def _starts(played: Replay, latest: int) -> Iterator[int]:
    """After how many moves a scenario can start: at a turn, or where the case does (-1).

    It never starts with what is to be shown: a line that is given holds anyway.
    """
    turns = [at for at in range(latest + 1) if starts_a_turn(played.states[at])]
    yield from turns[: -STARTS - 1 : -1]
    yield -1


# One way to show it


def _tried(
    case: Case, divergence: Divergence, played: Replay, start: int, target: _Target
) -> str | None:
    """The scenario from this start; nothing if it cannot be said, or does not hold."""
    try:
        before = _Lines(case, divergence, played, start, target.after)
        run = _run(before.text(["nobody is asked"]))
        if run is None:
            return None
        resolved = [RESOLVED] if _goes_on(played.states[target.after]) else []
        left = [] if target.deed else [each.line for each in left_open(run.state)]
        for lines, remarks in _expectations(run, divergence, target):
            text = _settled(before, lines, left, [*resolved, *remarks], divergence.rules)
            if text is not None:
                return text
    except TruthsayerError:
        pass
    return None


class _Lines:
    """A scenario without what it expects."""

    def __init__(
        self, case: Case, divergence: Divergence, played: Replay, start: int, after: int
    ) -> None:
        first = max(start, 0)
        state = _with_few_rulings(_opening(case) if start < 0 else played.states[start])
        self.head = [
            *(f"# {line}" for line in _remarks(case, divergence)),
            f'scenario "{_title(case)}"',
            f"cites {', '.join(_cited(case, divergence))}",
            *heading(state),
        ]
        steps = [
            list(_step(played.states[at], case.moves[at], played.outcomes[at]))
            for at in range(first, after)
        ]
        self.given = [*givens(state), *_empty_decks(state)]
        if start < 0 and case.position is None:
            self.given = list(_leaders(state))
            steps.insert(0, [PHASES["game_begins"], *_chance(played.begun)])
        elif case.moves[:1] and case.moves[0].given.get("begin") == "round_begins":
            self.given += ["it is round 1"] if state.round == 1 else []
        self.when = _blocks(steps, played.states[after - 1] if after > first else None)

    def text(self, then: list[str], remarks: list[str] | None = None) -> str:
        """The scenario in canonical layout, with what it expects."""
        lines = [*self.head, ""]
        if self.given:
            lines.append("given " + "\nand ".join(self.given))
        lines += ["when " + "\nand ".join(block) for block in self.when if block]
        lines += [f"# {each}" for each in remarks or ()]
        lines.append("then " + "\nand ".join(then))
        return format_text(FILE, "\n".join(lines))


def _opening(case: Case) -> State:
    """Where a case starts, before anything has happened."""
    if case.position is None:
        return reading.from_setup(case.setup)
    return reading.from_position(case.setup, case.position, case.to_move)


def _with_few_rulings(state: State) -> State:
    """The position with those rulings alone that are not what is followed anyway."""
    known = all_rulings()
    chosen = state.config.rulings.chosen
    others = tuple((name, value) for name, value in chosen if value != known[name].default)
    return change(state, config=change(state.config, rulings=Rulings(others)))


def _empty_decks(state: State) -> Iterator[str]:
    """Decks that have run out: the cards of a case may be anywhere, as those in the box are."""
    for deck in ("imperium", "intrigue", *(("contract",) if state.config.choam else ())):
        if not size(getattr(state, f"{deck}_deck")):
            yield f"the {deck} deck is empty"


def _leaders(state: State) -> Iterator[str]:
    leaders = printed(state).leaders
    for each in state.players:
        if each.leader is not None:
            yield f'{each.name} is led by "{leaders[each.leader].name}"'


def _blocks(steps: list[list[str]], before_last: State | None) -> list[list[str]]:
    """The lines of `when`: the last input by itself, so that what happens after it counts alone.

    At the end of a block the effects that leave no choice resolve themselves, so there is no end
    where some are left.
    """
    flat = [line for step in steps for line in step]
    if len(steps) < 2 or before_last is None or _goes_on(before_last):
        return [flat]
    return [flat[: -len(steps[-1])], steps[-1]] if steps[-1] else [flat]


def _goes_on(state: State) -> bool:
    """Whether effects would resolve themselves at the end of a block."""
    if not has_effects(state):
        return False
    try:
        return bool(finish_group(state, answers=(), optional_asks=True).order)
    except (NeedsChoice, OrderMatters, TooManyEffects):
        return False


# What is done, in words


def _step(state: State, move: Move, outcome: Any) -> Iterator[str]:
    """An accepted input and all that chance brings after it."""
    if not isinstance(outcome, Moved):
        return
    given = move.given
    if "begin" in given:
        yield PHASES[given["begin"]]
    elif "effect" in given:
        told = given["effect"]
        name = state.players[told["player"]].name
        yield f'{name} resolves the effect "{"; ".join(told["effects"])}"'
    elif "do" in given:
        yield option_words(state, reading.action(state, given["do"]))
    yield from _chance(outcome)


def _chance(moved: Moved) -> Iterator[str]:
    answers = iter([each for each in moved.chance if each["kind"] not in SHUFFLED.values()])
    for part in moved.parts:
        if asked(IMPERIUM, part.before).chance:
            yield option_words(part.before, Answer(next(answers)["outcome"]))


def _deed_words(state: State, said: Json) -> str:
    """A decision in words, also one that cannot be made here."""
    name = state.players[said["by"]].name
    action = reading.action(state, said) if said["action"] in ("resolve", "choose") else None
    match said["action"]:
        case "resolve" | "choose" if action is not None:
            return option_words(state, action)
        case "resolve":
            return f'{name} resolves "{said["effect"]}"'
        case "choose" if not said["effect"].startswith("pay "):
            return f'{name} chooses "{said["effect"]}"'
        case "trash":
            zone = {"in_play": "play"}.get(said["zone"], said["zone"])
            return f'{name} trashes "{card_name(state, said["card"])}" from {zone}'
        case "give_up_intrigue":
            verb = "trashes" if getattr(state.pending[-1], "trash", False) else "discards"
            return f'{name} {verb} intrigue "{card_name(state, said["card"])}"'
        case "recall_spy":
            gather = " to gather intelligence" if said["gather"] else ""
            return f"{name} recalls the spy at {printed(state).posts[said['post']].name}{gather}"
        case "choose":
            _, amount, what = said["effect"].split()
            return f"{name} pays {amount} {what}"
    action = reading.action(state, said)
    if action is None:
        raise LookupError(said["action"])
    return option_words(state, action)


def _possible(state: State, verb: str, said: Json) -> list[str]:
    """`John can play …` or `John cannot play …`; what an adapter lists may make no sense."""
    try:
        name, does, *rest = _deed_words(state, said).split(" ")
    except (LookupError, TypeError, ValueError, AttributeError):
        return []
    plain = does.removesuffix("es") if does in ("passes", "trashes") else does.removesuffix("s")
    return [" ".join((name, verb, plain, *rest))]


# What is expected


def _expectations(
    run: Run, divergence: Divergence, target: _Target
) -> Iterator[tuple[list[str], list[str]]]:
    """Lines that may show the divergence, each with remarks."""
    if target.exact:
        lines = _exact(run.state, divergence, target)
        if lines:
            yield lines, []
        if lines and target.deed is not None:
            # Where only the moment is wrong, a line has to name the rule of the moment.
            yield from (([f"{lines[0]} because {rule}"], []) for rule in divergence.rules)
        return
    remarks = [] if divergence.kind == "refused" else [_expected(divergence)]
    for event in reversed(_telling_events(run, divergence)):
        sentence = event_words(run.state, event)
        if '"' not in sentence:
            yield [f'"{sentence}" happens'], remarks
    yield asked_words(run.state), remarks


def _exact(state: State, divergence: Divergence, target: _Target) -> list[str]:
    if target.deed is not None:
        return _possible(state, *target.deed)
    if divergence.kind == "field":
        return field_words(state, divergence.path, divergence.got)
    viewer = divergence.kind.split()[-1]
    if viewer == "None":
        return []
    return view_words(state, int(viewer), divergence.path, divergence.got)


def _telling_events(run: Run, divergence: Divergence) -> list[Event]:
    """What happened after the last input by the rules that decide, if it can be told."""
    return [event for event in telling(run.events) if set(event.rules) & set(divergence.rules)]


def _settled(
    before: _Lines, lines: list[str], left: list[str], remarks: list[str], rules: tuple[str, ...]
) -> str | None:
    """The scenario with these expectations and the rules that decide them, if it holds.

    `left` says what is left open there.
    """
    seen: list[Expectation] = []
    try:
        if not lines or _run(before.text([*lines, *left]), seen) is None:
            return None
    except TruthsayerError:
        return None
    if not all(each.holds is True for each in seen):
        return None
    cited = {each.line.written.text: each.rules for each in seen}
    with_rules = [_with_rules(line, cited[line], rules) for line in lines]
    text = before.text([*with_rules, *left], remarks)
    return text if all(each.good for each in check(FILE, text)) else None


def _with_rules(line: str, cited: tuple[str, ...], rules: tuple[str, ...]) -> str:
    """A line with those of the rules that are behind what it says."""
    named = [rule for rule in rules if rule in cited]
    return f"{line} because {', '.join(named)}" if named and " because " not in line else line


def _run(text: str, seen: list[Expectation] | None = None) -> Run | None:
    """A scenario run to its end; nothing if it has a mistake."""
    (scenario,), problems = read(FILE, text)
    if problems:
        return None
    run = Run(scenario, Environment(), lambda _, each: None if seen is None else seen.append(each))
    run.play()
    return run


# Remarks


def _title(case: Case) -> str:
    plain = " ".join(case.title.replace('"', "'").replace("<", "").replace(">", "").split())
    return plain or "A divergence"


def _cited(case: Case, divergence: Divergence) -> tuple[str, ...]:
    """The rules that decide, and those that the scenario of the case is about."""
    of_case = case.rules if case.file else ()
    return tuple(dict.fromkeys((*divergence.rules, *of_case))) or TURN_RULES


def _remarks(case: Case, divergence: Divergence) -> Iterator[str]:
    where = f" ({case.file}:{case.line})" if case.file else ""
    yield _plain(f"Case {case.id}{where}, after {divergence.move} of {len(case.moves)} inputs.")
    yield _plain(f"The implementation {_did(divergence)}")


def _did(divergence: Divergence) -> str:
    """What the implementation did instead."""
    got, expected = _shown(divergence.got), _shown(divergence.expected)
    given = _shown(divergence.given)
    match divergence.kind:
        case "accepted":
            return f"accepts {given}, which is refused."
        case "refused":
            return f"refuses {given}, which is allowed."
        case "actions" if isinstance(divergence.expected, dict):
            return f"does not list {expected}, which is allowed."
        case "actions":
            return f"lists {got}, which is not allowed."
        case "field":
            return _wrong_value(divergence)
        case kind if kind.startswith("view"):
            return f"shows in the {kind} {divergence.path} = {got}, and it is {expected}."
    return f"answers {got}, and expected is {expected}."


def _wrong_value(divergence: Divergence) -> str:
    """What is wrong with a field: of a list, what is lacking and what is too much."""
    path, expected, got = divergence.path, divergence.expected, divergence.got
    if not isinstance(expected, list) or not isinstance(got, list):
        return f"has {path} = {_shown(got)}, and it is {_shown(expected)}."
    lacking, surplus = _without(expected, got), _without(got, expected)
    parts = [f"lacks {_shown(lacking)}"] if lacking else []
    parts += [f"has {_shown(surplus)} too much"] if surplus else []
    return f"{' and '.join(parts) or 'differs'} in {path}."


def _without(these: list[Any], those: list[Any]) -> list[Any]:
    left = list(these)
    for each in those:
        if each in left:
            left.remove(each)
    return left


def _expected(divergence: Divergence) -> str:
    place = f"{divergence.path} = " if divergence.path else ""
    expected, got = _plain(_shown(divergence.expected)), _plain(_shown(divergence.got))
    return f"expected {place}{expected}, got {got}"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, sort_keys=True)


def _plain(text: str) -> str:
    """A text on one line, without what a terminal or an editor would stumble over."""
    words = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


# Where words fail


def _as_much_as_can_be_said(case: Case, divergence: Divergence, played: Replay) -> str:
    """The players and the rules, with the rest in remarks: the position cannot be said."""
    steps: list[str] = []
    for at, outcome in enumerate(played.outcomes):
        steps += _step(played.states[at], case.moves[at], outcome)
    name = case.setup["players"][0]
    lines = [
        *(f"# {line}" for line in _remarks(case, divergence)),
        f'scenario "{_title(case)}"',
        f"cites {', '.join(_cited(case, divergence))}",
        f"game {case.setup['product']} with {', '.join(case.setup['players'])}",
        *(f"# {_plain(line)}" for line in steps),
        f"# {_expected(divergence)}",
        f"given it is the turn of {name}",
        f"then {name} is asked",
    ]
    return format_text(FILE, "\n".join(lines))
