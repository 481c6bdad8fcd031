"""The store of a team's facts that the user's settings name, for one repository. Nothing heavy is imported here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.paths import read_regular
from codeagentd.share.pull_messages import PullRequest
from codeagentd.share.shared_facts import SharedFacts
from codeagentd.share.store import is_local

from .index_ownership import blobs_of
from .settings import Settings

if TYPE_CHECKING:
    from codeagentd.share.manifests import Signer

KEY_BYTES: Final = 1_000  # a key is a line; a longer file is none


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


def signer_of(settings: Settings) -> Signer | None:
    """Return the key that signs what is pushed; None without one. Errors: invalid_parameter for a file that holds
    none.
    """
    from codeagentd.share.manifests import private_key

    if not settings.share.sign_with:
        return None
    file = Path(settings.share.sign_with).expanduser()
    content = read_regular(file, KEY_BYTES)
    if content is None:
        raise InvalidParameter(
            f"{file} cannot be read", remedy="make it by `codeagentd share key`", parameter="share.sign_with"
        )
    return private_key(content.decode("utf-8", "replace"))
