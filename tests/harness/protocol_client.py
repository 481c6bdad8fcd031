"""The official client library of the Language Server Protocol, on which VS Code and coc.nvim are built."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from codeagentd.lsp.uris import uri_of
from tests.harness.editor_session import EVERYTHING
from tests.harness.node_client import Ask, node_client
from tests.harness.npm_packages import npm_packages
from tests.harness.world import BIN, World

PACKAGES: Final = ("vscode-languageserver-protocol@3.18", "vscode-languageserver-textdocument@1")
CAPABILITIES: Final[dict[str, Any]] = {  # of VS Code, as far as the server looks at them
    **EVERYTHING,
    "textDocument": {**EVERYTHING["textDocument"], "definition": {"linkSupport": True}},
}

_SCRIPT: Final = Path(__file__).with_name("protocol_client.mjs")


class ProtocolClient:
    """A client of a repository, whose files it names by their paths."""

    def __init__(self, root: Path, ask: Ask) -> None:
        self.root = root
        self._ask = ask

    def initialize(self) -> dict[str, Any]:
        """Begin, and return what the server says of itself."""
        folder = {"uri": uri_of(self.root, ""), "name": self.root.name}
        result: dict[str, Any] = self.request(
            "initialize", processId=os.getpid(), rootUri=folder["uri"], workspaceFolders=[folder], capabilities=CAPABILITIES
        )  # fmt: skip
        self.notify("initialized")
        return result

    def request(self, method: str, **params: Any) -> Any:
        """Return the result of a request. An error fails the test."""
        return self._did({"request": method, "params": params})

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._did({"notify": method, "params": params})

    def at(self, method: str, path: str, place: tuple[int, int], **params: Any) -> Any:
        """Return the result of a request about a position, both from 0."""
        position = {"line": place[0], "character": place[1]}
        return self.whole(method, path, position=position, **params)

    def whole(self, method: str, path: str, **params: Any) -> Any:
        """Return the result of a request about a document."""
        return self.request(f"textDocument/{method}", textDocument={"uri": uri_of(self.root, path)}, **params)

    def open(self, path: str, text: str, language: str) -> None:
        """Open a document."""
        opened = {"uri": uri_of(self.root, path), "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=opened)

    def close(self, path: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", textDocument={"uri": uri_of(self.root, path)})

    def applied(self, edit: dict[str, Any]) -> dict[str, str]:
        """The texts of files after the edits of a WorkspaceEdit, without those that are to be confirmed, by path."""
        texts: dict[str, str] = self._did({"apply": edit})
        return {self.path(uri): text for uri, text in texts.items()}

    @property
    def told(self) -> list[dict[str, Any]]:
        """What the server has sent by itself."""
        told: list[dict[str, Any]] = self._did({"told": True})
        return told

    def path(self, uri: str) -> str:
        """The path of a file below the root."""
        return uri.removeprefix(uri_of(self.root, "") + "/")

    def places(self, locations: list[dict[str, Any]]) -> set[tuple[str, int, int]]:
        """The path, line and column of locations or of links."""
        found = set()
        for at in locations:
            start = (at.get("targetSelectionRange") or at["range"])["start"]
            found.add((self.path(at.get("targetUri") or at["uri"]), start["line"], start["character"]))
        return found

    def _did(self, order: dict[str, Any]) -> Any:
        answer = self._ask(order)
        assert "thrown" not in answer, answer
        return answer["result"]


@contextlib.contextmanager
def protocol_client(world: World, repo: Path, *, named: bool = False) -> Iterator[ProtocolClient]:
    """A client with a shim of its own; without `named`, the repository is only in `initialize`."""
    packages = npm_packages("language-client-3", *PACKAGES)
    command = [str(BIN / "codeagent-lsp"), "--stdio", *(("--repo", str(repo)) if named else ())]
    with node_client(_SCRIPT, packages, command, world.environment, cwd=world.base) as ask:
        client = ProtocolClient(repo, ask)
        client.initialize()
        yield client
