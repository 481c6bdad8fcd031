"""The answers of the tools of page 002 about changes: its shapes as frozen values.

Fields at their default are left out.
"""

from __future__ import annotations

import msgspec

from .graph_results import Named
from .symbol_results import Result


class Dependent(Result, frozen=True):
    """What depends on something: the hops to it, the relation it was reached through; `reason` says
    why it is listed.
    """

    label: str
    depth: int
    via_relation: str
    id: str
    file: str
    confidence: str
    reason: str = ""


class ChangedNode(Result, frozen=True):
    """A node of a changed file. `outside`: symbols of other files that depend on it."""

    label: str
    kind: str
    id: str
    file: str
    line: int
    outside: int = 0


class WorkingChanges(Result, frozen=True, kw_only=True):
    """working_changes_impact: what differs from `base`, and what of the graph that touches.

    `note` says what is missing.
    """

    base: str
    files: list[str]
    total: int
    nodes: int
    communities: int
    note: str = ""


class Risk(Result, frozen=True):
    """How risky a change looks, 0 to 100, and why: not calibrated."""

    level: str
    score: int
    drivers: list[str]


class Forecast(Result, frozen=True, kw_only=True):
    """predict_impact: lists are cut, the numbers count all. `unknown`: paths that are no files of the repository."""

    base: str
    files: list[str]
    total: int
    risk: Risk
    nodes: int
    changed: list[ChangedNode]
    apis: int
    public: list[ChangedNode]
    tests: list[Dependent]
    test_files: list[str]
    tests_at_risk: int
    dependents: int
    blast: list[Dependent]
    checklist: list[str]
    unknown: list[str] = []
    note: str = ""


class Tests(Result, frozen=True, kw_only=True):
    """affected_tests: tests, the nearest first; `files` are what a test runner can be given, for all tests. Of long
    lists the numbers count all.

    `partial`: there may be more, since not all of the change is known or followed; `note` says why. `unknown`: paths
    that are no files of the repository.
    """

    base: str
    changed: list[str]
    tests: list[Dependent]
    total: int
    files: list[str]
    total_files: int
    partial: bool = False
    unknown: list[str] = []
    note: str = ""


class EditForecast(Named, frozen=True, kw_only=True):
    """predict_edit: what breaks for certain, and what is to be looked at; lists are cut, the numbers count all."""

    symbol: str
    kind: str
    breaking: int
    reviewing: int
    will_break: list[Dependent]
    review: list[Dependent]
    note: str = ""


class Site(Result, frozen=True):
    """A place to edit or to look at: line from 1, column from 0 in characters.

    `text` is the line as it is, without secrets.
    """

    file: str
    line: int
    column: int
    confidence: str
    reason: str
    text: str


class RenamePlan(Named, frozen=True, kw_only=True):
    """plan_rename: `edits` are sure enough to be made, `review` is for eyes.

    Each edit puts `new` in place of `old` at its column.
    """

    old: str
    new: str
    id: str
    confidence: str
    score: float
    edits: list[Site]
    review: list[Site]
    files: int
    affected: int
    collisions: list[str]
    note: str = ""


class Planned(msgspec.Struct, frozen=True):
    """A plan as a client brings it back: what plan_rename answered, or the two names alone.

    Other fields of that answer are ignored.
    """

    old: str
    new: str
    id: str = ""
    file: str = ""
    edits: list[Site] = []
    review: list[Site] = []
    note: str = ""


class Spot(Result, frozen=True):
    """A place that needs a look: line from 1 (0: none), column from 0 in characters.

    `text` is the line as it is now, without secrets.
    """

    file: str
    line: int
    column: int
    reason: str
    text: str = ""


