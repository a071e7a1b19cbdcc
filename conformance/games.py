"""Generated games: Hypothesis draws the setup and the inputs, and makes what diverges short.

A game is played for a while at random, up to a turn of a round that is drawn; from there on every
input is drawn. Of some inputs the one is taken that shows what was seen least often so far, so that
rules which no game has come to are preferred. The end is something that is not allowed. Most games
are given to the adapter from that turn on, if it starts from positions; some from their setup.

An adapter with a chance of its own never plays a game twice, so there is nothing to make shorter:
its games are played from their setup, and inputs are chosen as they go on.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import hypothesis
import hypothesis.configuration
from hypothesis import strategies

from conformance.cases import Case, Move
from conformance.choosing import Choices, key
from conformance.faults import AdapterFault
from conformance.features import Features
from conformance.messages import INJECT, POSITION, Described
from conformance.playing import Connection, play, play_on
from conformance.reference import Chooser, Moved, OutOfPlace, Reference, drawn
from conformance.replaying import starts_a_turn
from conformance.results import FAIL, UNSUPPORTED, Result
from conformance.stopping import is_over, see_if_stopped
from rules_engine.catalogue.load import catalogue
from rules_engine.imperium import actions as inputs
from rules_engine.imperium.agent_turn import opens
from rules_engine.imperium.faces import printed
from rules_engine.imperium.frames import Turn
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.setup import new_game
from rules_engine.imperium.state import AgentAt, SpyAt, State, with_player
from rules_engine.kernel.game import Action, actions, asked, legal
from rules_engine.kernel.outcomes import Refusal
from rules_engine.kernel.records import change
from rules_engine.rulebook.rulings import chosen
from scenarios.imperium.features import named_on_table
from scenarios.vectors.inputs import decision
from scenarios.vectors.positions import position, setup, to_move
from verifier.kept import user_folder

NAMES = ("Paul", "Jessica", "Leto", "Chani")
PLAYERS = (3, 4)
ROUNDS = 10
TURNS = 12
"""Inputs are drawn from one of the first so many turns of a round on, if it has so many."""
SEEDS = 1 << 16
WALKS_KEPT = 16
"""While a game is made shorter, what comes before the drawn inputs is mostly the same."""
LONGEST = 30
"""Inputs that are drawn."""
LONGEST_OF_OWN_CHANCE = 800
"""Inputs of a game of an adapter with a chance of its own: a game has about so many."""
AS_IT_IS, STIRRED, FROM_SETUP = range(3)
STARTS = (AS_IT_IS, STIRRED, STIRRED, FROM_SETUP)
"""How games begin for an adapter that starts from positions; what is simplest comes first."""
GAMES_WITHOUT_LEADERS = 4
"""One game of so many is played without Leaders."""
TRIES = 100
"""So many games are played to make one that diverges shorter."""
CANDIDATES = 3
"""Of so many inputs the one is taken that shows the rarest thing."""
INPUTS_TO_A_FORBIDDEN_ONE = 3
"""Before one input of so many, one that is not allowed is tried."""
ATTEMPTS = 500
"""Of so many inputs one is tried that is not allowed."""
MOST_OF_A_RESOURCE = 9
SPIES_PLACED = 2
TOGETHER = 4
"""One time of so many, Agents meet anywhere, and not where a Spy looks on."""
MOST_REPLACED = 20
"""So many inputs of a game are replaced by others; it ends before the next unsupported one."""
PRODUCT = "uprising"
EVERYTHING = Choices(Features({}))
GAMES_TO_A_ROUND = 25
"""So many games are drawn between two looks at what was seen: in between it must not change."""

Json = dict[str, Any]

Draw = Callable[[int], int]
"""Draws a number below another."""


NOT_EVERY_TIME = "it does not diverge every time that this game is played"


class _Found(Exception):
    """A game in which the implementation diverges."""


class _Stop(BaseException):
    """Hypothesis lets it pass, and does not try the same again."""


class _Enough(_Stop):
    """What was found is short enough for the time it takes, or there is no more time."""


class _Broken(_Stop):
    """The adapter cannot go on."""

    def __init__(self, fault: AdapterFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class Round:
    """Some games with one seed, and the divergence that takes the fewest moves, if there is one."""

    def __init__(
        self,
        connection: Connection,
        adapter: Described,
        seed: int,
        seen: Mapping[str, int],
        *,
        tell: Callable[[Result], None] = lambda _: None,
        until: float | None = None,
    ) -> None:
        self._connection = connection
        self._adapter = adapter
        self._seed = seed
        self._seen = dict(seen)
        self._tell = tell
        self._until = until
        self.results: list[Result] = []
        self.shortest: tuple[Case, Result] | None = None
        self._tries = TRIES

    def play(self, games: int = GAMES_TO_A_ROUND) -> None:
        """Play the games, as long as there is time.

        What is wrong with the adapter itself is up to the caller. What was found until then stays.
        """
        if self._adapter.chance == INJECT:
            self._play_drawn(games)
        else:
            self._play_on(games)

    def _play_on(self, games: int) -> None:
        """Games of an adapter with a chance of its own, up to the first divergence."""
        for number in range(games):
            if is_over(self._until):
                return
            choices = random.Random(f"{self._seed} {number}")
            case = set_up(choices.randrange, f"games.{self._seed}.{number}", self._adapter)
            choose = _Chooses(choices, self._seen, self._adapter, self._until)
            result, case = play_on(case, self._adapter, self._connection, choose)
            if result.outcome == FAIL:
                self.shortest = case, result
                return
            self._hold(result)

    def _hold(self, result: Result) -> None:
        self.results.append(result)
        self._tell(result)

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
        # It would keep what it has read of sources in the folder that the user stands in.
        hypothesis.configuration.set_hypothesis_home_dir(user_folder("hypothesis"))
        test = hypothesis.given(strategies.data())(self._one)
        try:
            hypothesis.seed(self._seed)(settings(test))()
        except (_Found, _Enough):
            if self.shortest is not None:
                self._play_again()
        except hypothesis.errors.Flaky:
            self._mark_as_flaky()
        except _Broken as broken:
            raise broken.fault from None

    def _play_again(self) -> None:
        assert self.shortest is not None
        if play(self.shortest[0], self._adapter, self._connection).outcome != FAIL:
            self._mark_as_flaky()

    def _mark_as_flaky(self) -> None:
        assert self.shortest is not None, "only a divergence can come and go"
        case, result = self.shortest
        self.shortest = case, change(result, detail=NOT_EVERY_TIME)

    def _one(self, data: Any) -> None:
        def draw(below: int) -> int:
            number: int = data.draw(strategies.integers(0, below - 1))
            return number

        name = f"games.{self._seed}.{len(self.results)}"
        try:
            case, result = self._supported(draw, name)
        except AdapterFault as fault:
            raise _Broken(fault) from fault
        if self.shortest is not None:
            self._tries -= 1
        if result.outcome == FAIL:
            self._keep(case, result)
        if self._tries <= 0:
            raise _Enough
        if result.outcome == FAIL:
            raise _Found
        if self.shortest is None:
            self._hold(result)

    def _supported(self, draw: Draw, name: str) -> tuple[Case, Result]:
        """A game; an input that the adapter does not support makes it choose another one."""
        draws = _Again(draw)
        barred: frozenset[str] = frozenset()
        for _ in range(MOST_REPLACED):
            case = drawn_case(draws.from_the_first(), name, self._adapter, self._seen, barred)
            result, whole = self._played(case)
            if result.outcome != UNSUPPORTED or not result.inputs:
                return whole, result
            barred |= {key(whole.moves[result.inputs - 1].given["do"])}
        case = change(case, moves=case.moves[: result.inputs - 1])
        result, whole = self._played(case)
        return whole, result

    def _played(self, case: Case) -> tuple[Result, Case]:
        if is_over(self._until):
            raise _Enough
        return play_on(case, self._adapter, self._connection)

    def _keep(self, case: Case, result: Result) -> None:
        if self.shortest is None or _moves(result) <= _moves(self.shortest[1]):
            self.shortest = case, result


class _Again:
    """Draws that come again, as they were, when a game is drawn anew; what is more is drawn."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._drawn: list[int] = []

    def from_the_first(self) -> Draw:
        """Draws from the first on."""
        numbers = iter(tuple(self._drawn))

        def draw(below: int) -> int:
            number = next(numbers, None)
            if number is None:
                number = self._draw(below)
                self._drawn.append(number)
            return number % below

        return draw


