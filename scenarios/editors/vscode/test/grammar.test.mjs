// Tokenises lines of scenario files as VS Code does, and sees what each word is taken for.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const SCOPE = "source.truthsayer-scenario";

const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(await readFile(wasm));

const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => {
    const file = new URL("../syntaxes/scenario.tmLanguage.json", import.meta.url);
    return textmate.parseRawGrammar(await readFile(file, "utf8"), file.pathname);
  },
});
const grammar = await registry.loadGrammar(SCOPE);

/** Each word of a line that has a scope, with the innermost one. */
function scopes(line) {
  return grammar
    .tokenizeLine(line, textmate.INITIAL)
    .tokens.map(({ startIndex, endIndex, scopes }) => [
      line.slice(startIndex, endIndex),
      scopes.at(-1).replace(".truthsayer-scenario", ""),
    ])
    .filter(([word, scope]) => word.trim() && scope !== "source");
}

/** The scope of the token that begins with a text. */
function scopeOf(line, text) {
  const found = scopes(line).find(([word]) => word.startsWith(text));
  return found?.[1];
}

test("a title is a heading", () => {
  assert.deepEqual(scopes('scenario "A worm at the wall"'), [
    ["scenario", "keyword.other.header"],
    ['"A worm at the wall"', "entity.name.section"],
  ]);
});

test("a remark is a comment, and nothing in it is anything else", () => {
  assert.deepEqual(scopes('  # then "x" because UPR-WALL-003'), [
    ['  # then "x" because UPR-WALL-003', "comment.line.number-sign"],
  ]);
});

test("rules, cards, players, verbs and numbers are told apart", () => {
  const line = ' but John cannot deploy 3 troops because UPR-UNIT-013';
  assert.deepEqual(scopes(line), [
    ["but", "keyword.control.section"],
    ["John", "entity.name.type"],
    ["cannot", "keyword.operator.possibility"],
    ["deploy", "support.function.verb"],
    ["3", "constant.numeric"],
    ["because", "keyword.control.because"],
    ["UPR-UNIT-013", "constant.other.rule"],
  ]);
  const played = 'when Abby plays "Dagger" to Imperial Basin';
  assert.equal(scopeOf(played, "when"), "keyword.control.section");
  assert.equal(scopeOf(played, "plays"), "support.function.verb");
  assert.equal(scopeOf(played, "Dagger"), "string.quoted.double");
  assert.equal(scopeOf(played, "Basin"), "entity.name.type");
});

test("every rule of a list is one", () => {
  const rules = scopes("cites UPR-WALL-003, UPR-WORM-006").slice(1);
  assert.deepEqual(rules.map(([, scope]) => scope), Array(2).fill("constant.other.rule"));
});

test("all cases at once", () => {
  assert.equal(scopeOf("for any j, a from 0", "for any"), "keyword.control.quantifier");
  assert.equal(scopeOf("where j = a and j > 0", "where"), "keyword.control.quantifier");
  assert.equal(scopeOf("where j >= a", ">="), "keyword.operator.relation");
});

test("a table has columns, and <column> stands for a cell", () => {
  assert.equal(scopeOf("given strength of John is <j>", "<j>"), "variable.parameter.column");
  assert.equal(scopeOf('given John has hand "<card>"', "<card>"), "variable.parameter.column");
  assert.deepEqual(scopes("  | 8 | second |"), [
    ["|", "punctuation.separator.table"],
    ["8", "constant.numeric"],
    ["|", "punctuation.separator.table"],
    [" second ", "meta.table"],
    ["|", "punctuation.separator.table"],
  ]);
});

test("a section's word counts at the beginning of a line only", () => {
  assert.equal(scopeOf("where j = a and then", "then"), undefined);
  assert.equal(scopeOf("givens", "given"), undefined);
});

test("a string that is not closed ends with its line", () => {
  const open = grammar.tokenizeLine('given John has hand "Dag', textmate.INITIAL);
  const next = grammar.tokenizeLine("when combat begins", open.ruleStack);
  assert.ok(next.tokens[0].scopes.at(-1).startsWith("keyword.control.section"));
});
