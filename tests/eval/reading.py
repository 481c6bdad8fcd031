"""What would it cost to answer a question without an index: reading the files that answer, or searching for the question's words and reading around them?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from codeagentd.query.retrieval.question import read
from codeagentd.query.retrieval.tokens import Count
from tests.eval.questions import Question

AROUND: Final = 5  # lines shown on each side of one that matches, as `grep -C 5`
WORDS: Final = 2  # different words of a question that a line has to say, if the question has so many

Place = tuple[str, int, int]


def whole_files(question: Question, texts: Mapping[str, str], count: Count) -> int:
    """The tokens of the files that contain the answer, for a reader who knows these files."""
    return sum(count(texts.get(path, "")) for path in {target.file for target in question.targets})


def searched(question: Question, texts: Mapping[str, str], count: Count) -> tuple[list[Place], int]:
    """Where lines say two words of the question (or the only one), with the lines around them; and the tokens of all that."""
    words = [word for word in read(question.query).words if len(word) > 2]
    anywhere = re.compile("|".join(map(re.escape, words)) or r"(?!)", re.IGNORECASE)
    places: list[Place] = []
    tokens = 0
    for path, text in texts.items():
        lines = text.split("\n")
        hits = [
            at
            for at, line in enumerate(lines)
            if len({found.lower() for found in anywhere.findall(line)}) >= min(WORDS, len(words))
        ]
        shown = sorted({near for at in hits for near in range(max(0, at - AROUND), min(len(lines), at + AROUND + 1))})
        tokens += count("\n".join(f"{path}:{at + 1}:{lines[at]}" for at in shown)) if shown else 0
        places += [(path, at + 1, at + 1) for at in shown]
    return places, tokens
