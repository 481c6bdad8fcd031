"""Questions to learn ranking from that public repositories answer themselves, made from their bare copies.

commits     the subject of a commit asks for the files that it changed, in the tree before all these commits
messages    the whole message of a commit does, where it has more than a subject
docstrings  the first sentence of a function's comment asks for the function, in a copy without comments on functions
"""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagentd.languages.doc_comments import comment_lines, docstring, documentation, sentence
from codeagentd.languages.language import language_of, languages
from codeagentd.model.file_kinds import PROSE_LANGUAGES, is_test
from codeagentd.model.kinds import SymbolKind
from codeagentd.query.retrieval.question import WRITTEN
from tests.distil.texts import MEDIA, indexed
from tests.eval.questions import Target
from tests.eval.sets import COMMIT, DOCSTRING, Asked, Set
from tests.harness.stored_rows import StoredSymbol, stored_rows

REPOSITORIES: Final = Path(__file__).with_name("repositories.tsv")
COMMITS: Final = 220  # of a repository that are asked
READ: Final = 2_500  # of its history
FUNCTIONS: Final = 150  # of a repository that are asked for
FEWEST: Final = 20
FEWEST_LINES: Final = 2  # of a function below its name
QUOTED: Final = 40  # characters by which a docstring is found
CHANGED: Final = 4  # files; a commit that changed more says little about each
TOUCHED: Final = 20  # files of any kind
SHORTEST: Final = 4  # words of a question
LONGEST: Final = 250  # characters
MESSAGE: Final = 200  # characters from which the rest of a message says more than the subject
LEFT_OUT: Final = [f":(exclude,glob)**/*.{suffix}" for suffix in MEDIA]
_UNTOLD: Final = re.compile(
    r"(?i)merge|revert|bump|release|prepare|version|update (?:changelog|depend)|chore\(deps|build\(deps|\[?bot|format(?:ted)? code|typo"
)
_TYPED: Final = re.compile(r"\s*(?:fix|feat|perf|refactor|docs|test|chore|build|style|ci)(?:\([^)]*\))?!?:\s+")
_NOISE: Final = re.compile(
    r"\(?#\d+\)?|https?://\S+|\b[\w./-]+\.(?:py|js|ts|go|rs|java|kt|c|h|cc|cpp|cs|rb|php|swift|scala|lua)\b"
)
_TRAILER: Final = re.compile(r"(?i)\s*(?:signed-off|co-authored|reviewed|closes?:?|fix(?:es)?:?|refs?:?|see:?) *[-#:]?")
_MARKUP: Final = re.compile(r"\{@\w+ ([^}]*)\}|</?\w+>|`|\s@\w+.*")
_RAW: Final = re.compile(r"^:(?:\S+ ){4}(\w)\S*\t(.*)$", re.MULTILINE)
_PATH: Final = re.compile(r"^\+\+\+ b/(.*?)\s*$", re.MULTILINE)
_HUNK: Final = re.compile(r"^@@ [^@]*@@ ?(.*)$", re.MULTILINE)
# the languages whose definitions git knows: gitattributes(5)
DRIVERS: Final = {
    "py": "python", "rb": "ruby", "rs": "rust", "go": "golang", "java": "java", "kt": "kotlin", "c": "cpp", "h": "cpp",
    "cc": "cpp", "cpp": "cpp", "cs": "csharp", "php": "php", "sh": "bash",
}  # fmt: skip
_QUOTES: Final = re.compile(r"[ \t]*[rRuU]?(\"\"\"|'''|\"|')")
_CALLABLE: Final = (int(SymbolKind.FUNCTION), int(SymbolKind.METHOD))


class Repository(NamedTuple):
    """A public repository at one commit, and what is asked about it."""

    name: str
    commit: str
    asks_commits: bool
    folder: str  # whose functions are asked for; '-' for none

    @property
    def file_name(self) -> str:
        """Its name in file names."""
        return self.name.replace("/", "+")


class Row(msgspec.Struct):
    """One question, as it is kept. `names`: (path, name) of what may define the part of a file that answers."""

    query: str
    targets: list[Target]
    names: list[tuple[str, str]] = []


