"""The page of the search, in words and in names."""

from __future__ import annotations

from typing import Final

from codeagentd.model.kinds import SymbolKind
from codeagentd.serve.page.questions import Json, PageRequest, Shown
from codeagentd.serve.page.templating import visible

HITS: Final = 20
SUGGESTED: Final = 10
BUDGET: Final = 6_000  # tokens of the lines that are shown


def search(request: PageRequest) -> Shown:
    """Show what the search finds: symbols by name, and passages with the reasons for each."""
    text = request.query.get("q", "").strip()
    values: Json = {
        "text": text, "names": {}, "answer": {}, "chosen_kind": request.query.get("kind", ""),
        "language": request.query.get("language", ""), "kinds": sorted(kind.name.lower() for kind in SymbolKind),
        "languages": sorted(language.language for language in request.daemon.status().languages),
    }  # fmt: skip
    if text:
        narrowing = {
            name: values[key] for name, key in (("node_type", "chosen_kind"), ("language", "language")) if values[key]
        }
        values["names"] = request.maybe("search_symbols", query=text, limit=HITS, **narrowing)
        values["answer"] = request.maybe("search_code", query=text, limit=HITS, token_budget=BUDGET)
    return Shown("search", f"Search: {text}" if text else "Search", values)


def suggestions(request: PageRequest) -> list[Json]:
    """Return symbols whose names fit the beginning of a search, for the list below the field: label, place, address."""
    text = request.query.get("q", "").strip()
    hits = request.maybe("search_symbols", query=text, limit=SUGGESTED).get("results", []) if text else []
    return [
        {
            "label": visible(hit["qualified_name"]), "kind": hit["node_type"],
            "place": visible(f"{hit['file_path']}:{hit['line_start']}"), "url": f"/symbol/{hit['node_id']}",
        }
        for hit in hits
    ]  # fmt: skip
