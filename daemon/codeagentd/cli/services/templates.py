"""The templates of service files: beside this package when it is installed, else in the folders of the source tree."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import InvalidParameter

_HERE: Final = Path(__file__).resolve().parent
_TREE: Final = _HERE.parents[3]
_PRESERVED: Final = ("PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


def filled(name: str, values: Mapping[str, str]) -> str:
    """Return the template `name` (`systemd/…` or `launchd/…`) with its @NAMES@ replaced by `values`. These have to be
    escaped for the file's syntax already.
    """
    beside = _HERE / "data" / name
    text = (beside if beside.exists() else _TREE / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def variables(endpoint: Endpoint, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that a daemon needs from `environment`, in which its service is installed: the
    program's directories, and the paths of git and gh.

    Errors: invalid_parameter for values that the files cannot contain.
    """
    preserved = {name: value for name, value in environment.items() if name in _PRESERVED and value}
    for name, value in environment.items():
        if name.startswith("CODEAGENT_") and name.endswith(("_DIR", "_PATH")) and value:
            preserved[name] = os.path.abspath(value)
    preserved["CODEAGENT_RUNTIME_DIR"] = endpoint.runtime
    for name, value in (*preserved.items(), ("the repository", endpoint.root), ("Python", sys.executable)):
        if not value.isprintable():
            raise InvalidParameter(
                f"{name} has characters that a service's file cannot hold",
                remedy="start the daemon without a service: the first window does",
            )
    return dict(sorted(preserved.items()))
