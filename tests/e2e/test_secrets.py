"""A repository full of made-up secrets: none of them reaches an answer, an index, a log or any other file that the daemon keeps.

`SECRETS_SEED` makes other ones. read_file and get_source give the text that was asked for, as their contract says.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.harness.planted import PLACES, blocks, leaked, planted, secrets
from tests.harness.window import Json, Window
from tests.harness.world import World

SEED = int(os.environ.get("SECRETS_SEED", "5"))
SECRET_FILES = {
    ".env": "VAULT_PASS" + "PHRASE=oK7vRw2TzQ4mXb9c\n",
    "deploy/id_rsa": blocks(SEED)["OPENSSH"][0],
    "notes/key.md": blocks(SEED)["EC"][0],
}
RAW = {"read_file", "get_source"}
APART = {
    "speculate",
    "delete",
    "complete_task",
    "get_pr_impact",
    "list_prs",
    "triage_prs",
}  # run commands, need a program, or what was made before
FEW = 7  # places that each secret stands in here: tests/unit has them in all
EACH = 5  # values of a parameter that a tool is asked about
NAMES = (
    "connect",
    "use",
    "hook",
    "open_it0",
    "KEY0",
    "API_TOKEN",
    "DB_PASSWORD",
    "apiToken",
    "Settings",
    "api_token",
    "A",
    "test_k",
    "signing_key",
)
QUESTIONS = (
    "open api token", "API_TOKEN", "rotated last week", "private key", "db_password host connect", "Authorization", "storage account key",
    "hook send rotate", "passphrase vault",
)  # fmt: skip


def secret_values() -> dict[str, str]:
    """What must not show: kind -> secret."""
    lines = {
        f"{kind} line {number}": line
        for kind, (_, body) in blocks(SEED).items()
        for number, line in enumerate(body.split("\n"))
    }
    return {secret.kind: secret.value for secret in secrets(SEED)} | lines | {".env": "oK7vRw2TzQ4mXb9c"}


WANTED = secret_values()


@pytest.fixture(scope="module")
def vault(shared_world: World) -> Path:
    repo = shared_world.repository("vault", planted(SEED, FEW) | SECRET_FILES)
    shared_world.index(repo)
    return repo


class Walk:
    """Asks everything that a window can ask, and looks at every answer."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._chance = random.Random(SEED)
        files = [*planted(SEED, FEW)]
        self._paths = [
            self._chance.choice([path for path in files if path.endswith(f"/{place.path}")]) for place in PLACES
        ] + ["blocks/b0.py"]
        self._ids: list[str] = []
        self.answered: Counter[str] = Counter()
        self.planned = 0

    def request(self, method: str, parameters: Json) -> Any:
        """One request; its answer shows no secret."""
        answer = self._window.request(method, parameters)
        assert not leaked(str(answer.message), WANTED), f"{method} {parameters}"
        self.answered[parameters.get("name", method)] += not answer.failed
        return answer

    def call(self, tool: str, arguments: Json) -> Any:
        """One call."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def learn(self) -> None:
        """Find symbols to ask about, in files of every place."""
        for path in self._paths:
            answer = self.call("get_file_outline", {"path": path})
            self._ids += [one["node_id"] for one in answer.items] if not answer.failed else []
        assert len(self._ids) > len(PLACES) / 2

    def tools(self) -> None:
        """Every tool that answers from the repository or keeps something, about several things."""
        for tool in self._window.request("tools/list").result["tools"]:
            if tool["name"] not in RAW | APART:
                for arguments in self._arguments(tool["inputSchema"]):
                    self.call(tool["name"], arguments)
                assert self.answered[tool["name"]], f"{tool['name']} was never answered"

    def lines(self) -> None:
        """What quotes the lines of each symbol: its signature, and every place of its name."""
        for node in self._ids:
            self.call("describe_symbol", {"symbol": node})
            self.call("code.symbol.getHoverInfo", {"symbol_name": node})
            self.planned += bool(self.call("plan_rename", {"name": node, "to": "renamed"}).data.get("edits"))
        assert self.planned > len(PLACES) / 3

    def _arguments(self, schema: Json) -> Iterator[Json]:
        wanted = [
            name
            for name in schema["properties"]
            if name in schema.get("required", ()) or name in ("raw", "mode", "files", "pattern")
        ]
        for _ in range(EACH if wanted else 1):
            yield {name: self._value(name, schema["properties"][name]) for name in wanted}

    def _value(self, name: str, schema: Json) -> Any:
        """A value of a parameter; a new one that is required has to be named here."""
        if "enum" in schema:
            return self._chance.choice(schema["enum"])
        secret = self._chance.choice([secret for secret in secrets(SEED) if secret.alone]).written
        known: dict[str, Any] = {
            "path": self._paths, "file_path": self._paths, "context_path": self._paths, "query": [*QUESTIONS, *NAMES], "question": QUESTIONS, "name": NAMES,
            "symbol_name": NAMES, "qualified_name": NAMES, "to": ["renamed"], "raw": [True], "community_id": [0, 1, 2], "rev1": ["HEAD"], "repo": ["vault"],
            "files": [[path] for path in self._paths], "paths": [[path] for path in self._paths], "project": ["VA"], "content": [secret, f"see {secret} again"],
            "output": [f"failed with {secret}"], "feedback": [f"AssertionError: {secret}"], "task": [f"rotate {secret}"],
            "original_output": [secret], "task_pattern": [secret], "id": self._memories(), "from_id": self._memories(), "to_id": self._memories(),
        }  # fmt: skip
        return self._chance.choice(
            known.get(name)
            or (self._ids if name in ("label", "symbol", "node_id", "target", "source") else known[name])
        )

    def _memories(self) -> list[str]:
        if not getattr(self, "_kept", None):
            self._kept = [
                self.call("store", {"type": "knowledge", "content": f"memory {number}"}).data["id"]
                for number in range(6)
            ]
        return self._kept

    def surface(self) -> None:
        """Every resource, prompt and completion."""
        for one in self._window.request("resources/list").result["resources"]:
            self.request("resources/read", {"uri": one["uri"]})
        templates = self._window.request("resources/templates/list").result["resourceTemplates"]
        for one in self._window.request("prompts/list").result["prompts"]:
            arguments = {argument["name"]: self._chance.choice(NAMES) for argument in one.get("arguments", ())}
            self.request("prompts/get", {"name": one["name"], "arguments": arguments})
            for name in arguments:
                self._complete({"type": "ref/prompt", "name": one["name"]}, name)
        for template in templates:
            self._complete(
                {"type": "ref/resource", "uri": template["uriTemplate"]},
                template["uriTemplate"].partition("{")[2].partition("}")[0].strip("+"),
            )

    def _complete(self, reference: Json, argument: str) -> None:
        for start in ("", "a", "h", "s", "[", "api", "GET "):
            self.request("completion/complete", {"ref": reference, "argument": {"name": argument, "value": start}})


@pytest.mark.limit(240)
def test_no_secret_leaves_the_repository(shared_world: World, vault: Path) -> None:
    walk = Walk(window := shared_world.connect(vault, "--toolsets", "all"))
    walk.learn()
    walk.tools()
    walk.lines()
    walk.surface()
    assert sum(walk.answered.values()) > 200
    assert window.must("code.symbol.getHoverInfo", {"symbol_name": "open_it0"}).data["result"]["name"] == "open_it0", (
        "code beside a secret is there"
    )
    window.close()
    _nothing_kept(shared_world, vault)


@pytest.mark.limit(240)
@pytest.mark.parametrize(
    "words",
    [
        "search api token --raw", "symbol connect", "refs open_it0", "impact open_it0", "explain api token", "architecture", "path open_it0 close_it0",
        "describe open_it0", "affected open_it0", "predict --file shop0/c.py", "query hook", "stats", "refactor plan open_it0 renamed", "report", "status",
        "logs", "call plan_rename name=open_it0 to=renamed",
    ],
)  # fmt: skip
def test_no_command_shows_a_secret(shared_world: World, vault: Path, words: str) -> None:
    done = shared_world.codeagentd(*words.split(), "--repo", str(vault))
    assert not leaked(done.out + done.err, WANTED)


def test_nothing_is_left_when_the_daemon_is_gone(shared_world: World, vault: Path) -> None:
    assert shared_world.codeagentd("stop", "--repo", str(vault)).code == 0
    _nothing_kept(shared_world, vault)


def test_files_made_for_secrets_are_counted_with_the_reason(shared_world: World, vault: Path) -> None:
    shared_world.index(vault)
    assert shared_world.status(vault)["skipped"]["secret"] == len(SECRET_FILES)


def _nothing_kept(world: World, repo: Path) -> None:
    folders = {
        Path(place)
        for name, place in world.environment.items()
        if name.startswith("CODEAGENT_") and name.endswith("_DIR")
    } | {repo / "codeagent-report"}
    kept = _contents(folders)
    assert {"index.db", "blobs.db", "memory.db"} <= {path.name for path in kept}
    kept[world.errors] = world.errors.read_bytes()
    assert not [(path.name, kind) for path, content in kept.items() for kind in leaked(content, WANTED)]


def _contents(folders: set[Path]) -> dict[Path, bytes]:
    """All files below the folders. A file that the daemon renames meanwhile is read under its new name."""
    for _ in range(20):
        paths = [path for folder in folders if folder.exists() for path in folder.rglob("*") if path.is_file()]
        with suppress(FileNotFoundError):
            return {path: path.read_bytes() for path in paths}
    raise AssertionError("the daemon renames files without end")
