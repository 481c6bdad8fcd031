"""The features of a question's candidates: what is known of each piece and of its file, as numbers for the ranking
model.

Shares and scores are from 0 to 1 unless it says otherwise. A feature is None where nothing is known: similarity in
meaning, without vectors.
"""

from __future__ import annotations

import bisect
import math
import posixpath
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from codeagentd.model.file_kinds import PROSE_LANGUAGES, is_test
from codeagentd.model.kinds import TYPES

from .bm25 import MOST_OF_WEIGHT, word_weight
from .question import ARTICLES, CONJUNCTIONS, INTERROGATIVES, Query, stem, stems_of

LEAST_WEIGHT: Final = 0.05  # of a word that most pieces have
OTHERS: Final = 8  # further pieces of a file that say how much it has about the question
TOP: Final = 10  # best pieces that tell what kind of question it is
FIRST: Final = 10  # files, best by their first score, whose neighbours in the graph get a share
LIKE: Final = 4  # letters from which the beginning of a word stands for it, as `config` for `configuration`
AKIN: Final = 5  # letters that two words share at least, and
AKIN_SHARE: Final = 0.6  # how much of the longer one, to be counted as akin, for
AKIN_WEIGHT: Final = 0.7  # of an equal word
# files that are named after their folder
_ENTRIES: Final = frozenset({"__init__", "index", "init", "lib", "main", "mod"})
# examples, tools, code of others
_ASIDE: Final = re.compile(
    r"(?:^|/)(?:examples?|demos?|samples?|benchmarks?|bench|docs?|scripts?|tools?|vendor|third_party|node_modules|dist"
    r"|build|out)(?:/|$)"
)


class Candidate(msgspec.Struct):
    """A chunk that may answer the question, with what is known of it, its score, and its reasons in words.

    `text`: its share of the best text score; `names` of what it defines, with their kinds; `defined`: its score for
    what it defines that the question names; `mentioned`: 1 in a file that the question names, 2 for the place in it;
    `meaning`: how far it stands out among the nearest in meaning, and `near` its rank among these, from 1 (0: it is not
    among them); `similarity`: the same as `meaning` for every piece, negative below the average of the nearest.
    """

    id: int
    file: int
    path: str
    language: str
    line_start: int
    line_end: int
    is_generated: bool = False
    text: float = 0.0
    defined: float = 0.0
    mentioned: int = 0
    meaning: float = 0.0
    near: int = 0
    similarity: float | None = None
    score: float = 0.0
    names: list[tuple[str, int]] = []
    reasons: list[str] = []


class Facts(NamedTuple):
    """What the features are computed from, beside the candidates: the number of pieces that contain each word, and of
    all; the best text score; by file, the number of its pieces, that of files that use it, and how similar it is as a
    whole; (user, used) pairs of files.
    """

    query: Query
    counted: Mapping[str, int]
    total: int
    best: float = 1.0
    sizes: Mapping[int, int] = {}
    users: Mapping[int, int] = {}
    similar: Mapping[int, float] = {}
    links: Iterable[tuple[int, int]] = ()
    has_meaning: bool = False


class OfPiece(msgspec.Struct):
    """The features of one piece. `level`: its text score as a share of the most that the question's words can give;
    `name`: how much of the best definition's name the question says, and how much of the question that is; `rank`: in
    its file, from 0.
    """

    text: float = 0.0
    level: float = 0.0
    name: float = 0.0
    name_share: float = 0.0
    defined: float = 0.0
    is_type: float = 0.0
    is_other: float = 0.0
    lines: float = 0.0
    names: float = 0.0
    mentioned: float = 0.0
    is_first: float = 0.0
    meaning: float | None = None
    similarity: float | None = None
    near: float | None = None
    rank: float = 0.0


