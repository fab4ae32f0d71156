"""All pages as one self-contained HTML file with its pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 72rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { border-bottom: 2px solid #0072b2; padding-bottom: .2rem; margin-top: 3rem; }
h2 { margin-top: 2.5rem; }
table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #e5e5e5; text-align: left; }
th { border-bottom: 1px solid #888; }
tr:hover td { background: #f4f8fb; }
svg { max-width: 100%; height: auto; display: block; margin: 1rem 0; }
nav a { margin-right: 1rem; }
details { margin: 1rem 0; }
summary { cursor: pointer; color: #0072b2; }
"""


def whole_page(title: str, pages: Mapping[str, str], svgs: Mapping[str, str]) -> str:
    """The Markdown of each page, by its path, as sections of one; pictures by their path."""
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        raise ImportError(
            "the HTML page needs markdown-it-py: pip install 'pairspace[experiments]'"
        ) from None
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")

    def picture(self: Any, tokens: Sequence[Any], at: int, options: Any, env: Any) -> str:
        path = str(tokens[at].attrs["src"])
        svg = svgs.get(path.rsplit("/", 1)[-1])
        return svg if svg is not None else escape(path)

    reader.add_render_rule("image", picture)
    links = "".join(f'<a href="#{_anchor(path)}">{escape(path)}</a>' for path in pages)
    sections = []
    for path, text in pages.items():
        body = reader.render(text)
        for other in pages:  # links between the pages stay inside this one
            for reference in (f"{other}.md", f"{other.rsplit('/', 1)[-1]}.md"):
                body = body.replace(f'href="{reference}"', f'href="#{_anchor(other)}"')
        sections.append(f'<section id="{_anchor(path)}">\n{body}</section>')
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<nav>{links}</nav>\n" + "\n".join(sections) + "\n</body>\n</html>\n"
    )


def _anchor(path: str) -> str:
    return path.replace("/", "-")
