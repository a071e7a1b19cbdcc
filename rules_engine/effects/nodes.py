"""What every node of an effect is: an effect, a condition, or something that is counted."""

from __future__ import annotations

from rules_engine.kernel.records import Record


class Node(Record, tag=True, tag_field="kind"):
    """One node of an effect."""


class Test(Record, tag=True, tag_field="test"):
    """One node of a condition."""


class Counted(Record, tag=True, tag_field="counted"):
    """Something of which there are so many."""
