"""The texts that a static model is fitted to: passages of public repositories, and texts that are like questions."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagentd.base.file_lines import lines_of
from codeagentd.base.paths import Jail
from codeagentd.languages.doc_comments import documentation, sentence
from codeagentd.languages.language import languages
from codeagentd.pipeline.embedding.passages import passages
from codeagentd.pipeline.embedding.symbol_queue import KINDS, LAST, UNNAMED
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.store.connection import Database

REPOSITORIES: Final = Path(__file__).with_name("repositories.tsv")
SYMBOLS: Final = 20_000  # of a repository, so that a large one does not decide
PASSAGES: Final = 2_000  # of them that are only taught
SUBJECTS: Final = 1_000
PATIENCE_S: Final = 1_800.0
SHORTEST: Final = 3  # words of a question
# large files, which a copy of a repository may lack
MEDIA: Final = [
    "gif",
    "gz",
    "hprof",
    "ico",
    "jpg",
    "json",
    "mov",
    "mp4",
    "png",
    "psd",
    "tiff",
    "ttf",
    "wasm",
    "webm",
    "woff2",
    "zip",
]
_DOCSTRING: Final = re.compile(r"[rRuU]?(\"\"\"|''').*?(?:\1|$)", re.DOTALL)
_SUBJECT_NOISE: Final = re.compile(r"\s*\(?#\d+\)?|^\w+(?:\([^)]*\))?!?: |\[[^\]]*\]\s*")


class Use(StrEnum):
    """What a repository is for."""

    TAUGHT = "taught"  # the fit, with the teacher's vectors of some of its texts
    READ = "read"  # the fit
    HELD = "held"  # a measure of the fit


class Repository(NamedTuple):
    """A public repository at one commit."""

    name: str
    commit: str
    use: Use


class Text(msgspec.Struct, frozen=True):
    """A text to learn from. `answer`: the number of the passage that answers this question among the repository's
    texts, -1 for none.
    """

    text: str
    kind: str
    answer: int = -1


def repositories() -> list[Repository]:
    """Return the repositories whose texts are used."""
    lines = REPOSITORIES.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [Repository(name, commit, Use(use)) for name, commit, _, use in rows]


def git_of(repository: Repository, mirror: Path) -> list[str]:
    """Return the beginning of a command of git on the bare copy of a repository."""
    return ["git", "--git-dir", str(mirror / repository.name.replace("/", "+") / "repo")]


def cleaned_subject(subject: str) -> str:
    """Return the subject of a commit without numbers and prefixes; '' where too little is left for a question."""
    cleaned = " ".join(_SUBJECT_NOISE.sub("", subject).split())
    return cleaned if len(cleaned.split()) >= SHORTEST else ""


def texts_of(repository: Repository, mirror: Path, place: Path) -> list[Text]:
    """Return the texts of a repository, whose bare copy is in `mirror`/owner+name/repo; `place` gets its files and its
    index.
    """
    git = git_of(repository, mirror)
    root = place / "files"
    if not (root / ".git").is_dir():
        root.mkdir(parents=True, exist_ok=True)
        unwanted = [f":(exclude,glob)**/*.{suffix}" for suffix in MEDIA]
        archive = subprocess.run(
            [*git, "archive", repository.commit, "--", ".", *unwanted], check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", str(root)], input=archive, check=True)
        subprocess.run(["git", "init", "-q", str(root)], check=True)
    chance = random.Random(repository.name)
    result = [*_symbol_texts(indexed(root, place), root, chance)]
    log = [*git, "log", "--no-merges", "--format=%s", "-n", str(8 * SUBJECTS), repository.commit]
    subjects = subprocess.run(log, check=True, capture_output=True, text=True).stdout.splitlines()
    usable = [*filter(None, dict.fromkeys(map(cleaned_subject, subjects)))]
    return result + [Text(subject, "subject") for subject in chance.sample(usable, min(SUBJECTS, len(usable)))]


def indexed(root: Path, place: Path) -> Database:
    """Return the index of the tree at `root`, made in `place`."""
    engine = IndexingEngine(root, place / "index", place / "blobs", use_watcher=False)
    engine.start()
    try:
        if not engine.wait_caught_up(PATIENCE_S):
            raise TimeoutError(f"{root} is not indexed after {PATIENCE_S} s")
    finally:
        engine.close(60)
    return Database(place / "index" / "index.db")


def _symbol_texts(database: Database, root: Path, chance: random.Random) -> Iterator[Text]:
    jail, known = Jail(root), languages()
    eligible = database.all("vectors.ranked", (KINDS, LAST, UNNAMED, -1))
    chosen = chance.sample(eligible, min(SYMBOLS, len(eligible)))
    rows = {row[0]: row for row in database.all("vectors.symbols", (json.dumps([symbol for symbol, _ in chosen]),))}
    places = {
        file: (path, language)
        for file, path, language, _ in database.all(
            "vectors.files", (json.dumps([*{row[1] for row in rows.values()}]),)
        )
    }
    number = taught = 0
    known_docs = set[str]()
    made = passages(database, jail, "", [(row[0], row[1]) for row in rows.values()])
    chance.shuffle(made)
    for passage in made:
        _, file, _, _, _, _, _, first, line, last, is_whole, _ = rows[passage.symbol]
        path, language = places[file]
        rule = known[language].rules.doc if language in known else ""
        comment = documentation(lines_of(jail, path), rule, (first, line, last), whole=bool(is_whole))
        doc = sentence(comment) if comment else ""
        if len(doc.split()) >= SHORTEST and doc not in known_docs:
            known_docs.add(doc)
            bare = "\n".join(part for part in passage.text.split("\n") if part != doc)
            yield Text(_DOCSTRING.sub("", bare, count=1), "bare")
            yield Text(doc, "doc", number)
            number += 2
        if taught < PASSAGES:
            yield Text(passage.text, "passage")
            number += 1
            taught += 1


def without_question(texts: Sequence[Text]) -> list[int]:
    """Return the numbers of the passages that are of no symbol with a question."""
    known = {_header(texts[text.answer]) for text in texts if text.answer >= 0}
    return [n for n, text in enumerate(texts) if text.kind == "passage" and _header(text) not in known]


def _header(text: Text) -> str:
    return text.text.partition("\n")[0]
