"""The text of answers of toolset retrieval for people: path:line first, where terminals recognise it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from codeagent_protocol.status import percent

from .console import Paint, count, plain, size
from .numbered_snippets import numbered
from .remedies import for_shells, in_commands
from .source_places import Place
from .tables import table, with_source

Json = dict[str, Any]

NOTHING: Final = "nothing found"
FILES: Final = 20  # paths of one impact that are printed; --json prints all


def search(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of search_code: each hit with its first symbol and its reason, then its lines with
    their numbers.
    """
    lines = []
    for hit in answer["results"]:
        names = [paint(plain(name), "bold") for name in hit.get("symbols", ())[:1]]
        lines.append(
            "  ".join([paint(place(hit["path"], hit["lines"][0]), "cyan"), *names, paint(plain(hit["reason"]), "dim")])
        )
        lines += numbered(hit["snippet"], hit["lines"][0], paint)
    lines += [
        f"{paint(place(read['path'], read['lines'][0]), 'cyan')}  {paint('not shown: ' + plain(read['reason']), 'dim')}"
        for read in answer["recommended_reads"]
    ]
    return _ended(lines, answer, paint)


def explain(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of explain_code: the hits, then their callers and callees."""
    lines = [paint(f"{answer['intent']}, confidence {answer['confidence']}", "dim")]
    for item in answer["relations"]:
        lines.append(f"{paint(place(item['path'], item['line']), 'cyan')}  {paint(plain(item['symbol']), 'bold')}")
        lines += [
            f"    {name}: {plain(item[field])}"
            for name, field in (("called by", "callers"), ("calls", "callees"))
            if item[field]
        ]
    return [*lines, *search(answer, paint, place)]


def symbols(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of find_symbol: one line for each definition."""
    rows = [
        [
            paint(place(symbol["path"], symbol["lines"][0]), "cyan"),
            symbol["kind"],
            paint(plain(symbol["qualified_name"]), "bold") + plain(symbol["signature"]),
        ]
        for symbol in answer["results"]
    ]
    return _ended(table(rows, indent=0), answer, paint)


def refs(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of find_refs: one line for each place, with its source line. If the name has
    several distinct definitions, the line also has the definition that the reference means.
    """
    is_doubtful = any(site.get("of") for site in answer["sites"])
    rows = [
        [
            paint(f"{place(site['path'], site['line'])}:{site['column'] + 1}", "cyan"), site["kind"],
            _sure(site["confidence"], paint), paint(plain(site.get("within", "")), "bold"),
            f"of {plain(site['of'])}" if site.get("of") else "", paint(place.source(site["path"], site["line"]), "dim"),
        ]
        for site in answer["sites"]
    ]  # fmt: skip
    head = [] if is_doubtful else [_head(answer["symbol"], paint, place)]
    return _ended([*head, *with_source(rows)], answer, paint)


def callers(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of get_callers: one line for each call, with the calling symbol and the source
    line.
    """
    rows = [
        [
            paint(f"{place(site['file_path'], site['line'])}:{site['column'] + 1}", "cyan"),
            f"{paint(plain(item['qualified_name']), 'bold')} {_sure(item['confidence'], paint)}".rstrip(),
            paint(place.source(site["file_path"], site["line"]), "dim"),
        ]
        for item in answer["results"] for site in item["sites"]
    ]  # fmt: skip
    return _ended(with_source(rows), answer, paint)


def callees(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of get_callees: each called symbol with the place of its definition, and below it
    the calls.
    """
    lines = []
    for item in answer["results"]:
        head = (
            f"{paint(place(item['file_path'], item['line_start']), 'cyan')}  "
            f"{paint(plain(item['qualified_name']), 'bold')}  {item['node_type']}"
        )
        lines.append(f"{head}  {_sure(item['confidence'], paint)}".rstrip())
        lines += with_source(
            [
                [f"{site['line']}:{site['column'] + 1}", paint(place.source(site["file_path"], site["line"]), "dim")]
                for site in item["sites"]
            ],
            ">",
            indent=2,
        )
    return _ended(lines, answer, paint)


def outline(answer: Json, paint: Paint, _place: Place) -> list[str]:
    """Return the text of the answer of get_file_outline: one line for each symbol."""
    rows = [
        [
            paint(f"{item['line_start']}-{item['line_end']}", "cyan"), item["node_type"],
            paint(plain(item["qualified_name"]), "bold") + plain(item.get("parameter_signature", "")),
        ]
        for item in answer["results"]
    ]  # fmt: skip
    return _ended(table(rows, ">", indent=0), answer, paint)


def impact(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of impact_of: one line for each symbol, ordered by distance; then the files."""
    rows = [
        [
            paint(place(node["path"], node["line"]), "cyan"), str(node["distance"]),
            f"{node['via_edge']} {_sure(node['via_confidence'], paint)}".rstrip(), paint(plain(node["name"]), "bold"),
        ]
        for node in answer["nodes"]
    ]  # fmt: skip
    lines = table(rows, "<>", indent=0) or [NOTHING]
    files = answer["files"]
    more = f" and {len(files) - FILES} more" if len(files) > FILES else ""
    if files:
        lines += ["", f"{count(answer['total_nodes'], 'symbol')} in: " + ", ".join(map(place, files[:FILES])) + more]
    return _ended(lines, answer, paint)


def architecture(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of architecture_overview: one block for each part."""
    parts = [
        [
            paint(plain(part["label"]), "bold"),
            count(part["size"], "file"),
            paint(plain(", ".join(part["top_nodes"])), "dim"),
        ]
        for part in answer["communities"]
    ]
    gods = [
        [paint(place(god["path"], god["line"]), "cyan"), str(god["dependents"]), plain(god["name"])]
        for god in answer["god_nodes"]
    ]
    odd = [
        [paint(place(item["source"]), "cyan"), "->", place(item["target"]), plain(", ".join(item["symbols"]))]
        for item in answer["surprising"]
    ]
    blocks = (
        (
            f"{count(answer['community_count'], 'community', 'communities')}, modularity {answer['modularity']:.2f}",
            table(parts, "<>"),
        ),
        ("what most files depend on", table(gods, "<>")),
        ("surprising connections", table(odd)),
        ("questions", [f"  {_with_commands(plain(question))}" for question in answer["questions"]]),
    )
    lines = [line for title, block in blocks if block for line in ("", title, *block)]
    return _ended(lines[1:], answer, paint)


def _with_commands(question: str) -> str:
    """`question` with the tools at its end, in parentheses, replaced by commands."""
    text, parenthesis, tools = question.rpartition(" (")
    return text + parenthesis + in_commands(tools) if parenthesis else question


def path(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of path_between: the nodes, with the step between each two."""
    if not answer["found"]:
        return _ended([], answer, paint)
    lines = []
    for node, step in zip(answer["nodes"], [None, *answer["steps"]], strict=True):
        if step:
            arrow = f"{step['edge_type']} ->" if step["direction"] == "forward" else f"<- {step['edge_type']}"
            lines.append(f"    {paint(arrow, 'dim')} {_sure(step['confidence'], paint)}".rstrip())
        lines.append(_head(node, paint, place))
    return _ended(lines, answer, paint)


def describe(answer: Json, paint: Paint, place: Place) -> list[str]:
    """Return the text of the answer of describe_symbol: the symbol's kind, place and neighbours."""
    primary = answer["primary"]
    lines = [
        f"{paint(plain(answer['symbol']), 'bold')}  {answer['kind']}",
        *([f"  {plain(answer['signature'])}"] if answer["signature"] else []),
    ]
    lines += [f"  {plain(answer['doc'])}"] if answer["doc"] else []
    lines += [f"  {paint(place(item['path'], item['lines'][0]), 'cyan')}" for item in answer["definitions"]]
    lines.append(
        f"  in {place(primary['module'])}; referred to by {count(primary['in_degree'], 'symbol')}, refers to "
        f"{primary['out_degree']:,}"
    )
    lines += numbered(answer["source"], answer["definitions"][0]["lines"][0], paint) if answer["source"] else []
    for title, field in (("callers", "caller"), ("callees", "callee"), ("tests", "test")):
        if answer[title]:
            number = answer[f"{field}_count"]
            rows = [row for end in answer[title] for row in _end(end, paint, place)]
            lines += [f"{number:,} {field if number == 1 else title}", *table(rows)]
    return _ended(lines, answer, paint)


def _end(end: Json, paint: Paint, place: Place) -> list[list[str]]:
    """The rows of a caller, one for each call that is shown, or that of a callee or a test."""
    name, sure = plain(end["name"]), _sure(end["confidence"], paint)
    if not end.get("sites"):
        return [[paint(place(end["path"], end["line"]), "cyan"), name, sure]]
    return [
        [paint(place(site["file_path"], site["line"]), "cyan"), name, f"{sure} {plain(site.get('text', ''))}".strip()]
        for site in end["sites"]
    ]


def stats(answer: Json, paint: Paint, _place: Place) -> list[str]:
    """Return the text of the answer of index_stats: its figures."""
    edges = [[f"{number:,}", name] for name, number in answer["edges"].items()]
    languages = [
        [
            paint(item["language"], "bold"),
            count(item["files"], "file"),
            count(item["symbols"], "symbol"),
            f"{percent(item['settled'])}% of {item['references']:,} references settled" if item["references"] else "",
        ]
        for item in answer["languages"]
    ]
    lines = [
        (f"{count(answer['files'], 'file')}, {count(answer['symbols'], 'symbol')}, generation {answer['generation']}; "
        f"index {size(answer['database_bytes'])}"),
        *table(languages, "<>>"), "edges", *table(edges, ">"),
    ]  # fmt: skip
    return _ended(lines, answer, paint)


def as_text(answer: Json, _paint: Paint, _place: Place) -> list[str]:
    """Return the text that a tool rendered itself, as lines."""
    return [plain(line) for line in for_shells(answer["told"]).split("\n")]


def candidates(error: Json, place: Place) -> list[str]:
    """Return the candidates in the error about an ambiguous name, line by line."""
    rows: Iterable[Sequence[str]] = [
        [
            place(item["file_path"], item["line_start"]),
            item["node_type"],
            plain(item["qualified_name"]),
            item["node_id"],
        ]
        for item in error.get("candidates", ())
    ]
    return table(rows)


def _head(card: Json, paint: Paint, place: Place) -> str:
    return f"{paint(place(card['path'], card['line']), 'cyan')}  {paint(plain(card['name']), 'bold')}  {card['kind']}"


def _sure(confidence: str, paint: Paint) -> str:
    """A confidence, or an empty text for the usual one."""
    return "" if confidence == "exact" else paint(confidence, "yellow")


def _ended(lines: list[str], answer: Json, paint: Paint) -> list[str]:
    """The lines, followed by remarks on what the answer lacks."""
    note, reason = answer.get("note", ""), answer.get("coverage", {}).get("reason", "")
    remarks = [reason if note in reason else note, "" if note in reason else reason]
    if answer.get("index", {}).get("stale"):
        remarks.append(f"the index is behind by {count(answer['index']['files_changed_since_build'], 'file')}")
    if answer.get("next_cursor"):
        remarks.append(f"more: --cursor {answer['next_cursor']}")
    return [*(lines or [NOTHING]), *(paint(plain(in_commands(text)), "dim") for text in remarks if text)]
