"""An editor on a real language server shim, for a repository whose files it names by their paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codeagentd.lsp.uris import uri_of
from tests.harness.editor import Editor
from tests.harness.window import PATIENCE_S, Answer, Json
from tests.harness.world import BIN, World


@dataclass
class LanguageWindow(Editor):
    """An editor whose documents are named by their paths below `root`."""

    root: Path = field(default_factory=Path)

    def hello(self, **parameters: Any) -> Answer:
        """The handshake of the protocol."""
        client = {"clientInfo": {"name": "harness", "version": "1"}}
        return self.begin_session(client | parameters)

    def document(self, path: str) -> Json:
        """A file of the repository as a TextDocumentIdentifier."""
        return {"uri": uri_of(self.root, path)}

    def open_file(self, path: str, text: str | None = None, language: str = "") -> None:
        """Open a file, with another text than the one on disk if there is one."""
        content = (self.root / path).read_text() if text is None else text
        opened = {**self.document(path), "languageId": language, "version": 1, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": opened})

    def change_file(self, path: str, version: int, *changes: Json) -> None:
        """Change an open document."""
        named = {**self.document(path), "version": version}
        self.notify("textDocument/didChange", {"textDocument": named, "contentChanges": list(changes)})

    def close_file(self, path: str) -> None:
        """Close an open document."""
        self.notify("textDocument/didClose", {"textDocument": self.document(path)})

    def at(
        self, method: str, path: str, line: int, character: int, patience_s: float = PATIENCE_S, **more: Any
    ) -> Answer:
        """One request about a position, both from 0, and its answer."""
        position = {"line": line, "character": character}
        return self.request(
            f"textDocument/{method}", {"textDocument": self.document(path), "position": position, **more}, patience_s
        )

    def places(self, answer: Answer) -> list[str]:
        """The locations of an answer as `path:line:character`, from 0."""
        found = answer.message.get("result") or []
        prefix = uri_of(self.root, "") + "/"
        return [
            f"{at['uri'].removeprefix(prefix)}:{at['range']['start']['line']}:{at['range']['start']['character']}"
            for at in (found if isinstance(found, list) else [found])
        ]

    def leave(self) -> int:
        """Shut down and exit as the protocol wants it; the shim's exit code."""
        self.request("shutdown")
        return self.exit()


def language_window(
    world: World, repo: Path, *flags: str, cwd: Path | None = None, named: bool = True
) -> LanguageWindow:
    """Start a language server shim in a world; with `named` the repository is an argument, else it is found."""
    argv = [str(BIN / "codeagent-lsp"), *(("--repo", str(repo)) if named else ()), *flags]
    window = LanguageWindow(argv, world.environment, cwd, world.errors, root=repo)
    world.windows.append(window)
    return window


def editor_window(world: World, repo: Path, **parameters: Any) -> LanguageWindow:
    """Start a language server shim and do the handshake."""
    window = language_window(world, repo)
    window.hello(**parameters)
    return window