def repositories() -> list[Repository]:
    """Return the repositories that are asked."""
    rows = [line.split("\t") for line in REPOSITORIES.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return [Repository(name, commit, asks == "yes", folder) for name, commit, asks, folder in rows]


def make(mirror: Path, place: Path) -> None:
    """Write the trees and the questions of all repositories that are not there yet, from mirror/owner+name/repo."""
    for one in repositories():
        git = ["git", "--git-dir", str(mirror / one.file_name / "repo")]
        if one.asks_commits and not (file := _file(place, "commits", one)).exists():
            subjects, messages = _commits(git, one, place / "trees" / "commits" / one.file_name)
            _file(place, "messages", one).write_bytes(msgspec.json.encode(messages))
            file.write_bytes(msgspec.json.encode(subjects))
            print(f"{one.name}: {len(subjects)} commits, {len(messages)} with messages", flush=True)
        if one.folder != "-" and not (file := _file(place, "docstrings", one)).exists():
            rows = _docstrings(git, one, place)
            file.write_bytes(msgspec.json.encode(rows))
            print(f"{one.name}: {len(rows)} docstrings", flush=True)


def training_sets(place: Path) -> Iterator[Set]:
    """Yield the sets that `make` has written to `place`."""
    for name, measure, trees in (
        ("commits", COMMIT, "commits"), ("messages", COMMIT, "commits"), ("docstrings", DOCSTRING, "docstrings"),
    ):  # fmt: skip
        asked = {
            one.file_name: [
                Asked(place / "trees" / trees / one.file_name, row.query, tuple(row.targets), tuple(row.names))
                for row in msgspec.json.decode(file.read_bytes(), type=list[Row])
            ]
            for one in repositories()
            if (file := _file(place, name, one)).exists()
        }
        yield Set(name, measure, {name: several for name, several in asked.items() if several})


def _file(place: Path, task: str, one: Repository) -> Path:
    return place / f"{task}-{one.file_name}.json"


def _commits(git: list[str], one: Repository, tree: Path) -> tuple[list[Row], list[Row]]:
    """The subjects and the messages of commits, the latest first; `tree` gets the files before the earliest of them."""
    form = [
        "--first-parent",
        "--no-merges",
        f"-{READ}",
        "--format=%x01%H%x02%B%x03",
        "--no-renames",
        "--raw",
        "-p",
        "-U0",
    ]
    found, base = list[tuple[str, str, dict[str, set[str]]]](), one.commit
    for part in _output([*git, *_drivers(tree), "log", *form, one.commit]).split("\x01")[1:]:
        head, _, changes = part.partition("\x03")
        commit, _, message = head.partition("\x02")
        subject, _, rest = message.strip().partition("\n")
        touched = _RAW.findall(changes)
        changed = {path for state, path in touched if state == "M" and _is_code(path) and not is_test(path)}
        query = _cleaned(subject)
        if _UNTOLD.match(subject) or len(query.split()) < SHORTEST:
            continue
        if 1 <= len(changed) <= CHANGED and len(touched) <= TOUCHED:
            body = "\n".join(line for line in rest.splitlines() if not _TRAILER.match(line)).strip()
            found.append((query, body, {path: heads for path, heads in _heads(changes).items() if path in changed}))
            base = commit
            if len(found) == COMMITS:
                break
    _write_tree(git, f"{base}~1", tree)
    usable = [one for one in found if all((tree / path).is_file() for path in one[2])]
    rows = [
        (Row(query, [*map(Target, heads)], [(path, name) for path, names in heads.items() for name in names]), body)
        for query, body, heads in usable
    ]
    messages = [
        msgspec.structs.replace(row, query=f"{row.query}\n\n{body}") for row, body in rows if len(body) >= MESSAGE
    ]
    return [row for row, _ in rows], messages


def _heads(changes: str) -> dict[str, set[str]]:
    """The names in the heads of the definitions that each changed file's hunks are in, as git finds them."""
    result: dict[str, set[str]] = {}
    for diff in changes.split("\ndiff --git ")[1:]:
        if path := _PATH.search(diff):
            result[path[1]] = {name for head in _HUNK.findall(diff) for name in WRITTEN.findall(head.partition("(")[0])}
    return result


def _drivers(tree: Path) -> list[str]:
    """The options that have git find the heads of definitions by language."""
    file = tree.with_suffix(".attributes")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"*.{suffix} diff={driver}\n" for suffix, driver in DRIVERS.items()), encoding="utf-8")
    return ["-c", f"core.attributesFile={file.resolve()}"]


