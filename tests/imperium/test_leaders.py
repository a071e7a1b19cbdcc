"""Leaders: abilities, the Signet ability, training, memories and the other side."""

from __future__ import annotations

import pytest

from rules_engine.effects import tree
from rules_engine.imperium import frames
from rules_engine.imperium.actions import (
    Choose,
    Deploy,
    EndTurn,
    PickFaction,
    PlaceSpy,
    PlayAgent,
    Resolve,
    Reveal,
    Train,
    Trash,
)
from rules_engine.imperium.agents import move_agent_to
from rules_engine.imperium.game import IMPERIUM
from rules_engine.imperium.invariants import INVARIANTS
from rules_engine.imperium.state import State
from rules_engine.kernel.decks import size, top_faces
from rules_engine.kernel.game import Answer, actions
from rules_engine.kernel.laws import check_laws
from rules_engine.rulebook.index import rules
from tests.imperium.positions import (
    after,
    at,
    done,
    following,
    giving,
    holding,
    led_by,
    owner,
    refused,
    run,
    spying,
    to_move,
    tracked,
)

KNOWN = frozenset(rule.id for rule in rules())
FEYD, GURNEY, AMBER = "feyd_rautha_harkonnen", "gurney_halleck", "lady_amber_metulli"
JESSICA, REVEREND = "lady_jessica", "reverend_mother_jessica"
MARGOT, IRULAN, STABAN = "lady_margot_fenring", "princess_irulan", "staban_tuek"
MUAD_DIB, SHADDAM = "muad_dib", "shaddam_corrino_iv"
SIGNET = "signet_ring"


def playing(leader: str, *cards: str, **fields: object) -> State:
    """A Leader about to move, with Gurney and Amber, or Muad'Dib, as opponents."""
    others = [each for each in (GURNEY, AMBER, MUAD_DIB) if each != leader][:2]
    state = led_by(leader, *others, choam=leader == SHADDAM)
    return to_move(giving(holding(state, 0, *cards), 0, **fields))


def with_signet(leader: str, space: str, **fields: object) -> State:
    """After the Leader sent an Agent to a space with the Signet icon."""
    return after(playing(leader, SIGNET, **fields), PlayAgent(0, SIGNET, space))


def due_from(state: State, source: str) -> list[tree.Effect]:
    """The effects of a source that the turn in progress still has."""
    (frame,) = (each for each in state.pending if isinstance(each, frames.AgentTurn))
    return [item.effect for item in frame.items if item.source == source]


def picking(state: State, effect: tree.Effect) -> Resolve:
    """Resolving this effect of the turn."""
    top = state.pending[-1]
    assert isinstance(top, frames.AgentTurn)
    return Resolve(0, [item.effect for item in top.items].index(effect))


def resolve(state: State, effect: tree.Effect) -> State:
    """The position after this effect of the turn was picked."""
    return after(state, picking(state, effect))


def broken(state: State) -> list[str]:
    return [text for invariant in INVARIANTS for text in invariant.broken(state)]


# The Signet ability


def test_the_signet_ability_is_the_leaders_each_effect_its_own() -> None:
    state = with_signet(AMBER, "arrakeen")
    assert len(due_from(state, SIGNET)) == 2
    assert owner(resolve(state, tree.Gain(1, "solari"))).solari == 1


def test_the_signet_effects_are_lost_with_the_card() -> None:
    state = at(with_signet(FEYD, "arrakeen"), frames.PickTrash(0))
    gone = after(state, Trash(0, SIGNET, "in_play"))
    (lost,) = due_from(gone, SIGNET)
    assert "UPR-REVEAL-010" in refused(gone, picking(gone, lost)).rules


def test_other_cards_do_not_use_the_signet_ability() -> None:
    state = after(playing(GURNEY, "dagger"), PlayAgent(0, "dagger", "assembly_hall"))
    assert due_from(state, "dagger") == []


# Abilities of the Reveal turn


def test_a_leader_may_recall_a_spy_for_two_swords_once() -> None:
    state = spying(playing(FEYD), 0, "post_fremen", "post_emperor")
    state = after(giving(state, 0, troops=1, supply=8), Reveal(0), Resolve(0, 0))
    assert isinstance(state.pending[-1], frames.PickSpies)
    recalled = after(state, actions(IMPERIUM, state)[0])
    assert (owner(recalled).strength, owner(recalled).spies) == (4, 2)
    assert not [each for each in actions(IMPERIUM, recalled) if isinstance(each, Resolve)]


