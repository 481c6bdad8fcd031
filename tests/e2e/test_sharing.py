"""What one machine has pushed, another one begins with, through real daemons and commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.harness.repository_server import RepositoryServer
from tests.harness.world import World

FILES = {
    f"pkg/mod{number}.py": f"from pkg.mod{(number + 1) % 120} import *\n\n\ndef step{number}():\n    return step{(number + 1) % 120}()\n"
    for number in range(120)
}


@pytest.mark.limit(120)
def test_a_fresh_clone_begins_with_the_facts_that_another_machine_has_pushed(world: World) -> None:
    origin, store = world.repository("shop", FILES), str(world.base / "store")
    pushed = world.codeagentd("share", "push", "--repo", str(origin), "--store", store, "--json")
    assert pushed.code == 0, pushed
    assert pushed.json["files"] == pushed.json["facts"] == 120
    with World() as elsewhere:
        clone = elsewhere.base / "clone"
        elsewhere.git(origin, "clone", "-q", str(origin), str(clone))
        elsewhere.environment["CODEAGENT_SHARE_URL"] = store
        elsewhere.index(clone)
        status = elsewhere.codeagentd("share", "status", "--repo", str(clone), "--json").json
        assert (status["nearest"]["distance"], status["last_pull"]["facts"], status["error"]) == (0, 120, "")
        callers = elsewhere.connect(clone).must("get_callers", {"node_id": "step9"}).items
        assert [caller["name"] for caller in callers] == ["step8"]


def test_a_repository_names_no_store(world: World) -> None:
    files = {"a.py": "", ".codeagent/config.json": json.dumps({"share": {"url": "/tmp/evil"}})}
    repo = world.repository("shop", files)
    refused = world.codeagentd("config", "--repo", str(repo))
    assert "'share.url' may not be set by a repository" in refused.out + refused.err
    assert world.codeagentd("share", "status", "--repo", str(repo)).err.startswith("error: no store is named")


def test_pulling_by_hand_prints_what_came_and_what_is_checked(world: World) -> None:
    repo, store = world.repository("shop", FILES), str(world.base / "store")
    world.codeagentd("share", "push", "--repo", str(repo), "--store", store)
    with World() as elsewhere:
        pulled = elsewhere.codeagentd("share", "pull", "--repo", str(repo), "--store", store)
        assert pulled.code == 0
        assert pulled.out.startswith("pulled facts of 120 files and 0 vectors")
        assert "HEAD" in pulled.out
        again = elsewhere.codeagentd("share", "pull", "--repo", str(repo), "--store", store, "--json").json
        assert (again["had"], again["facts"]) == (120, 0)
        other = elsewhere.codeagentd("share", "pull", "--repo", str(repo), "--store", str(elsewhere.base / "empty"))
        assert (other.code, "has nothing of this repository" in other.out) == (1, True)


def test_a_key_is_made_once_and_signs_what_is_pushed(world: World) -> None:
    repo, store = world.repository("shop", FILES), str(world.base / "store")
    made = world.codeagentd("share", "key", "--json").json
    file = Path(made["file"])
    assert file.stat().st_mode & 0o777 == 0o600
    assert world.codeagentd("share", "key", "--json").json == made | {"is_new": False}
    assert file.read_text().strip() not in world.codeagentd("share", "key").out
    world.codeagentd("share", "push", "--repo", str(repo), "--store", store)
    config = Path(world.environment["CODEAGENT_CONFIG_DIR"]) / "config.json"
    config.write_text(json.dumps({"share": {"trusted_keys": [made["public"]], "url": store}}))
    with World() as elsewhere:
        elsewhere.environment["CODEAGENT_CONFIG_DIR"] = str(config.parent)
        unsigned = elsewhere.codeagentd("share", "pull", "--repo", str(repo))
        assert unsigned.code != 0
        assert "not signed by a key of share.trusted_keys" in unsigned.err
        world.codeagentd("share", "push", "--repo", str(repo), CODEAGENT_SHARE_SIGN_WITH=str(file))
        assert elsewhere.codeagentd("share", "pull", "--repo", str(repo)).code == 0


@pytest.mark.limit(120)
def test_status_names_a_store_that_lies(world: World) -> None:
    from tests.unit.share.conftest import Team  # type: ignore[import-not-found]  # importlib mode
    from tests.unit.share.test_push_and_pull import lied, rewritten  # type: ignore[import-not-found]

    team = Team(world.base)
    team.push()
    rewritten(team, lambda entries: [(key, lied(blob)) for key, blob in entries])
    world.environment["CODEAGENT_SHARE_URL"] = team.store.url
    world.index(team.root)
    status = world.codeagentd("status", "--repo", str(team.root))
    assert "are not those of the file" in status.out
    assert "codeagentd share pull" in status.out


@pytest.mark.limit(120)
def test_a_server_of_many_repositories_begins_with_shared_facts_too(world: World) -> None:
    repo, store = world.repository("repos/shop", FILES), world.base / "store"
    world.codeagentd("share", "push", "--repo", str(repo), "--store", str(store))
    world.codeagentd("stop", "--repo", str(repo))
    with World() as elsewhere:
        elsewhere.environment["CODEAGENT_SHARE_URL"] = str(store)
        elsewhere.git(repo, "clone", "-q", "--bare", str(repo), str(elsewhere.base / "repos/shop.git"))
        with RepositoryServer(elsewhere, elsewhere.base / "repos") as server:
            answer = server.call("shop", "get_callers", node_id="step9")
            assert not answer.is_error, answer.structured_content
            (record,) = Path(elsewhere.environment["CODEAGENT_CACHE_DIR"]).rglob("share.json")
            assert json.loads(record.read_bytes())["facts"] == 120
