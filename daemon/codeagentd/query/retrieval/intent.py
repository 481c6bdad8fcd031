"""The intent of a question, by small named rules; the first matching rule counts."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

Intent = Literal["locate", "how_it_works", "debug", "references", "impact", "data_flow", "architecture", "keyword"]


class Rule(NamedTuple):
    """An intent, the words that indicate it, and the token budget of its answer (page 003's origin has these
    budgets).
    """

    intent: Intent
    words: re.Pattern[str]
    budget: int


def _rule(intent: Intent, words: str, budget: int) -> Rule:
    return Rule(intent, re.compile(words, re.IGNORECASE), budget)


RULES: Final = (  # the more specific come first: "why does the architecture test fail" is about a failure
    _rule(
        "debug",
        r"\b(?:errors?|exceptions?|tracebacks?|crash\w*|fail(?:s|ed|ing|ure)?|bugs?|broken|wrong|hangs?|raises?|thrown?"
        r"|why (?:is|does|do|are)n'?t)\b",
        1800,
    ),
    _rule(
        "impact",
        r"\b(?:impact|affect\w*|breaks?|blast radius|depend(?:s|ents?) on|if i (?:change|remove|rename|delete)"
        r"|safe to)\b",
        1800,
    ),
    _rule(
        "references",
        r"\b(?:who|what|which|where)\b.*\b(?:calls?|uses?|references?|imports?|invoked?|used|called|imported)\b"
        r"|\b(?:callers?|usages?|references) (?:of|to)\b",
        1500,
    ),
    _rule(
        "data_flow",
        r"\b(?:data ?flow|flows?|passed|propagat\w*|from .+ to |ends? up|comes? from|pipeline|reach(?:es)?)\b",
        2000,
    ),
    _rule(
        "architecture",
        r"\b(?:architecture|overview|structure[ds]?|organi[sz]ed|modules?|layers?|components?|design|high.level)\b",
        2500,
    ),
    _rule("how_it_works", r"\b(?:how|why|explain|understand|mechanism|works?|happens?|purpose)\b", 2200),
    _rule(
        "locate",
        r"\b(?:where|find|locate|which file|defined|definition|implement(?:ed|ation)|declared|show me)\b",
        1500,
    ),
)
READ: Final = 1_000  # characters of a question that are read: a long text states its aim at the beginning
KEYWORD: Final = Rule("keyword", re.compile(""), 1500)


def read_intent(text: str) -> Rule:
    """Return the first rule with a word in the question `text`; the rule `keyword` if none matches."""
    text = text.strip()[:READ]
    return next((rule for rule in RULES if rule.words.search(text)), KEYWORD)