@pytest.mark.parametrize(("troops", "persuasion"), [(2, 0), (3, 1)])
def test_a_leader_gains_persuasion_at_six_strength(troops: int, persuasion: int) -> None:
    state = after(giving(playing(GURNEY), 0, troops=troops, supply=9 - troops), Reveal(0))
    if persuasion:
        assert "UPR-REVEAL-006" in refused(state, EndTurn(0)).rules
        state = after(state, Resolve(0, 0))
    assert owner(state).persuasion == persuasion


def test_a_leader_may_retreat_a_troop() -> None:
    state = after(giving(playing(AMBER), 0, troops=2, supply=7), Reveal(0))
    assert EndTurn(0) in actions(IMPERIUM, state)
    assert Resolve(0, 0) in actions(IMPERIUM, state)


@pytest.mark.parametrize(("sandworms", "draws"), [(0, False), (1, True)])
def test_a_leader_draws_an_intrigue_card_for_sandworms(sandworms: int, draws: bool) -> None:
    state = after(giving(playing(MUAD_DIB), 0, sandworms=sandworms), Reveal(0))
    assert (Resolve(0, 0) in actions(IMPERIUM, state)) is draws


# Reaching 2 Influence


def test_a_leader_gains_spice_on_reaching_two() -> None:
    state = tracked(playing(MARGOT), 0, "bene_gesserit", 1)
    assert owner(run(state, 0, tree.GainInfluence(1, "bene_gesserit"))).spice == 2
    assert owner(run(state, 0, tree.GainInfluence(1, "fremen"))).spice == 0


def test_going_past_two_is_reaching_it_and_coming_down_is_not() -> None:
    state = playing(MARGOT)
    past = run(state, 0, tree.GainInfluence(3, "bene_gesserit"))
    assert owner(past).spice == 2
    down = run(past, 0, tree.LoseInfluence(1, "bene_gesserit"))
    assert owner(down).spice == 2
    below = run(down, 0, tree.LoseInfluence(1, "bene_gesserit"))
    assert owner(run(below, 0, tree.GainInfluence(1, "bene_gesserit"))).spice == 4


# The spy who smuggles


def test_a_leader_gains_spice_when_another_harvests_where_he_spies() -> None:
    state = led_by(GURNEY, STABAN, AMBER)
    state = to_move(holding(spying(state, 1, "post_imperial_basin"), 0, SIGNET))
    assert owner(after(state, PlayAgent(0, SIGNET, "imperial_basin")), 1).spice == 1
    assert owner(after(state, PlayAgent(0, SIGNET, "arrakeen")), 1).spice == 0


def test_nothing_is_smuggled_on_the_own_visit_or_without_a_spy() -> None:
    own = spying(playing(STABAN, SIGNET), 0, "post_imperial_basin")
    assert owner(after(own, PlayAgent(0, SIGNET, "imperial_basin"))).spice == 0
    state = led_by(GURNEY, STABAN, AMBER)
    unseen = to_move(holding(state, 0, SIGNET))
    assert owner(after(unseen, PlayAgent(0, SIGNET, "imperial_basin")), 1).spice == 0


def test_the_unseen_network_pays_by_the_post() -> None:
    landsraad = with_signet(STABAN, "arrakeen", spice=1)
    place = tree.PlaceSpy()
    placed = after(resolve(landsraad, place), PlaceSpy(0, "post_landsraad_hall"))
    (by_landsraad, by_faction) = due_from(placed, SIGNET)
    assert owner(resolve(placed, by_landsraad)).solari == 3
    assert refused(placed, picking(placed, by_faction))


def test_a_leader_whose_deck_lacks_a_card() -> None:
    deck = owner(led_by(STABAN, GURNEY, AMBER)).deck
    assert size(deck) == 9
    assert "diplomacy" not in top_faces(deck)


# Training


def trained(at_space: str, **fields: object) -> State:
    """The Signet ability was used with the token somewhere on the track."""
    state = giving(with_signet(FEYD, "arrakeen", **fields), 0, training=at_space)
    return resolve(state, tree.Train())


def test_training_starts_at_the_left_and_offers_both_paths() -> None:
    state = with_signet(FEYD, "arrakeen")
    assert owner(state).training == "start"
    state = resolve(state, tree.Train())
    assert set(actions(IMPERIUM, state)) == {Train(0, "paid_trash"), Train(0, "spy_a")}
    assert "UPR-CLAR-001" in refused(state, Train(0, "final")).rules
    lower = after(state, Train(0, "spy_a"), PlaceSpy(0, "post_fremen"))
    assert (owner(lower).training, owner(lower).spies) == ("spy_a", 2)


