// Starts the language server of the command `truthsayer` and leaves everything else to it.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

const LANGUAGE = "truthsayer-scenario";

let client: LanguageClient | undefined;

export async function activate(): Promise<void> {
  const command = vscode.workspace.getConfiguration("truthsayer").get("command", "truthsayer");
  client = new LanguageClient(
    "truthsayer",
    "Truthsayer",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: LANGUAGE }] },
  );
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      `Truthsayer did not start (${reason}). Install it with "pipx install truthsayer", ` +
        `or say where it is in the setting "truthsayer.command".`,
    );
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
