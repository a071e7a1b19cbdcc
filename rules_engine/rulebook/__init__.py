"""The rule index: every rule has an id, our wording of it, and the place it comes from."""

from rules_engine.rulebook.index import Rule, UnknownRule, cite, rule, rules

__all__ = ["Rule", "UnknownRule", "cite", "rule", "rules"]