def test_a_single_way_on_is_no_question() -> None:
    assert owner(trained("spy_c")).training == "spice_d"
    assert owner(trained("spy_c")).spice == 2
    upper = trained("trash_c")
    assert owner(upper).training == "final"


def test_at_the_right_end_the_token_stays_and_nothing_is_gained() -> None:
    state = trained("final")
    assert owner(state).training == "final"
    assert due_from(state, SIGNET) == []
    assert (owner(state).spies, owner(state).garrison) == (3, 3)


def test_a_reward_may_have_a_price() -> None:
    paid = after(trained("start", solari=1), Train(0, "paid_trash"), Resolve(0, 0))
    assert owner(paid).solari == 0
    poor = after(trained("start"), Train(0, "paid_trash"))
    assert actions(IMPERIUM, poor) == (EndTurn(0),)


def test_training_keeps_every_law() -> None:
    states = [trained("start"), trained("trash_b"), trained("start", solari=1)]
    assert check_laws(IMPERIUM, states, KNOWN.__contains__) == []


# Memories


AGONY = tree.Arrow(tree.Pay(1, "spice"), tree.All((tree.DrawIntrigue(1), tree.Memorise())))


def test_a_memory_is_a_troop_of_the_supply() -> None:
    state = after(resolve(with_signet(JESSICA, "arrakeen", spice=1), AGONY), Answer("mercenaries"))
    assert (owner(state).supply, owner(state).memories) == (8, 1)
    assert owner(state).intrigues == ("mercenaries",)
    assert broken(state) == []


@pytest.mark.parametrize(("ruling", "allowed"), [("pay_and_draw", True), ("not_allowed", False)])
def test_whether_a_memory_needs_a_troop_in_supply(ruling: str, allowed: bool) -> None:
    state = with_signet(JESSICA, "arrakeen", spice=1, supply=0, garrison=12)
    state = following(state, jessica_spice_agony_no_troop=ruling)
    use = picking(state, AGONY)
    assert (use in actions(IMPERIUM, state)) is allowed
    if allowed:
        used = after(state, use, Answer("mercenaries"))
        assert (owner(used).memories, owner(used).spice) == (0, 0)
    else:
        assert "UPR-UNIT-006" in refused(state, use).rules


# The other side


def at_sisters(memories: int, space: str = "secrets", **fields: object) -> State:
    """Jessica has just sent an Agent to a space of the Bene Gesserit."""
    state = playing(JESSICA, "seek_allies", memories=memories, supply=9 - memories, **fields)
    return after(state, PlayAgent(0, "seek_allies", space))


def test_turning_over_draws_a_card_for_each_memory() -> None:
    state = resolve(at_sisters(2), tree.May(tree.FlipLeader()))
    state = after(state, Answer("dagger"), Answer("dagger"))
    assert owner(state).leader == REVEREND
    assert (owner(state).memories, owner(state).supply) == (0, 9)
    assert owner(state).hand == ("dagger", "dagger")
    assert broken(state) == []


def test_turning_over_is_optional_and_only_at_sisters() -> None:
    assert due_from(at_sisters(1), JESSICA) == [tree.May(tree.FlipLeader())]
    elsewhere = playing(JESSICA, "seek_allies")
    assert due_from(after(elsewhere, PlayAgent(0, "seek_allies", "fremkit")), JESSICA) == []


@pytest.mark.parametrize(("ruling", "allowed"), [("allowed", True), ("not_allowed", False)])
def test_whether_one_turns_over_without_memories(ruling: str, allowed: bool) -> None:
    state = following(at_sisters(0), jessica_zero_memories=ruling)
    flip = picking(state, tree.May(tree.FlipLeader()))
    assert (flip in actions(IMPERIUM, state)) is allowed
    if allowed:
        assert owner(after(state, flip)).leader == REVEREND
    else:
        assert "UPR-CLAR-003" in refused(state, flip).rules


@pytest.mark.parametrize(("ruling", "late"), [("lost", 0), ("made_up", 2)])
def test_returned_memories_may_make_up_for_a_shortage(ruling: str, late: int) -> None:
    state = following(at_sisters(2), recruit_shortage_makeup=ruling)
    state = giving(state, 0, supply=0, garrison=10)
    short = run(state, 0, tree.Recruit(3))
    flipped = resolve(short, tree.May(tree.FlipLeader()))
    assert (owner(flipped).supply, owner(flipped).garrison) == (2 - late, 10 + late)


# Once more


REPEAT = tree.Arrow(tree.Pay(1, "water"), tree.RepeatSpace())


