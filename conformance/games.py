"""Generated games: Hypothesis draws the setup and the inputs, and makes what diverges short.

A game is played for a while at random, up to the start of a turn; from there on every input is
drawn. Of some inputs the one is taken that shows what was seen least often so far, so that rules
which no game has come to are preferred. The end is something that is not allowed.

An adapter with a chance of its own never plays a game twice, so there is nothing to make shorter:
its games are played from their setup, and inputs are chosen as they go on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import hypothesis
from hypothesis import strategies

from conformance.cases import Case, Move
from conformance.faults import AdapterFault
from conformance.messages import INJECT, POSITION, Described
from conformance.playing import Connection, play, play_on
from conformance.reference import Chooser, Moved, Reference, drawn
from conformance.results import FAIL, Result
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium import actions as inputs
from rules_engine.imperium.faces import printed
from rules_engine.imperium.frames import Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import AgentAt, SpyAt, State
from rules_engine.kernel.game import Action, actions, asked, legal
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import chosen
from scenarios.vectors.inputs import decision
from scenarios.vectors.positions import position, setup, to_move

NAMES = ("Paul", "Jessica", "Leto", "Chani")
PLAYERS = (3, 4)
LONGEST_BEFORE = 800
"""Inputs that are played at random before those that are drawn: a game has about so many."""
LONGEST = 30
"""Inputs that are drawn."""
GAMES_WITHOUT_LEADERS = 4
"""One game of so many is played without Leaders."""
CANDIDATES = 3
"""Of so many inputs the one is taken that shows the rarest thing."""
INPUTS_TO_A_FORBIDDEN_ONE = 5
"""Before one input of so many, one that is not allowed is tried."""
ATTEMPTS = 12
"""Of so many inputs one is tried that is not allowed."""
MOST_OF_A_RESOURCE = 9
SPIES_PLACED = 3
AGENTS_SENT = 3
GAMES_TO_A_ROUND = 25
"""So many games are drawn between two looks at what was seen: in between it must not change."""

Draw = Callable[[int], int]
"""Draws a number below another."""


class Found(Exception):
    """A game in which the implementation diverges."""


class _Gone(BaseException):
    """The adapter is gone. No failure of a game: Hypothesis lets it through, and tries no more."""

    def __init__(self, fault: AdapterFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Round:
    """Some games with one seed; the last divergence that is found is the shortest."""

    def __init__(
        self, connection: Connection, adapter: Described, seed: int, seen: Mapping[str, int]
    ) -> None:
        self._connection = connection
        self._adapter = adapter
        self._seed = seed
        self._seen = dict(seen)
        self.results: list[Result] = []
        self.shortest: tuple[Case, Result] | None = None

    def play(self, games: int = GAMES_TO_A_ROUND) -> None:
        """Play the games. What is wrong with the adapter itself is up to the caller."""
        if self._adapter.chance == INJECT:
            self._play_drawn(games)
        else:
            self._play_on(games)

    def _play_on(self, games: int) -> None:
        """Games of an adapter with a chance of its own, up to the first divergence."""
        for number in range(games):
            choices = random.Random(f"{self._seed} {number}")
            case = set_up(choices.randrange, f"games.{self._seed}.{number}", self._adapter)
            choose = _Chooses(choices, self._seen)
            result, case = play_on(case, self._adapter, self._connection, choose)
            if result.outcome == FAIL:
                self.shortest = case, result
                return
            self.results.append(result)

    def _play_drawn(self, games: int) -> None:
        settings = hypothesis.settings(
            max_examples=games,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(hypothesis.HealthCheck),
            phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
            verbosity=hypothesis.Verbosity.quiet,
        )
        test = hypothesis.given(strategies.data())(self._one)
        try:
            hypothesis.seed(self._seed)(settings(test))()
        except (Found, hypothesis.errors.Flaky):
            # One that diverges now and then is not made shorter, but it has diverged.
            return
        except _Gone as gone:
            raise gone.fault from gone

    def _one(self, data: Any) -> None:
        def draw(below: int) -> int:
            number: int = data.draw(strategies.integers(0, below - 1))
            return number

        name = f"games.{self._seed}.{len(self.results)}"
        case = drawn_case(draw, name, self._adapter, self._seen)
        try:
            result = play(case, self._adapter, self._connection)
        except AdapterFault as fault:
            raise _Gone(fault) from fault
        if result.outcome == FAIL:
            self.shortest = case, result
            raise Found
        self.results.append(result)


class _Chooses:
    """Chooses inputs that show what was seen least often, as long as the game is not too long."""

    def __init__(self, choices: random.Random, seen: Mapping[str, int]) -> None:
        self._random = choices
        self._seen = seen
        self._shown: Counter[str] = Counter()
        self._left = LONGEST_BEFORE

    def __call__(self, state: State) -> Move | None:
        """The next input; none at the end of the game."""
        listed = actions(IMPERIUM, state)
        self._left -= 1
        if not listed or self._left < 0:
            return None
        candidates = [self._random.choice(listed) for _ in range(CANDIDATES)]
        chance = drawn(self._random)
        return _rarest(Reference(state), candidates, chance, self._seen, self._shown)


def set_up(draw: Draw, name: str, adapter: Described) -> Case:
    """A game that is set up, of which nothing is played."""
    state = drawn_setup(draw, adapter.rulings)
    title = "a generated game"
    return Case(name, title, (), setup(state), None, None, (), tags=("generated",))


def drawn_case(draw: Draw, name: str, adapter: Described, seen: Mapping[str, int]) -> Case:
    """A game of which the inputs are drawn, as a case."""
    positions = POSITION in adapter.capabilities
    state = drawn_setup(draw, adapter.rulings)
    rest = random.Random(draw(1 << 16))
    game = Reference(state)
    chance = drawn(rest)
    begun = game.begin(chance)
    moves = list(_before(game, rest, chance, draw(LONGEST_BEFORE)))
    if positions:
        moves = []
        game.state = stirred(game.state, draw)
    start = game.state
    shown: Counter[str] = Counter()
    for _ in range(draw(LONGEST) + 1):
        listed = actions(IMPERIUM, game.state)
        if not listed:
            break
        if not draw(INPUTS_TO_A_FORBIDDEN_ONE):
            moves += _forbidden(game.state, draw, seen, shown)
        candidates = [listed[draw(len(listed))] for _ in range(1 + draw(CANDIDATES))]
        moves.append(_rarest(game, candidates, chance, seen, shown))
    moves += _forbidden(game.state, draw, seen, shown)
    return Case(
        id=name,
        title="a generated game",
        rules=tuple(sorted(shown)),
        setup=setup(state),
        position=position(start) if positions else None,
        to_move=to_move(start) if positions else None,
        moves=tuple(moves),
        chance=() if positions else begun.chance,
        tags=("generated",),
    )


def drawn_setup(draw: Draw, rulings: Mapping[str, str]) -> State:
    """What is fixed before a game: who plays, with which Leaders, with the module or without."""
    players = PLAYERS[draw(len(PLAYERS))]
    choam = bool(draw(2))
    faces = catalogue("uprising").leaders.values()
    free = [each.id for each in faces if not each.back and (choam or not each.choam)]
    leaders = None
    if draw(GAMES_WITHOUT_LEADERS):
        leaders = tuple(free.pop(draw(len(free))) for _ in range(players))
    followed = chosen(dict(rulings))
    return new_game("uprising", NAMES[:players], followed, choam=choam, leaders=leaders)


def _before(game: Reference, rest: random.Random, chance: Chooser, count: int) -> Iterator[Move]:
    """Inputs at random, and then on to the start of a turn."""
    played = 0
    while game.state.pending:
        if played >= count and isinstance(game.state.pending[-1], Turn):
            return
        listed = actions(IMPERIUM, game.state)
        yield _taken(game, rest.choice(listed), chance)
        played += 1


def _taken(game: Reference, action: Action, chance: Chooser) -> Move:
    given = {"do": decision(game.state, action)}
    done = game.take(action, chance)
    assert isinstance(done, Moved), "what is listed is allowed"
    return Move(given, done.chance)


def _rarest(
    game: Reference,
    candidates: list[Action],
    chance: Chooser,
    seen: Mapping[str, int],
    shown: Counter[str],
) -> Move:
    """Take the input that shows a rule which was seen least often."""
    before = game.state
    found: list[tuple[int, Action, Moved, State]] = []
    for action in dict.fromkeys(candidates):
        game.state = before
        done = game.take(action, chance)
        assert isinstance(done, Moved), "what is listed is allowed"
        rarity = min((seen.get(rule, 0) + shown[rule] for rule in done.rules), default=1 << 30)
        found.append((rarity, action, done, game.state))
    _, action, done, game.state = min(found, key=lambda each: each[0])
    shown.update(done.rules)
    return Move({"do": decision(before, action)}, done.chance)


NAMED_ALONE = (
    inputs.PlayAgent, inputs.Reveal, inputs.Pass, inputs.EndTurn, inputs.Deploy, inputs.Retreat,
    inputs.Acquire, inputs.PlaceSpy, inputs.Discard, inputs.TakeContract, inputs.PickFaction,
)  # fmt: skip
"""Decisions that say all by themselves; others name something that has to be there."""


def _forbidden(
    state: State, draw: Draw, seen: Mapping[str, int], shown: Counter[str]
) -> list[Move]:
    """An input that is not allowed here: of some, one with the fewest and rarest reasons."""
    if not state.pending:
        return []
    kind = NAMED_ALONE[draw(len(NAMED_ALONE))]
    every = list(_agents_sent(state)) if kind is inputs.PlayAgent else _of_kind(state, kind)
    found: list[tuple[int, int, Action]] = []
    for _ in range(min(len(every), ATTEMPTS)):
        action = every[draw(len(every))]
        refused = legal(IMPERIUM, state, action)
        if refused is not None:
            rarity = min(seen.get(rule, 0) + shown[rule] for rule in refused.rules)
            found.append((len(refused.reasons), rarity, action))
    if not found:
        return []
    _, _, action = min(found, key=lambda each: each[:2])
    return [Move({"do": decision(state, action)}, refused=True)]


_KINDS: dict[tuple[int, type[Action]], list[Action]] = {}
"""Inputs by the number of players and their kind: no generated game has cards of its own."""


def _of_kind(state: State, kind: type[Action]) -> list[Action]:
    """Every input of a kind that can be written down."""
    key = (len(state.players), kind)
    if key not in _KINDS:
        _KINDS[key] = [each for each in IMPERIUM.universe(state) if type(each) is kind]
    return _KINDS[key]


def _agents_sent(state: State) -> Iterator[Action]:
    """Every way to send an Agent with a card in hand, allowed or not."""
    for seat in asked(IMPERIUM, state).players:
        posts = [spy.post for spy in state.spies if spy.seat == seat]
        for card in dict.fromkeys(state.players[seat].hand):
            for space in printed(state).spaces:
                for post in (None, *posts):
                    yield inputs.PlayAgent(seat, card, space, post)


# Positions that few games come to


def stirred(state: State, draw: Draw) -> State:
    """The start of a turn with other resources and, now and then, pieces brought together.

    A position that breaks an invariant is not taken: then all stays as it was.
    """
    top = state.pending[-1] if state.pending else None
    if not isinstance(top, Turn) or not draw(2):
        return state
    owner = state.players[top.seat]
    amounts = {what: draw(MOST_OF_A_RESOURCE) for what in ("solari", "spice", "water")}
    players = list(state.players)
    players[owner.seat] = owner = change(owner, **amounts)
    spies, agents = list(state.spies), list(state.agents)
    posts = [post for post in printed(state).posts if post not in {spy.post for spy in spies}]
    for _ in range(min(owner.spies, draw(SPIES_PLACED))):
        spies.append(SpyAt(posts.pop(draw(len(posts))), owner.seat))
        players[owner.seat] = owner = change(owner, spies=owner.spies - 1)
    space = list(printed(state).spaces)[draw(len(printed(state).spaces))]
    for seat in (owner.seat, (owner.seat + 1) % len(players))[: draw(AGENTS_SENT)]:
        each = players[seat]
        if each.agents > 1:
            agents.append(AgentAt(space, seat))
            players[seat] = change(each, agents=each.agents - 1)
    found = change(
        state,
        players=tuple(players),
        spies=tuple(sorted(spies, key=lambda spy: (spy.post, spy.seat))),
        agents=tuple(sorted(agents, key=lambda agent: (agent.space, agent.seat))),
    )
    broken = any(list(law.broken(found)) for law in IMPERIUM.invariants)
    return state if broken else found


def rules_of(results: list[Result]) -> Counter[str]:
    """How often each rule was cited."""
    return Counter(rule for each in results for rule in each.rules)
