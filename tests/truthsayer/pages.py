"""What a browser finds on a page."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "input"}


class Page(HTMLParser):
    """Elements with their attributes, and the text of each article."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str | None]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.articles: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("id")))

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened last."""
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        """Add to the article that is open."""
        for tag, id_ in self.open:
            if tag == "article" and id_:
                self.articles[id_] = self.articles.get(id_, "") + data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every element of a kind."""
        return [attributes for name, attributes in self.tags if name == tag]
