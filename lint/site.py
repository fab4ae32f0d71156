"""Check the built documentation: ``python lint/site.py build/docs``.

Every link inside the site leads somewhere, also to its anchor; nothing a page needs is fetched from
another host; and the API reference has a page for every public name.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from docstrings import public_names

# What a browser loads by itself when it opens a page.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag points to, and what points to it."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append((tag, name, value))


@cache
def parsed(path: Path) -> Page:
    """The page of a file, read once."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def problems(site: Path, file: Path) -> list[str]:
    """Links of a page that lead nowhere, and what it loads from elsewhere."""
    found = []
    for tag, attribute, link in parsed(file).links:
        parts = urlsplit(link)
        if parts.scheme in ("data", "mailto"):
            continue
        if parts.scheme or parts.netloc:
            if (tag, attribute) in LOADED:
                found.append(f"is loaded from another host: {link}")
            continue
        target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not target.is_file() or not target.is_relative_to(site):
            found.append(f"leads nowhere: {link}")
        elif not _is_source(site, file) and not has_anchor(target, parts.fragment):
            found.append(f"has no such anchor: {link}")
    return found


def has_anchor(target: Path, fragment: str) -> bool:
    """Whether the page, if it is one, has the anchor, if one is named."""
    is_named = fragment and target.suffix == ".html"
    return not is_named or unquote(fragment) in parsed(target).anchors


def _is_source(site: Path, file: Path) -> bool:
    """Whether the page shows source code, where Sphinx misnames anchors of inherited methods."""
    return file.relative_to(site).parts[0] == "_modules"


def fetched_by_styles(site: Path) -> list[str]:
    """Style sheets that import or show something of another host."""
    pattern = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")
    return [
        f"{file.relative_to(site)}: loads from another host"
        for file in site.rglob("*.css")
        if pattern.search(file.read_text(encoding="utf-8"))
    ]


def missing_names(site: Path) -> list[str]:
    """Public names without a page or a place on one."""
    documented: set[str] = set()
    for file in (site / "api" / "generated").glob("*.html"):
        documented |= parsed(file).anchors
    return [
        f"{name}: not in the API reference"
        for name, value in public_names()
        if not {name, f"{name.rpartition('.')[0]}.{value.__name__}"} & documented  # or an alias
    ]


def main(folder: str) -> int:
    """Print all problems; the exit code is 1 if there are any."""
    site = Path(folder).resolve()
    files = sorted(file for file in site.rglob("*.html") if "_static" not in file.parts)
    found = [
        f"{file.relative_to(site)}: {problem}" for file in files for problem in problems(site, file)
    ]
    found += fetched_by_styles(site) + missing_names(site)
    print("\n".join(found) or f"{len(files)} pages: all links lead somewhere, nothing is fetched")
    return bool(found) or not files


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
