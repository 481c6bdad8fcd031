"""Keys per user on a real `codeagentd serve`: who sees what, and when that ends."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SHOP
from tests.harness.raw_session import INITIALIZE
from tests.harness.repository_server import RepositoryServer, bare
from tests.harness.site import Reply, Site
from tests.harness.waiting import eventually
from tests.harness.world import World

STRANGER = "cad_nobody"
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
SECRET = "billing/secret"


@pytest.fixture
def served() -> Iterator[tuple[World, RepositoryServer, dict[str, str]]]:
    """A server of `shop` and `billing/secret`, and the keys of ann (shop alone) and bob (everything)."""
    with World() as world:
        repo = world.repository("repos/shop", SHOP)
        bare(world, repo, world.base / f"repos/{SECRET}.git")
        keys = {
            "ann": add(world, "ann", "--repositories", "shop", "--repositories", "team/*"),
            "bob": add(world, "bob"),
        }
        with RepositoryServer(world, world.base / "repos") as server:
            yield world, server, keys


def add(world: World, name: str, *options: str) -> str:
    """The key of a new user."""
    done = world.codeagentd("serve", "users", "add", name, *options)
    assert done.code == 0, done
    return done.out.strip()


def users_file(world: World) -> Path:
    return Path(world.environment["CODEAGENT_CONFIG_DIR"]) / "users.jsonl"


def site_of(server: RepositoryServer, key: str, target: str) -> Site:
    site = server.site(key)
    site.path = f"/r/{target}/mcp"
    return site


def error_of(reply: Reply) -> tuple[int, Any]:
    value = reply.json["error"]
    return reply.status, value.get("data", value).get("code")


def test_a_user_sees_what_the_patterns_say_and_a_stranger_nothing(
    served: tuple[World, RepositoryServer, dict[str, str]],
):
    _, server, keys = served
    for name, visible in (("ann", ["shop"]), ("bob", [SECRET, "shop"])):
        listed = server.site(keys[name]).ask("GET", "/repositories").json["repositories"]
        assert [entry["name"] for entry in listed] == visible
    for path in ("/repositories", "/metrics", "/openapi.json", "/r/shop/api/stats", "/r/no/api/stats"):
        assert server.site(STRANGER).ask("GET", path).status == 401
        assert server.site().ask("GET", path).status == 401
    assert server.site().ask("GET", "/healthz").status == 200
    assert not server.call(SECRET, "search_symbols", key=keys["bob"], query="checkout").is_error


def test_a_repository_that_a_user_may_not_see_is_as_one_that_is_not_there(
    served: tuple[World, RepositoryServer, dict[str, str]],
):
    _, server, keys = served
    for path in ("/r/{}/api/stats", "/r/{}@main/api/stats", "/r/{}@nowhere/api/node/x"):
        hidden, absent = (server.site(keys["ann"]).ask("GET", path.format(name)) for name in (SECRET, "billing/absent"))
        assert (hidden.status, hidden.body.replace(SECRET.encode(), b"billing/absent")) == (absent.status, absent.body)
        assert hidden.status == 404
    hidden, absent = (site_of(server, keys["ann"], name).post(INITIALIZE) for name in (SECRET, "billing/absent"))
    assert (hidden.status, hidden.body.replace(SECRET.encode(), b"billing/absent")) == (absent.status, absent.body)
    assert error_of(hidden) == (404, "not_found")


def test_a_session_is_its_users_own_and_of_its_own_address(served: tuple[World, RepositoryServer, dict[str, str]]):
    _, server, keys = served
    anns = site_of(server, keys["ann"], "shop")
    session = anns.initialize()
    assert anns.post(LIST, Mcp_Session_Id=session).status == 200
    assert site_of(server, keys["bob"], "shop").post(LIST, Mcp_Session_Id=session).status == 404
    assert site_of(server, keys["bob"], SECRET).post(LIST, Mcp_Session_Id=session).status == 404
    assert site_of(server, keys["ann"], "shop@main").post(LIST, Mcp_Session_Id=session).status == 404
    assert site_of(server, keys["bob"], "shop").ask("DELETE", "/r/shop/mcp", Mcp_Session_Id=session).status == 404
    assert anns.post(LIST, Mcp_Session_Id=session).status == 200


def test_a_removed_user_is_refused_at_once_and_open_streams_end(
    served: tuple[World, RepositoryServer, dict[str, str]],
):
    world, server, keys = served
    anns, bobs = site_of(server, keys["ann"], "shop"), site_of(server, keys["bob"], "shop")
    session, other = anns.initialize(), bobs.initialize()
    connection, messages = anns.listen(session)
    assert world.codeagentd("serve", "users", "remove", "ann").code == 0
    assert anns.post(LIST, Mcp_Session_Id=session).status == 401
    assert next(messages, None) is None  # the stream ends
    connection.close()
    assert bobs.post(LIST, Mcp_Session_Id=other).status == 200
    again = add(world, "ann")
    assert again != keys["ann"]
    assert site_of(server, again, "shop").initialize()
    assert anns.post(LIST, Mcp_Session_Id=session).status == 401


def test_a_user_who_loses_a_repository_loses_the_sessions_about_it(
    served: tuple[World, RepositoryServer, dict[str, str]],
):
    world, server, keys = served
    bobs = site_of(server, keys["bob"], SECRET)
    session = bobs.initialize()
    lines = [json.loads(line) for line in users_file(world).read_text().splitlines()]
    lines[1]["repositories"] = ["shop"]
    replace(users_file(world), lines)
    assert error_of(bobs.post(LIST, Mcp_Session_Id=session)) == (404, "not_found")
    assert site_of(server, keys["bob"], "shop").initialize()


def test_an_expired_key_is_no_key(served: tuple[World, RepositoryServer, dict[str, str]]):
    world, server, _ = served
    old, new = add(world, "old", "--expires", "2020-01-01"), add(world, "new", "--expires", "2999-12-31")
    assert site_of(server, old, "shop").post(INITIALIZE).status == 401
    assert site_of(server, new, "shop").post(INITIALIZE).status == 200


def test_a_lost_file_of_users_lets_nobody_in(served: tuple[World, RepositoryServer, dict[str, str]]):
    world, server, keys = served
    text = users_file(world).read_text()
    users_file(world).unlink()
    assert server.site(keys["bob"]).ask("GET", "/repositories").status == 401
    replace(users_file(world), [json.loads(line) for line in text.splitlines()])
    assert server.site(keys["bob"]).ask("GET", "/repositories").status == 200
    users_file(world).chmod(0o666)
    assert server.site(keys["bob"]).ask("GET", "/repositories").status == 401


def test_each_request_is_a_line_of_the_log_without_its_arguments(
    served: tuple[World, RepositoryServer, dict[str, str]],
):
    _, server, keys = served
    answer = server.call("shop", "search_symbols", key=keys["ann"], query="checkout_cart")
    record = next(record for record in server.log("request") if record.get("tool") == "search_symbols")
    assert {name: record[name] for name in ("user", "repository", "status")} == {
        "user": "ann", "repository": "shop", "status": 200,
    }  # fmt: skip
    assert record["commit"] == answer.meta["codeagent/index"]["head"]
    assert record["ms"] > 0
    assert record["tokens"] > 10
    log = server.errors.read_text()
    assert "checkout_cart" not in log
    assert keys["ann"] not in log


def test_the_file_of_users_holds_no_key_and_is_its_owners_alone(
    served: tuple[World, RepositoryServer, dict[str, str]],
):
    world, _, keys = served
    text = users_file(world).read_text()
    assert not any(key in text for key in keys.values())
    assert stat.S_IMODE(users_file(world).stat().st_mode) == 0o600
    listed = world.codeagentd("serve", "users", "list")
    assert [line.split()[:2] for line in listed.out.splitlines()] == [["ann", "shop"], ["bob", "*"]]
    assert [entry["name"] for entry in world.codeagentd("serve", "users", "list", "--json").json] == ["ann", "bob"]
    assert world.codeagentd("serve", "users", "add", "dan", "--json").json["key"].startswith("cad_")
    twice = world.codeagentd("serve", "users", "add", "ann")
    assert (twice.code, "there is a user ann already" in twice.err) == (2, True)
    assert world.codeagentd("serve", "users", "remove", "carl").code == 1


@pytest.mark.parametrize("name", ["", "../x", "a b", "x\n", "é"])
def test_odd_names_of_users_are_refused(name: str):
    with World() as world:
        refused = world.codeagentd("serve", "users", "add", name)
        assert refused.code == 2, refused
        assert not users_file(world).exists()


def test_without_users_other_machines_are_refused():
    with World() as world:
        refused = world.codeagentd("serve", str(world.base), "--http", "0.0.0.0:0")
        assert (refused.code, "can be reached by others" in refused.err) == (2, True), refused
        missing = world.codeagentd("serve", str(world.base), "--users", str(world.base / "none.jsonl"))
        assert (missing.code, "does not exist" in missing.err) == (2, True), missing


def replace(path: Path, entries: list[Any]) -> None:
    """Write the file of users as an editor does: another file takes the name."""
    part = path.with_name("part")
    part.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    part.chmod(0o600)
    os.replace(part, path)


def test_a_line_with_a_mistake_takes_no_other_user_away(served: tuple[World, RepositoryServer, dict[str, str]]):
    world, server, keys = served
    lines = users_file(world).read_text().splitlines()
    users_file(world).write_text("\n".join([lines[0], "{broken", '{"name": "x y", "sha256": ""}', lines[1]]))
    for name in ("ann", "bob"):
        assert site_of(server, keys[name], "shop").initialize()
    eventually(lambda: len(server.log("a line of the file of users is left out")) >= 2)