class OfFile(msgspec.Struct):
    """The features that all pieces of a file share.

    `text`: of its best piece; `others`: what its further pieces have; `pieces`: how many are candidates, `matched`
    which share of all its pieces, `size` the logarithm of the number of these; `stem`: the share of its name that
    the question says, `stem_share` of the question that its name says, `folder` the same of its folders; `like` and
    `like_share`: as these, with words that are only akin; `names_share`: the share of the question that its
    definitions' names say; `meaning`: of its best piece, `meanings` of its three best, `near`: how many pieces are
    among the nearest; `similarity`: of the file as a whole, `most_similar` and `mean_similarity` of its pieces;
    `users`: the logarithm of the number of files that use it, `users_rank` its place among the candidates' files;
    `linked`: what it gets from neighbours in the graph; `is_aside`: it is an example, a tool, of others or
    generated; `depth`: how many folders it is in.
    """

    text: float = 0.0
    others: float = 0.0
    pieces: float = 0.0
    matched: float = 0.0
    size: float = 0.0
    stem: float = 0.0
    stem_share: float = 0.0
    folder: float = 0.0
    like: float = 0.0
    like_share: float = 0.0
    names_share: float = 0.0
    first_text: float = 0.0
    meaning: float | None = None
    meanings: float | None = None
    near: float | None = None
    similarity: float | None = None
    most_similar: float | None = None
    mean_similarity: float | None = None
    users: float = 0.0
    users_rank: float = 0.0
    linked: float = 0.0
    is_test: float = 0.0
    is_aside: float = 0.0
    is_prose: float = 0.0
    depth: float = 0.0


class OfQuestion(msgspec.Struct):
    """The features of the question, which say what kind of answer it wants.

    `words`: how many were looked up, and `weight` their average weight; `written`: how many it has, and
    `function_words` the share of them that says nothing by itself; `names`: how many names. `name`, `defined`,
    `level`: the best of its pieces; `stem`, `stem_share`, `folder`, `names_share`: the best of its files; `tenth`:
    the tenth best text score; `text_files`, `near_files`: the files of the ten best by text and in meaning;
    `similarity` of the most similar piece, `above_piece`: how much higher that of the most similar file is.
    `articles`, `conjunctions`: the share of these words; the rest is about the first word: an interrogative, or by
    its ending a verb in the third person, a gerund.
    """

    words: float = 0.0
    weight: float = 0.0
    written: float = 0.0
    function_words: float = 0.0
    names: float = 0.0
    name: float = 0.0
    defined: float = 0.0
    level: float = 0.0
    stem: float = 0.0
    stem_share: float = 0.0
    folder: float = 0.0
    names_share: float = 0.0
    tenth: float = 0.0
    text_files: float = 0.0
    near_files: float | None = None
    similarity: float | None = None
    above_piece: float | None = None
    articles: float = 0.0
    conjunctions: float = 0.0
    is_interrogative: float = 0.0
    third_person: float = 0.0
    gerund: float = 0.0


class File(NamedTuple):
    """A file's candidates with their features, the best first by their first score, and its own features."""

    pieces: list[tuple[Candidate, OfPiece]]
    features: OfFile


class Described(NamedTuple):
    """The files of a question's candidates, and the features of the question."""

    files: list[File]
    question: OfQuestion


def described(facts: Facts, candidates: Iterable[Candidate]) -> Described:
    """Return the candidates with all features."""
    words = _QuestionWords(facts)
    chunks: dict[int, list[tuple[float, Candidate, OfPiece]]] = defaultdict(list)
    for candidate in candidates:
        features = _of_piece(facts, words, candidate)
        chunks[candidate.file].append((first_score(facts.query, features), candidate, features))
    users = sorted(facts.users.get(file, 0) for file in chunks)
    files, first = [], {}
    for file, pieces in chunks.items():
        pieces.sort(key=lambda piece: (-piece[0], piece[1].line_start))
        for rank, (_, _, features) in enumerate(pieces):
            features.rank = rank
        files.append(File([(candidate, features) for _, candidate, features in pieces], _of_file(facts, words, pieces)))
        files[-1].features.users_rank = bisect.bisect_left(users, facts.users.get(file, 0)) / len(users)
        first[file] = pieces[0][0] + files[-1].features.others
    linked = _linked(facts, first)
    for file, whole in zip(chunks, files, strict=True):
        whole.features.linked = linked.get(file, 0.0)
    return Described(files, _of_question(facts, words, files))