class Verified(Named, frozen=True, kw_only=True):
    """Whether a renaming is whole: nothing in `undone`, `unresolved`, `captured`, `left` and `collisions`. `review` is
    for eyes, and fails nothing.

    `planned` edits were to be made, `done` of them were. Unresolved: what referred to the symbol and now refers to
    nothing; captured: to something else. Left: what goes by the old name still.
    """

    whole: bool
    old: str
    new: str
    planned: int
    done: int
    undone: list[Spot]
    unresolved: list[Spot]
    captured: list[Spot]
    left: list[Spot]
    collisions: list[str]
    review: list[Spot]
    note: str = ""


class Step(Result, frozen=True, kw_only=True):
    """A command that was run: its words, what became of it (passed, failed, timed_out, disk_full, not_started,
    skipped), the end of what it wrote.

    `exit_code` is below zero for one that a signal has ended, and missing where there is none; `left_out` counts bytes
    before `output`. `before`: what became of it without the change, '' where that was not tried; `failed_before`: which
    failures it had there as well, as far as they can be named.
    """

    name: str
    command: list[str]
    outcome: str
    exit_code: int | None
    seconds: float
    output: str = ""
    left_out: int = 0
    before: str = ""
    failed_before: list[str] = []


class Tried(Result, frozen=True, kw_only=True):
    """speculate: `verdict` is passed, broken or inconclusive. The graph's view of the change, which tests ran, what
    each command did.

    `files` are what the change consists of, `written` what the commands changed; lists are cut, the numbers count all.
    `network` is `none` or `open`. `before` says which commands had failed before the change too, '' where none had.
    """

    verdict: str
    before: str = ""
    base: str
    files: list[str]
    total: int
    nodes: int
    dependents: int
    tests: list[str]
    tests_at_risk: int
    steps: list[Step]
    written: list[str]
    network: str
    toolchain: str = ""
    note: str = ""


class ModuleEdge(Result, frozen=True):
    """A dependency between modules (the first two parts of a path), with the edges that make it."""

    source: str
    target: str
    edges: int


class RemovedApi(Result, frozen=True):
    """Something public that is no more; `used_by` counts the symbols of other files that depended on it."""

    label: str
    kind: str
    file: str
    line: int
    used_by: int


class Drift(Result, frozen=True):
    """The share of a module's edges that leave it, before and after; module '' is the whole."""

    module: str
    before: float
    after: float


class Hotspot(Result, frozen=True):
    """A file that changed much: score = lines + 3 * nodes."""

    file: str
    score: int
    lines: int
    nodes: int


class HistoryDiff(Result, frozen=True, kw_only=True):
    """time_travel_diff.

    Moved: symbols that are in another file or under another name, with the same text; they count neither as new nor as
    removed.
    """

    rev1: str
    rev2: str
    new_nodes: int
    removed_nodes: int
    moved_nodes: int
    new_edges: int
    removed_edges: int
    added_dependencies: list[ModuleEdge]
    removed_dependencies: list[ModuleEdge]
    removed_apis: list[RemovedApi]
    drift: list[Drift]
    communities_before: int
    communities_after: int
    new_cycles: list[list[str]]
    hotspots: list[Hotspot]
    totals: dict[str, int]
    note: str = ""


class PullRequest(Result, frozen=True, kw_only=True):
    """A pull request as the dashboard lists it."""

    number: int
    title: str
    author: str
    branch: str
    base: str
    status: str
    checks: str
    review: str
    is_draft: bool = False
    updated: str = ""
    additions: int = 0
    deletions: int = 0
    files: int = 0
    nodes: int = 0
    communities: int = 0


class PullRequests(Result, frozen=True, kw_only=True):
    """list_prs and triage_prs; `note` says why there are none, `instruction` what to do with them."""

    base: str
    prs: list[PullRequest]
    instruction: str = ""
    note: str = ""


class PullRequestImpact(Result, frozen=True, kw_only=True):
    """get_pr_impact: the pull request, its files, and what of the graph they hold."""

    found: bool
    pr: PullRequest | None
    files: list[str]
    nodes: int
    communities: int
    touched: list[ChangedNode]
    note: str = ""
