"""The service manager of this system: systemd's user manager or launchd."""

from __future__ import annotations

import os
import sys

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagentd.boot.settings import load

from .launchd import Launchd
from .systemd import Systemd


def manager_of(endpoint: Endpoint) -> Systemd | Launchd:
    """Return the service manager of this system, for the repository of `endpoint`. Errors: engine_unavailable where
    none is known.
    """
    settings = load(endpoint.root, os.environ).settings
    if sys.platform == "darwin":
        return Launchd(endpoint, settings, os.environ)
    if sys.platform == "linux":
        return Systemd(endpoint, settings, os.environ)
    raise EngineUnavailable(
        f"no service manager is known on {sys.platform}",
        remedy="the first window starts the daemon; `codeagentd run` is there for others",
    )
