"""Pull requests on GitHub, through GitHub's command `gh` where that is installed.

The output of `gh` is not trusted: any GitHub user may have written it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter
from codeagentd.base.limits import GH_DEADLINE_S, MAX_GH_BYTES
from codeagentd.model.labels import clean

from .bounded_process import finished

OPEN: Final = 100  # pull requests of one list

_REPOSITORY: Final = re.compile(r"(?:[A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*/[A-Za-z0-9_.][\w.-]*", re.ASCII)
_BRANCH: Final = re.compile(r"[^-\s\x00-\x1f\x7f][^\s\x00-\x1f\x7f~^:?*\[\\]*")
_CARD: Final = (
    "number,title,author,headRefName,baseRefName,isDraft,reviewDecision,statusCheckRollup,"
    "updatedAt,additions,deletions,changedFiles"
)


Decoded = TypeVar("Decoded")


class _Author(msgspec.Struct):
    login: str = ""


class _Check(msgspec.Struct):
    """A check of a commit in gh's JSON: a check run has status and conclusion, a commit status has a state."""

    status: str = ""
    conclusion: str | None = ""
    state: str = ""


class _File(msgspec.Struct):
    path: str = ""


class Pull(msgspec.Struct, rename="camel"):
    """A pull request in gh's JSON."""

    number: int
    title: str = ""
    author: _Author | None = None
    head_ref_name: str = ""
    base_ref_name: str = ""
    is_draft: bool = False
    review_decision: str | None = ""
    status_check_rollup: list[_Check] | None = None
    updated_at: str = ""
    additions: int = 0
    deletions: int = 0
    changed_files: int = 0
    files: list[_File] | None = None

    @property
    def checks(self) -> str:
        """The outcome of all checks together: failing, pending, passing or none."""
        states = [(check.conclusion or check.state or check.status).upper() for check in self.status_check_rollup or []]
        if any(state in _BAD for state in states):
            return "failing"
        if any(state not in _GOOD for state in states):
            return "pending"
        return "passing" if states else "none"

    @property
    def review(self) -> str:
        """The verdict of the reviewers: approved, changes_requested, review_required or none."""
        return (self.review_decision or "none").lower()

    @property
    def status(self) -> str:
        """The step that the pull request waits for, in words."""
        if self.is_draft:
            return "draft"
        if self.review == "changes_requested":
            return "changes_requested"
        if self.checks != "passing" and self.checks != "none":
            return f"ci_{self.checks}"
        return "ready" if self.review == "approved" else "needs_review"

    @property
    def paths(self) -> list[str]:
        """The changed files, where the request to gh asked for them."""
        return [file.path for file in self.files or []]


_BAD: Final = frozenset({"FAILURE", "ERROR", "CANCELLED", "TIMED_OUT", "ACTION_REQUIRED", "STARTUP_FAILURE"})
_GOOD: Final = frozenset({"SUCCESS", "NEUTRAL", "SKIPPED", "STALE"})


class GhMissing(EngineUnavailable):
    """Raised when the command gh is not installed."""


def pulls(root: Path, base: str, repository: str) -> list[Pull]:
    """Return the open pull requests for the branch `base`, the newest first.

    Errors: invalid_parameter; engine_unavailable (GhMissing) with gh's message.
    """
    if base and not _BRANCH.fullmatch(base):
        raise InvalidParameter("base is no name of a branch", remedy="pass a branch like main", parameter="base")
    narrowed = [f"--base={base}"] if base else []
    output = _gh(root, "pr", "list", "--state=open", f"--limit={OPEN}", *narrowed, *_of(repository), f"--json={_CARD}")
    return _read(output, list[Pull])


def pull(root: Path, number: int, repository: str) -> Pull:
    """Return the pull request `number` with its files. Errors: those of `pulls`."""
    return _read(_gh(root, "pr", "view", str(number), *_of(repository), f"--json={_CARD},files"), Pull)


def default_branch(root: Path, repository: str) -> str:
    """Return the branch that pull requests of `repository` are to be merged into. Errors: those of `pulls`."""
    where = [repository] if _of(repository) else []
    return _read(_gh(root, "repo", "view", *where, "--json=defaultBranchRef"), _Default).ref.name


class _Ref(msgspec.Struct):
    name: str = ""


class _Default(msgspec.Struct):
    ref: _Ref = msgspec.field(name="defaultBranchRef", default_factory=_Ref)


def _of(repository: str) -> list[str]:
    if repository and not _REPOSITORY.fullmatch(repository):
        raise InvalidParameter(
            "repo is not of the form owner/name", remedy="pass owner/name, or leave it out", parameter="repo"
        )
    return [f"--repo={repository}"] if repository else []


def _read(content: bytes, kind: type[Decoded]) -> Decoded:
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.DecodeError:
        raise EngineUnavailable(
            "gh said something that is not understood", remedy="update gh (2.20 or newer)"
        ) from None


def _gh(root: Path, *arguments: str) -> bytes:
    """Run gh and return its output. It never prompts, and gets none of the GIT_* variables."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {
        "GH_PROMPT_DISABLED": "1",
        "GH_NO_UPDATE_NOTIFIER": "1",
        "NO_COLOR": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "PAGER": "cat",
        "GH_PAGER": "cat",
    }
    try:
        answer = finished(("gh", *arguments), environment, GH_DEADLINE_S, MAX_GH_BYTES, folder=root, with_errors=True)
    except FileNotFoundError:
        raise GhMissing(
            "the command gh is not there",
            remedy="install GitHub's gh and run `gh auth login`; working_changes_impact needs git alone",
        ) from None
    except TimeoutError:
        raise EngineUnavailable(
            f"gh did not answer in {GH_DEADLINE_S:g} s", remedy="look at `gh auth status` and the network"
        ) from None
    except OSError as error:
        raise EngineUnavailable(
            f"gh cannot be run: {error.strerror or error}", remedy="look at `gh --version`"
        ) from None
    if answer.returncode:
        words = clean(" ".join(answer.stderr.decode(errors="replace").split()))
        remedy = "`gh auth status` says whether it may ask; `gh pr list` what it would say"
        raise EngineUnavailable(f"gh refuses: {words or 'no reason given'}", remedy=remedy)
    return answer.stdout