class _QuestionWords:
    """The words of a question as stems, with the share of the question's weight that each has."""

    def __init__(self, facts: Facts) -> None:
        weights = {
            word: word_weight(count, facts.total, LEAST_WEIGHT) if count else 0.0  # 0 of one that occurs nowhere
            for word, count in facts.counted.items()
        }
        self.most = MOST_OF_WEIGHT * sum(weights.values()) or 1.0
        stems: dict[str, float] = {}
        for word in facts.query.words:
            stems[stem(word)] = max(stems.get(stem(word), 0.0), weights.get(word, 1.0))
        whole = sum(stems.values()) or 1.0
        self.shares = {word: weight / whole for word, weight in stems.items()}
        self._akin: dict[str, float] = {}

    def share(self, words: Iterable[str]) -> float:
        """The share of the question that distinct `words` say."""
        return sum(self.shares.get(word, 0.0) for word in words)

    def akin(self, word: str) -> float:
        """The share of the question that `word` says, also by its beginning or in another form."""
        if word not in self._akin:
            self._akin[word] = max((share * _kinship(word, other) for other, share in self.shares.items()), default=0.0)
        return self._akin[word]


def _kinship(word: str, other: str) -> float:
    """How much one word stands for the other: 1 for an equal one or its beginning."""
    shorter = min(len(word), len(other))
    if word == other or (shorter >= LIKE and word[:shorter] == other[:shorter]):
        return 1.0
    shared = len(posixpath.commonprefix([word, other]))
    return AKIN_WEIGHT if shared >= AKIN and shared >= AKIN_SHARE * max(len(word), len(other)) else 0.0


def first_score(query: Query, features: OfPiece) -> float:
    """Return what orders pieces before their weights are known: the plain sum of what speaks for each."""
    return features.text + features.defined + (features.meaning or 0.0) + (0.0 if query.is_name else features.name)


def _of_piece(facts: Facts, words: _QuestionWords, candidate: Candidate) -> OfPiece:
    result = OfPiece(
        text=candidate.text,
        level=candidate.text * facts.best / words.most,
        defined=candidate.defined,
        lines=candidate.line_end - candidate.line_start + 1,
        names=len(candidate.names),
        mentioned=candidate.mentioned,
        is_first=candidate.line_start == 1,
    )
    for name, kind in candidate.names:
        stems = stems_of(name)
        if shared := [word for word in stems if word in words.shares]:
            share = words.share(shared)
            if (match := len(shared) / len(stems) * share**0.5) > result.name:
                result.name, result.name_share = match, share
                result.is_type, result.is_other = float(kind in TYPES), float(kind not in TYPES)
    if facts.has_meaning:
        result.meaning, result.similarity = candidate.meaning, candidate.similarity
        result.near = 1 / candidate.near if candidate.near else 0.0
    return result


