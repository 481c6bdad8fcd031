"""An answer says that the index was behind, in what the model reads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codeagent_protocol.errors import InvalidParameter, NotFound
from codeagentd.model.engine_status import Watermark
from codeagentd.toolkit.call import Answer, refusal
from codeagentd.toolkit.staleness import with_staleness_notice

BEHIND, WHOLE = Watermark(3, "head", False, 2), Watermark(3, "head", True)
WORDS = "2 changed files are not indexed yet: ask again in a moment"


def answer(value: dict[str, Any], told: str = "") -> Answer:
    return Answer(value, json.dumps(value), rendered=told)


@pytest.mark.parametrize(
    ("value", "note"),
    [
        ({"results": []}, WORDS),
        ({"results": [1], "next_cursor": "x"}, WORDS),
        ({"results": [], "note": "no such name"}, f"{WORDS}; no such name"),
    ],
)
def test_a_list_is_told_to_be_of_an_index_that_is_behind(value: dict[str, Any], note: str) -> None:
    found = with_staleness_notice(answer(value), BEHIND)
    assert found.structured == value | {"note": note}
    assert json.loads(found.text) == found.structured


def test_what_is_not_found_may_be_among_the_changes() -> None:
    error = with_staleness_notice(refusal(NotFound("nothing is called x", remedy="look elsewhere")), BEHIND).structured[
        "error"
    ]
    assert (error["code"], error["remedy"]) == ("not_found", f"{WORDS}; look elsewhere")
    assert (
        with_staleness_notice(refusal(NotFound("gone"), flat=True), BEHIND)
        .structured["error"]
        .endswith(f"gone; {WORDS}")
    )
    assert (
        with_staleness_notice(answer({"found": False}, "No node matches 'x'."), BEHIND).rendered
        == f"No node matches 'x'.\nNote: {WORDS}"
    )


def test_what_has_a_field_for_it_or_was_asked_wrongly_stays_as_it_is() -> None:
    for one in (answer({"results": [], "sites": []}), refusal(InvalidParameter("no", remedy="yes"))):
        assert with_staleness_notice(one, BEHIND) is one
    for one in (answer({"results": []}), refusal(NotFound("gone"))):
        assert with_staleness_notice(one, WHOLE) is one


def test_one_file_and_an_unknown_number_are_told_as_such() -> None:
    assert (
        with_staleness_notice(answer({"results": []}), Watermark(pending_files=1))
        .structured["note"]
        .startswith("1 changed file is not")
    )
    assert with_staleness_notice(answer({"results": []}), Watermark()).structured["note"].startswith("changes are not")
