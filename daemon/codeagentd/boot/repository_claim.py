"""The first steps of a daemon with its repository, before its large modules are imported: it claims the folders of the
index, and starts the processes that index on demand and pull shared facts, which load their modules meanwhile.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagentd.pipeline.on_demand.on_demand_index import NAMES, OnDemandIndex
from codeagentd.pipeline.on_demand.on_demand_messages import Begin
from codeagentd.store.opening import open_disposable

from .index_ownership import ClaimedIndex, claim, databases_of
from .settings import Settings

if TYPE_CHECKING:
    from codeagentd.share.shared_facts import SharedFacts


class ClaimedRepository(NamedTuple):
    """What the daemon has begun with: the claimed folders, the index of the files that questions ask for before
    there is an index, and the source of facts that a team shares (None without one).
    """

    folders: ClaimedIndex
    on_demand: OnDemandIndex
    shared: SharedFacts | None = None


def claim_repository(endpoint: Endpoint, settings: Settings, *, is_unasked: bool = False) -> ClaimedRepository:
    """Claim the repository of `endpoint`. The on-demand process is started if it is needed, or with `is_unasked` when
    the first question comes. Errors: CodedError where a directory cannot be trusted.
    """
    dirs.check_trusted_directories()  # `claim` removes the index of another repository
    folders = claim(endpoint)
    index, blobs = databases_of(endpoint)
    database, facts = (str(endpoint.index / name) for name in NAMES)
    on_demand = OnDemandIndex(
        Begin(
            endpoint.root, database, facts, str(blobs), settings.limits.max_file_bytes, settings.ignore,
            settings.languages,
        )
    )  # fmt: skip
    on_demand.start(index, is_unasked=is_unasked)
    return ClaimedRepository(folders, on_demand, _begun(endpoint, settings, index, blobs))


def _begun(endpoint: Endpoint, settings: Settings, index: Path, blobs: Path) -> SharedFacts | None:
    """Return the source of shared facts; where there is no index to begin with, it begins to pull."""
    if not settings.share.url:
        return None
    from .facts_sharing import shared_facts

    shared = shared_facts(endpoint, settings)
    if shared is not None and not index.exists():
        dirs.make_private(str(blobs.parent))
        open_disposable(blobs, "blobs")[0].close()
        shared.start()
    return shared
