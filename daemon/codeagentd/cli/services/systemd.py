"""systemd's user manager: a service and its socket, as templates, and two drop-ins for each repository."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from codeagent_protocol import services
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import InvalidParameter
from codeagentd.boot.settings import Settings
from codeagentd.cli.other_programs import output_of

from .owned_files import Planned, prune
from .templates import filled, variables

MAX_NAME_BYTES: Final = 255  # of a unit, and of a file
ANSWER_S: Final = 5.0
SHOWN: Final = ("LoadState", "ActiveState", "UnitFileState")
_PROGRAM: Final = re.compile(r'^ExecStart="((?:[^"\\]|\\.)*)"', re.MULTILINE)
_ESCAPED: Final = re.compile(r"\\(.)")
Command = list[str]


class Systemd:
    """The systemd service of one repository."""

    name = "systemd"

    def __init__(self, endpoint: Endpoint, settings: Settings, environment: Mapping[str, str]) -> None:
        """Plan the service. Errors: invalid_parameter when the path would make a unit name that is too long."""
        self.service, self.socket = services.unit(endpoint.root, "service"), services.unit(endpoint.root, "socket")
        if len(f"{self.service}.d") > MAX_NAME_BYTES:
            raise InvalidParameter(
                f"{endpoint.root} is too long for the name of a unit",
                remedy="the first window starts the daemon; a shorter path can have a service",
            )
        self._endpoint, self._settings = endpoint, settings
        self._variables = variables(endpoint, environment)
        self._units = Path(services.unit_dir())
        self.base = self._units.parent.parent

    def files(self) -> list[Planned]:
        """Return all files of the repository's service."""
        return [*self.templates(), *self.own()]

    def templates(self) -> list[Planned]:
        """Return the files that the services of all repositories share."""
        python = sys.executable.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
        return [
            Planned(
                self._units / "codeagentd@.service",
                filled("systemd/codeagentd@.service", {"PYTHON": services.percent_escaped(python)}),
            ),
            Planned(self._units / "codeagentd@.socket", filled("systemd/codeagentd@.socket", {})),
        ]

    def own(self) -> list[Planned]:
        """Return the files of this repository's service alone."""
        needs_network = self._settings.http.strip() or not self._settings.offline
        families = "AF_UNIX AF_INET AF_INET6" if needs_network else "AF_UNIX"
        environment = "\n".join(f'Environment="{name}={_quoted(value)}"' for name, value in self._variables.items())
        return [
            Planned(
                Path(services.place_of(self._endpoint)),
                filled("systemd/socket.conf", {"SOCKET": services.percent_escaped(self._endpoint.socket)}),
            ),
            Planned(
                self._units / f"{self.service}.d" / "place.conf",
                filled("systemd/service.conf", {"ENVIRONMENT": environment, "FAMILIES": families}),
            ),
        ]

    def to_remove(self) -> list[Planned]:
        """Return the files to remove with this repository's service: also the templates if no other repository has a
        service.
        """
        others = [path for path in self._units.glob("codeagentd@*.socket.d") if path.name != f"{self.socket}.d"]
        return self.own() if others else [*self.own(), *self.templates()]

    def after_writing(self, *, changed: bool) -> list[Command]:
        """Return the commands that have the manager load the files and start the service, or restart it if they have
        `changed`. A daemon that a window started makes way for the service's daemon.
        """
        return [
            _ctl("daemon-reload"),
            _ctl("enable", "--now", self.socket),
            _ctl("restart" if changed else "start", self.service),
        ]

    def before_removing(self) -> list[Command]:
        """Return the commands that end the service."""
        return [_ctl("disable", "--now", self.socket), _ctl("stop", self.service)]

    def after_removing(self) -> list[Command]:
        """Return the commands that make the manager forget the service."""
        return [_ctl("daemon-reload")]

    def clear(self) -> list[Path]:
        """Remove the link that enabled the socket, if a manager that did not answer left it. Returns the removed
        paths.
        """
        link = self._units / "sockets.target.wants" / self.socket
        if not link.is_symlink():
            return []
        link.unlink()
        prune(link.parent, self.base)
        return [link]

    def program(self) -> str:
        """Return the program that the installed service starts; "" when it is unknown."""
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if match := _PROGRAM.search(self.templates()[0].path.read_text(encoding="utf-8")):
                return _ESCAPED.sub(r"\1", match[1]).replace("$$", "$").replace("%%", "%")
        return ""

    def answers(self) -> bool:
        """Whether a user manager runs and answers."""
        return _systemctl_output("show-environment") is not None

    def states(self) -> dict[str, str]:
        """Return the states of the units as the manager reports them: `loaded, active, enabled`, by unit; empty when it
        does not answer.
        """
        match = {}
        for unit in (self.socket, self.service):
            output = _systemctl_output("show", "--property", ",".join(SHOWN), unit)
            pairs = dict(line.partition("=")[::2] for line in (output or "").splitlines())
            if words := [pairs[name] for name in SHOWN if pairs.get(name)]:
                match[unit] = ", ".join(words)
        return match


def _ctl(*arguments: str) -> Command:
    return ["systemctl", "--user", *arguments]


def _systemctl_output(*arguments: str) -> str | None:
    """The output of systemctl; None when it fails."""
    return output_of(_ctl(*arguments), ANSWER_S)


def _quoted(value: str) -> str:
    """A value in double quotes, as a unit file needs it."""
    return services.percent_escaped(value.replace("\\", "\\\\").replace('"', '\\"'))
