"""reflect, improved_attempt and model_effectiveness: lessons that say no more than was found."""

from __future__ import annotations

from typing import Any

import pytest

from codeagentd.memory.reflection.guidance import wilson
from tests.unit.memory.notebook import Json, Notebook

PYTEST = """
___________________________ test_total ___________________________
tests/test_orders.py:4: in test_total
    Order().close()
shop/orders.py:9: in close
    return self.total()
shop/orders.py:6: in total
    return compute_total(self.lines)
E   AttributeError: 'Order' object has no attribute 'lines'
=========================== short test summary info ============================
FAILED tests/test_orders.py::test_total - AttributeError: 'Order' object has n...
"""
ANSWERS = ("what_went_wrong", "root_cause", "what_to_try_next", "general_lesson")


def reflected(notebook: Notebook, feedback: str, **more: Any) -> Json:
    return notebook.ok("reflect", output="def total(self): ...", feedback=feedback, **more)


def episode(notebook: Notebook, outcome: str, task: str = "round the totals", model: str = "", **metadata: Any) -> str:
    """An episode that was stored by hand."""
    return notebook.store(
        f"{task}: {outcome}",
        type="episode",
        metadata={"task": task, "outcome": outcome, "model_used": model} | metadata,
    )


def test_a_failing_test_is_understood_by_where_it_fails_in_the_code(notebook: Notebook) -> None:
    answer = reflected(
        notebook, PYTEST, task="close orders", approach="call total()", model_used="haiku", file_path="shop/orders.py"
    )
    assert (
        "test test_total failed at shop.orders.Order.total (shop/orders.py:6): AttributeError"
        in answer["what_went_wrong"]
    )
    assert "asks for `lines`" in answer["root_cause"]
    assert "the index has no definition of `lines`" in answer["root_cause"]
    assert "reached from shop.orders.Order.close" in answer["root_cause"]
    assert "call total()" in answer["what_to_try_next"]
    assert "AttributeError" in answer["general_lesson"]
    assert (answer["outcome"], answer["feedback_type"], answer["attempt_number"]) == ("failure", "test_failure", 1)
    (finding,) = answer["findings"]
    assert (finding["path"], finding["line"], finding["symbol"]) == ("shop/orders.py", 6, "shop.orders.Order.total")


def test_it_is_kept_as_an_episode_anchored_where_it_failed(notebook: Notebook) -> None:
    answer = reflected(notebook, PYTEST, task="close orders", model_used="haiku")
    kept = notebook.ok("read", id=answer["id"])
    assert kept["type"] == "episode"
    assert {anchor["symbol"] for anchor in kept["anchors"]} >= {"shop.orders.Order.total", "shop.orders.Order.close"}
    assert kept["tags"] == ["feedback:test_failure", "model:haiku"]
    assert kept["metadata"]["reflection"] == {name: answer[name] for name in ANSWERS}
    assert notebook.hits("AttributeError order lines") == [answer["id"]]
    assert reflected(notebook, PYTEST, task="close orders")["attempt_number"] == 2


def test_a_reflection_that_is_sent_again_is_one_episode(notebook: Notebook) -> None:
    first, again = (
        notebook.send("reflect", 77, {"output": "", "feedback": PYTEST, "task": "close orders"}) for _ in range(2)
    )
    assert first == again
    assert notebook.ok("stats")["total"] == 1


@pytest.mark.parametrize(
    ("feedback", "path"),
    [
        ("shop/pricing.py:2: error: no  [misc]", "shop/pricing.py"),
        ("/somewhere/else/shop/pricing.py:2: error: no  [misc]", "shop/pricing.py"),
        ("pricing.py:2: error: no  [misc]", "shop/pricing.py"),
        (
            "/usr/lib/python3/site-packages/shop/pricing.py:2: error: no  [misc]",
            "/usr/lib/python3/site-packages/shop/pricing.py",
        ),
        ("unknown.py:2: error: no  [misc]", "unknown.py"),
        ("../../shop/pricing.py:2: error: no  [misc]", "shop/pricing.py"),
    ],
)
def test_a_place_is_found_wherever_the_tool_ran(notebook: Notebook, feedback: str, path: str) -> None:
    assert reflected(notebook, feedback)["findings"][0]["path"] == path


def test_a_name_that_is_missing_is_looked_up(notebook: Notebook) -> None:
    answer = reflected(notebook, "shop/store.py:3:16: F821 Undefined name `round_half_up`")
    assert "`round_half_up`" in answer["root_cause"]
    assert "shop.pricing.round_half_up (shop/pricing.py:5)" in answer["root_cause"]