def _moves(result: Result) -> int:
    assert result.divergence is not None
    return result.divergence.move


class _Chooses:
    """Chooses inputs that show what was seen least often, as long as the game is not too long."""

    def __init__(
        self,
        choices: random.Random,
        seen: Mapping[str, int],
        adapter: Described,
        until: float | None = None,
    ) -> None:
        self._random = choices
        self._choices = Choices(Features(adapter.features))
        self._until = until
        self._seen = seen
        self._shown: Counter[str] = Counter()
        self._left = LONGEST_OF_OWN_CHANCE

    def __call__(self, state: State) -> Move | None:
        """The next input; none at the end of the game, or when there is no more time."""
        see_if_stopped()
        listed = actions(IMPERIUM, state)
        self._left -= 1
        if not listed or self._left < 0 or is_over(self._until):
            return None
        candidates = [self._random.choice(listed) for _ in range(CANDIDATES)]
        chance = self._choices.chance(self._random)
        others = () if self._choices.all else tuple(listed)
        game = Reference(state)
        return _rarest(game, candidates, others, chance, self._choices, self._seen, self._shown)


def set_up(draw: Draw, name: str, adapter: Described) -> Case:
    """A game that is set up, of which nothing is played."""
    state = drawn_setup(draw, adapter)
    title = "a generated game"
    return Case(name, title, (), setup(state), None, None, (), tags=("generated",))


