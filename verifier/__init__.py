"""Proofs about the engine's own functions, run on symbolic numbers."""

from verifier.current import assume, choose, claim, quantity, stage
from verifier.explorer import Budget, Stopped
from verifier.verdicts import Settled, Verdict, settle

__all__ = [
    "Budget",
    "Settled",
    "Stopped",
    "Verdict",
    "assume",
    "choose",
    "claim",
    "quantity",
    "settle",
    "stage",
]
