"""search: what is found, in which order, and how much of it is shown."""

from __future__ import annotations

import pytest

from codeagentd.query.retrieval.tokens import estimate
from tests.unit.memory.notebook import Json, Notebook


def encoded(details: list[Json]) -> int:
    import msgspec

    return sum(estimate(msgspec.json.encode(one).decode()) for one in details)


def test_words_are_found_in_every_form_and_inside_of_names(notebook: Notebook) -> None:
    memory = notebook.store("Requests were failing: parseHTTPHeader and user_session broke")
    for query in ("request fails", "http header", "parseHTTPHeader", "session", "FAILED", "break user_session"):
        assert notebook.hits(query) == [memory], query


def test_titles_and_tags_count_for_more_than_content(notebook: Notebook) -> None:
    notebook.store(
        "Some long text that mentions caching somewhere among very many other words about other things entirely"
    )
    titled = notebook.store("Some long text about other things entirely and very many words", title="Caching")
    assert notebook.hits("caching")[0] == titled


def test_filters_come_before_ranking(notebook: Notebook) -> None:
    for number in range(150):
        notebook.store(f"caching caching caching {number}", project="other", tags=["x"])
    wanted = notebook.store("a remark that mentions caching once", project="shop", tags=["x", "y"], type="pattern")
    for filters in (
        {"project": "shop"},
        {"type": "pattern"},
        {"tags": ["y"]},
        {"tags": ["x", "y"]},
        {"project": "shop", "type": "pattern", "tags": ["y"]},
    ):
        answer = notebook.ok("search", query="caching", **filters)
        assert ([hit["id"] for hit in answer["index"]], answer["total_count"]) == ([wanted], 1)
    assert notebook.hits("caching", tags=["y", "z"]) == []
    assert notebook.ok("search", query="caching", max_results=3)["total_count"] == 151


def test_the_index_has_all_hits_and_details_keep_to_the_budget(notebook: Notebook) -> None:
    for number in range(12):
        notebook.store(f"caching rule {number}: " + 'quoted "words" and \\ signs ' * 20)
    for budget in (0, 50, 200, 1000, 2000, 20_000):
        answer = notebook.ok("search", query="caching", max_tokens=budget)
        assert len(answer["index"]) == 10
        assert encoded(answer["details"]) <= budget
        assert [one["id"] for one in answer["details"]] == [hit["id"] for hit in answer["index"]][
            : len(answer["details"])
        ]
    assert len(answer["details"]) == 10
    cut = notebook.ok("search", query="caching", max_tokens=200)["details"]
    assert cut[-1]["truncated"]


def test_what_is_read_and_trusted_comes_first_among_equals(notebook: Notebook) -> None:
    first, doubted, read = (
        notebook.store("deploys happen on Tuesday", confidence=confidence) for confidence in (1.0, 0.0, 1.0)
    )
    for _ in range(5):
        notebook.ok("read", id=read)
    assert notebook.hits("deploys") == [read, first, doubted]


def test_scores_fall_and_are_at_most_one(notebook: Notebook) -> None:
    for number in range(5):
        notebook.store("deploys " * (number + 1) + "happen")
    scores = [hit["score"] for hit in notebook.ok("search", query="deploys")["index"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_related_memories_are_shown_when_asked_for(notebook: Notebook) -> None:
    one, other = notebook.store("deploys happen on Tuesday"), notebook.store("elephants remember")
    notebook.ok("link", from_id=one, to_id=other, reason="both true")
    assert notebook.ok("search", query="deploys")["details"][0]["related"] == []
    related = notebook.ok("search", query="deploys", include_graph=True)["details"][0]["related"]
    assert [(item["id"], item["reason"]) for item in related] == [(other, "both true")]


def test_without_a_model_words_do_and_the_answer_says_so(notebook: Notebook) -> None:
    answer = notebook.ok("search", query="anything")
    assert answer["mode"] == "bm25"
    assert "no model" in answer["note"]


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "a AND",
        "NEAR(",
        "title:x",
        "*",
        "^x",
        "{",
        "-",
        "'; DROP TABLE memories; --",
        "((",
        "\\",
        "日本",
        "🦊",
        "%_",
        "OR OR OR",
    ],
)
def test_signs_of_query_languages_are_only_text(notebook: Notebook, query: str) -> None:
    memory = notebook.store("a plain memory")
    assert notebook.ok("search", query=query)["total_count"] <= 1
    assert notebook.hits(f"plain {query}") == [memory]


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": " "},
        {"query": "x", "max_results": 0},
        {"query": "x", "max_tokens": -1},
        {"query": "x", "type": "y"},
        {},
    ],
)
def test_what_cannot_be_asked_is_refused(notebook: Notebook, arguments: Json) -> None:
    assert notebook.error("search", **arguments)[0] == "VALIDATION_ERROR"
