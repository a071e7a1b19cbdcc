"""Colours for scenarios, effects and messages."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from scenarios.language.statements import STARTERS

RULE_ID = r"\b[A-Z]+-[A-Z0-9]+-\d{3}\b"


class ScenarioLexer(RegexLexer):
    """The scenario language: the word that begins a line, quoted names, rules and numbers."""

    name = "Scenario"
    aliases = ["scenario"]
    filenames = ["*.scenario"]
    tokens = {
        "root": [
            (r"^[ \t]*#.*$", Comment.Single),
            (rf"^([ \t]*)({'|'.join(STARTERS)})\b", bygroups(Text, Keyword)),
            (words(("because", "cannot", "can"), r"\b", r"\b"), Keyword.Pseudo),
            (r'"[^"\n]*"', String),
            (RULE_ID, Name.Label),
            (r"<[a-z][a-z0-9_]*>", Name.Variable),
            (r"\b\d+\b", Number),
            (r"[|,:]", Punctuation),
            (r"[-+=<>!]+", Operator),
            (r"\w+", Text),
            (r"[ \t]+|\n|.", Text),
        ]
    }


class EffectLexer(RegexLexer):
    """The effect language: its joining words and signs, and numbers."""

    name = "Effect"
    aliases = ["effect"]
    tokens = {
        "root": [
            (
                words(
                    (
                        "if",
                        "otherwise",
                        "per",
                        "choose",
                        "may",
                        "each",
                        "for",
                        "when",
                        "not",
                        "and",
                    ),
                    r"\b",
                    r"\b",
                ),
                Keyword,
            ),
            (r"->|[;&|:()\[\]]|>=|<=|\+", Operator),
            (r"\b\d+\b", Number),
            (r"\w+", Text),
            (r"[ \t]+|\n|.", Text),
        ]
    }


class MessagesLexer(RegexLexer):
    """Lines of JSON that go to an adapter (`→`) and come back (`←`), parts of them left out."""

    name = "Messages"
    aliases = ["jsonl"]
    tokens = {
        "root": [
            (r"[→←]", Keyword),
            (r'"[^"\n]*"(?=:)', Name.Tag),
            (r'"[^"\n]*"', String),
            (r"\b(?:true|false|null)\b", Keyword.Constant),
            (r"\b\d+\b", Number),
            (r"[{}\[\],:]", Punctuation),
            (r"[ \t]+|\n|.", Text),
        ]
    }


def setup(app: Sphinx) -> ExtensionMetadata:
    """Tell Sphinx of them."""
    app.add_lexer("scenario", ScenarioLexer)
    app.add_lexer("effect", EffectLexer)
    app.add_lexer("jsonl", MessagesLexer)
    return {"parallel_read_safe": True}
