"""The language server, driven over its protocol as an editor drives it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lsprotocol import types

from rules_engine.rulebook.index import rule
from tests.lsp.editor import Editor, Shown, editor_process, running_editor
from tests.lsp.texts import FOR_ANY, OWN_CARD, place_of
from tests.samples import HOLDS


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    with running_editor() as started:
        yield started


def codes(shown: Shown) -> list[str]:
    return [str(each.code) for each in shown]


def marked(text: str, shown: types.Diagnostic) -> str:
    """The words that are underlined."""
    span = shown.range
    assert span.start.line == span.end.line
    return text.split("\n")[span.start.line][span.start.character : span.end.character]


# Diagnostics


def test_a_mistake_shows_while_typing_and_goes_when_it_is_mended(editor: Editor) -> None:
    uri = editor.open(HOLDS)
    assert editor.shown(uri) == []
    line, column = place_of(HOLDS, "Imperial Basin\nthen")
    editor.type(uri, line, column + 6, column + 8, "l")
    (shown,) = editor.shown(uri)
    assert (shown.code, shown.source) == ("TS0104", "truthsayer")
    assert shown.severity == types.DiagnosticSeverity.Error
    assert shown.message == "no space `Imperil Basin`\nhelp: did you mean `Imperial Basin`?"
    assert (shown.range.start.line, shown.range.start.character) == (line, column)
    assert marked(HOLDS.replace("Imperial Basin\nthen", "Imperil Basin\nthen"), shown) == "Imperil"
    editor.type(uri, line, column + 6, column + 7, "al")
    assert editor.shown(uri) == []


def test_every_mistake_is_at_its_own_line_below_lines_that_were_added(editor: Editor) -> None:
    second = HOLDS.replace("JOHN-1", "JOHN-2").replace("1 spice", "1 spise")
    uri = editor.open(f"{HOLDS}\n{second}")
    (before,) = editor.shown(uri)
    editor.type(uri, 0, 0, 0, "# a remark\n\n")
    (after,) = editor.shown(uri)
    assert after.range.start.line == before.range.start.line + 2
    assert marked(f"# a remark\n\n{HOLDS}\n{second}", after) == "spise"


def test_two_scenarios_with_one_id_are_told_of_the_file_as_it_stands(editor: Editor) -> None:
    uri = editor.open(f"# first\n{HOLDS}\n{HOLDS}", "twins.scenario")
    (shown,) = editor.shown(uri)
    assert shown.code == "TS0107"
    assert "used at twins.scenario:2:1" in shown.message
    assert shown.range.start.line == 2 + HOLDS.count("\n")


def test_an_expectation_that_fails_shows_after_a_pause_with_its_rules(editor: Editor) -> None:
    uri = editor.open(HOLDS)
    line, column = place_of(HOLDS, "1 spice")
    editor.type(uri, line, column, column + 1, "2")
    (shown,) = editor.shown(uri, bool)
    assert shown.code == "TS0120"
    assert shown.range.start.line == line
    assert shown.message.startswith("expected John gains 2 spice; actual: John gains 1\nhelp: ")
    assert f"rule: UPR-BOARD-014 ({rule('UPR-BOARD-014').source()})" in shown.message
    editor.type(uri, 0, 0, 0, "# moved\n")
    (moved,) = editor.shown(uri)
    assert moved.range.start.line == line + 1
    editor.type(uri, line + 1, column, column + 1, "1")
    assert editor.shown(uri) == []


def test_a_claim_about_all_values_is_settled_on_saving(editor: Editor) -> None:
    text = "\n" + FOR_ANY.replace("John gains the second", "John gains the first")
    uri = editor.open(text)
    assert editor.shown(uri) == []
    editor.save(uri)
    (shown,) = editor.shown(uri, bool)
    assert shown.code == "TS0120"
    assert "smallest values that break it: j = 1, a = 1, n = 0, i = 0" in shown.message
    line, _ = place_of(text, "John gains the first")
    assert shown.range.start.line == line
    assert f"(line {line + 1})" in shown.message


def test_typing_during_a_proof_is_answered(editor: Editor) -> None:
    uri = editor.open(FOR_ANY)
    editor.save(uri)
    editor.replace(uri, "scenario")
    assert codes(editor.shown(uri)) == ["TS0101"]
    editor.replace(uri, FOR_ANY)
    editor.save(uri)
    assert editor.shown(uri) == []


def test_a_closed_document_shows_nothing_and_answers_nothing(editor: Editor) -> None:
    uri = editor.open("given nothing\n")
    assert editor.shown(uri, bool)
    editor.close(uri)
    assert editor.shown(uri, lambda shown: not shown) == []
    editor.replace(uri, HOLDS)
    editor.save(uri)
    assert editor.complete(uri, 0, 0) == []
    assert editor.hover(uri, 2, 8) == ""
    assert editor.definition(uri, 2, 8) is None
    assert editor.symbols(uri) == []
    assert editor.format(uri) == []


# Completion


def offered(editor: Editor, text: str) -> list[str]:
    """What is offered at the mark `|`."""
    line, column = place_of(text, "|")
    uri = editor.open(text.replace("|", "", 1))
    return [each.label for each in editor.complete(uri, line, column)]


HEAD = 'scenario "x"\ngame uprising with John, Abby, Ned\n'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{HEAD}then A|", ["at", "Abby", "Assembly Hall", "Arrakeen", "Accept Contract"]),
        (f'{HEAD}given Abby has hand "Dag|', ["Dagger"]),
        (f'{HEAD}when Abby plays "Dagger" to Imperial B|', ["Imperial Basin"]),
        (f"{HEAD}given Abby has 2 influence with the Fr|", ["Fremen"]),
        (f"{HEAD}cites UPR-WALL-00|", [f"UPR-WALL-00{each}" for each in range(1, 7)]),
        (f"{HEAD}depends on ruling alliance_loss_t|", ["alliance_loss_tie"]),
    ],
    ids=["players", "cards", "spaces", "factions", "rules", "rulings"],
)
def test_names_are_completed(editor: Editor, text: str, wanted: list[str]) -> None:
    assert offered(editor, text) == wanted


def test_a_completion_replaces_what_was_typed_of_a_name(editor: Editor) -> None:
    text = f'{HEAD}given Abby has hand "🐛🐛", "Dag"'
    line, column = 2, len('given Abby has hand "🐛🐛", "Dag') + 2
    (found,) = editor.complete(editor.open(text), line, column)
    assert isinstance(found.text_edit, types.TextEdit)
    assert found.text_edit.new_text == "Dagger"
    span = found.text_edit.range
    assert (span.start.character, span.end.character) == (column - 3, column)


def test_a_rule_is_offered_with_its_title(editor: Editor) -> None:
    text = f"{HEAD}cites UPR-WALL-003"
    (found,) = editor.complete(editor.open(text), 2, len("cites UPR-WALL-003"))
    assert found.detail == rule("UPR-WALL-003").title


# Hover and definitions


def test_the_pointer_shows_rules_cards_spaces_and_rulings(editor: Editor) -> None:
    uri = editor.open(OWN_CARD)

    def shown(words: str) -> str:
        line, column = place_of(OWN_CARD, words)
        return editor.hover(uri, line, column + 1)

    wall = rule("UPR-WALL-003")
    told = shown("UPR-WALL-003")
    assert all(part in told for part in (wall.title, wall.statement, wall.source()))
    assert "Siege of Arrakeen: Conflict card" in shown('"Siege of Arrakeen"')
    assert "Arrakeen: board space" in shown("Arrakeen\n and")
    assert 'card "Trial Ride" with city icon' in shown('"Trial Ride"\n')
    assert "not_offered: " in shown("sandworm_choice_when_protected")
    assert shown("Abby") == ""


def target(found: types.Location | None) -> str:
    """The line that a definition leads to."""
    assert found is not None
    file = Path(unquote(urlsplit(found.uri).path))
    return file.read_text(encoding="utf-8").splitlines()[found.range.start.line]


def test_a_rule_leads_to_its_statement_and_a_ruling_to_its_question(editor: Editor) -> None:
    uri = editor.open(OWN_CARD)
    line, column = place_of(OWN_CARD, "UPR-WALL-003")
    assert target(editor.definition(uri, line, column)).startswith('{"id": "UPR-WALL-003"')
    line, column = place_of(OWN_CARD, "sandworm_choice")
    named = 'id = "sandworm_choice_when_protected"'
    assert target(editor.definition(uri, line, column)) == named


def test_an_own_card_leads_to_the_line_that_defines_it(editor: Editor) -> None:
    uri = editor.open(f"{HOLDS}\n{OWN_CARD}")
    text = f"{HOLDS}\n{OWN_CARD}"
    found = editor.definition(uri, *place_of(text, '"Trial Ride" to Arrakeen'))
    assert found is not None
    assert (found.uri, found.range.start.line) == (uri, place_of(text, 'card "Trial Ride"')[0])
    assert editor.definition(uri, *place_of(text, "Abby has hand")) is None


# Outline and layout


def test_the_outline_has_every_scenario(editor: Editor) -> None:
    found = editor.symbols(editor.open(f"{HOLDS}\n{OWN_CARD}"))
    assert [each.name for each in found] == ["John fights as hard as he can", "A worm at the wall"]
    assert found[0].range.end.line == HOLDS.count("\n")
    assert found[1].selection_range.start.line == HOLDS.count("\n") + 1


def test_layout_is_canonical_and_leaves_a_wrong_file_alone(editor: Editor) -> None:
    (edit,) = editor.format(editor.open(HOLDS.replace(" but John", "but   John")))
    assert edit.new_text == HOLDS
    assert editor.format(editor.open(HOLDS)) == []
    assert editor.format(editor.open(HOLDS.replace("given", "gven"))) == []
    assert editor.messages == []


# Positions and hostile input


@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-32"])
def test_positions_are_in_the_units_of_the_editor(encoding: str | None) -> None:
    unit = {"utf-8": 4, "utf-32": 1}.get(encoding or "", 2)
    with running_editor([encoding] if encoding else None) as editor:
        text = f'{HEAD}given Abby has hand "🐛🐛", "Dagge"\n'
        uri = editor.open(text)
        first, second = editor.shown(uri)
        start = len('given Abby has hand "')
        assert first.range.start.character == start - 1
        assert first.range.end.character == start + 2 * unit + 1
        end = second.range.end.character
        assert end == start + 2 * unit + len('", "Dagge"')
        editor.type(uri, 2, end - 1, end - 1, "r")
        assert codes(editor.shown(uri)) == ["TS0103"]


def test_a_line_ends_only_where_the_protocol_says(editor: Editor) -> None:
    """A form feed or a line separator is a character of its line; later edits must find theirs."""
    remark = "# a\x0c b\u2028 c\x85 d\r\n# e\r"
    uri = editor.open(remark + HOLDS.replace("\n", "\r\n"))
    line, column = place_of(HOLDS, "1 spice")
    editor.type(uri, line + 2, column, column + 7, "1 spise")
    (shown,) = editor.shown(uri)
    assert (shown.range.start.line, shown.range.start.character) == (line + 2, column + 2)


def test_nothing_that_an_editor_sends_ends_the_server(editor: Editor) -> None:
    texts = [
        "",
        "\x00",
        "\ufeff" + HOLDS,
        "scenario",
        'scenario "',
        "scenario \ud83d",
        '|||\n"""\n<<<',
        "and " * 20_000,
        "scenario \x00\n" * 2_000,
        "# shared\n" * 2_000 + 'scenario "x"\n' * 2_000,
        "x" * 1_100_000,
    ]
    uri = editor.open("")
    for text in texts:
        editor.replace(uri, text)
        lines = text.count("\n")
        for line, character in ((0, 0), (lines, 5), (lines + 7, 0), (0, 2**31 - 1)):
            editor.complete(uri, line, character)
            editor.hover(uri, line, character)
            editor.definition(uri, line, character)
        editor.symbols(uri)
        editor.format(uri)
        editor.shown(uri)
    editor.type(uri, 2**31 - 1, 2**31 - 1, 2**31 - 1, "beyond")
    editor.replace(uri, HOLDS)
    assert editor.shown(uri) == []


