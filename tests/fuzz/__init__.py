"""Fuzzers, each a program: `python -m tests.fuzz.parser`."""