def test_feedback_without_facts_gets_no_invented_cause(notebook: Notebook) -> None:
    answer = reflected(notebook, "this is not what I wanted", task="a page", feedback_type="review")
    assert answer["what_went_wrong"] == "not known whether anything did; the feedback says: this is not what I wanted"
    assert answer["root_cause"].startswith("not known")
    assert (answer["findings"], answer["total_findings"], answer["feedback_type"], answer["outcome"]) == (
        [],
        0,
        "review",
        "unknown",
    )


def test_feedback_that_reports_no_failure_is_a_success(notebook: Notebook) -> None:
    answer = reflected(notebook, "===== 12 passed in 0.10s =====", task="round the totals", approach="use Decimal")
    assert answer["outcome"] == "success"
    assert "Decimal" in answer["general_lesson"]


def test_a_chain_of_exceptions_is_told_from_what_was_raised_to_where_it_began(notebook: Notebook) -> None:
    chained = (
        "____ test_load ____\nshop/orders.py:6: in total\n    open(path)\nE   FileNotFoundError: no such file: 'x'\n\n"
        "The above exception was the direct cause of the following exception:\ntests/test_orders.py:4: in test_load\n    Order().close()\n"
        "shop/orders.py:9: in close\n    raise ValueError() from error\nE   ValueError: no prices\n"
        "==== short test summary info ====\nFAILED tests/test_orders.py::test_load - ValueError: no prices\n"
    )
    answer = reflected(notebook, chained)
    assert [(one["error"], one["line"]) for one in answer["findings"]] == [("ValueError", 9), ("FileNotFoundError", 6)]
    assert (
        "failed at shop.orders.Order.close (shop/orders.py:9): ValueError: no prices, caused by FileNotFoundError"
        in answer["what_went_wrong"]
    )
    assert "shop.orders.Order.total (shop/orders.py:6) opens a file that is not there" in answer["root_cause"]


@pytest.mark.parametrize(
    "feedback",
    [
        "Tests  1 passed (1)",
        "    Finished `dev` profile [unoptimized] target(s) in 0.5s",
        "0 failed, 5 passed",
        "exit code 0",
        "ok",
    ],
)
def test_a_green_output_is_a_success_whatever_the_output_before_it_was(notebook: Notebook, feedback: str) -> None:
    assert reflected(notebook, feedback, feedback_type="test_failure")["outcome"] == "success"
    assert notebook.ok("reflect", output=PYTEST, feedback=feedback)["outcome"] == "success"


@pytest.mark.parametrize("feedback", ["", " \n", "Done in 2.31s.", "it is what it is"])
def test_what_no_rule_knows_is_neither_a_failure_nor_a_success(notebook: Notebook, feedback: str) -> None:
    answer = reflected(notebook, feedback, task="round the totals", model_used="haiku")
    assert answer["outcome"] == "unknown"
    assert "neither that it failed nor that it worked" in answer["note"]
    advice = notebook.ok("improved_attempt", task="round the totals", original_output="")
    assert (advice["what_worked"], advice["what_did_not"]) == ([], [])
    assert notebook.ok("model_effectiveness", task_pattern="round totals")["models"] == []
    notebook.ok("update", id=answer["id"], metadata={"outcome": "success"})
    assert notebook.ok("model_effectiveness", task_pattern="round totals")["models"][0]["successes"] == 1


def test_what_the_caller_calls_a_failure_is_one_if_it_says_anything(notebook: Notebook) -> None:
    assert reflected(notebook, "3 != 4", feedback_type="test_failure")["outcome"] == "failure"
    assert reflected(notebook, "", feedback_type="test_failure")["outcome"] == "unknown"
    assert notebook.ok("reflect", output=PYTEST, feedback="")["outcome"] == "failure"


def test_secrets_of_the_output_are_not_kept(notebook: Notebook) -> None:
    secret = "hunter2hunter2x9"
    answer = reflected(
        notebook, f'password = "{secret}"\nValueError: password = "{secret}"\na.py:3: error: password = "{secret}"'
    )
    assert secret not in str(answer)
    assert secret not in str(notebook.ok("read", id=answer["id"]))


def test_a_huge_or_strange_output_is_an_answer_as_well(notebook: Notebook) -> None:
    for feedback in (
        "x" * 9_000_000,
        "a.py:1:1: F401 unused\n" * 300_000,
        "{message} {where} %s {0}",
        "E   {name}\n\u2028\x1b[31m",
        "",
    ):
        answer = reflected(notebook, feedback)
        assert all(answer[name] for name in ANSWERS)
        assert len(str(answer)) < 30_000
    assert notebook.error("reflect", output="x", feedback="x" * 10_000_001)[0] == "VALIDATION_ERROR"


