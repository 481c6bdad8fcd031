"""What users of Neovim get, in five languages, with the files that `codeagentd install neovim` writes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.five_languages import FILES, LIBRARIES, PYTHON, Library, is_sound, occurrences
from tests.harness.neovim import Neovim, home_of, neovim, neovim_program
from tests.harness.processes import ended
from tests.harness.world import BIN, World

STARTED = """
local client = vim.lsp.start_client({cmd = {'%s'}, root_dir = '%s'})
vim.api.nvim_create_autocmd('BufReadPost', {callback = function(event) vim.lsp.buf_attach_client(event.buf, client) end})
"""


@pytest.fixture(scope="module")
def libraries() -> Iterator[tuple[World, Path]]:
    with World() as world:
        repo = world.repository("five", FILES)
        world.index(repo)
        yield world, repo


@pytest.fixture(scope="module")
def started(libraries: tuple[World, Path]) -> Iterator[Neovim]:
    program = neovim_program((0, 11))
    world, repo = libraries
    installed = world.codeagentd("install", "neovim", **home_of(world))
    assert installed.code == 0, installed
    with neovim(world, program, repo) as editor:
        yield editor
        assert editor.errors == []


@pytest.fixture
def editor(started: Neovim) -> Iterator[Neovim]:
    yield started
    started.ask("forget")


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Library:
    return LIBRARIES[request.param]


def test_a_jump_leads_to_the_definition(editor: Neovim, library: Library) -> None:
    for use in library.uses:
        editor.at(use)
        assert editor.place(editor.ask("definition")) == library.definition


def test_references_are_listed(editor: Neovim, library: Library) -> None:
    editor.at(library.definition)
    found = {editor.place(place) for place in editor.ask("references")}
    assert found == {library.definition, *library.uses}


def test_a_hover_shows_the_signature_and_the_documentation(editor: Neovim, library: Library) -> None:
    editor.at(library.uses[-1])
    shown = editor.ask("hover")
    assert library.defined in shown
    assert "Lends an item for some days." in shown


def test_the_outline_is_listed(editor: Neovim, library: Library) -> None:
    editor.at((library.desk_path, 0, 0))
    assert any(library.serve in text for *_, text in editor.ask("outline"))


def test_callers_are_listed(editor: Neovim, library: Library) -> None:
    editor.at(library.definition)
    assert [text for *_, text in editor.ask("callers")] == [library.serve, library.serve, "opened"]


def test_a_rename_changes_the_buffers_of_all_files(editor: Neovim, library: Library) -> None:
    editor.at(library.uses[0])
    changed = editor.ask("rename", library.new_name)
    texts = library.paths | {str(Path(path).relative_to(editor.root)): text for path, text in changed.items()}
    assert not occurrences(texts, library.lend)
    assert len(occurrences(texts, library.new_name)) == 1 + len(library.uses)
    assert all(is_sound(library.language, texts[path]) for path, *_ in library.uses)


def test_what_is_typed_counts_before_it_is_saved(editor: Neovim, library: Library) -> None:
    path, line, column = library.definition
    editor.at((path, 0, 0))
    editor.ask("type", "")
    editor.at(library.uses[-1])
    assert editor.place(editor.ask("definition")) == (path, line + 1, column)
    editor.at((path, line + 1, column))
    found = {editor.place(place) for place in editor.ask("references")}
    assert found == {(path, line + 1, column), *library.uses}
    editor.ask("forget")
    editor.at(library.uses[-1])
    assert editor.place(editor.ask("definition")) == library.definition


def test_a_daemon_that_dies_under_changed_buffers_is_not_noticed(editor: Neovim, libraries: tuple[World, Path]) -> None:
    world, repo = libraries
    path, line, column = PYTHON.definition
    editor.at((path, 0, 0))
    editor.ask("type", "")
    killed = world.daemon(repo)
    os.kill(killed, signal.SIGKILL)
    for _ in range(20):
        editor.ask("type", "")
    editor.at(PYTHON.uses[-1])
    assert editor.place(editor.ask("definition")) == (path, line + 21, column)
    assert ended(killed)
    assert world.daemon(repo) != killed
    editor.ask("forget")
    editor.at(PYTHON.uses[-1])
    assert editor.place(editor.ask("definition")) == PYTHON.definition
    assert editor.errors == []


def test_older_ones_are_started_by_hand(libraries: tuple[World, Path]) -> None:
    program = neovim_program((0, 7), (0, 10))
    world, repo = libraries
    settings = world.base / "init.lua"
    settings.write_text(STARTED % (BIN / "codeagent-lsp", repo))
    with neovim(world, program, repo, "-u", str(settings)) as editor:
        editor.at(PYTHON.uses[-1])
        assert editor.place(editor.ask("definition")) == PYTHON.definition
        assert editor.errors == []
