"""launchd: one agent for each repository."""

from __future__ import annotations

import os
import plistlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from xml.parsers.expat import ExpatError
from xml.sax.saxutils import escape

from codeagent_protocol import dirs, services
from codeagent_protocol.endpoint import Endpoint
from codeagentd.boot.settings import Settings
from codeagentd.cli.other_programs import output_of

from .owned_files import Planned
from .templates import filled, variables

ANSWER_S: Final = 5.0
Command = list[str]


class Launchd:
    """The launchd agent of one repository."""

    name = "launchd"

    def __init__(self, endpoint: Endpoint, settings: Settings, environment: Mapping[str, str]) -> None:
        """Plan the agent. Errors: invalid_parameter for values that a property list cannot contain."""
        self.label = f"{services.LABEL}{endpoint.name}"
        self._endpoint = endpoint
        self._variables = variables(endpoint, environment)
        self._domain = "gui/"
        if sys.platform != "win32":
            self._domain += str(os.getuid())
        self._path = Path(dirs.home(), "Library", "LaunchAgents", f"{self.label}.plist")
        self.base = self._path.parent.parent

    def files(self) -> list[Planned]:
        """Return the files of the agent: its property list alone."""
        pairs = "\n".join(
            f"\t\t<key>{name}</key>\n\t\t<string>{escape(value)}</string>" for name, value in self._variables.items()
        )
        endpoint = self._endpoint
        values = {
            "LABEL": self.label,
            "PYTHON": escape(sys.executable),
            "REPO": escape(endpoint.root),
            "ERRORS": escape(endpoint.start_log),
        }
        return [Planned(self._path, filled("launchd/agent.plist", values | {"ENVIRONMENT": pairs}))]

    def to_remove(self) -> list[Planned]:
        """Return the files to remove: all, since agents share no files."""
        return self.files()

    def after_writing(self, *, changed: bool) -> list[Command]:
        """Return the commands that have launchd load the file if it is `changed`, after it has unloaded an older one;
        else those that start the agent.
        """
        load = ["launchctl", "bootstrap", self._domain, str(self._path)]
        return (
            [*self.before_removing(), load] if changed else [["launchctl", "kickstart", f"{self._domain}/{self.label}"]]
        )

    def before_removing(self) -> list[Command]:
        """Return the commands that end the agent, if it is loaded."""
        return [["launchctl", "bootout", f"{self._domain}/{self.label}"]] if self.states() else []

    def after_removing(self) -> list[Command]:
        """Return no commands: launchd forgets an agent that it has unloaded."""
        return []

    def clear(self) -> list[Path]:
        """Remove nothing, and return []: no other files exist."""
        return []

    def program(self) -> str:
        """Return the program that the installed agent starts; "" when it is unknown."""
        try:
            return str(plistlib.loads(self._path.read_bytes())["ProgramArguments"][0])
        except (OSError, ValueError, KeyError, IndexError, TypeError, ExpatError):
            return ""

    def answers(self) -> bool:
        """Whether the user's launchd answers."""
        return _launchctl_output("print", self._domain) is not None

    def states(self) -> dict[str, str]:
        """Return the states as `{label: "loaded"}`; empty when the agent is not loaded."""
        return {self.label: "loaded"} if _launchctl_output("print", f"{self._domain}/{self.label}") is not None else {}


def _launchctl_output(*arguments: str) -> str | None:
    return output_of(["launchctl", *arguments], ANSWER_S)