def test_what_worked_and_what_failed_are_told_apart_with_their_ids(notebook: Notebook) -> None:
    good = episode(notebook, "success", approach="quantize with Decimal")
    bad = reflected(notebook, PYTEST, task="round the totals", approach="multiply by hundred")["id"]
    episode(notebook, "success", task="paint the fence", approach="a brush")
    notebook.store("round the totals: a note, no episode")
    answer = notebook.ok("improved_attempt", task="round the totals", original_output="")
    assert [one["id"] for one in answer["what_worked"]] == [good]
    assert [one["id"] for one in answer["what_did_not"]] == [bad]
    assert answer["evidence"] == [good, bad]
    assert "quantize with Decimal" in answer["recommended_approach"]
    assert f"Not again: multiply by hundred ({bad})" in answer["recommended_approach"]


def test_an_episode_without_an_approach_is_told_by_what_it_says(notebook: Notebook) -> None:
    bad = episode(notebook, "failure")
    answer = notebook.ok("improved_attempt", task="round the totals", original_output="")
    assert (
        answer["recommended_approach"]
        == f"No similar attempt has worked yet. Not again: round the totals: failure ({bad})."
    )


def test_nobody_is_told_not_to_do_the_task_itself(notebook: Notebook) -> None:
    bad = reflected(notebook, "something went wrong", task="round the totals")["id"]
    answer = notebook.ok("improved_attempt", task="round the totals", original_output="")
    assert (answer["recommended_approach"], answer["evidence"]) == ("No similar attempt has worked yet.", [bad])
    assert answer["what_did_not"][0]["approach"] == ""


def test_an_episode_that_resolved_a_task_has_worked(notebook: Notebook) -> None:
    memory = episode(notebook, "")
    assert (
        "do not say how they ended"
        in notebook.ok("improved_attempt", task="round the totals", original_output="")["note"]
    )
    task = notebook.ok("create_task", project="CA", name="rounding")["task_id"]
    notebook.ok("complete_task", task_id=task, resolved_by=memory)
    answer = notebook.ok("improved_attempt", task="round the totals", original_output="")
    assert [one["id"] for one in answer["what_worked"]] == [memory]


def test_the_same_error_is_evidence_even_for_another_task(notebook: Notebook) -> None:
    bad = reflected(notebook, PYTEST, task="close orders")["id"]
    answer = notebook.ok("improved_attempt", task="order totals", original_output=PYTEST)
    assert [one["id"] for one in answer["what_did_not"]] == [bad]
    assert answer["findings"][0]["symbol"] == "shop.orders.Order.total"
    assert notebook.ok("improved_attempt", task="order", original_output="", error_pattern="no attribute 'lines'")[
        "evidence"
    ] == [bad]


def test_who_met_the_error_that_is_asked_about_comes_first(notebook: Notebook) -> None:
    several = "a.py:1:1: F401 `os` imported but unused\n" + "".join(
        f"b.py:{line}: error: no {line}  [misc]\n" for line in range(1, 40)
    )
    many = reflected(notebook, several, task="round the totals")["id"]
    module = reflected(
        notebook,
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nModuleNotFoundError: No module named 'x'\n",
        task="round the totals and the sums",
    )["id"]
    pen = reflected(
        notebook,
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nKeyError: 'pen'\n",
        task="sell pens",
    )["id"]

    def evidence(pattern: str) -> list[str]:
        found: list[str] = notebook.ok(
            "improved_attempt", task="round the totals and the sums", original_output="", error_pattern=pattern
        )["evidence"]
        return found

    assert evidence("KeyError: 'pen'")[0] == evidence("keyerror:   'pen'")[0] == evidence("KeyError")[0] == pen
    assert evidence("no 39")[0] == many
    assert evidence("") == [module, many]


def test_episodes_of_older_versions_are_compared_by_their_findings(notebook: Notebook) -> None:
    finding = {"tool": "python", "kind": "runtime_error", "error": "KeyError", "message": "'pen'"}
    old = episode(notebook, "failure", task="sell pens", findings=[finding])
    odd = episode(notebook, "failure", task="sell pens", findings="none", further_errors=3)
    answer = notebook.ok("improved_attempt", task="sell pens", original_output="", error_pattern="KeyError: 'pen'")
    assert answer["evidence"] == [old, odd]


