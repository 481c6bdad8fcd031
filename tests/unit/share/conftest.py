"""A committed repository with an index, and a store beside it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from codeagent_protocol.errors import CodedError
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.share.folder_store import FolderStore
from codeagentd.share.pull import Pull
from codeagentd.share.pull_messages import PullReport, PullRequest
from codeagentd.share.push import PushReport, push
from codeagentd.store.opening import open_disposable
from tests.harness import git_repositories as git
from tests.harness.stored_rows import facts_by_key

PATIENCE_S = 60.0
GIGABYTE = 1_000_000_000
FILES = 120


class Team:
    """A repository, the index of who pushes, and a store."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root = base / "repo"
        self.root.mkdir()
        git.run(self.root, "init", "-q", "-b", "main")
        for number in range(FILES):
            self.write(f"shop/part{number}.py", f"import shop\n\n\ndef lend{number}(book):\n    return book.copy()\n")
        self.commit()
        self.store = FolderStore(base / "store")
        self.place = base / "index"

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def commit(self) -> None:
        git.run(self.root, "add", "-A")
        git.run(self.root, "commit", "-qm", "change")

    def index(self, place: Path | None = None, **choices: object) -> Path:
        """Bring the index at `place` (the pusher's without one) up to date; the path of index.db."""
        folder = place or self.place
        # any of the engine's options, as the test chooses
        engine = IndexingEngine(self.root, folder, folder, use_watcher=False, **choices)  # type: ignore[arg-type]
        engine.start()
        assert engine.wait_caught_up(PATIENCE_S)
        engine.close(10)
        return folder / "index.db"

    def push(self, signer: Ed25519PrivateKey | None = None, **choices: object) -> PushReport:
        index = self.index()
        options: dict[str, object] = {"max_bytes": GIGABYTE, "signer": signer} | choices
        return push(self.store, self.root, index, self.place / "blobs.db", **options)  # type: ignore[arg-type]

    def request(self, place: Path, **choices: object) -> PullRequest:
        """A pull into the blobs.db at `place`."""
        place.mkdir(exist_ok=True)
        open_disposable(place / "blobs.db", "blobs")[0].close()
        request = PullRequest(str(self.base / "store"), str(self.root), str(place / "blobs.db"), 1_000_000, GIGABYTE)
        return msgspec.structs.replace(request, **choices)

    def pull(self, place: Path, **choices: object) -> PullReport:
        """Pull into `place`; the report also of a pull that failed."""
        pull = Pull(self.request(place, **choices), lambda phase, done, total: None)
        try:
            pull.facts()
            pull.vectors()
        except CodedError as error:
            return pull.end(error)
        finally:
            pull.close()
        return pull.end()

    def packs(self) -> list[Path]:
        return sorted((self.base / "store").glob("packs/*/*.pack"))

    def manifests(self) -> list[Path]:
        return sorted((self.base / "store").glob("trees/*.manifest"))


def facts_at(place: Path) -> dict[tuple[bytes, str, int], bytes]:
    """The facts of the blobs.db at `place`."""
    return facts_by_key(place / "blobs.db")


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return Team(tmp_path)
