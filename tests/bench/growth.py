"""How the cost of a first index grows with the repository: CPU per megabyte, memory and disk for prefixes of a large one, beside a bare parse of the same files.

python -m tests.bench.growth LINUX --lines 1 3 10 32 --svg docs/images/growth.svg
python -m tests.bench.growth --typescript 100000      a generated monorepo with so many files
python -m tests.bench.growth --csharp 3000            a generated solution with so many projects
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from codeagentd.languages.grammar import parser
from codeagentd.languages.language import language_of, languages
from tests.bench.cost import Cold, measure
from tests.harness.world import World

MILLION = 1_000_000
DEPTH = 3  # folders of a path that belong together in a sample
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 320, 60, 50, 30  # pixels of the drawing


class Sample(NamedTuple):
    """A repository to index, and what a bare parse of it costs."""

    files: int
    lines: int
    megabytes: float
    parse_s: float


def main() -> None:
    """Measure what the command line names."""
    arguments = parsed()
    if arguments.bare:
        print(json.dumps(bare_parse(Path(arguments.bare))))
        return
    rows: list[tuple[Sample, Cold]] = []
    with tempfile.TemporaryDirectory(prefix="growth-", dir=arguments.folder) as folder:
        for repo in repositories(arguments, Path(folder)):
            sample = sampled(repo)
            with World() as world:
                cold = measure(world, repo, patience_s=arguments.patience)
            rows.append((sample, cold))
            print(line(sample, cold), flush=True)
    if len(rows) > 1:
        (small, first), (large, last) = rows[0], rows[-1]
        grown = (last.cpu_s / large.megabytes) / (first.cpu_s / small.megabytes)
        parse = (large.parse_s / large.megabytes) / (small.parse_s / small.megabytes)
        print(f"CPU per MB, largest over smallest: {grown:.2f}; of the bare parse: {parse:.2f}")
    if arguments.svg:
        Path(arguments.svg).write_text(drawing(rows))


def parsed() -> argparse.Namespace:
    """The command line."""
    parser_ = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser_.add_argument("root", nargs="?", help="a large git repository")
    parser_.add_argument(
        "--lines", type=float, nargs="+", default=[1, 3, 10, 30], help="sizes of the prefixes, in millions of lines"
    )
    parser_.add_argument("--typescript", type=int, default=0, metavar="FILES")
    parser_.add_argument("--csharp", type=int, default=0, metavar="PROJECTS")
    parser_.add_argument("--svg", help="draw the curve into this file")
    parser_.add_argument("--folder", help="where the repositories are made")
    parser_.add_argument("--patience", type=float, default=7200, help="seconds for one index")
    parser_.add_argument("--bare", help=argparse.SUPPRESS)
    return parser_.parse_args()


def line(sample: Sample, cold: Cold) -> str:
    """One row of the table."""
    per_mb = cold.cpu_s / sample.megabytes
    return (
        f"{sample.files:7,} files {sample.lines / MILLION:5.1f} M lines {sample.megabytes:7.1f} MB: "
        f"CPU {cold.cpu_s:7.1f} s, {per_mb:.2f} s/MB, {cold.cpu_s / sample.parse_s:5.1f} x bare parse; wall {cold.wall_s:7.1f} s; "
        f"peak {cold.peak_mb:5.0f} MB; disk {cold.disk_mb:6.0f} MB, {cold.disk_mb / sample.megabytes:.2f} x source; {cold.symbols:,} symbols"
    )


# -- repositories
def repositories(arguments: argparse.Namespace, folder: Path) -> Iterator[Path]:
    """Make the repositories, one after the other; each replaces the one before."""
    if arguments.typescript:
        for count in (
            arguments.typescript // 30,
            arguments.typescript // 10,
            arguments.typescript // 3,
            arguments.typescript,
        ):
            yield made(folder / "typescript", typescript(count))
    if arguments.csharp:
        for count in (arguments.csharp // 30, arguments.csharp // 10, arguments.csharp // 3, arguments.csharp):
            yield made(folder / "csharp", csharp(count))
    if arguments.root:
        groups = grouped(Path(arguments.root))
        for size in arguments.lines:
            yield prefix(Path(arguments.root), groups, size * MILLION, folder / "prefix")


def grouped(root: Path) -> list[list[tuple[str, int]]]:
    """The tracked files of a repository with their lines: whole folders, in an order by chance that is always the same. What others
    include comes first.
    """
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
    groups: dict[str, list[tuple[str, int]]] = {}
    for path in os.fsdecode(listed).split("\0"):
        if path and (root / path).is_file() and not (root / path).is_symlink():
            folder = "/".join(path.split("/")[:-1][:DEPTH])
            groups.setdefault(folder, []).append((path, (root / path).read_bytes().count(b"\n")))

    def place(folder: str) -> tuple[bool, bytes]:
        return not folder.startswith("include"), hashlib.blake2b(folder.encode()).digest()

    return [groups[folder] for folder in sorted(groups, key=place)]


def prefix(root: Path, groups: list[list[tuple[str, int]]], most: float, folder: Path) -> Path:
    """A repository with the first `most` lines of another."""
    total, chosen = 0, []
    for group in groups:
        for path, lines in group:
            if total >= most:
                break
            chosen.append(path)
            total += lines
    return made(folder, {path: (root / path).read_bytes() for path in chosen})


def made(folder: Path, files: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> Path:
    """A git repository with these files, in place of what was there."""
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    for path, content in files.items() if isinstance(files, Mapping) else files:
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", "-C", str(folder), *command], check=True)
    return folder


def typescript(files: int) -> Iterator[tuple[str, bytes]]:
    """A monorepo: packages of a hundred modules, which import each other and three other packages."""
    packages = max(1, files // 100)
    yield "package.json", b'{"name": "root", "private": true, "workspaces": ["packages/*"]}'
    for package in range(packages):
        yield (
            f"packages/p{package}/package.json",
            json.dumps({"name": f"@mono/p{package}", "main": "src/index.ts"}).encode(),
        )
        yield f"packages/p{package}/src/index.ts", b"".join(b'export * from "./m%d";\n' % at for at in range(99))
        for at in range(99):
            others = [(package * 7 + at + step) % packages for step in (1, 2, 3)]
            imports = "".join(
                f'import {{ Shelf{other}_{at} }} from "@mono/p{other}";\n'
                for other in dict.fromkeys(others)
                if other != package
            )
            near = f'import {{ lend{package}_{(at + 1) % 99} }} from "./m{(at + 1) % 99}";\n'
            uses = "".join(
                f"  new Shelf{other}_{at}().count();\n" for other in dict.fromkeys(others) if other != package
            )
            yield (
                f"packages/p{package}/src/m{at}.ts",
                (
                    f"{imports}{near}export class Shelf{package}_{at} {{\n  private books: string[] = [];\n"
                    f"  add(title: string): this {{ this.books.push(title); return this; }}\n  count(): number {{ return this.books.length; }}\n}}\n"
                    f"export function lend{package}_{at}(title: string): number {{\n  const shelf = new Shelf{package}_{at}().add(title);\n{uses}"
                    f"  return shelf.count() > 3 ? 0 : lend{package}_{(at + 1) % 99}(title);\n}}\n"
                ).encode(),
            )


def csharp(projects: int) -> Iterator[tuple[str, bytes]]:
    """A solution: projects of ten files in one of their own namespaces, each with references to three others."""
    for project in range(projects):
        others = [other for step in (1, 2, 3) if (other := (project * 3 + step) % projects) != project]
        references = "".join(f'<ProjectReference Include="../P{other}/P{other}.csproj" />' for other in others)
        yield (
            f"src/P{project}/P{project}.csproj",
            f'<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>{references}</ItemGroup></Project>'.encode(),
        )
        for at in range(10):
            usings = "".join(f"using Solution.P{other};\n" for other in others)
            calls = "".join(f"            total += new Service{other}_{at}().Run(value);\n" for other in others)
            yield (
                f"src/P{project}/Service{at}.cs",
                (
                    f"{usings}namespace Solution.P{project}\n{{\n    public interface IRun{project}_{at} {{ int Run(int value); }}\n"
                    f"    public partial class Service{project}_{at} : IRun{project}_{at}\n    {{\n        public int Count {{ get; set; }}\n"
                    f"        public int Run(int value)\n        {{\n            var total = value;\n{calls}            return total + Count;\n        }}\n    }}\n}}\n"
                ).encode(),
            )


# -- the yardstick
def sampled(repo: Path) -> Sample:
    """What a repository has, and what a bare parse of it costs in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.growth", "--bare", str(repo)]
    figures: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return Sample(figures["files"], figures["lines"], figures["bytes"] / MILLION, figures["cpu_s"])


