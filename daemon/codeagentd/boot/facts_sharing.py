"""The store of a team's facts that the user's settings name, for one repository. Nothing heavy is imported here."""

from __future__ import annotations

from pathlib import Path

from codeagent_protocol.endpoint import Endpoint
from codeagentd.share.pull_messages import PullRequest
from codeagentd.share.shared_facts import SharedFacts
from codeagentd.share.store import is_local

from .index_ownership import blobs_of
from .settings import Settings


def shared_facts(endpoint: Endpoint, settings: Settings, folder: Path | None = None) -> SharedFacts | None:
    """Return the source of facts that a team shares; None where the settings name no store, or none to be used now.
    `folder`: that of blobs.db, where it is not the repository's usual one.
    """
    share = settings.share
    if not share.url or not share.pull or (settings.offline and not is_local(share.url)):
        return None
    return SharedFacts(pull_request(endpoint, settings, folder))


def pull_request(endpoint: Endpoint, settings: Settings, folder: Path | None = None) -> PullRequest:
    """Return the request to pull what the store of the settings has."""
    from codeagentd.store.opening import own

    share = settings.share
    blobs = own((folder or blobs_of(endpoint)) / "blobs.db", "blobs")
    return PullRequest(
        share.url, endpoint.root, str(blobs), settings.limits.max_file_bytes, share.max_bytes, share.trusted_keys,
        shared_model(settings), settings.ignore, settings.languages,
    )  # fmt: skip


def shared_model(settings: Settings) -> str:
    """Return the name under which vectors are shared: that of the model; '' where there are none."""
    chosen = settings.embedding
    return (Path(chosen.model_path).name or chosen.model) if chosen.enabled else ""