def drawn_case(
    draw: Draw,
    name: str,
    adapter: Described,
    seen: Mapping[str, int],
    barred: frozenset[str] = frozenset(),
) -> Case:
    """A game of which the inputs are drawn, as a case; none of them is `barred`."""
    choices = Choices(Features(adapter.features), barred)
    begins = STARTS[draw(len(STARTS))]
    positions = POSITION in adapter.capabilities and begins != FROM_SETUP
    state = drawn_setup(draw, adapter)
    seed = draw(SEEDS)
    walk = _walked(state, seed, 1 + draw(ROUNDS), draw(TURNS), choices)
    start = walk.state
    if positions and begins == STIRRED:
        start = stirred(start, draw)
        if not choices.features.has(named_on_table(state.config.product, position(start))):
            start = walk.state
    is_stirred = positions and begins == STIRRED
    game = Reference(start)
    chance = choices.chance(random.Random(f"after {seed}"))
    moves = [] if positions else [_move(*each) for each in walk.inputs]
    shown: Counter[str] = Counter()
    if is_stirred:
        moves += _forbidden(start, draw, seen, shown, choices)
    for _ in range(draw(LONGEST) + 1):
        listed = actions(IMPERIUM, game.state)
        if not listed:
            break
        if draw(INPUTS_TO_A_FORBIDDEN_ONE) == INPUTS_TO_A_FORBIDDEN_ONE - 1:
            moves += _forbidden(game.state, draw, seen, shown, choices)
        candidates = [listed[draw(len(listed))] for _ in range(1 + draw(CANDIDATES))]
        others = () if choices.all else tuple(listed)
        move = _rarest(game, candidates, others, chance, choices, seen, shown)
        if move is None:
            break
        moves.append(move)
    moves += _forbidden(game.state, draw, seen, shown, choices)
    return Case(
        id=name,
        title="a generated game",
        rules=tuple(sorted(shown)),
        setup=setup(state),
        position=position(start) if positions else None,
        to_move=to_move(start) if positions else None,
        moves=tuple(moves),
        chance=() if positions else walk.chance,
        tags=("generated",),
    )


