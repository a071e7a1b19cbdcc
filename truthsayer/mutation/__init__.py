"""Mutants: one small mistake at a time in the rule functions, and who notices it.

mutmut and cosmic-ray run a whole test command for each mutant and cannot pick the scenarios and the
properties that reach a function, so the changes are made with libcst and run by a runner of ours.
"""
