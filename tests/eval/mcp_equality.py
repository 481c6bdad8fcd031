"""The language server's answers beside those of the MCP tools, on names drawn by chance: `python -m tests.eval.mcp_equality`.

A position's definition, references and hover are those of a symbol; the same symbol is asked for through MCP, by its id. Printed: how many
positions had one, and in how many the answers are the same.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path

from tests.eval.language_servers import inside, positions
from tests.harness.language_window import LanguageWindow, editor_window
from tests.harness.window import Window
from tests.harness.world import World

PAGE = 500
NAMESPACE = 3  # SymbolKind of the protocol


def references_by_mcp(window: Window, repo: Path, name: str, path: str) -> set[tuple[str, int]]:
    """The places of the references to a name as a file means it, (path, line from 0), through every page of the tool."""
    places: set[tuple[str, int]] = set()
    cursor: dict[str, str] = {}
    while True:
        arguments = {"symbol_name": name, "context_path": path, "limit": PAGE, **cursor}
        answer = window.must("code.symbol.findReferences", arguments)
        places |= {(str(Path(item["file_path"]).relative_to(repo)), item["line"] - 1) for item in answer.items}
        if not (following := answer.data.get("next_cursor")):
            return places
        cursor = {"cursor": following}


def compare(editor: LanguageWindow, mcp: Window, repo: Path, place: tuple[str, int, int]) -> Counter[str]:
    """What is the same at one position."""
    counts: Counter[str] = Counter()
    items = editor.at("prepareCallHierarchy", *place).message.get("result") or []
    if len(items) != 1:  # a local variable, a name of another package, nothing, or several
        counts["without one symbol of the repository"] += 1
        return counts
    counts["with a symbol"] += 1
    name, node = items[0]["detail"], items[0]["data"]["id"]
    found = inside(repo, editor.at("definition", *place))
    known = mcp.must("code.symbol.findDefinition", {"symbol_name": name})
    spans = {
        (str(Path(item["file_path"]).relative_to(repo)), line)
        for item in known.items
        for line in range(item["range"]["start_line"] - 1, item["range"]["end_line"])
    }
    counts["definition"] += bool(found) and found <= spans
    if items[0]["kind"] == NAMESPACE and found and not found <= spans:
        counts["definition: where the document imports a package"] += 1
    path = mcp.must("get_symbol", {"node_id": node}).data["file_path"]
    ours = inside(repo, editor.at("references", *place, context={"includeDeclaration": False}))
    theirs = references_by_mcp(mcp, repo, name, path)
    is_one_of_several = (
        len({item["range"]["start_line"] for item in known.items if item["file_path"] == f"{repo}/{path}"}) > 1
    )
    if is_one_of_several and ours < theirs:
        counts["references: of one of several definitions of the name"] += 1
    counts["references"] += ours == theirs
    card = mcp.must("code.symbol.getHoverInfo", {"symbol_name": name, "context_path": path}).data["result"]
    shown = (editor.at("hover", *place).message.get("result") or {}).get("contents", {}).get("value", "")
    counts["hover"] += card["signature"] in shown and (card["documentation"] or "") in shown
    return counts


def main() -> int:
    """Compare, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.mcp_equality", description=__doc__)
    parser.add_argument("--repo", type=Path, required=True, help="a checkout; it is copied")
    parser.add_argument("--languages", required=True, help="comma list: python, typescript, tsx, go, c, cpp")
    parser.add_argument("--positions", type=int, default=250)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print the positions whose answers differ")
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    with World() as world:
        repo = Path(world.base) / "repo"
        shutil.copytree(chosen.repo, repo, symlinks=True)
        world.index(repo)
        editor, mcp = editor_window(world, repo), world.connect(repo, "--toolsets", "all", "--rows", "full")
        for place in positions(repo, chosen.languages.split(","), chosen.positions, chosen.seed):
            found = compare(editor, mcp, repo, place)
            counts += found
            if chosen.show and found["with a symbol"] and sum(found.values()) < 4:
                print(f"  {place[0]}:{place[1] + 1}:{place[2]} {dict(found)}")
    print(f"{chosen.repo.name}: {chosen.positions} positions: {dict(counts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
