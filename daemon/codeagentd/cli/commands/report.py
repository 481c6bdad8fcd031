"""`codeagentd report`: writes the code graph as a page to read, an interactive page, and data for other programs."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import InvalidParameter
from codeagentd.cli.commands.operations.index import wait_until_caught_up
from codeagentd.cli.daemon_client.client import Json, progress
from codeagentd.cli.rendering.console import plain, size
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from

if TYPE_CHECKING:
    from codeagentd.cli.export.whole_graph import Whole

EXAMPLES: Final = """examples:
  codeagentd report                          into codeagent-report/ of the repository, which git and the index ignore
  codeagentd report --format html --output /tmp/shop
  codeagentd report --format md,json --output docs/graph --force

GRAPH_REPORT.md says what stands out, graph.html shows it (open it in a browser; it needs no network), graph.json has \
every node and edge in
networkx's node-link form. Files that something else wrote are left alone without --force. Exit code 1 when nothing \
could be written."""

FOLDER: Final = "codeagent-report"
PATIENCE_S: Final = 300.0  # for the analysis and all parts of the graph; 60,000 symbols take 6


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument("--output", metavar="DIR", help=f"where to write (default: {FOLDER} in the repository)")
    parser.add_argument(
        "--format",
        metavar="LIST",
        default=",".join(FORMATS),
        help=f"which files, by comma: {', '.join(FORMATS)} (default: all)",
    )
    parser.add_argument("--force", action="store_true", help="replace files that this command did not write")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the files of the report, and return the exit code. If one cannot be written, those before it stay."""
    from codeagentd.cli.export.safe_write import check, write

    formats = _formats(arguments.format)
    endpoint = endpoint_from(arguments)
    folder = Path(arguments.output or os.path.join(endpoint.root, FOLDER)).absolute()
    for item in formats:
        check(folder / FORMATS[item][0], force=arguments.force)
    whole = _whole(endpoint)
    _make(folder, is_ours=not arguments.output)
    written, notes = [], []
    for item in formats:
        name, make = FORMATS[item]
        pieces, note = make(whole)
        written.append({"file": str(folder / name), "bytes": write(folder / name, pieces)})
        notes += [f"{name}: {note}"] if note else []
    _print_result(arguments, written, notes)
    return 0


def _formats(text: str) -> list[str]:
    requested = [item.strip() for item in text.split(",") if item.strip()]
    unknown = [item for item in requested if item not in FORMATS]
    if unknown or not requested:
        raise InvalidParameter(
            f"there is no format {plain(', '.join(unknown)) or 'without a name'!r}",
            remedy=f"formats are {', '.join(FORMATS)}",
            parameter="format",
        )
    return [item for item in FORMATS if item in requested]


def _whole(endpoint: Endpoint) -> Whole:
    """The whole graph, which the daemon sends once its index has caught up."""
    from codeagentd.cli.export.whole_graph import received

    wait_until_caught_up(endpoint)
    return received(os.path.basename(endpoint.root), _parts(endpoint))


def _parts(endpoint: Endpoint) -> Iterator[Json]:
    return progress(endpoint, "graph", {}, PATIENCE_S)


def _make(folder: Path, *, is_ours: bool) -> None:
    """Create the folder; the default one is hidden from git, and so from the index."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if is_ours and not (folder / ".gitignore").exists():
            (folder / ".gitignore").write_text("*\n")
    except OSError as error:
        raise InvalidParameter(
            f"{folder} cannot be made: {error.strerror}", remedy="name another directory with --output"
        ) from None


def _print_result(arguments: argparse.Namespace, written: list[Json], notes: list[str]) -> None:
    if arguments.json:
        print(json.dumps({"written": written, "notes": notes}, indent=2, ensure_ascii=False))
        return
    for item in written:
        print(f"{plain(item['file'])}  {size(item['bytes'])}")
    for note in notes:
        print(note, file=sys.stderr)


def _markdown(whole: Whole) -> tuple[Iterable[bytes], str]:
    from codeagentd.cli.export.safe_write import MARK

    return [f"<!-- {MARK} -->\n\n{whole.report}".encode()], ""


def _html(whole: Whole) -> tuple[Iterable[bytes], str]:
    from codeagentd.cli.export.page import page

    document = page(whole)
    return [document.text], document.left_out


def _json(whole: Whole) -> tuple[Iterable[bytes], str]:
    from codeagentd.cli.export.node_link import node_link

    return node_link(whole), ""


FORMATS: Final[dict[str, tuple[str, Callable[[Whole], tuple[Iterable[bytes], str]]]]] = {
    "md": ("GRAPH_REPORT.md", _markdown),
    "html": ("graph.html", _html),
    "json": ("graph.json", _json),
}
