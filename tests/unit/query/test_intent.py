"""What a question is after."""

from __future__ import annotations

import pytest

from codeagentd.query.retrieval.intent import KEYWORD, RULES, read_intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("where is the session store defined", "locate"),
        ("how does the cache expire entries", "how_it_works"),
        ("why does makemigrations fail", "debug"),
        ("who calls compute_total", "references"),
        ("usages of Order.total", "references"),
        ("what breaks if I change Order", "impact"),
        ("from the request to the database", "data_flow"),
        ("overview of the modules", "architecture"),
        ("QuerySet.filter", "keyword"),
        ("", "keyword"),
    ],
)
def test_a_question_shows_what_it_is_after(text: str, intent: str):
    assert read_intent(text).intent == intent


def test_every_intent_has_one_rule():
    assert len({rule.intent for rule in (*RULES, KEYWORD)}) == 8