def _docstrings(git: list[str], one: Repository, place: Path) -> list[Row]:
    """Functions with the first sentence of their comment, but those of tests. The tree of docstrings gets all files, so
    that tests and documents are found beside the functions, but without comments on definitions.
    """
    whole, bare = place / "trees" / "whole" / one.file_name, place / "trees" / "docstrings" / one.file_name
    _write_tree(git, one.commit, whole)
    rows = stored_rows(indexed(whole, place / "indexes" / "whole" / one.file_name))
    defined: dict[str, list[StoredSymbol]] = {}
    for symbol in rows.symbols():
        if symbol.id > 0 and not symbol.is_file:
            defined.setdefault(symbol.path, []).append(symbol)
    known, found = languages(), list[Row]()
    for file in rows.files():
        source, target = whole / file.path, bare / file.path
        if file.id <= 0 or not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        rule = known[file.language].rules.doc if file.language in known else ""
        if not rule or file.language in PROSE_LANGUAGES:
            target.write_bytes(source.read_bytes())
            continue
        lines = source.read_text(encoding="utf-8", errors="replace").split("\n")
        kept, asked = _bare(lines, rule, file.path, defined.get(file.path, []))
        target.write_text("\n".join(kept), encoding="utf-8")
        if not is_test(file.path) and (one.folder == "." or file.path.startswith(f"{one.folder}/")):
            found += asked
    _begin(bare)
    times = Counter(row.query.lower() for row in found)
    unique = [row for row in found if times[row.query.lower()] == 1]
    random.Random(one.name).shuffle(unique)
    return unique[:FUNCTIONS] if len(unique) >= FEWEST else []


def _bare(lines: list[str], rule: str, path: str, symbols: Sequence[StoredSymbol]) -> tuple[list[str], list[Row]]:
    """The lines of a file without comments on its definitions, and its functions that these ask for."""
    dropped, asked = set[int](), list[tuple[str, StoredSymbol]]()
    for symbol in symbols:
        span = (symbol.line_start, symbol.line, symbol.line_end)
        comment = documentation(lines, rule, span, whole=False)
        if comment is None:
            continue
        dropped.update(_comment_lines(lines, rule, symbol))
        query = _MARKUP.sub(lambda match: match[1] or "", sentence(comment)).strip().rstrip(". ")
        first, _, rest = query.partition(" ")
        query = rest if first == symbol.name else query  # `readAll reads ...`: the name would answer by itself
        if symbol.kind in _CALLABLE and len(query.split()) >= SHORTEST and len(query) < LONGEST:
            asked.append((query, symbol))
    kept = [at for at in range(1, len(lines) + 1) if at not in dropped]
    place = {line: at for at, line in enumerate(kept, start=1)}
    rows = [
        Row(query, [Target(path, place[one.line], place[one.line] + len(_between(one, dropped)))])
        for query, one in asked
        if one.line in place and len(_between(one, dropped)) >= FEWEST_LINES
    ]
    return [lines[line - 1] for line in kept], rows


def _between(symbol: StoredSymbol, dropped: set[int]) -> list[int]:
    return [line for line in range(symbol.line + 1, symbol.line_end + 1) if line not in dropped]


def _comment_lines(lines: Sequence[str], rule: str, symbol: StoredSymbol) -> range:
    """The lines, from 1, of the comment on a definition that stand by themselves."""
    if rule == "captured" and (text := docstring(lines, symbol.line, symbol.line_end)):
        opening = text.split("\n")[0][:QUOTED]
        for first in range(symbol.line, symbol.line_end):
            sign = _QUOTES.match(lines[first])
            if sign and opening in "\n".join(lines[first : first + 3]):
                body = "\n".join(lines[first : symbol.line_end])
                end = body.index(sign[1], body.index(sign[1]) + len(sign[1]))
                return range(first + 1, first + 2 + body[:end].count("\n"))
    block = comment_lines(lines, symbol.line_start, rule)
    end = symbol.line_start - 1
    while block and end > 0 and lines[end - 1] != block[-1]:
        end -= 1
    return range(end - len(block) + 1, end + 1) if block and end else range(0)


def _write_tree(git: list[str], commit: str, tree: Path) -> None:
    """Write the files of a commit to `tree`, as a repository of its own, but large ones that a copy may lack."""
    if not (tree / ".git").is_dir():
        tree.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(
            [*git, "archive", commit, "--", ".", *LEFT_OUT], check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True)
        _begin(tree)


def _begin(tree: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tree)], check=True)
    subprocess.run(["git", "-C", str(tree), "add", "-A"], check=True)


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True).stdout.decode(errors="replace")


def _cleaned(subject: str) -> str:
    return " ".join(_NOISE.sub("", _TYPED.sub("", subject, count=1)).split())


def _is_code(path: str) -> bool:
    language = language_of(path)
    return language is not None and language not in PROSE_LANGUAGES