def _of_file(facts: Facts, words: _QuestionWords, pieces: Sequence[tuple[float, Candidate, OfPiece]]) -> OfFile:
    best, query = pieces[0][1], facts.query
    folder, name = posixpath.split(best.path)
    base, folders = posixpath.splitext(name)[0], folder.split("/") if folder else []
    if base.lower() in _ENTRIES and folders:
        base = folders.pop()
    own = stems_of(base)
    shared = [word for word in own if word in words.shares]
    akin = [share for share in map(words.akin, own) if share]
    about_code = not query.about_tests
    result = OfFile(
        text=max(piece.text for _, _, piece in pieces),
        others=sum(score for score, _, _ in pieces[1 : 1 + OTHERS]) / OTHERS,
        pieces=len(pieces),
        matched=len(pieces) / max(len(pieces), facts.sizes.get(best.file, 0)),
        size=math.log1p(facts.sizes.get(best.file, 0)),
        stem=len(shared) / len(own) if own else 0.0,
        stem_share=words.share(shared),
        folder=words.share({word for part in folders for word in stems_of(part)}),
        like=len(akin) / len(own) if own else 0.0,
        like_share=min(1.0, sum(akin)),
        names_share=words.share({word for _, piece, _ in pieces for name, _ in piece.names for word in stems_of(name)}),
        first_text=max((piece.text for _, _, piece in pieces if piece.is_first), default=0.0),
        users=math.log1p(facts.users.get(best.file, 0)),
        is_test=about_code and is_test(best.path),
        is_aside=about_code and (best.is_generated or _ASIDE.search(best.path) is not None),
        is_prose=best.language in PROSE_LANGUAGES and not query.about_prose,
        depth=len(folders),
    )
    if facts.has_meaning:
        meanings = sorted((piece.meaning or 0.0 for _, _, piece in pieces), reverse=True)
        known = sorted((piece.similarity for _, _, piece in pieces if piece.similarity is not None), reverse=True)
        result.meaning, result.meanings = meanings[0], sum(meanings[:3])
        result.near = sum(1 for _, candidate, _ in pieces if candidate.near)
        result.similarity = facts.similar.get(best.file)
        if known:
            result.most_similar, result.mean_similarity = known[0], sum(known[:5]) / len(known[:5])
    return result


def _of_question(facts: Facts, words: _QuestionWords, files: Sequence[File]) -> OfQuestion:
    query = facts.query
    written = query.text.lower().split()
    first_word = written[0] if written else ""
    pieces = [candidate for file in files for candidate, _ in file.pieces]
    texts = sorted(((piece.text, piece.file) for piece in pieces), reverse=True)[:TOP]
    result = OfQuestion(
        words=len(query.words),
        weight=words.most / MOST_OF_WEIGHT / max(1, len(facts.counted)),
        written=len(written),
        function_words=1 - len(query.words) / max(1, len(written)),
        names=len(query.names),
        **{
            name: max((getattr(features, name) for file in files for _, features in file.pieces), default=0.0)
            for name in ("name", "defined", "level")
        },
        **{
            name: max((getattr(file.features, name) for file in files), default=0.0)
            for name in ("stem", "stem_share", "folder", "names_share")
        },
        tenth=texts[-1][0] if len(texts) == TOP else 0.0,
        text_files=len({file for _, file in texts}),
        articles=_share(written, ARTICLES),
        conjunctions=_share(written, CONJUNCTIONS),
        is_interrogative=first_word in INTERROGATIVES,
        third_person=first_word.endswith("s") and not first_word.endswith("ss"),
        gerund=first_word.endswith("ing"),
    )
    if facts.has_meaning:
        near = sorted((piece.near, piece.file) for piece in pieces if piece.near)[:TOP]
        known = [piece.similarity for piece in pieces if piece.similarity is not None]
        of_files = [file.features.similarity for file in files if file.features.similarity is not None]
        result.near_files = len({file for _, file in near})
        result.similarity = max(known, default=0.0)
        if of_files:
            result.above_piece = max(of_files) - result.similarity
    return result


def _share(written: Sequence[str], of_class: Container[str]) -> float:
    return sum(word in of_class for word in written) / max(1, len(written))


def _linked(facts: Facts, first: Mapping[int, float]) -> dict[int, float]:
    """What files get from the best ones that use them, or that they use: less where many use the used one."""
    best = sorted(first, key=lambda file: (-first[file], file))[:FIRST]
    most = (first[best[0]] if best else 0.0) or 1.0
    chosen, result = set(best), defaultdict[int, float](float)
    for user, used in facts.links:
        rarity = (1 + facts.users.get(used, 0)) ** -0.5 / FIRST / most
        if user in chosen:
            result[used] += first[user] * rarity
        if used in chosen:
            result[user] += first[used] * rarity
    return result