def drawn_setup(draw: Draw, adapter: Described) -> State:
    """What is fixed before a game: who plays, with which Leaders, with the module or without.

    There is nothing that the adapter does not have.
    """
    features = Features(adapter.features)
    players = PLAYERS[draw(len(PLAYERS))]
    choam = bool(draw(2)) and features.has([("modules", "choam")])
    faces = catalogue(PRODUCT).leaders.values()
    free = [each.id for each in faces if not each.back and (choam or not each.choam)]
    free = [each for each in free if features.has([("leaders", each)])]
    leaders = None
    if draw(GAMES_WITHOUT_LEADERS) and len(free) >= players:
        leaders = tuple(free.pop(draw(len(free))) for _ in range(players))
    followed = chosen(dict(adapter.rulings))
    return new_game(PRODUCT, NAMES[:players], followed, choam=choam, leaders=leaders)


class _Walk(NamedTuple):
    """A game that was played at random: where it has come to, and how."""

    state: State
    chance: tuple[Json, ...]
    inputs: tuple[tuple[State, Action, Moved], ...]


@functools.lru_cache(WALKS_KEPT)
def _walked(
    state: State, seed: int, number: int, turn: int, choices: Choices = EVERYTHING
) -> _Walk:
    """Play at random up to a turn of a round: its last one if it has fewer, or the game's."""
    rest = random.Random(seed)
    chance = choices.chance(rest)
    game = Reference(state)
    try:
        begun = game.begin(chance)
    except OutOfPlace:  # it has too little for any game: what it lacks is told
        begun, choices = game.begin(drawn(rest)), EVERYTHING
    inputs: list[tuple[State, Action, Moved]] = []
    found, played, turns = game.state, 0, 0
    while game.state.pending:
        see_if_stopped()
        before = game.state
        if starts_a_turn(before):
            found, played = before, len(inputs)
            turns += before.round == number
            if before.round > number or turns > turn or (turns and _is_last(before)):
                break
        taken = _any_taken(game, rest, chance, choices)
        if taken is None:
            break
        inputs.append((before, *taken))
    return _Walk(found, begun.chance, tuple(inputs[:played]))


def _any_taken(
    game: Reference, rest: random.Random, chance: Chooser, choices: Choices
) -> tuple[Action, Moved] | None:
    """An input that is taken at random; another one if it may not be chosen."""
    listed = list(actions(IMPERIUM, game.state))
    while listed:
        action = rest.choice(listed)
        done = choices.taken(game, action, chance)
        if done is not None:
            return action, done
        listed.remove(action)
    return None


def _is_last(state: State) -> bool:
    """Whether one player alone has not revealed yet."""
    return sum(not each.revealed for each in state.players) == 1


def _move(before: State, action: Action, done: Moved) -> Move:
    return Move({"do": decision(before, action)}, done.chance)


def _rarest(
    game: Reference,
    candidates: list[Action],
    others: tuple[Action, ...],
    chance: Chooser,
    choices: Choices,
    seen: Mapping[str, int],
    shown: Counter[str],
) -> Move | None:
    """Take the input that shows a rule which was seen least often, or one of the others."""
    before = game.state
    found: list[tuple[int, Action, Moved, State]] = []
    for number, action in enumerate(dict.fromkeys((*candidates, *others))):
        if found and number >= len(candidates):
            break
        game.state = before
        done = choices.taken(game, action, chance)
        if done is not None:
            rarity = min((seen.get(rule, 0) + shown[rule] for rule in done.rules), default=1 << 30)
            found.append((rarity, action, done, game.state))
    game.state = before
    if not found:
        return None
    _, action, done, game.state = min(found, key=lambda each: each[0])
    shown.update(done.rules)
    return _move(before, action, done)


NAMED_ALONE = (
    inputs.PlayAgent, inputs.Reveal, inputs.Pass, inputs.EndTurn, inputs.Deploy, inputs.Retreat,
    inputs.Acquire, inputs.PlaceSpy, inputs.Discard, inputs.TakeContract, inputs.PickFaction,
)  # fmt: skip
"""Decisions that say all by themselves; others name something that has to be there."""


