"""The templates of the files, as they ship: beside this package once it is installed, else in the folders of the source
tree.
"""

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
    """A template (`systemd/…` or `launchd/…`) with its @NAMES@ replaced; the values are as the file's own syntax wants
    them.
    """
    beside = _HERE / "data" / name
    text = (beside if beside.exists() else _TREE / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def variables(endpoint: Endpoint, environment: Mapping[str, str]) -> dict[str, str]:
    """What a daemon needs of the environment that its service is installed from: where its files are, and where git and
    gh are found.

    Errors: invalid_parameter for values that no file of a manager's can hold.
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
