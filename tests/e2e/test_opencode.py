"""What opencode gets from the server that `codeagentd install opencode --lsp` gives it. No model is asked but a scripted one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.lsp.uris import uri_of
from tests.harness.five_languages import FILES, JAVA, LIBRARIES, Library, Place
from tests.harness.neovim import home_of
from tests.harness.scripted_model import MODEL, PROVIDER, ScriptedModel
from tests.harness.world import World

QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "npm_config_registry": "http://127.0.0.1:9",  # it fetches the types of its plugins otherwise
}
TOOL = "lsp"
OTHER_SERVERS = ("pyright", "typescript", "gopls", "rust", "jdtls")  # built in: they would answer beside ours


@pytest.fixture(scope="module")
def repository() -> Iterator[tuple[World, Path]]:
    if shutil.which("opencode") is None:
        pytest.skip("opencode is not installed")
    with World() as world:
        repo = world.repository("five", FILES)
        world.index(repo)
        installed = world.codeagentd("install", "opencode", "--lsp", **home_of(world))
        assert installed.code == 0, installed
        yield world, repo


@pytest.fixture(scope="module")
def answers(repository: tuple[World, Path]) -> dict[str, list[Any]]:
    """What the model reads in one run: it asks for each operation in each language at once."""
    asked = {
        f"{language}.{operation}": {"operation": operation, "filePath": path, "line": line + 1, "character": column + 1}
        for language, library in LIBRARIES.items()
        for operation, (path, line, column) in {
            "goToDefinition": library.uses[-1],
            "findReferences": library.definition,
            "incomingCalls": library.definition,
        }.items()
    }
    with ScriptedModel(TOOL, asked).listening() as model:
        done = opencode(
            repository, "run", "--format", "json", "Who calls it?",
            PWD=str(repository[1]),  # where it works; the working directory is not asked
            OPENCODE_EXPERIMENTAL_LSP_TOOL="true", OPENCODE_CONFIG_CONTENT=json.dumps(settings(model)),
        )  # fmt: skip
    if model.offered and TOOL not in model.offered:
        pytest.skip("this opencode has no such tool for models")
    assert set(model.results) == set(asked), done
    return {name: read(result) for name, result in model.results.items()}


def settings(model: ScriptedModel) -> dict[str, Any]:
    """What a user would have written beside what the command wrote: a model, and that it may do what it likes."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",  # it is in the program
        "options": {"baseURL": model.address, "apiKey": "none"},
        "models": {MODEL: {"tool_call": True, "limit": {"context": 100_000, "output": 1_000}}},
    }
    return {
        "provider": {PROVIDER: provider},
        "model": f"{PROVIDER}/{MODEL}",
        "small_model": f"{PROVIDER}/{MODEL}",
        "permission": "allow",
        "lsp": {name: {"disabled": True} for name in OTHER_SERVERS},
    }


def opencode(repository: tuple[World, Path], *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `opencode …` in the repository to its end."""
    world, repo = repository
    done = subprocess.run(
        ["opencode", *words],
        cwd=repo, env=world.environment | home_of(world) | QUIET | variables, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=50, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done
    return done


def read(result: str) -> list[Any]:
    """What the tool found. It says a sentence where it found nothing; any other sentence is an error."""
    if result.startswith("No results found"):
        return []
    found: list[Any] = json.loads(result)
    return found


def place(repository: tuple[World, Path], uri: str, span: dict[str, Any]) -> Place:
    """A place that the tool tells."""
    path = Path(uri.removeprefix("file://")).relative_to(repository[1])
    return str(path), span["start"]["line"], span["start"]["character"]


def debugged(repository: tuple[World, Path], *words: str) -> Any:
    """What `opencode debug lsp …` prints."""
    return json.loads(opencode(repository, "debug", "lsp", *words).stdout)


def test_the_symbols_of_a_document(repository: tuple[World, Path]) -> None:
    outline = debugged(repository, "document-symbols", uri_of(repository[1], JAVA.desk_path))
    assert "serve" in json.dumps(outline)


def test_the_diagnostics_that_it_waits_for_after_an_edit_are_there_and_empty(repository: tuple[World, Path]) -> None:
    path = str(repository[1] / JAVA.desk_path)
    assert debugged(repository, "diagnostics", JAVA.desk_path) == {path: []}


@pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)
def test_a_model_goes_to_the_definition(
    repository: tuple[World, Path], answers: dict[str, list[Any]], library: Library
) -> None:
    found = answers[f"{library.language}.goToDefinition"]
    assert [place(repository, one["uri"], one["range"]) for one in found] == [library.definition]


@pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)
def test_a_model_finds_every_reference_and_the_definition(
    repository: tuple[World, Path], answers: dict[str, list[Any]], library: Library
) -> None:
    found = answers[f"{library.language}.findReferences"]
    places = [place(repository, one["uri"], one["range"]) for one in found]
    assert sorted(places) == sorted([library.definition, *library.uses])


@pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)
def test_a_model_finds_who_calls_and_where(
    repository: tuple[World, Path], answers: dict[str, list[Any]], library: Library
) -> None:
    found = answers[f"{library.language}.incomingCalls"]
    callers = {
        (caller["from"]["name"], place(repository, caller["from"]["uri"], span))
        for caller in found
        for span in caller["fromRanges"]
    }
    calls = [use for use in library.uses if not re.match("use|import|from", line_of(use))]
    assert callers == {(library.serve if use[0] == library.desk_path else "opened", use) for use in calls}


def line_of(at: Place) -> str:
    """The text of the line of a place."""
    return FILES[at[0]].split("\n")[at[1]]
