"""Links: references of documents, pages, data files, style sheets and build files to other files."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from tree_sitter import Node

from .imported import Imported, Statement, text_of

# a scheme, a host, or a template's variable
_ELSEWHERE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\{\{|\$\{|<%|\{%")
_INLINE: Final = re.compile(rb"\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*))")
_CODE: Final = re.compile(rb"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_TAG: Final = re.compile(rb"<[a-zA-Z][^>]*?\s(?:href|src)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")


def _link(text: str, at: int) -> Statement:
    """Return the import of the file, and of the anchor in it, that a link leads to, or of an anchor in this file; none
    for a target outside of the repository.
    """
    module, sign, place = text.strip().partition("#")
    module = unquote(module.partition("?")[0])
    if _ELSEWHERE.match(text) or not (module or place):
        return
    name = f"#{unquote(place)}" if sign and place else ""
    yield Imported(module, name, "", at + len(module) if name and module else at, at)


def link(node: Node) -> Statement:
    """Return the import of the file or anchor to which the value `node` links; none for a target outside of the
    repository.
    """
    return _link(text_of(node), node.start_byte)


def markdown(node: Node) -> Statement:
    """Return the imports of the links and images in the text `node`, in its tags, and in its link reference
    definitions. Links inside of code are left out.

    Source: CommonMark 0.31, "Links".
    """
    text = node.text or b""
    if node.type == "link_destination":
        yield from _link(text.decode(errors="replace").strip("<>"), node.start_byte)
        return
    if b"](" not in text and b"=" not in text:
        return
    text = _CODE.sub(lambda match: b" " * len(match[0]), text)
    for pattern in (_INLINE, _TAG):
        for match in pattern.finditer(text):
            group = match.lastindex or 1
            yield from _link(match[group].decode(errors="replace"), node.start_byte + match.start(group))


def pointer(node: Node) -> Statement:
    """Return the import for `node`, the value of $ref (`other.json#/definitions/shelf`) or a relative path. Source:
    JSON Reference; RFC 6901.
    """
    text = text_of(node)
    bare = text.strip("\"'")
    if "\n" not in text and "*" not in text:
        yield from _link(bare, node.start_byte + (len(text) - len(bare)) // 2)


_STRING: Final = re.compile(r"""(["'])(.*?)\1|url\(\s*([^"')\s]+)\s*\)""")
_ALIAS: Final = re.compile(r"""["']\s*as\s+([\w-]+|\*)|\|as\|([\w-]+|\*)["']""")


def style(node: Node) -> Statement:
    """Return the imports of @import, @use and @forward of Sass, and of the files in url(). The local name of a module
    is the last part of its path, or its alias.

    Source: Sass documentation, "@use", section "Choosing a Namespace"; CSS Cascading Level 5, "Importing Style Sheets".
    """
    if node.type not in ("import_statement", "use_statement", "forward_statement"):
        text = text_of(node)
        bare = text.strip("\"'")
        if not _ELSEWHERE.match(bare):
            enclosing = node.parent
            while enclosing is not None and enclosing.type in ("string_value", "arguments", "call_expression"):
                enclosing = enclosing.parent
            yield Imported(
                bare,
                "*" if enclosing is not None and enclosing.type == "import_statement" else "",
                "",
                node.start_byte,
                node.start_byte,
            )
        return
    text = text_of(node)
    for match in _STRING.finditer(text):
        module = (match[2] or match[3] or "").partition("|")[0]
        at = node.start_byte + len(text[: match.start(2) if match[2] else match.start(3)].encode())
        if module and not _ELSEWHERE.match(module):
            yield _sass(node.type, module, text, at)
        if node.type != "import_statement":
            return


def _sass(statement: str, module: str, text: str, at: int) -> Imported:
    if statement == "import_statement":
        return Imported(module, "*", "", at, at)
    if statement == "forward_statement":
        return Imported(module, "*", "", at, at, exported=True)
    alias = _ALIAS.search(text)
    local = (alias[1] or alias[2]) if alias else module.rpartition("/")[2].removeprefix("_").partition(".")[0]
    return Imported(module, "*" if local == "*" else "", "" if local == "*" else local, at, at)


def make(node: Node) -> Statement:
    """Return the imports of include, -include or sinclude. The names of the included file are visible in
    this file too.
    """
    name = text_of(node)
    if "$" not in name:
        yield Imported(name, "*", "", node.start_byte, node.start_byte)


def path(node: Node) -> Statement:
    """Return the import of the file that `node`, a path with or without quotes, names."""
    text = text_of(node)
    name = text.strip("\"'")
    at = node.start_byte + (text[:1] != name[:1])
    yield Imported(name, "", "", at, at)


def terraform(node: Node) -> Statement:
    """Return the import of the folder that `node`, the source of a module block, names."""
    source = text_of(node)
    if source.startswith(("./", "../")):
        yield Imported(source, "", "", node.start_byte, node.start_byte)


RULES: Final = {
    "markdown": markdown, "link": link, "pointer": pointer, "style": style, "make": make, "protobuf": path,
    "path": path, "terraform": terraform,
}  # fmt: skip
