"""The hooks of mkdocs (`make docs`): pages that lie outside of docs/, and links to files that are no pages."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = "docs"
OUTSIDE: Final = {"CHANGELOG.md": "changelog.md"}  # a page of the repository -> its page on the site
_LINK: Final = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)#\s]*)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie outside of docs/."""
    from mkdocs.structure.files import File

    for source, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn the links of a page into those of the site."""
    return site_links(markdown, page.file.src_uri)


def site_links(markdown: str, page: str) -> str:
    """The text of a page of the site with its links relative to that page. What is no page keeps its text alone: the
    site has no sources.
    """
    source = next((path for path, name in OUTSIDE.items() if name == page), f"{FOLDER}/{page}")

    def site_link(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        if not target or "://" in target or target.startswith("mailto:"):
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        name = OUTSIDE.get(path) or path.removeprefix(f"{FOLDER}/")
        is_page = path in OUTSIDE or (path.startswith(f"{FOLDER}/") and not (ROOT / path).is_dir())
        if not is_page and (ROOT / path).exists():
            return text
        return f"[{text}]({posixpath.relpath(name, posixpath.dirname(page) or '.')}{anchor})"

    return _LINK.sub(site_link, markdown)
