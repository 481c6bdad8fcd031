"""The page of the search, in words and in names."""

from __future__ import annotations

import re
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.model.file_kinds import is_product
from codeagentd.model.ids import node_id
from codeagentd.model.kinds import OUTLINE, SymbolKind
from codeagentd.serve.page.questions import Json, Moved, PageRequest, Shown
from codeagentd.serve.page.templating import file_url, symbol_url, visible, with_query
from codeagentd.toolkit.symbol_arguments import single

HITS: Final = 20
NAMES: Final = 50  # names, of which the best are shown
SUGGESTED: Final = 10
PATHS: Final = 4  # among these
BUDGET: Final = 6_000  # tokens of the lines that are shown
SHORTEST_PART: Final = 2  # characters of a path up to which no file is suggested
NAMES_OF: Final = 2  # words up to which names are looked for: a sentence fits names by chance

# one word that no prose has
_CODE: Final = re.compile(r"\w*(?:[a-z][A-Z]|_|\.\w|::|\(\))\S*|[A-Z][a-z]\w*", re.ASCII)
_PLACE: Final = re.compile(r"(?P<path>[^\s:]+)(?::(?P<line>\d{1,7}))?")
_OUTLINE: Final = frozenset(kind.name.lower() for kind in OUTLINE)  # keys of data files, sections: less than code


def search(request: PageRequest) -> Shown:
    """Show what the search finds: symbols by name, and passages with the reasons for each. A path, and a name that one
    symbol alone has, lead there where the search was made from the head of a page.
    """
    text = request.query.get("q", "").strip()
    if request.query.get("go"):
        raise Moved((text and _exact(request, text)) or with_query("/search", q=text))
    values: Json = {
        "text": text, "names": {}, "answer": {}, "chosen_kind": request.query.get("kind", ""),
        "language": request.query.get("language", ""), "kinds": sorted(kind.name.lower() for kind in SymbolKind),
        "languages": sorted(language.language for language in request.daemon.status().languages),
    }  # fmt: skip
    if text:
        filters = (("node_type", "chosen_kind"), ("language", "language"))
        narrowing = {name: values[key] for name, key in filters if values[key]}
        if narrowing or len(text.split()) <= NAMES_OF:
            values["names"] = request.maybe("search_symbols", query=text, limit=NAMES, **narrowing)
            values["names"]["results"] = _code_first(values["names"].get("results", []))[:HITS]
        values["answer"] = request.maybe("search_code", query=text, limit=HITS, token_budget=BUDGET)
    return Shown("search", f"Search: {text}" if text else "Search", values)


def _exact(request: PageRequest, text: str) -> str:
    """The address of the file or the only symbol that a text names; '' for a text that is to be searched for."""
    with request.ctx.read() as db:
        place = _PLACE.fullmatch(text)
        if place and db.row("files.by_path", (place["path"],)):
            return file_url(place["path"], int(place["line"] or 0))
        if _CODE.fullmatch(text):
            try:
                return symbol_url(node_id(single(request.ctx, db, text, "q").best.uid))
            except CodedError:
                return ""
    return ""


def _code_first(hits: list[Json]) -> list[Json]:
    """The hits with the code of the product before tests, and both before parts of documents and data files."""
    return sorted(hits, key=lambda hit: (hit["node_type"] in _OUTLINE, not is_product(hit["file_path"])))


def suggestions(request: PageRequest) -> list[Json]:
    """Return symbols and files whose names fit the beginning of a search, for the list below the field: label, kind,
    place, address.
    """
    text = request.query.get("q", "").strip()
    if not text or len(text.split()) > 1:
        return []
    with request.ctx.read() as db:
        paths = db.all("page.paths", {"part": text, "limit": PATHS}) if len(text) > SHORTEST_PART else []
    files = [{"label": path, "kind": "file", "place": "", "url": file_url(path)} for (path,) in paths]
    hits = request.maybe("search_symbols", query=text, limit=NAMES).get("results", [])
    symbols = [
        {
            "label": hit["qualified_name"], "kind": hit["node_type"],
            "place": f"{hit['file_path']}:{hit['line_start']}", "url": symbol_url(hit["node_id"]),
        }
        for hit in _code_first(hits)[: SUGGESTED - len(files)]
    ]  # fmt: skip
    rows = [*files, *symbols] if "/" in text else [*symbols, *files]
    return [row | {"label": visible(row["label"]), "place": visible(row["place"])} for row in rows]
