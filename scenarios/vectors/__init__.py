"""Scenarios as data: vectors that a client in any language can run without us."""