def bare_parse(repo: Path) -> dict[str, Any]:
    """CPU seconds of reading and parsing every file that is indexed, with the parser of its language; one process, nothing else."""
    listed = subprocess.run(["git", "-C", str(repo), "ls-files", "-z"], capture_output=True, check=True).stdout
    paths = [
        path
        for path in os.fsdecode(listed).split("\0")
        if (language := language_of(path)) and not languages()[language].modules.is_data
    ]
    figures: dict[str, Any] = {"files": 0, "lines": 0, "bytes": 0}
    for language in {language_of(path) or "" for path in paths}:
        parser(language).parse(b"\n")
    began = time.process_time()
    for path in paths:
        source = (repo / path).read_bytes()
        if len(source) <= 4 << 20:  # larger ones are not read
            parser(language_of(path) or "").parse(source)
            figures = {
                "files": figures["files"] + 1,
                "lines": figures["lines"] + source.count(b"\n"),
                "bytes": figures["bytes"] + len(source),
            }
    return figures | {"cpu_s": time.process_time() - began}


# -- the drawing
def drawing(rows: list[tuple[Sample, Cold]]) -> str:
    """The curve as SVG: CPU seconds per megabyte over millions of lines, of the index and of the bare parse."""
    lines = [sample.lines / MILLION for sample, _ in rows]
    curves = {
        "first index": [cold.cpu_s / sample.megabytes for sample, cold in rows],
        "bare parse": [sample.parse_s / sample.megabytes for sample, _ in rows],
    }
    highest = max(max(values) for values in curves.values()) * 1.15

    def across(x: float) -> float:
        return LEFT + (WIDTH - LEFT - 20) * x / max(lines)

    def up(y: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y / highest

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="18">CPU seconds for each megabyte of source</text>',
        f'<text x="{WIDTH - 20}" y="{HEIGHT - 12}" text-anchor="end">million lines</text>',
        f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - 20}" fill="none" stroke="#444"/>',
    ]
    for x in lines:
        parts.append(f'<text x="{across(x):.0f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:.0f}</text>')
    for share in (0.25, 0.5, 0.75, 1):
        y = highest * share / 1.15
        parts.append(f'<text x="{LEFT - 8}" y="{up(y) + 4:.0f}" text-anchor="end">{y:.2f}</text>')
        parts.append(f'<path d="M{LEFT} {up(y):.0f}H{WIDTH - 20}" stroke="#ddd"/>')
    for (name, values), colour in zip(curves.items(), ("#1b5e9b", "#b3541e"), strict=True):
        points = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in zip(lines, values, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3" fill="{colour}"/>'
            for x, y in zip(lines, values, strict=True)
        ]
        parts.append(
            f'<text x="{across(lines[-1]) - 6:.0f}" y="{up(values[-1]) - 8:.0f}" text-anchor="end" fill="{colour}">{name}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    main()
