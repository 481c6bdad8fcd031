"""The request of a pull, its report, and the messages of the process that pulls: MessagePack in frames.

Nothing heavy is imported here: the daemon starts that process first of all.
"""

from __future__ import annotations

from typing import Final

import msgspec


class PullRequest(msgspec.Struct, frozen=True):
    """A pull: the store, the repository at `root`, its blobs.db, and the settings that say which files an index reads.
    `model`: the name of the embedding model, '' for no vectors.
    """

    url: str
    root: str
    blobs: str
    max_file_bytes: int
    max_bytes: int
    trusted: tuple[str, ...] = ()
    model: str = ""
    ignore: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


class PullReport(msgspec.Struct, frozen=True):
    """The outcome of a pull. `commit`: whose tree's manifest was used ('' for none), `distance` commits before HEAD;
    `files`: that were to be read; `had`: whose facts were there; `facts`: files whose facts were fetched; `vectors`:
    that were fetched; `bytes`: moved; `audited`: extracted here too; `left`: entries that `max_bytes` left out;
    `refused`: why the store is not to be used any more; `trouble`: why the pull ended early.
    """

    url: str
    at: float = 0.0
    seconds: float = 0.0
    commit: str = ""
    distance: int = 0
    files: int = 0
    had: int = 0
    facts: int = 0
    vectors: int = 0
    bytes: int = 0
    audited: int = 0
    left: int = 0
    refused: str = ""
    trouble: str = ""
    remedy: str = ""


class PullProgress(msgspec.Struct, frozen=True, tag="progress"):
    """A sign of life, with how many of the `total` facts that the store has are fetched."""

    done: int
    total: int


class FactsAreThere(msgspec.Struct, frozen=True, tag="facts"):
    """All facts are in blobs.db: whoever waits for them may go on, while vectors are fetched."""

    report: PullReport


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The end of the pull, with its report."""

    report: PullReport


PullMessage = PullProgress | FactsAreThere | Ended

encoder: Final = msgspec.msgpack.Encoder()
decoder: Final = msgspec.msgpack.Decoder(PullMessage)
