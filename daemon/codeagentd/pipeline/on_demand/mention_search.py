"""The search for the files that mention names, in the files themselves, and the order in which they are read."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import TEXT_SAMPLE_BYTES
from codeagentd.base.paths import read_regular
from codeagentd.base.text import is_binary
from codeagentd.languages.language import is_parsed, language_of, languages
from codeagentd.vcs import git

from .repository_files import RepositoryFiles

RANKED: Final = 3_000  # files whose content is looked at to rank them: 0.2 s; the others follow in the order of paths
MENTIONS: Final = 50  # places in a file that are looked at
LINE_BYTES: Final = 300  # of a line before and after a name that are looked at
DEFINES: Final = 3  # what a file tells about a name
DECLARES: Final = 2
HEADER: Final = 1
NEIGHBOURS: Final = 20  # files with definitions to which the others are compared
WORD: Final = r"(?<![\w$])%s(?![\w$])"
# words that stand before the name in definitions, of any language
_KEYWORDS: Final = (
    rb"\b(?:def|class|func|function|fn|fun|sub|proc|macro|struct|enum|union|interface|trait|type|module|namespace"
    rb"|package|object|protocol|record|message|service|rpc|define|typedef|const|let|var|val)\b[^\n;{}]{0,200}?"
)
_HEADER: Final = re.compile(r"\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|d\.ts|pyi)$")


class Ranked(NamedTuple):
    """Files that mention names, in the order in which they are read. The first `definitions` of them seem to define
    names; 0 where a name seems to be defined nowhere.
    """

    paths: list[str]
    definitions: int


class Searcher:
    """Finds files by what they contain. `files`: those of the repository; `untracked`: those of them that git does
    not search, all of them where there is no git.
    """

    def __init__(self, root: Path, files: RepositoryFiles, untracked: Collection[str], *, is_work_tree: bool) -> None:
        self._root = root
        self._files = files
        self.untracked = untracked
        self._is_work_tree = is_work_tree

    def mentioning(self, names: Sequence[str], matches: Sequence[str] | None) -> set[str]:
        """Return the files that mention one of `names` as a word. `matches`: those that git finds, None without git.
        With git, files that it does not track are left out.
        """
        unsearched = self._files.paths if matches is None else ()
        return self._among(matches, self._plainly(unsearched, names, whole_words=True))

    def mentioning_untracked(self, names: Sequence[str]) -> set[str]:
        """Return the files that mention one of `names` as a word and that git does not track."""
        return self._among((), self._plainly(self.untracked if self._is_work_tree else (), names, whole_words=True))

    def containing(self, texts: Sequence[str], *, all_of_them: bool = False) -> set[str]:
        """Return the files that contain one of `texts`, or `all_of_them`, in upper or lower case."""
        matches = git.list_mentioning(
            self._root, texts, is_work_tree=self._is_work_tree, whole_words=False, all_of_them=all_of_them
        )
        unsearched = self._unsearched(matches)
        return self._among(matches, self._plainly(unsearched, texts, whole_words=False, all_of_them=all_of_them))

    def _unsearched(self, matches: Sequence[str] | None) -> Collection[str]:
        return self._files.paths if matches is None else self.untracked if self._is_work_tree else ()

    def _among(self, matches: Sequence[str] | None, others: Iterable[str]) -> set[str]:
        """Return those files that are indexed in a language."""
        return {path for path in {*(matches or ()), *others} if _has_language(path) and self._files.may_read(path)}

    def _plainly(
        self, paths: Iterable[str], names: Sequence[str], *, whole_words: bool, all_of_them: bool = False
    ) -> Iterator[str]:
        flags = re.NOFLAG if whole_words else re.IGNORECASE
        form = WORD if whole_words else "%s"
        patterns = [re.compile((form % re.escape(name)).encode(), flags) for name in names]
        literals = [name.encode() for name in names] if whole_words else []
        for path in paths:
            if not (_has_language(path) and self._files.may_read(path)):
                continue
            source = self.content(path)
            if literals and not any(literal in source for literal in literals):
                continue
            matches = (pattern.search(source) for pattern in patterns)
            if all(matches) if all_of_them else any(matches):
                yield path

    def content(self, path: str) -> bytes:
        """Return the content of a file; nothing of one that is no text."""
        try:
            source = read_regular(self._root / path, _MOST_BYTES) or b""
        except OSError:
            return b""
        return b"" if is_binary(source[:TEXT_SAMPLE_BYTES]) else source

    def ranked(self, paths: Collection[str], names: Sequence[str], near: Collection[str] = ()) -> Ranked:
        """Return `paths` in the order in which they tell most about `names`: files that seem to define one, files that
        declare one, then the others; files near to definitions, or to the files `near`, first.
        """
        patterns = [(name.encode(), _definition_of(name.encode())) for name in names]
        known = sorted(paths, key=_breadth)
        scores: dict[str, Sequence[int]] = dict.fromkeys(known, (0,) * len(names))
        for path in known[:RANKED]:
            source = self.content(path)
            scores[path] = [_score(path, source, *pattern) for pattern in patterns]
        worth = {path: (max(of_names), sum(of_names)) for path, of_names in scores.items()}
        best = sorted((path for path in known if worth[path][1] > 1), key=lambda path: -worth[path][1])
        folders = {posixpath.dirname(path) for path in (*near, *best[:NEIGHBOURS])}
        ranked = sorted(known, key=lambda path: (*(-value for value in worth[path]), -_nearness(path, folders), path))
        is_every_name_defined = all(max(of_files) == DEFINES for of_files in zip(*scores.values(), strict=True))
        return Ranked(ranked, sum(most == DEFINES for most, _ in worth.values()) if is_every_name_defined else 0)

    def richest(self, paths: Collection[str], words: Sequence[str]) -> list[str]:
        """Return `paths` in the order of how many different words of `words` they contain, the rare ones counting
        more; words in the name of the file count twice.
        """
        folded = [word.lower().encode() for word in words]
        counted: dict[str, list[int]] = {}
        for path in sorted(paths, key=lambda path: (not _in_name(path, words), _breadth(path)))[:RANKED]:
            source, name = self.content(path).lower(), path.lower().encode()
            counted[path] = [(word in source) + (word in name) for word in folded]
        files = [1 + sum(counts[place] > 0 for counts in counted.values()) for place in range(len(words))]
        weight = {
            path: sum(count / files[place] for place, count in enumerate(counts)) + sum(map(bool, counts))
            for path, counts in counted.items()
        }
        return sorted(counted, key=lambda path: (-weight[path], path))


_MOST_BYTES: Final = 4 * 1_024 * 1_024


def _in_name(path: str, words: Sequence[str]) -> bool:
    folded = path.lower()
    return any(word.lower() in folded for word in words)


def _has_language(path: str) -> bool:
    """Whether a file may be in a language that is parsed; one without an extension may name its interpreter."""
    return is_parsed(language_of(path)) or "." not in path.rpartition("/")[2].lstrip(".")


def _breadth(path: str) -> tuple[int, str]:
    """Files of data and documents come last: they define nothing that programs refer to."""
    language = languages().get(language_of(path) or "")
    return (int(language is not None and (language.modules.is_data or language.modules.is_example)), path)


def _definition_of(name: bytes) -> re.Pattern[bytes]:
    """Return a pattern for lines that may define `name`: a word for definitions stands before it, or the line begins
    at the left margin and the name is followed by a parameter list, a body or a value.
    """
    word = re.escape(name)
    return re.compile(
        rb"(?:.*?" + _KEYWORDS + rb"(?<![\w$])" + word + rb"(?![\w$])"
        rb"|[\w$][^\n;=(]*(?<![\w$])" + word + rb"[ \t]*(?=[({=:])"
        rb"|" + word + rb"[ \t]*\([^;{}]{0,500}\)\s{0,20}\{"
        rb"|[ \t]+(?:public|private|protected|internal|static|async|override|virtual|final|abstract)[^\n;=(]*(?<![\w$])"
        + word + rb"[ \t]*\()[^\n]*",
    )  # fmt: skip


def _score(path: str, source: bytes, name: bytes, pattern: re.Pattern[bytes]) -> int:
    """Return what a file seems to tell about `name`: DEFINES, DECLARES, HEADER for another header, else 0."""
    best, at = 0, -1
    for _ in range(MENTIONS):
        at = source.find(name, at + 1)
        if at < 0 or best == DEFINES:
            break
        first = source.rfind(b"\n", max(0, at - LINE_BYTES), at) + 1
        if match := pattern.match(source, first, at + LINE_BYTES):
            best = max(best, DECLARES if match[0].rstrip().endswith(b";") else DEFINES)
    return best or (HEADER if _HEADER.search(path) else 0)


def _nearness(path: str, folders: Collection[str]) -> int:
    """Return how much of the path of a folder in `folders` a file shares, at best."""
    return max((len(posixpath.commonpath([path, folder])) for folder in folders if folder), default=0)
