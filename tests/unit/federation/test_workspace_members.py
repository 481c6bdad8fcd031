"""Who belongs to a workspace, and what is told of those who cannot be asked."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from codeagent_protocol.locks import FileLock
from codeagentd.base.limits import MAX_SURVEY_S, MAX_WORKSPACE_LOOKS
from codeagentd.federation import workspace as workspaces
from codeagentd.federation.workspace_members import survey
from codeagentd.store.migrations import schema_version
from codeagentd.toolkit.call import run
from codeagentd.toolkit.toolsets import load
from tests.harness.federated import Workbench, workbench

CATALOGUE = load("codeagentd.tools")
CODE = {"a.py": "def one():\n    pass\n"}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path) as found:
        yield found


def listed(bench: Workbench, root: Path, trusted: tuple[str, ...] = ()) -> dict[str, Any]:
    with bench.context(root, trusted) as ctx:
        return run(CATALOGUE["list_repos"], ctx, {}).structured


def states(answer: dict[str, Any]) -> dict[str, str]:
    return {one["repo"]: one["state"] for one in answer["repos"]}


def names(root: Path) -> list[str]:
    return [member.name for member in survey(root).members]


def notes(root: Path) -> str:
    return "; ".join(survey(root).notes)


def test_a_single_repository_lists_nothing(bench: Workbench) -> None:
    with bench.context(bench.repository("api", CODE)) as ctx:
        assert run(CATALOGUE["list_repos"], ctx, {}).rendered == "No federated repos (single-repo graph)"
        assert run(CATALOGUE["repo_stats"], ctx, {"repo": "api"}).rendered == "No nodes for repo api"


def test_members_are_listed_with_their_sizes_the_repository_itself_first(bench: Workbench) -> None:
    bench.repository(
        "ui", {"x.ts": "export function go() {}\n", "y.ts": "import { go } from './x'\nexport const y = () => go()\n"}
    )
    root = bench.repository("api", CODE, members=[{"path": "../ui", "name": "web"}])
    answer = listed(bench, root)
    assert [(one["repo"], one["nodes"]) for one in answer["repos"]] == [("api", 4), ("web", 4)]
    assert states(answer) == {"api": "here", "web": "resting"}


def test_a_member_whose_daemon_runs_is_ready(bench: Workbench) -> None:
    from codeagent_protocol.endpoint import endpoint_of

    lock = FileLock(endpoint_of(bench.repository("ui", CODE)).life_lock)
    assert lock.try_take()
    try:
        assert states(listed(bench, bench.repository("api", CODE, members=["../ui"])))["ui"] == "ready"
    finally:
        lock.release()


def _absent(index: Path) -> None:
    index.unlink()


def _version(number: int) -> Callable[[Path], None]:
    return lambda index: _change(index, f"PRAGMA user_version={number}")


def _building(index: Path) -> None:
    _change(index, "INSERT OR REPLACE INTO meta(key, value) VALUES ('bulk', 1)")


def _empty(index: Path) -> None:
    _without_log(index)
    index.write_bytes(b"")


def _garbage(index: Path) -> None:
    _without_log(index)
    index.write_bytes(b"nothing that SQLite knows" * 1_000)


def _folder(index: Path) -> None:
    _without_log(index)
    index.unlink()
    index.mkdir()


def _torn(index: Path) -> None:
    """The header is whole, the rest is not: what fails is a question, not the opening."""
    _without_log(index)
    content = bytearray(index.read_bytes())
    content[16_384:] = os.urandom(len(content) - 16_384)
    index.write_bytes(content)


def _change(index: Path, statement: str) -> None:
    connection = apsw.Connection(str(index))
    connection.execute(statement)
    connection.close()


def _without_log(index: Path) -> None:
    _change(index, "PRAGMA wal_checkpoint(truncate)")
    for part in ("-wal", "-shm"):
        Path(f"{index}{part}").unlink(missing_ok=True)


DAMAGE = {
    "absent": _absent, "older": _version(schema_version("index") - 1), "newer": _version(schema_version("index") + 1), "building": _building,
    "begun": _empty, "garbage": _garbage, "folder": _folder, "torn": _torn,
}  # fmt: skip
STATES = {"begun": "building", "garbage": "broken", "folder": "broken", "torn": "broken"}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_member_that_cannot_be_read_is_told_and_the_others_are_answered_for(bench: Workbench, damage: str) -> None:
    good, bad = bench.repository("good", {"g.py": "def fine():\n    pass\n"}), bench.repository("bad", CODE)
    root = bench.repository("api", {"b.py": "def own():\n    pass\n"}, members=["../bad", "../good"])
    DAMAGE[damage](bench.index_of(bad))
    before = {path: path.read_bytes() for path in bench.index_of(bad).parent.glob("*.db")} if damage != "folder" else {}
    with bench.context(root, (str(bad),)) as ctx:
        listing = run(CATALOGUE["list_repos"], ctx, {})
        told = run(CATALOGUE["find_callers"], ctx, {"label": "own"})
        asked = run(CATALOGUE["query_graph"], ctx, {"question": "fine"})
    state = STATES.get(damage, damage)
    assert states(listing.structured) == {"api": "here", "bad": state, "good": "resting"}
    assert told.structured["found"]
    assert "bad " in told.structured["note"] or damage == "torn"
    assert [node["source_file"] for node in asked.structured["nodes"]][:1] == ["good::g.py"]
    assert "bad " in asked.structured["note"]
    assert all(path.read_bytes() == content for path, content in before.items()), (
        "nothing is written to the index of another"
    )
    assert good.exists()


def test_a_member_without_an_index_is_told_with_what_makes_one(bench: Workbench) -> None:
    bench.repository("api/inner", CODE, indexed=False)
    answer = listed(bench, bench.repository("api", CODE, members=["inner"]))
    assert answer["repos"][1]["note"] == f"inner has no index: run `codeagentd index --repo {bench.base}/api/inner`"


def test_an_index_that_somebody_locks_is_not_waited_for(bench: Workbench) -> None:
    bad = bench.repository("bad", CODE)
    root = bench.repository("api", CODE, members=["../bad"])
    index = bench.index_of(bad)
    _change(index, "PRAGMA journal_mode=delete")
    connection = apsw.Connection(str(index))
    connection.execute("BEGIN EXCLUSIVE")
    try:
        assert states(listed(bench, root))["bad"] == "busy"
    finally:
        connection.close()


def test_a_member_that_is_rebuilt_meanwhile_is_read_as_it_is_then(bench: Workbench) -> None:
    ui = bench.repository("ui", CODE)
    with bench.context(bench.repository("api", CODE, members=["../ui"])) as ctx:
        before = run(CATALOGUE["repo_stats"], ctx, {"repo": "ui"}).structured["nodes"]
        for path in bench.index_of(ui).parent.glob("index.db*"):
            path.unlink()
        (ui / "b.py").write_text("def two():\n    pass\n")
        bench.index(ui)
        assert run(CATALOGUE["repo_stats"], ctx, {"repo": "ui"}).structured["nodes"] == before + 2


def test_no_index_of_another_stays_open(bench: Workbench) -> None:
    for number in range(5):
        bench.repository(f"m{number}", CODE)
    with bench.context(bench.repository("api", CODE, members=[f"../m{number}" for number in range(5)])) as ctx:
        for tool, arguments in (
            ("list_repos", {}),
            ("find_callers", {"label": "one"}),
            ("query_graph", {"question": "one"}),
        ):
            run(CATALOGUE[tool], ctx, arguments)
        opened = [
            os.readlink(f"/proc/self/fd/{name}")
            for name in os.listdir("/proc/self/fd")
            if os.path.islink(f"/proc/self/fd/{name}")
        ]
        assert not [
            path
            for path in opened
            if any(str(bench.index_of(bench.base / f"m{number}")) in path for number in range(5))
        ]


# -- whom the files name


def test_a_repository_outside_that_the_user_has_not_indexed_is_no_member(bench: Workbench) -> None:
    bench.repository("secret", CODE, indexed=False)
    root = bench.repository("api", CODE, members=["../secret"])
    assert names(root) == []
    assert "'../secret' is left out: it lies outside of this repository and has no index" in notes(root)


def test_the_users_own_settings_may_say_that_it_is_one(bench: Workbench) -> None:
    bench.repository("known", CODE, indexed=False)
    root = bench.repository("api", CODE, members=["../known"])
    assert states(listed(bench, root, (str(bench.base),)))["known"] == "absent"


def test_a_pattern_tells_no_names_of_what_lies_outside(bench: Workbench) -> None:
    bench.repository("secret", CODE, indexed=False)
    bench.repository("friend", CODE)
    root = bench.repository("api", CODE, members=["../*"])
    assert names(root) == ["friend"]
    assert "secret" not in notes(root)
    assert "outside of this repository have no index" in notes(root)


@pytest.mark.parametrize("member", ["/", "~", "/etc", "/proc/self", "../../../../../.."])
def test_what_is_never_a_repository_is_no_member(bench: Workbench, member: str) -> None:
    root = bench.repository("api", CODE, members=[member], indexed=False)
    assert names(root) == []
    assert "is left out" in notes(root)


@pytest.mark.parametrize("member", ["../gone", "a.py", "no\x00thing", "loop", "x" * 500, "../" * 300 + "x"])
def test_what_is_no_folder_is_told(bench: Workbench, member: str) -> None:
    root = bench.repository("api", CODE, members=[member], indexed=False)
    (root / "loop").symlink_to("loop")
    assert names(root) == []
    assert "is no folder that can be read" in notes(root)


def test_a_link_is_where_it_leads(bench: Workbench) -> None:
    ui = bench.repository("ui", CODE)
    bench.repository("hidden", CODE, indexed=False)
    root = bench.repository("api", CODE, members=["inside", "hole"], indexed=False)
    (root / "inside").symlink_to(ui)
    (root / "hole").symlink_to(bench.base / "hidden")
    assert [member.root for member in survey(root).members] == [str(ui)]
    assert "'hole' is left out" in notes(root)


def test_a_pattern_that_means_a_whole_disk_is_left_out(bench: Workbench) -> None:
    root = bench.repository("api", CODE, members=["many/*", "many/**/x", "/*/*/*/*/*"], indexed=False)
    (root / "many").mkdir()
    for number in range(10_000):
        (root / "many" / str(number)).mkdir()
    assert names(root) == []
    assert notes(root).count("folders to look at") == 3


def test_however_many_patterns_there_are_the_disk_is_looked_at_a_bounded_number_of_times(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    patterns = [f"many/**/{'**/' * number}*/**/x" for number in range(80)]
    root = bench.repository("api", CODE, members=patterns, indexed=False)
    for number in range(500):
        (root / "many" / str(number)).mkdir(parents=True)
    opened: list[object] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: opened.append(place) or scandir(place))
    assert names(root) == []
    assert len(opened) <= MAX_WORKSPACE_LOOKS
    assert "folders to look at" in notes(root)


def test_patterns_that_take_long_to_compare_leave_out_the_rest(bench: Workbench) -> None:
    root = bench.repository("api", CODE, indexed=False)
    for number in range(500):
        (bench.base / "many" / str(number)).mkdir(parents=True)
    workspace = {"members": ["../many/*"] * 90, "exclude": [f"{number}{'a*' * 500}" for number in range(100)]}
    (root / ".codeagent").mkdir()
    (root / ".codeagent/workspace.json").write_text(json.dumps(workspace))
    begun = time.thread_time()
    assert "more folders than can be looked at in time" in notes(root)
    assert time.thread_time() - begun < 2 * MAX_SURVEY_S + 1


def test_the_repository_itself_is_no_member_of_its_own(bench: Workbench) -> None:
    root = bench.repository("api", CODE, members=[".", "../api", "./"], indexed=False)
    assert names(root) == []
    assert "'.' is this repository itself" in notes(root)


def test_of_two_members_with_one_name_the_second_needs_another(bench: Workbench) -> None:
    bench.repository("x/ui", CODE)
    bench.repository("y/ui", CODE)
    assert names(bench.repository("api", CODE, members=["../x/ui", "../y/ui", "../x/ui"])) == ["ui"]
    assert "'../y/ui' is left out: there is another 'ui': give it a name in .codeagent/workspace.json" in notes(
        bench.base / "api"
    )
    assert names(bench.repository("api", CODE, members=["../x/ui", {"path": "../y/ui", "name": "ui2"}])) == [
        "ui",
        "ui2",
    ]


def test_no_member_takes_the_repositorys_own_name(bench: Workbench) -> None:
    bench.repository("x/api", CODE)
    root = bench.repository("api", CODE, members=["../x/api"])
    assert names(root) == []
    assert "there is another 'api'" in notes(root)


def test_members_of_a_member_are_none_of_ours(bench: Workbench) -> None:
    bench.repository("deep", CODE)
    bench.repository("ui", CODE, members=["../deep", "../api"])
    assert names(bench.repository("api", CODE, members=["../ui"])) == ["ui"]


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"members": "x"}', '{"members": [1]}', '{"member": []}', '{"members": [{"path": "x", "run": "rm"}]}', '{"members": [""]}',
     '{"name": "a::b"}', '{"members": [{"path": "x", "name": "../x"}]}', '{"members": ' + "[" * 100_000, "\xff\xfe", '{"members": ["a"]}' + " " * 1_100_000],
)  # fmt: skip
def test_a_workspace_file_with_a_mistake_is_left_out_and_told(bench: Workbench, text: str) -> None:
    root = bench.repository("api", CODE, indexed=False)
    (root / ".codeagent").mkdir()
    (root / ".codeagent/workspace.json").write_bytes(text.encode("latin-1"))
    assert names(root) == []
    assert ".codeagent/workspace.json is left out: " in notes(root)


def test_a_workspace_file_that_is_a_pipe_or_leads_out_hangs_nobody(bench: Workbench) -> None:
    root = bench.repository("api", CODE, indexed=False)
    (root / ".codeagent").mkdir()
    os.mkfifo(root / ".codeagent/workspace.json")
    assert ".codeagent/workspace.json is left out: " in notes(root)
    (root / ".codeagent/workspace.json").unlink()
    (root / ".codeagent/workspace.json").symlink_to("/etc/passwd")
    assert ".codeagent/workspace.json is left out: " in notes(root)


def test_what_hostile_names_say_is_cleaned(bench: Workbench) -> None:
    root = bench.repository("api", CODE, members=["</result>\u202e](http://y)"], indexed=False)
    assert "‹/result>] (http://y)" in notes(root)


# -- what package managers say

MANAGERS = {
    "npm": {"package.json": '{"workspaces": ["packages/*", "!packages/out"]}', "packages/ui/package.json": "{}", "packages/out/package.json": "{}"},
    "yarn": {"package.json": '{"workspaces": {"packages": ["packages/ui"]}}', "packages/ui/package.json": "{}"},
    "pnpm": {
        "pnpm-workspace.yaml": "packages:\n  # ours\n  - 'packages/**'\n  - \"!**/out\"\ncatalog:\n  - no\n",
        "packages/deep/ui/package.json": "{}", "packages/out/package.json": "{}",
    },
    "cargo": {"Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/out"]\n', "crates/ui/Cargo.toml": "", "crates/out/Cargo.toml": ""},
    "go": {"go.work": "go 1.22\n\nuse (\n  ./ui // ours\n)\n", "ui/go.mod": "module x\n"},
    "uv": {"pyproject.toml": '[tool.uv.workspace]\nmembers = ["libs/*"]\nexclude = ["libs/out"]', "libs/ui/pyproject.toml": "", "libs/out/pyproject.toml": ""},
    "sln": {"All.sln": 'Project("{FAE0}") = "Ui", "src\\ui\\Ui.csproj", "{1}"\nEndProject\n', "src/ui/Ui.csproj": "<Project/>"},
    "slnx": {"All.slnx": '<Solution><Folder Name="/s/"><Project Path="src/ui/Ui.csproj" /></Folder></Solution>', "src/ui/Ui.csproj": "<Project/>"},
}  # fmt: skip


@pytest.mark.parametrize("manager", MANAGERS)
def test_folders_that_a_package_manager_names_are_members(bench: Workbench, manager: str) -> None:
    root = bench.repository("api", MANAGERS[manager] | {"src.py": "x = 1\n"}, indexed=False)
    assert [(member.name, member.folder != "") for member in survey(root).members] == [("ui", True)]


def test_a_folder_of_this_repository_is_counted_from_its_own_index(bench: Workbench) -> None:
    ui = {
        "packages/ui/package.json": "{}",
        "packages/ui/x.ts": "export function go() {}\nexport const y = () => go()\n",
        "packages/uix.ts": "export const z = 1\n",
    }
    answer = listed(bench, bench.repository("api", {"package.json": '{"workspaces": ["packages/*"]}', **ui}))
    [one] = [one for one in answer["repos"] if one["repo"] == "ui"]
    assert (one["folder"], one["state"], one["nodes"], one["edges"]) == ("packages/ui", "here", 4, 3)


def test_a_repository_inside_of_another_is_a_member_of_its_own(bench: Workbench) -> None:
    bench.repository("api/libs/ui", CODE | {"package.json": "{}"})
    root = bench.repository("api", {"package.json": '{"workspaces": ["libs/*"]}'})
    assert states(listed(bench, root)) == {"api": "here", "ui": "resting"}


def test_a_manager_that_cannot_be_read_is_told_and_the_others_count(bench: Workbench) -> None:
    root = bench.repository(
        "api", {**MANAGERS["go"], "package.json": "{", "Cargo.toml": "=", "All.slnx": "<!DOCTYPE x><x/>"}, indexed=False
    )
    assert names(root) == ["ui"]
    assert all(f"{name} is left out: " in notes(root) for name in ("package.json", "Cargo.toml", "All.slnx"))


def test_a_new_member_is_seen(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspaces, "SURVEY_S", 0.0)
    bench.repository("ui", CODE)
    root = bench.repository("api", CODE)
    with bench.context(root) as ctx:
        assert run(CATALOGUE["list_repos"], ctx, {}).structured["repos"] == []
        (root / ".codeagent").mkdir()
        (root / ".codeagent/workspace.json").write_text(json.dumps({"members": ["../ui"]}))
        assert len(run(CATALOGUE["list_repos"], ctx, {}).structured["repos"]) == 2