def test_without_episodes_nothing_is_recommended_but_what_the_output_says(notebook: Notebook) -> None:
    answer = notebook.ok("improved_attempt", task="round the totals", original_output="")
    assert (answer["what_worked"], answer["what_did_not"], answer["recommended_approach"]) == (
        [],
        [],
        "There is no similar episode.",
    )
    assert "AttributeError" in notebook.ok("improved_attempt", task="x", original_output=PYTEST)["recommended_approach"]


def test_a_name_with_digits_is_matched_as_it_is_written(notebook: Notebook) -> None:
    episode(notebook, "success", task="sha256 of totals", approach="hash them", model_used="sonnet")
    episode(notebook, "failure", task="round the totals", model_used="haiku")
    answer = notebook.ok("model_effectiveness", task_pattern="sha256 totals")
    assert (answer["recommended_model"], answer["matching_episodes"]) == ("sonnet", 1)


def test_few_successes_prove_less_than_many(notebook: Notebook) -> None:
    episode(notebook, "success", model="opus")
    for number in range(10):
        episode(notebook, "success" if number else "failure", model="sonnet")
    episode(notebook, "failure", model="haiku")
    answer = notebook.ok("model_effectiveness", task_pattern="round totals")
    assert answer["recommended_model"] == "sonnet"
    assert [(one["model"], one["successes"], one["attempts"]) for one in answer["models"]] == [
        ("sonnet", 9, 10),
        ("opus", 1, 1),
        ("haiku", 0, 1),
    ]
    assert answer["confidence"] == answer["models"][0]["lower_bound"] == pytest.approx(0.596, abs=0.001)
    assert "sonnet succeeded in 9 of 10" in answer["reasoning"]


def test_without_data_no_model_is_recommended(notebook: Notebook) -> None:
    for pattern in ("round totals", "***", "the of"):
        answer = notebook.ok("model_effectiveness", task_pattern=pattern)
        assert "recommended_model" not in answer
        assert (answer["confidence"], answer["matching_episodes"]) == (0.0, 0)
        assert "nothing to compare" in answer["reasoning"]
    episode(notebook, "failure", model="opus")
    answer = notebook.ok("model_effectiveness", task_pattern="round totals")
    assert "recommended_model" not in answer
    assert "no model has succeeded yet" in answer["reasoning"]


def test_matching_is_by_all_words_then_by_half_of_them_and_by_feedback_type(notebook: Notebook) -> None:
    episode(notebook, "success", task="round the totals of orders", model="opus", feedback_type="test_failure")
    for pattern, matching in (
        ("rounding total", 1),
        ("round totals elephants", 1),
        ("round elephants giraffes lions", 0),
    ):
        assert notebook.ok("model_effectiveness", task_pattern=pattern)["matching_episodes"] == matching, pattern
    assert (
        notebook.ok("model_effectiveness", task_pattern="round totals", feedback_type="lint_error")["matching_episodes"]
        == 0
    )
    assert (
        notebook.ok("model_effectiveness", task_pattern="round totals", feedback_type="test_failure")[
            "matching_episodes"
        ]
        == 1
    )


def test_a_model_is_judged_by_the_task_alone_and_never_by_what_came_of_it(notebook: Notebook) -> None:
    for number in range(3):
        reflected(
            notebook,
            "5 passed in 0.1s",
            task=f"paint fence {number}",
            model_used="haiku",
            approach="reports failure build test",
        )
        reflected(notebook, PYTEST, task=f"close orders {number}", model_used="opus")
        reflected(notebook, PYTEST, model_used="sonnet")  # of no task
    for pattern in (
        "nothing like this",
        "success",
        "fix failing test",
        "reports",
        "AttributeError lines",
        "totals computed",
    ):
        assert notebook.ok("model_effectiveness", task_pattern=pattern)["models"] == [], pattern
    assert [one["model"] for one in notebook.ok("model_effectiveness", task_pattern="paint the fences")["models"]] == [
        "haiku"
    ]
    assert [one["model"] for one in notebook.ok("model_effectiveness", task_pattern="close orders")["models"]] == [
        "opus"
    ]


def test_an_episode_that_was_written_by_hand_without_a_task_is_matched_by_what_it_says(notebook: Notebook) -> None:
    notebook.store(
        "painting the fence went well", type="episode", metadata={"outcome": "success", "model_used": "haiku"}
    )
    assert notebook.ok("model_effectiveness", task_pattern="paint fence")["recommended_model"] == "haiku"


def test_the_bound_is_the_one_of_wilson() -> None:
    assert [
        round(wilson(successes, attempts), 3) for successes, attempts in ((0, 0), (0, 5), (1, 1), (9, 10), (90, 100))
    ] == [0, 0, 0.207, 0.596, 0.826]