def _forbidden(
    state: State, draw: Draw, seen: Mapping[str, int], shown: Counter[str], choices: Choices
) -> list[Move]:
    """An input that is not allowed here: of some, one with the fewest and rarest reasons."""
    if not state.pending:
        return []
    sends = isinstance(state.pending[-1], Turn) and draw(2)
    kind = inputs.PlayAgent if sends else NAMED_ALONE[draw(len(NAMED_ALONE))]
    every = list(_agents_sent(state)) if kind is inputs.PlayAgent else _of_kind(state, kind)
    found: list[tuple[int, int, Action, Refusal]] = []
    some = random.Random(draw(SEEDS)).sample(every, min(len(every), ATTEMPTS))
    for action in some:
        refused = legal(IMPERIUM, state, action)
        if refused is not None and choices.has(state, action):
            rarity = min(seen.get(rule, 0) + shown[rule] for rule in refused.rules)
            found.append((len(refused.reasons), rarity, action, refused))
    if not found:
        return []
    _, _, action, refused = min(found, key=lambda each: each[:2])
    shown.update(refused.rules)
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
    """The start of a turn with other resources and pieces brought together.

    A position that breaks an invariant is not taken: then all stays as it was.
    """
    if not starts_a_turn(state):
        return state
    assert state.turn is not None
    seat = state.turn.seat
    amounts = {what: draw(MOST_OF_A_RESOURCE) for what in ("solari", "spice", "water")}
    found = with_player(state, change(state.players[seat], **amounts))
    found = _with_spies(found, seat, draw)
    found = _with_agents(found, seat, draw)
    broken = any(list(law.broken(found)) for law in IMPERIUM.invariants)
    return state if broken else found


def _with_spies(state: State, seat: int, draw: Draw) -> State:
    """Some of a player's Spies come to posts that are free."""
    owner = state.players[seat]
    taken = {spy.post for spy in state.spies}
    posts = [post for post in printed(state).posts if post not in taken]
    count = min(owner.spies, 1 + draw(SPIES_PLACED), len(posts))
    placed = [SpyAt(posts.pop(draw(len(posts))), seat) for _ in range(count)]
    spies = sorted([*state.spies, *placed], key=lambda spy: (spy.post, spy.seat))
    state = change(state, spies=tuple(spies))
    return with_player(state, change(owner, spies=owner.spies - count))


def _with_agents(state: State, seat: int, draw: Draw) -> State:
    """A player's Agent, one of the next player or both are on a space, if they can be."""
    spaces = _looked_at(state, seat)
    if not spaces or draw(TOGETHER) == TOGETHER - 1:
        spaces = list(printed(state).spaces)
    space = spaces[draw(len(spaces))]
    following = (seat + 1) % len(state.players)
    for each in ((), (seat,), (following,), (seat, following))[draw(4)]:
        state = _with_agent(state, each, space)
    return state


def _looked_at(state: State, seat: int) -> list[str]:
    """The spaces that a player's Spies look at; only those that a card in hand opens, if any is."""
    posts = [printed(state).posts[spy.post] for spy in state.spies if spy.seat == seat]
    spaces = list(dict.fromkeys(space for post in posts for space in post.spaces))
    cards = [printed(state).cards[card] for card in state.players[seat].hand]
    faces = printed(state).spaces
    opened = [s for s in spaces if any(opens(state, seat, card, faces[s], None) for card in cards)]
    return opened or spaces


def _with_agent(state: State, seat: int, space: str) -> State:
    """A player's Agent on a space: one that is on the board already, or else one of several."""
    owner = state.players[seat]
    others = [agent for agent in state.agents if agent.seat != seat]
    own = [agent.space for agent in state.agents if agent.seat == seat]
    if space in own or (not own and owner.agents < 2):
        return state
    if not own:
        state = with_player(state, change(owner, agents=owner.agents - 1))
    agents = [*others, *(AgentAt(each, seat) for each in (space, *own[1:]))]
    return change(state, agents=tuple(sorted(agents, key=lambda at: (at.space, at.seat))))


def rules_of(results: list[Result]) -> Counter[str]:
    """How often each rule was cited."""
    return Counter(rule for each in results for rule in each.rules)
