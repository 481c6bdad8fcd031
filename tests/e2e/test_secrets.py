"""A repository full of made-up secrets: none of them reaches an answer, an index, a log or any other file that the daemon keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.planted import blocks, planted, secrets, shows
from tests.harness.window import Json
from tests.harness.world import World

SECRET_FILES = {".env": "VAULT_PASS" + "PHRASE=oK7vRw2TzQ4mXb9c\n", "deploy/id_rsa": blocks()["OPENSSH"][0], "notes/key.md": blocks()["EC"][0]}
NAMES = ("connect", "g", "open_it0", "KEY0", "API_TOKEN", "DB_PASSWORD", "apiToken", "Settings", "api_token", "A")
QUESTIONS = (
    "open api token",
    "API_TOKEN",
    "rotated last week",
    "private key",
    "db_password host connect",
    "Authorization",
    "passphrase vault",
    "storage account key",
)


@pytest.fixture(scope="module")
def vault(shared_world: World) -> Path:
    repo = shared_world.repository("vault", planted() | SECRET_FILES)
    shared_world.index(repo)
    return repo


def values() -> dict[str, str]:
    """What must not show: kind -> secret."""
    lines = {f"{kind} line {number}": line for kind, (_, body) in blocks().items() for number, line in enumerate(body.split("\n"))}
    return {secret.kind: secret.value for secret in secrets()} | lines | {".env": "oK7vRw2TzQ4mXb9c"}


def calls() -> Iterator[tuple[str, Json]]:
    """Questions whose answers quote the repository; get_source and read_file give what is asked for, as the contract has it."""
    for question in QUESTIONS:
        yield "search_code", {"query": question, "limit": 50, "raw": True}
        yield "search_code", {"query": question}
        yield "explain_code", {"query": question}
    for name in NAMES:
        yield "search_symbols", {"query": name}
        yield "find_symbol", {"name": name}
        yield "find_refs", {"symbol": name}
        yield "describe_symbol", {"symbol": name}
        yield "impact_of", {"target": name}
        yield "code.symbol.search", {"query": name}
        yield "code.symbol.findDefinition", {"symbol_name": name}
        yield "code.symbol.getHoverInfo", {"symbol_name": name}
    for path in ("shop0/c.py", "shop42/c.py", "shop43/a.kt", "shop0/a.json", "shop0/a.md", "blocks/b0.py"):
        yield "get_file_outline", {"path": path}
    yield "architecture_overview", {}


@pytest.mark.limit(240)
def test_no_secret_leaves_the_repository(shared_world: World, vault: Path):
    wanted = values()
    window = shared_world.connect(vault, "--toolsets", "all")
    answered = 0
    for tool, arguments in calls():
        answer = window.call(tool, arguments)
        answered += not answer.failed
        leaked = [kind for kind, value in wanted.items() if shows(str(answer.message), value)]
        assert not leaked, f"{tool} {arguments}"
    assert answered > 60
    assert window.must("code.symbol.getHoverInfo", {"symbol_name": "open_it0"}).data["result"]["name"] == "open_it0", "code beside a secret is there"
    window.close()
    _nothing_kept(shared_world, wanted)
    assert shared_world.codeagentd("stop", "--repo", str(vault)).code == 0
    _nothing_kept(shared_world, wanted)


def _nothing_kept(world: World, wanted: dict[str, str]) -> None:
    folders = {Path(place) for name, place in world.environment.items() if name.startswith("CODEAGENT_") and name.endswith("_DIR")}
    kept = [path for folder in folders if folder.exists() for path in folder.rglob("*") if path.is_file()]
    assert {"index.db", "blobs.db"} <= {path.name for path in kept}
    leaks = [(path.name, kind) for path in [*kept, world.errors] for data in [path.read_bytes()] for kind, value in wanted.items() if shows(data, value)]
    assert not leaks


def test_files_made_for_secrets_are_counted_with_the_reason(shared_world: World, vault: Path):
    shared_world.index(vault)
    assert shared_world.status(vault)["skipped"]["secret"] == len(SECRET_FILES)
