"""Effect trees for Hypothesis: everything that the grammar can express."""

from __future__ import annotations

from hypothesis import strategies as st

from rules_engine.effects import tree
from rules_engine.effects.tree import Condition, Effect

amounts = st.integers(min_value=0, max_value=99)
names = st.from_regex(r"[a-z][a-z_]{0,12}", fullmatch=True)
resources = st.sampled_from(["solari", "spice", "water", "persuasion", "vp"])

pays = st.builds(tree.Pay, amounts, resources)

simple: st.SearchStrategy[Effect] = st.one_of(
    st.builds(tree.Gain, amounts, resources),
    pays,
    st.builds(tree.Swords, amounts),
    st.builds(tree.Recruit, amounts),
    st.builds(tree.Summon, amounts),
    st.builds(tree.DrawCards, amounts),
    st.builds(tree.DrawIntrigue, amounts),
    st.builds(tree.GainInfluence, amounts, names),
    st.builds(tree.LoseInfluence, amounts, names),
    st.builds(tree.TakeControl, names),
    st.sampled_from(
        [
            tree.PlaceSpy(),
            tree.TrashCard(),
            tree.TrashSelf(),
            tree.TakeMakerHooks(),
            tree.RemoveShieldWall(),
            tree.GainBonusSpice(),
            tree.UseSignet(),
        ]
    ),
)

conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(tree.InfluenceAtLeast, names, amounts),
    st.just(tree.RecalledSpyThisTurn()),
    st.just(tree.OwnsMakerHooks()),
)


def _compound(inner: st.SearchStrategy[Effect]) -> st.SearchStrategy[Effect]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    paid = st.builds(tree.PaidOption, pays, inner)
    return st.one_of(
        st.builds(tree.May, inner),
        st.builds(tree.If, conditions, inner),
        st.builds(tree.Choose, several),
        st.builds(tree.All, several),
        st.builds(tree.Arrow, inner, inner),
        st.builds(tree.AtPlacement, st.lists(paid, min_size=2, max_size=3).map(tuple)),
    )


effects: st.SearchStrategy[Effect] = st.recursive(simple, _compound, max_leaves=8)
