#!/usr/bin/env python3
"""Checks that every link between the pages of a built site leads to a file, and to a place in it.

    check_links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Pages that repeat others: their links are relative to those.
REPEATED = {"print.html", "404.html", "toc.html"}


class Page(HTMLParser):
    """The links of a page and the places in it that links can lead to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = set(), {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.add(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def main(folder):
    pages = {file: Page(file.read_text()) for file in sorted(folder.rglob("*.html")) if file.name not in REPEATED}
    broken, checked = [], 0
    for file, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            place = unquote(parts.fragment)
            if not target.exists() or (target in pages and place not in pages[target].places):
                broken.append(f"{file.relative_to(folder)}: {link}")
    if broken:
        sys.exit("broken links:\n" + "\n".join(broken))
    print(f"{checked} links of {len(pages)} pages lead somewhere")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
