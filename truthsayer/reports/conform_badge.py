"""A badge for a README: the share of the cases that hold, of those that could be played."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from conformance.report import Report
from conformance.results import NOTHING
from truthsayer.cli.show import counted
from truthsayer.reports.conform import adapter_name, holding, percent

LABEL = "conformance"
NO_CASES = "no cases"

GOOD, FAIR, BAD, GREY = "#1f6b3a", "#7a5a00", "#b3261e", "#6a6257"
"""The colours of the pages: white is easy to read on each."""

FAIR_FROM = 90
"""From this percentage on, what does not hold is the exception."""

LETTER, MARGIN, HEIGHT = 7, 6, 20


def conform_badge(report: Report) -> str:
    """An SVG that needs nothing but itself."""
    holds, played = holding(report)
    value = percent(holds, played) if played else _nothing(report)
    told = f"{adapter_name(report)}: {holds} of {played} cases hold; {_rules(report)}"
    left, right = _width(LABEL), _width(value)
    top = Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": f"{LABEL}: {value}"},
        width=str(left + right),
        height=str(HEIGHT),
    )
    SubElement(top, "title").text = told
    _add_part(top, 0, left, LABEL, "#3b362d")
    _add_part(top, left, right, value, _colour(holds, played, report.counts[NOTHING]))
    return tostring(top, encoding="unicode") + "\n"


def _nothing(report: Report) -> str:
    """Why there is no share."""
    return NOTHING if report.counts[NOTHING] else NO_CASES


def _rules(report: Report) -> str:
    """How much was compared: who observes little holds little."""
    compared = f"{len(report.reached)} of {counted(len(report.rules), 'rule')} compared"
    nothing = report.counts[NOTHING]
    return f"{compared}, in {counted(nothing, 'case')} nothing" if nothing else compared


def _width(text: str) -> int:
    return len(text) * LETTER + 2 * MARGIN


def _add_part(top: Element, start: int, width: int, text: str, colour: str) -> None:
    box = {"x": str(start), "width": str(width), "height": str(HEIGHT), "fill": colour}
    SubElement(top, "rect", box)
    # The length is set, so that it fits with whatever font there is.
    look = {"fill": "#ffffff", "font-family": "Verdana, sans-serif", "font-size": "11"}
    at = {"x": str(start + MARGIN), "y": "14", "textLength": str(width - 2 * MARGIN)}
    SubElement(top, "text", look | at).text = text


def _colour(holds: int, played: int, nothing: int) -> str:
    if holds == played:
        return GOOD if played > nothing else GREY
    return FAIR if 100 * holds >= FAIR_FROM * played else BAD
