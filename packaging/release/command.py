"""The command of a release: make every artefact from the commit that is checked out, with checksums."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import checksums
from artefacts import Artefact, chosen
from commit import commit_time, extract, refuse_changes


def main(argv: Sequence[str] | None = None) -> int:
    """Make the artefacts that `argv` (None: the command line) asks for, or list them. Returns the exit code."""
    arguments = _parser().parse_args(argv)
    artefacts = chosen(_words(arguments.only), _words(arguments.without))
    if arguments.list:
        _print_list(artefacts, arguments.json)
        return 0
    refuse_changes()
    _refuse_missing_tools(artefacts)
    _refuse_other_files(arguments.out)
    _fix_environment()
    with tempfile.TemporaryDirectory(prefix="release-") as work:
        made = _build(artefacts, Path(work))
        if arguments.out.exists():
            shutil.rmtree(arguments.out)
        shutil.copytree(Path(work, "out"), arguments.out)
    _print_files(made, arguments.out, arguments.json)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="packaging/release", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("dist"), metavar="DIR", help="the folder to write (dist)")
    parser.add_argument("--only", default="", metavar="NAME,…", help="these alone, with what they are made from")
    parser.add_argument("--without", default="", metavar="NAME,…", help="all but these")
    parser.add_argument("--list", action="store_true", help="list the artefacts, and what each needs")
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")
    return parser


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _refuse_missing_tools(artefacts: Sequence[Artefact]) -> None:
    lines = [
        f"{artefact.name} needs {tool.program}: install {tool.install}, or pass --without {artefact.name}"
        for artefact in artefacts
        for tool in artefact.needs
        if tool.is_missing
    ]
    if lines:
        raise SystemExit("\n".join(lines))


def _refuse_other_files(out: Path) -> None:
    """The folder is replaced: it may hold nothing but an earlier release."""
    found = {path.name for path in out.iterdir()} if out.exists() else set()
    if others := found - checksums.names(out):
        raise SystemExit(f"{out} holds other files: {', '.join(sorted(others))}; remove them, or pass another --out")


def _fix_environment() -> None:
    """What the bytes of an artefact must not depend on: time, zone, language, umask, the order of sets."""
    os.umask(0o022)
    fixed = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "COLUMNS": "80"}
    os.environ.update(fixed, SOURCE_DATE_EPOCH=str(commit_time()))


def _build(artefacts: Sequence[Artefact], work: Path) -> list[tuple[str, str]]:
    """Build into `work`/out, each artefact from a copy of its own of the sources. Returns artefact and file name of
    each file.
    """
    out = work / "out"
    out.mkdir()
    made: list[tuple[str, str]] = []
    for artefact in artefacts:
        sources = extract(work / artefact.name)
        made += [(artefact.name, path.name) for path in artefact.build(sources, out)]
        shutil.rmtree(sources)
    checksums.write(out, out.iterdir())
    return made


def _print_list(artefacts: Sequence[Artefact], as_json: bool) -> None:
    if as_json:
        listed = [
            {"name": artefact.name, "summary": artefact.summary, "needs": [tool.program for tool in artefact.needs]}
            for artefact in artefacts
        ]
        print(json.dumps(listed, indent=2))
        return
    for artefact in artefacts:
        print(f"{artefact.name:<12} {artefact.summary}")
        for tool in artefact.needs:
            print(f"{'':<12} needs {tool.program}{f', missing: install {tool.install}' * tool.is_missing}")


def _print_files(made: Sequence[tuple[str, str]], out: Path, as_json: bool) -> None:
    rows = [(name, file, (out / file).stat().st_size, checksums.sha256(out / file)) for name, file in made]
    if as_json:
        columns = ("artefact", "file", "bytes", "sha256")
        print(json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=2))
        return
    for name, file, size, digest in rows:
        print(f"{name:<12} {file:<44} {size:>12,}  {digest}")
    print(f"{out / checksums.NAME} has the checksums: sha256sum --check {checksums.NAME}")
