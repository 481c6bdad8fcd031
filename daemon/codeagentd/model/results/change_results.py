"""The answers of the tools about changes, of the toolsets `graph` and `exec`, as frozen values.

Fields at their default are left out.
"""

from __future__ import annotations

import msgspec

from .graph_results import Named
from .symbol_results import Result


class Dependent(Result, frozen=True):
    """A symbol that depends on a changed one: the number of hops, and the relation of the last hop; `reason` is why it
    is listed.
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
    """The answer of working_changes_impact: the differences from `base`, and the nodes of the graph that they touch.

    `note` says what is missing.
    """

    base: str
    files: list[str]
    total: int
    nodes: int
    communities: int
    note: str = ""


class Risk(Result, frozen=True):
    """The risk of a change, 0 to 100, and its reasons: not calibrated."""

    level: str
    score: int
    drivers: list[str]


class Forecast(Result, frozen=True, kw_only=True):
    """The answer of predict_impact: the changed nodes, their dependents, the tests and the risk; lists are cut, the
    numbers count all. `unknown`: paths that are no files of the repository.
    """

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
    """The answer of affected_tests: tests, the nearest first; `files` are the arguments for a test runner, `farther`
    those for the tests beyond the wanted distance. Of long lists the numbers count all.

    `partial`: there may be more tests, since not all of the change is known or followed; `note` says why. `unknown`:
    paths that are no files of the repository.
    """

    base: str
    changed: list[str]
    tests: list[Dependent]
    total: int
    files: list[str]
    total_files: int
    farther: list[str] = []
    total_farther: int = 0
    partial: bool = False
    unknown: list[str] = []
    note: str = ""


class EditForecast(Named, frozen=True, kw_only=True):
    """The answer of predict_edit: places that certainly break, and places that need a look; lists are cut, the numbers
    count all.
    """

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
    """The answer of plan_rename: `edits` are certain, `review` has to be checked by a person.

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
    """A plan that a client sends back: the answer of plan_rename, or the two names alone.

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
    """The check of a renaming that was made: it is complete if `undone`, `unresolved`, `captured`, `left` and
    `collisions` are empty. `review` has to be checked by a person, and does not make the renaming incomplete.

    Of `planned` edits, `done` were made. `unresolved`: references to the symbol that now refer to nothing; `captured`:
    references that now refer to another symbol. `left`: names that still are the old one.
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
    """A command that was run: its words, its outcome (passed, failed, timed_out, disk_full, not_started, skipped), the
    end of its output.

    `exit_code` is below zero for a command that a signal ended, and missing where there is none; `left_out` counts
    bytes before `output`. `before`: the outcome without the change, '' where that was not tried; `failed_before`: the
    failures that occur without the change as well, as far as they can be named.
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
    """The answer of the tool `speculate`: `verdict` is passed, broken or inconclusive. The graph's view of the change,
    the tests that ran, the outcome of each command.

    `files` are those of the change, `written` those that the commands changed; lists are cut, the numbers count all.
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
    """A public symbol that was removed; `used_by` is the number of symbols of other files that depended on it."""

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
    """The answer of time_travel_diff: the differences between the graphs of `rev1` and `rev2`.

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
    """A pull request in a list."""

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
    """The answer of list_prs and triage_prs; `note` says why there are none, `instruction` how to use them."""

    base: str
    prs: list[PullRequest]
    instruction: str = ""
    note: str = ""


class PullRequestImpact(Result, frozen=True, kw_only=True):
    """The answer of get_pr_impact: the pull request, its files, and their nodes in the graph."""

    found: bool
    pr: PullRequest | None
    files: list[str]
    nodes: int
    communities: int
    touched: list[ChangedNode]
    note: str = ""
