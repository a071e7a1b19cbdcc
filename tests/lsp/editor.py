"""An editor without a screen: it starts the language server and speaks its protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.client import LanguageClient

ResultT = TypeVar("ResultT")

ANSWER_WITHIN = 60
"""Seconds after which the server counts as stuck; it says nothing about its speed."""

Shown = list[types.Diagnostic]


class Editor:
    """One server process and what it has published. Its calls wait for the answer."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner
        self._shown: dict[str, tuple[int | None, Shown]] = {}
        self._news = asyncio.Event()
        self._opened = 0
        self._versions: dict[str, int] = {}
        self.messages: list[str] = []
        self.client = LanguageClient("tests", "1")
        self._listen()

    def _listen(self) -> None:
        def take(params: types.PublishDiagnosticsParams) -> None:
            self._shown[params.uri] = (params.version, list(params.diagnostics))
            self._news.set()

        def pop_up(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(take)
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(pop_up)

    def wait(self, doing: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Wait for an answer."""

        async def within() -> ResultT:
            return await asyncio.wait_for(doing, ANSWER_WITHIN)

        return self._runner.run(within())

    # Beginning and ending

    def start(self, encodings: list[str] | None = None) -> types.InitializeResult:
        """Start the server; the editor can count positions in these units."""
        self.wait(self.client.start_io(sys.executable, "-m", "truthsayer", "lsp"))
        general = types.GeneralClientCapabilities(position_encodings=encodings)
        capabilities = types.ClientCapabilities(general=general)
        answer = self.wait(
            self.client.initialize_async(types.InitializeParams(capabilities=capabilities))
        )
        self.client.initialized(types.InitializedParams())
        return answer

    def stop(self, *, ask: bool = True) -> tuple[int | None, str]:
        """End the server, in good order if it is asked first: its exit code and what it logged."""
        if ask:
            self.wait(self.client.shutdown_async(None))
        server = self.client._server
        assert server is not None
        assert server.stderr is not None
        self.client.exit(None)
        logged = self.wait(server.stderr.read())
        client: Any = self.client
        self.wait(client.stop())
        return server.returncode, logged.decode()

    # Documents

    def open(self, text: str, name: str = "") -> str:
        """Open a document; its address."""
        self._opened += 1
        uri = f"file:///games/{name or f'open_{self._opened}.scenario'}"
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri, "truthsayer-scenario", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def type(self, uri: str, line: int, start: int, end: int, text: str) -> None:
        """Replace a part of a line."""
        span = types.Range(types.Position(line, start), types.Position(line, end))
        self.send_changes(uri, types.TextDocumentContentChangePartial(text=text, range=span))

    def replace(self, uri: str, text: str) -> None:
        """Replace the whole document."""
        self.send_changes(uri, types.TextDocumentContentChangeWholeDocument(text))

    def send_changes(self, uri: str, *changes: types.TextDocumentContentChangeEvent) -> None:
        """Send changes as the next version of a document."""
        self._versions[uri] = self._versions.get(uri, 0) + 1
        document = types.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(document, list(changes))
        )

    def save(self, uri: str) -> None:
        """Say that a document was saved."""
        document = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    def close(self, uri: str) -> None:
        """Close a document."""
        document = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def shown(self, uri: str, fits: Callable[[Shown], bool] = lambda _: True) -> Shown:
        """What is underlined in the version of a document that we have, once it fits."""

        async def until() -> Shown:
            while True:
                version, found = self._shown.get(uri, (None, []))
                if version == self._versions[uri] and fits(found):
                    return found
                self._news.clear()
                await self._news.wait()

        return self.wait(until())

    # Questions

    def complete(self, uri: str, line: int, character: int) -> list[types.CompletionItem]:
        """What could stand at a place."""
        params = types.CompletionParams(*at(uri, line, character))
        found = self.wait(self.client.text_document_completion_async(params))
        assert isinstance(found, types.CompletionList)
        return list(found.items)

    def hover(self, uri: str, line: int, character: int) -> str:
        """What is shown of the word at a place."""
        params = types.HoverParams(*at(uri, line, character))
        found = self.wait(self.client.text_document_hover_async(params))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    def definition(self, uri: str, line: int, character: int) -> types.Location | None:
        """Where the word at a place is defined."""
        params = types.DefinitionParams(*at(uri, line, character))
        found = self.wait(self.client.text_document_definition_async(params))
        assert found is None or isinstance(found, types.Location)
        return found

    def symbols(self, uri: str) -> list[types.DocumentSymbol]:
        """The outline of a document."""
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
        found = self.wait(self.client.text_document_document_symbol_async(params))
        return [each for each in found or () if isinstance(each, types.DocumentSymbol)]

    def format(self, uri: str) -> list[types.TextEdit]:
        """The edits that lay a document out."""
        options = types.FormattingOptions(tab_size=2, insert_spaces=True)
        params = types.DocumentFormattingParams(types.TextDocumentIdentifier(uri), options)
        found = self.wait(self.client.text_document_formatting_async(params))
        return list(found or ())


def at(uri: str, line: int, character: int) -> tuple[types.TextDocumentIdentifier, types.Position]:
    """A place in a document, as questions name it."""
    return types.TextDocumentIdentifier(uri), types.Position(line, character)


@contextmanager
def editor_process() -> Iterator[Editor]:
    """An editor; whoever uses it starts and stops the server."""
    with asyncio.Runner() as runner:
        yield Editor(runner)


@contextmanager
def running_editor(encodings: list[str] | None = None) -> Iterator[Editor]:
    """An editor with its server, which has to end in good order and log nothing."""
    with editor_process() as editor:
        editor.start(encodings)
        yield editor
        assert editor.stop() == (0, "")
        assert editor.messages == []
