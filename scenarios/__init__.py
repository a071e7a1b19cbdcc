"""The scenario language: rulebook examples that run, ask and are settled for all values."""

from scenarios.asking import ask
from scenarios.check import check, check_files
from scenarios.format import format_text
from scenarios.printing import print_refutation

__all__ = ["ask", "check", "check_files", "format_text", "print_refutation"]
