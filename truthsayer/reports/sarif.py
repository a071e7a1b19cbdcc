"""Findings as SARIF 2.1.0, the format in which code scanning takes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from truthsayer.codes import CODES
from truthsayer.reports.findings import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

TOP = "%SRCROOT%"
"""What relative addresses are relative to: the top of the project, which the reader knows."""


def sarif_text(found: Sequence[Finding], version: str | None) -> str:
    """One run, with the codes that were met as its rules and a result for each finding."""
    driver: dict[str, Any] = {"name": "truthsayer"}
    if version is not None:
        driver["version"] = version
    driver["rules"] = [_rule(code) for code in sorted({each.code for each in found})]
    run = {
        "tool": {"driver": driver},
        # Columns count characters, as Python does.
        "columnKind": "unicodeCodePoints",
        "results": [_result(each) for each in found],
    }
    report = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": code, "defaultConfiguration": {"level": "error"}}
    if code in CODES:
        title, text = CODES[code]
        rule["shortDescription"] = {"text": title}
        rule["fullDescription"] = {"text": text}
        rule["help"] = {"text": f"{text}\n\n`truthsayer explain {code}` shows this, too."}
    return rule


def _result(found: Finding) -> dict[str, Any]:
    return {
        "ruleId": found.code,
        "level": "error",
        "message": {"text": found.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _address(found.path),
                    "region": {"startLine": found.line, "startColumn": found.column},
                }
            }
        ],
        "properties": {found.about[0]: found.about[1], "rules": list(found.rules)},
    }


def _address(path: Path) -> dict[str, str]:
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": TOP}
