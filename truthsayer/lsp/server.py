"""The wiring of the language server: what an editor asks, and the functions that answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.workspace import PositionCodec

from rules_engine.kernel.errors import TruthsayerError
from scenarios.format import format_text
from scenarios.imperium.names import vocabulary
from scenarios.results import Problem
from truthsayer.lsp.checks import Checker
from truthsayer.lsp.completion import Completion, completions
from truthsayer.lsp.context import PRODUCT
from truthsayer.lsp.definition import definition
from truthsayer.lsp.diagnostics import diagnostic
from truthsayer.lsp.documents import Document
from truthsayer.lsp.examining import Examination
from truthsayer.lsp.hover import hover
from truthsayer.lsp.symbols import symbols

TRIGGERS = (" ", '"', ",", "-", "<")
"""Characters after which an editor asks by itself what could follow."""

KINDS = {
    "keyword": types.CompletionItemKind.Keyword,
    "player": types.CompletionItemKind.Variable,
    "variable": types.CompletionItemKind.Variable,
    "column": types.CompletionItemKind.Variable,
    "rule": types.CompletionItemKind.Reference,
    "ruling": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
}
"""The sign that an editor shows beside a completion; names of what is printed have another."""


class Protocol(LanguageServerProtocol):
    """Hands the documents to the server instead of the workspace; `Document` says why."""

    _server: ScenarioServer

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """A document is open from now on."""
        self._server.opened(params.text_document)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Somebody typed."""
        self._server.changed(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """A document is open no longer."""
        self._server.closed(params.text_document.uri)


class ScenarioServer(LanguageServer):
    """The language server with the documents that are open."""

    def __init__(self, version: str) -> None:
        super().__init__("truthsayer", version, protocol_cls=Protocol)
        self.asked_to_stop = False
        self._open: dict[str, Examination] = {}
        self._runner = Checker(may_take_long=False)
        self._prover = Checker(may_take_long=True)

    def opened(self, item: types.TextDocumentItem) -> None:
        """Take a document in, and examine it."""
        self.closed(item.uri)
        codec: PositionCodec = self.workspace.position_codec
        document = Document(item.uri, item.text, item.version, codec)
        self._open[item.uri] = Examination(document, self._publish, self._runner, self._prover)
        self._open[item.uri].begin()

    def changed(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take changes over, and examine the document again."""
        examination = self._open.get(params.text_document.uri)
        if examination is not None:
            for each in params.content_changes:
                examination.document.change(each)
            examination.document.version = params.text_document.version
            examination.begin()

    def saved(self, uri: str) -> None:
        """Examine a document with its proofs."""
        if uri in self._open:
            self._open[uri].begin(saved=True)

    def closed(self, uri: str) -> None:
        """Forget a document, and what was shown in it."""
        examination = self._open.pop(uri, None)
        if examination is not None:
            examination.end()
            self._publish(examination.document, [])

    def document(self, uri: str) -> Document | None:
        """The document, if it is open."""
        return self._open[uri].document if uri in self._open else None

    def _publish(self, document: Document, problems: list[Problem]) -> None:
        shown = [diagnostic(document, problem) for problem in problems]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, shown, document.version)
        )


def complete(server: ScenarioServer, params: types.CompletionParams) -> types.CompletionList:
    """What could stand at the cursor."""
    document = server.document(params.text_document.uri)
    found: list[types.CompletionItem] = []
    if document is not None:
        line, column = document.place(params.position)
        for number, each in enumerate(completions(document.lines, line, column)):
            found.append(_completion_item(document, line, each, number))
    return types.CompletionList(is_incomplete=False, items=found)


def _completion_item(
    document: Document, line: int, found: Completion, number: int
) -> types.CompletionItem:
    quoted_whole = found.text.startswith('"')
    return types.CompletionItem(
        label=found.text if quoted_whole else found.text.rstrip('"'),
        kind=KINDS.get(found.kind, types.CompletionItemKind.Constant),
        detail=found.detail or found.kind,
        sort_text=f"{number:05}",
        filter_text=found.text,
        text_edit=types.TextEdit(document.span(line, found.start, found.end), found.text),
    )


def show(server: ScenarioServer, params: types.HoverParams) -> types.Hover | None:
    """What is known of the word under the pointer."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    line, column = document.place(params.position)
    found = hover(document.lines, line, column)
    if found is None:
        return None
    markdown = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
    return types.Hover(markdown, document.span(line, found.word.start, found.word.end))


def go_to(server: ScenarioServer, params: types.DefinitionParams) -> types.Location | None:
    """Where the word under the cursor is defined."""
    document = server.document(params.text_document.uri)
    if document is None:
        return None
    found = definition(document.lines, *document.place(params.position))
    if found is None:
        return None
    start = types.Position(found.line, 0)
    uri = document.uri if found.file is None else found.file.as_uri()
    return types.Location(uri, types.Range(start, start))


def outline(
    server: ScenarioServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """The scenarios of a document."""
    document = server.document(params.text_document.uri)
    return (
        []
        if document is None
        else [
            types.DocumentSymbol(
                name=each.title,
                kind=types.SymbolKind.Event,
                range=types.Range(
                    types.Position(each.first, 0),
                    document.position(each.last, len(document.lines[each.last])),
                ),
                selection_range=document.span(each.first, 0, len(document.lines[each.first])),
            )
            for each in symbols(document.lines)
        ]
    )


def lay_out(server: ScenarioServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The document in canonical layout; one with a mistake is left alone."""
    document = server.document(params.text_document.uri)
    if document is None:
        return []
    try:
        text = format_text(document.name, document.text)
    except TruthsayerError:
        return []
    return [] if text == document.text else [types.TextEdit(document.whole(), text)]


def warm_up(_: ScenarioServer, __: types.InitializedParams) -> None:
    """Build the grammar before the first keystroke needs it."""
    vocabulary(PRODUCT)


def save(server: ScenarioServer, params: types.DidSaveTextDocumentParams) -> None:
    """Somebody saved."""
    server.saved(params.text_document.uri)


def stop(server: ScenarioServer, _: None) -> None:
    """The editor is about to end us, in good order."""
    server.asked_to_stop = True


FEATURES: dict[str, tuple[Callable[[ScenarioServer, Any], Any], Any]] = {
    types.INITIALIZED: (warm_up, None),
    types.SHUTDOWN: (stop, None),
    types.TEXT_DOCUMENT_DID_SAVE: (save, None),
    types.TEXT_DOCUMENT_COMPLETION: (complete, types.CompletionOptions(list(TRIGGERS))),
    types.TEXT_DOCUMENT_HOVER: (show, None),
    types.TEXT_DOCUMENT_DEFINITION: (go_to, None),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (outline, None),
    types.TEXT_DOCUMENT_FORMATTING: (lay_out, None),
}
"""What the server answers, and the options that an editor is told."""


def new_server(version: str) -> ScenarioServer:
    """A server that answers everything."""
    server = ScenarioServer(version)
    for name, (answer, options) in FEATURES.items():
        server.feature(name, options)(answer)
    return server
