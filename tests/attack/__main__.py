"""The OpenAPI document held to a real daemon by schemathesis, with a key and without one: `make attack`.

ATTACK_SEED and ATTACK_EXAMPLES choose other requests, and how many for each route.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from tests.e2e.conftest import SHOP
from tests.harness.waiting import eventually
from tests.harness.world import BIN, World

KEY = "s3cret"
PATIENCE_S = 60
PROGRAM = BIN.parent / "attack/bin/st"
LISTENS = "MCP over HTTP at "


def attacked(world: World, key: str) -> int:
    """Ask a daemon everything that its document allows, and what it does not; the exit code, 0 for no finding."""
    repo = world.repository("shop", SHOP)
    argv = [str(BIN / "codeagentd"), "run", "--repo", str(repo), "--http", "127.0.0.1:0"]
    with world.errors.open("a") as errors:
        daemon = subprocess.Popen(
            [*argv, *(["--api-key", key] if key else [])], env=world.environment, stdin=subprocess.DEVNULL,
            stdout=errors, stderr=errors,
        )  # fmt: skip
    try:
        lines = eventually(
            lambda: [line for line in world.errors.read_text().splitlines() if LISTENS in line],
            PATIENCE_S,
            explain=world.errors.read_text,
        )
        world.index(repo)
        address = lines[0].partition(LISTENS)[2].removesuffix("/mcp")
        # without a key nobody is asked for one, which the document does not say
        options = ["-H", f"X-API-Key: {key}"] if key else ["--exclude-checks", "ignored_auth"]
        seed, examples = os.environ.get("ATTACK_SEED", "1"), os.environ.get("ATTACK_EXAMPLES", "100")
        with tempfile.TemporaryDirectory() as folder:  # where it keeps its examples
            return subprocess.run(
                [PROGRAM, "run", f"{address}/openapi.json", *options, "--rate-limit=100/s", "--suppress-health-check=too_slow", "--seed", seed,
                 f"--max-examples={examples}", "--no-color"],
                cwd=folder, check=False,
            ).returncode  # fmt: skip
    finally:
        daemon.terminate()
        daemon.wait(PATIENCE_S)


if __name__ == "__main__":
    found = 0
    for presented in (KEY, ""):
        with World() as surroundings:
            found += attacked(surroundings, presented)
    sys.exit(bool(found))