def test_changes_of_one_message_are_taken_in_turn(editor: Editor) -> None:
    uri = editor.open("")
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    editor.send_changes(
        uri,
        *[
            types.TextDocumentContentChangePartial(text=letter, range=start)
            for letter in reversed(HOLDS)
        ],
    )
    assert editor.shown(uri) == []
    assert [each.name for each in editor.symbols(uri)] == ["John fights as hard as he can"]


# Beginning and ending


def test_it_says_what_it_can_do() -> None:
    with editor_process() as editor:
        answer = editor.start()
        assert editor.stop() == (0, "")
    assert answer.server_info is not None
    assert answer.server_info.name == "truthsayer"
    can = answer.capabilities
    assert isinstance(can.text_document_sync, types.TextDocumentSyncOptions)
    assert can.text_document_sync.change == types.TextDocumentSyncKind.Incremental
    assert can.text_document_sync.open_close
    assert can.text_document_sync.save
    for provided in (
        can.completion_provider,
        can.hover_provider,
        can.definition_provider,
        can.document_symbol_provider,
        can.document_formatting_provider,
    ):
        assert provided


def test_an_end_that_was_not_announced_is_a_failure() -> None:
    with editor_process() as editor:
        editor.start()
        assert editor.stop(ask=False) == (1, "")


def test_it_ends_with_its_processes_while_a_proof_runs() -> None:
    """Its output ends with the last process that has it."""
    with editor_process() as editor:
        editor.start()
        uri = editor.open(FOR_ANY)
        editor.shown(uri)
        editor.save(uri)
        editor.complete(uri, 0, 0)
        editor.wait(asyncio.sleep(0.5))
        assert editor.stop() == (0, "")
