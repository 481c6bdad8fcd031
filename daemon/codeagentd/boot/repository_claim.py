"""The first steps of a daemon with its repository, before its large modules are imported: it claims the folders of the
index, and starts the process that indexes on demand, which loads its modules meanwhile.
"""

from __future__ import annotations

from typing import NamedTuple

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagentd.pipeline.on_demand.on_demand_index import NAMES, OnDemandIndex
from codeagentd.pipeline.on_demand.on_demand_messages import Begin
from codeagentd.store.opening import own

from .index_ownership import ClaimedIndex, blobs_of, claim
from .settings import Settings


class ClaimedRepository(NamedTuple):
    """What the daemon has begun with: the claimed folders, and the index of the files that questions ask for before
    there is an index.
    """

    folders: ClaimedIndex
    on_demand: OnDemandIndex


def claim_repository(endpoint: Endpoint, settings: Settings) -> ClaimedRepository:
    """Claim the repository of `endpoint`. The on-demand process is started if it is needed. Errors: CodedError where a
    directory cannot be trusted.
    """
    dirs.check_trusted_directories()
    folders = claim(endpoint)
    index, blobs = own(endpoint.index / "index.db", "index"), own(blobs_of(endpoint) / "blobs.db", "blobs")
    database, facts = (str(endpoint.index / name) for name in NAMES)
    on_demand = OnDemandIndex(
        Begin(
            endpoint.root, database, facts, str(blobs), settings.limits.max_file_bytes, settings.ignore,
            settings.languages,
        )
    )  # fmt: skip
    on_demand.start(index)
    return ClaimedRepository(folders, on_demand)
