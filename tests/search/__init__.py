"""Tests of the ranked search."""