def reverend(space: str, card: str = "seek_allies", **fields: object) -> State:
    """The Reverend Mother has just sent an Agent to a space."""
    state = giving(playing(JESSICA, card, **fields), 0, leader=REVEREND)
    return after(state, PlayAgent(0, card, space))


def test_a_space_is_repeated_after_it_was_resolved_without_its_influence() -> None:
    state = reverend("fremkit")
    early = refused(state, picking(state, REPEAT))
    assert [reason.key for reason in early.reasons] == ["space_first"]
    drawn = after(resolve(state, tree.DrawCards(1)), Answer("dagger"))
    again = resolve(drawn, REPEAT)
    assert due_from(again, "fremkit") == [tree.GainInfluence(1, "fremen"), tree.DrawCards(1)]
    assert due_from(again, REVEREND) == []
    assert owner(again).water == 0


def test_the_influence_is_repeated_too_if_so_ruled() -> None:
    state = following(reverend("fremkit"), reverend_mother_scope="with_influence")
    drawn = after(resolve(state, tree.DrawCards(1)), Answer("dagger"))
    again = resolve(resolve(drawn, tree.GainInfluence(1, "fremen")), REPEAT)
    assert due_from(again, "fremkit") == [tree.GainInfluence(1, "fremen"), tree.DrawCards(1)]


def test_repeating_costs_no_space_cost_again() -> None:
    state = reverend("espionage", spice=1)
    assert owner(state).spice == 0
    state = after(resolve(state, tree.DrawCards(1)), Answer("dagger"))
    state = after(resolve(state, tree.PlaceSpy()), PlaceSpy(0, "post_fremen"))
    assert tree.PlaceSpy() in due_from(resolve(state, REPEAT), "espionage")


@pytest.mark.parametrize("space", ["arrakeen", "assembly_hall"])
def test_other_spaces_are_not_repeated(space: str) -> None:
    assert due_from(reverend(space, SIGNET), REVEREND) == []


def test_the_other_side_can_be_used_on_the_turn_of_turning_over() -> None:
    state = resolve(at_sisters(0), tree.May(tree.FlipLeader()))
    assert due_from(state, REVEREND) == [REPEAT]


def test_repeating_and_turning_over_keep_every_law() -> None:
    states = [at_sisters(0), at_sisters(2), reverend("fremkit"), reverend("secrets")]
    assert check_laws(IMPERIUM, states, KNOWN.__contains__) == []


# Shaddam


def test_the_signet_ability_keeps_units_out_from_the_moment_of_sending() -> None:
    state = with_signet(SHADDAM, "arrakeen")
    assert state.turn is not None
    assert state.turn.forbidden
    assert "UPR-CLAR-007" in refused(state, Deploy(0, 1)).rules
    free = after(playing(SHADDAM, "reconnaissance"), PlayAgent(0, "reconnaissance", "arrakeen"))
    assert Deploy(0, 1) in actions(IMPERIUM, free)


def test_the_ban_comes_before_the_cost_of_the_space_is_picked() -> None:
    state = with_signet(SHADDAM, "spice_refinery")
    assert isinstance(state.pending[-1], frames.PickCost)
    assert state.turn is not None
    assert state.turn.forbidden


def test_the_emperor_chooses_what_he_takes() -> None:
    state = with_signet(SHADDAM, "arrakeen", solari=3)
    (choice,) = due_from(state, SIGNET)
    asked = resolve(state, choice)
    assert owner(after(asked, Choose(0, 0))).garrison == 4
    paid = after(asked, Choose(0, 1), PickFaction(0, "fremen"))
    assert owner(paid).solari == 0
    poor = giving(asked, 0, solari=2)
    assert actions(IMPERIUM, poor) == (Choose(0, 0),)


# Agents and Leaders in a game without them


def test_without_a_leader_the_signet_ability_is_nothing() -> None:
    state = holding(led_by(GURNEY, AMBER, MUAD_DIB), 0, SIGNET)
    state = to_move(giving(state, 0, leader=None))
    sent = after(state, PlayAgent(0, SIGNET, "arrakeen"))
    events = done(sent, picking(sent, tree.UseSignet())).events
    assert [event.key for event in events] == ["no_leader"]


def test_a_trained_leader_and_agents_away_keep_every_law() -> None:
    away = move_agent_to(playing(IRULAN, SIGNET), 0, "fremkit")
    sent = after(away, PlayAgent(0, SIGNET, "arrakeen"))
    assert check_laws(IMPERIUM, [sent], KNOWN.__contains__) == []
