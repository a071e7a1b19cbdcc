"""Ranked search over texts of any kind: words are stemmed, and synonyms count as one word."""
