"""Parts of pages for a browser, each of which needs nothing but itself.

Elements are built and not written as text, so that nothing in a name can be taken for HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import resources
from string import Template
from xml.etree.ElementTree import Element, SubElement, indent, tostring

LONGEST_LIST = 5
"""A longer list is folded."""


def page(template: str, title: str, **parts: Sequence[Element]) -> str:
    """A page from its template, the look and the search that all pages share, and its elements."""
    return Template(_read(f"{template}.html")).substitute(
        title=escape(title),
        style=_read("page.css"),
        script=_read("page.js"),
        **{name: "\n".join(map(_html, elements)) for name, elements in parts.items()},
    )


def _read(name: str) -> str:
    return resources.files("truthsayer.reports").joinpath(name).read_text(encoding="utf-8").rstrip()


def _html(element: Element) -> str:
    indent(element, space="")
    return tostring(element, encoding="unicode", method="html")


def add(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """A new element with a text; `kind` is its class."""
    if "kind" in attributes:
        attributes["class"] = attributes.pop("kind")
    element = SubElement(parent, tag, attributes)
    element.text = text
    return element


def section(head: str, anchor: str, count: str) -> Element:
    """A section with its heading, and how much is in it."""
    made = Element("section")
    add(add(made, "h2", f"{head} ", id=anchor), "small", count)
    return made


def article(parent: Element, anchor: str, classes: str, title: str, state: str) -> Element:
    """One thing with its heading and its state."""
    made = add(parent, "article", id=anchor, kind=classes)
    head = add(made, "h3")
    add(head, "a", anchor, href=f"#{anchor}")
    if title:
        add(head, "span", title)
    add(head, "span", state, kind="state")
    return made


def add_list(lists: Element, head: str, items: Sequence[tuple[str, str]]) -> None:
    """Names, each with its place, under a heading; a long list can be unfolded."""
    group = add(lists, "div")
    add(group, "dt", head)
    holder = add(group, "dd")
    if not items:
        add(holder, "span", "none", kind="none")
        return
    if len(items) > LONGEST_LIST:
        holder = add(holder, "details")
        add(holder, "summary", f"{len(items)} {head.lower()}")
    entries = add(holder, "ul")
    for name, place in items:
        entry = add(entries, "li")
        add(entry, "span", name)
        add(entry, "code", place)
