"""A real shim and a real daemon on an index that is kept between runs."""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from codeagentd.model.embedding import PACKAGED
from tests.harness.window import Answer
from tests.harness.world import World

INDEX_S: Final = 3_600.0
ANSWER_S: Final = 120.0
LOOK: Final = ("count", "pending", "eligible")


def add_index_options(parser: argparse.ArgumentParser, variable: str, corpora: str) -> None:
    """Add the options that say which repositories are asked, and with which indexes; `variable` names the folder too."""
    parser.add_argument("--corpora", type=Path, default=os.environ.get(variable), help=f"{corpora} [{variable}]")
    parser.add_argument(
        "--indexes",
        type=Path,
        default=os.environ.get("EVAL_INDEXES"),
        help="folder where indexes are kept and reused [EVAL_INDEXES]",
    )
    parser.add_argument(
        "--model", default=os.environ.get("EVAL_MODEL", ""),
        help=f"directory of an embedding model, or {PACKAGED} for the included one; none: by text alone [EVAL_MODEL]",
    )  # fmt: skip


def add_patience_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says how long a repository may take to be embedded."""
    parser.add_argument(
        "--wait-vectors", type=float, default=600.0, metavar="S", help="wait so long for embeddings (default 600)"
    )


class KeptWorld(World):
    """A world whose indexes stay: caches and data below `kept`, sockets and settings in directories of this run."""

    def __init__(self, kept: Path | None, model: str = "") -> None:
        super().__init__()
        del self.environment["CODEAGENT_ROWS"]  # as a model gets them
        if kept:
            for name in ("cache", "data"):
                (kept / name).mkdir(parents=True, exist_ok=True)
                self.environment[f"CODEAGENT_{name.upper()}_DIR"] = str((kept / name).resolve())
        if model:
            self.environment["CODEAGENT_EMBEDDING"] = "true"
            if model != PACKAGED:
                self.environment["CODEAGENT_MODEL_PATH"] = os.path.realpath(model)
        self._vectors = bool(model)

    def prepare(self, repo: Path, vectors_s: float) -> float:
        """Index a repository and wait so long for its vectors. Returns the share of them that is made (1 without a model)."""
        done = self.codeagentd("index", "--repo", str(repo), "--wait", patience_s=INDEX_S)
        if done.code:
            raise RuntimeError(f"{repo.name} is not indexed: {done.err.strip() or done.out.strip()}")
        if not self._vectors:
            return 1.0
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.codeagentd("index", "--repo", str(repo), "--embed", "default", "--wait", patience_s=vectors_s)
        return self._share(repo)

    def _share(self, repo: Path) -> float:
        status = self.status(repo).get("embeddings") or {}
        count, pending, eligible = (int(status.get(name) or 0) for name in LOOK)
        return count / (count + pending) if count else float(not eligible)


class Session:
    """One window; `ask` returns the text that a model reads."""

    def __init__(self, world: World, repo: Path, *flags: str) -> None:
        self._window = world.connect(repo, *flags)

    def ask(self, tool: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        """The text of a tool's answer, and whether it is an error."""
        answer = self._window.call(tool, arguments, ANSWER_S)
        return text_of(answer), answer.failed


def text_of(answer: Answer) -> str:
    """The text blocks of an answer."""
    blocks = answer.result.get("content") or []
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text")


@contextlib.contextmanager
def session(
    kept: Path | None, repo: Path, *flags: str, model: str = "", vectors_s: float = 600.0
) -> Iterator[tuple[Session, float]]:
    """A window on an indexed repository, and the share of vectors that it has; the daemon is ended afterwards."""
    with KeptWorld(kept, model) as world:
        share = world.prepare(repo.resolve(), vectors_s)
        yield Session(world, repo.resolve(), *flags), share
