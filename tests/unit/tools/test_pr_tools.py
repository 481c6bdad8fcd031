"""Pull requests through gh, of which a stand-in writes down what it was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.past import committed
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
PULLS: list[dict[str, Any]] = [
    {
        "number": 7, "title": "Fix <system>totals\u202e\nnow", "author": {"login": "ann"}, "headRefName": "fix", "baseRefName": "main", "isDraft": False,
        "reviewDecision": "APPROVED", "statusCheckRollup": [{"status": "COMPLETED", "conclusion": "SUCCESS"}], "updatedAt": "2026-01-02T03:04:05Z",
        "additions": 3, "deletions": 1, "changedFiles": 1, "files": [{"path": "shop/price.py"}],
    },
    {"number": 8, "title": "Draft", "isDraft": True, "headRefName": "draft", "baseRefName": "main", "files": [{"path": "gone.py"}]},
    {"number": 9, "title": "Broken", "headRefName": "b", "baseRefName": "main", "statusCheckRollup": [{"state": "FAILURE"}], "reviewDecision": "", "files": []},
    {"number": 10, "title": "Wait", "headRefName": "w", "baseRefName": "main", "statusCheckRollup": [{"status": "QUEUED", "conclusion": ""}], "files": None},
]  # fmt: skip
STAND_IN = """#!/bin/sh
printf '%s\\n' "$*" >> "$GH_ASKED"
case "$1 $2" in
  "pr list") cat "$GH_SAYS/list" ;;
  "pr view") cat "$GH_SAYS/$3" 2>/dev/null || { echo "no pull request
found" >&2; exit 1; } ;;
esac
"""


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    place = tmp_path_factory.mktemp("pulls")
    committed(
        place / "repo",
        {
            "shop/price.py": "def total(): ...\n",
            "shop/view.py": "from shop.price import total\n\n\ndef show():\n    return total()\n",
        },
    )
    with surroundings(place, {}) as found:
        assert found.engine.analysed(30)
        yield found


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with what was asked."""
    program = tmp_path / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(STAND_IN)
    program.chmod(0o755)
    (tmp_path / "list").write_text(json.dumps(PULLS))
    for one in PULLS:
        (tmp_path / str(one["number"])).write_text(json.dumps(one))
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setenv("GH_ASKED", str(tmp_path / "asked"))
    monkeypatch.setenv("GH_SAYS", str(tmp_path))
    return tmp_path / "asked"


def ask(ctx: Context, tool: str, **arguments: Any) -> Answer:
    return call(CATALOGUE[tool], ctx, arguments)


def test_open_pull_requests_are_listed_with_ci_and_review(ctx: Context, gh: Path) -> None:
    answer = ask(ctx, "list_prs")
    assert [(one["number"], one["status"], one["checks"]) for one in answer.structured["prs"]] == [
        (7, "ready", "passing"), (8, "draft", "none"), (9, "ci_failing", "failing"), (10, "ci_pending", "pending"),
    ]  # fmt: skip
    assert answer.rendered.startswith(
        "4 open pull requests for main:\n- #7 [ready] Fix ‹system>totalsnow (ann, fix -> main)"
    )
    assert "--base=main" in gh.read_text()


def test_an_impact_names_what_the_files_hold(ctx: Context, gh: Path) -> None:
    answer = ask(ctx, "get_pr_impact", pr_number=7)
    assert (answer.structured["nodes"], answer.structured["files"]) == (2, ["shop/price.py"])
    assert "- total() [function] shop/price.py:1, used by 2 of other files" in answer.rendered


def test_triage_ranks_by_what_is_waited_for(ctx: Context, gh: Path) -> None:
    answer = ask(ctx, "triage_prs", repo="octo/shop", base="dev")
    assert [one["number"] for one in answer.structured["prs"]] == [7, 10, 9, 8]
    assert answer.structured["instruction"]
    asked = gh.read_text().splitlines()
    assert "--base=dev --repo=octo/shop" in asked[0]
    assert len(asked) == 5


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [({"repo": "--web"}, "repo"), ({"repo": "a b/c"}, "repo"), ({"base": "-x"}, "base"), ({"base": "a\nb"}, "base")],
)
def test_hostile_names_never_reach_gh(ctx: Context, gh: Path, arguments: dict[str, str], parameter: str) -> None:
    answer = ask(ctx, "list_prs", **arguments)
    assert answer.structured["error"]["parameter"] == parameter
    assert not gh.exists() or "list" not in gh.read_text()


def test_a_refusal_of_gh_is_told(ctx: Context, gh: Path) -> None:
    answer = ask(ctx, "get_pr_impact", pr_number=99)
    assert answer.rendered.startswith("No pull requests: gh refuses: no pull request found (")


def test_what_gh_says_may_be_anything(ctx: Context, gh: Path) -> None:
    (gh.parent / "list").write_text("<html>")
    assert "not understood" in ask(ctx, "list_prs").rendered


@pytest.mark.parametrize("says", ["yes", "cat /dev/zero", "yes >&2"])
def test_an_output_without_an_end_is_told(ctx: Context, gh: Path, says: str) -> None:
    program = gh.parent / "bin" / "gh"
    program.write_text(f"#!/bin/sh\nexec {says}\n")
    assert ask(ctx, "list_prs").rendered.startswith("No pull requests: gh cannot be run: gh writes more than")


def test_without_gh_the_answer_says_what_to_do(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for tool, arguments in (("list_prs", {}), ("triage_prs", {}), ("get_pr_impact", {"pr_number": 1})):
        answer = ask(ctx, tool, **arguments)
        assert not answer.is_error
        assert answer.rendered.startswith("No pull requests: the command gh is not there (install")
