"""Whatever is typed into whichever documents, every answer is sound: no internal error, and nothing that clients refuse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagentd.lsp.method import METHODS
from codeagentd.lsp.positions import Encoding, TextLines
from codeagentd.serve.lsp.error_codes import INTERNAL_ERROR
from tests.harness.editor_session import EditorSession, editor_session
from tests.harness.five_languages import FILES, LIBRARIES, Library, occurrences
from tests.harness.protocol_messages import CASES, check_ranges, names_of, response_type, structured

TYPED = ["", "(", "{", "\n", "\r\n", "\r", ".", "book.", "x = ", "😀", '"', "/*", "class Q:", "\t", "é", "\ufeff"]


class Edit(NamedTuple):
    """Some text in place of some other, at a part of the document of so many thousandths of its length. `file`: the
    number of the document.
    """

    file: int
    at: int
    deleted: int
    typed: str


edits = st.builds(
    Edit, st.integers(0, 3), st.integers(0, 1000), st.sampled_from([0, 1, 3, 40, 9999]), st.sampled_from(TYPED)
)


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EditorSession]:
    with editor_session(tmp_path_factory.mktemp("lsp"), FILES, begun=False) as window:
        yield window


def typed(window: EditorSession, path: str, text: str, version: int, edit: Edit) -> str:
    """Make an edit in a document with this text; the text afterwards."""
    lines, start = TextLines(text), edit.at * len(text) // 1000
    first = lines.position(start, Encoding.UTF16)
    last = lines.position(min(start + edit.deleted, len(text)), Encoding.UTF16)
    positions = {name: {"line": at.line, "character": at.character} for name, at in (("start", first), ("end", last))}
    window.change(path, version, {"range": positions, "text": edit.typed})
    return text[: lines.offset(first, Encoding.UTF16)] + edit.typed + text[lines.offset(last, Encoding.UTF16) :]


@settings(max_examples=20)
@given(st.sampled_from([*LIBRARIES.values()]), st.lists(edits, min_size=1, max_size=3), st.integers(0, 99))
def test_answers_are_sound_on_any_texts(
    libraries: EditorSession, library: Library, typing: list[Edit], number: int
) -> None:
    paths = list(dict.fromkeys(path for path, *_ in (library.definition, *library.uses)))
    texts = dict(library.paths)
    with libraries.beside() as window:
        window.initialize(initializationOptions={"inlayHints": True})
        opened = set()
        for version, edit in enumerate(typing, 2):
            edited = paths[edit.file % len(paths)]
            if edited not in opened:
                window.open(edited, texts[edited])
                opened.add(edited)
            texts[edited] = typed(window, edited, texts[edited], version, edit)
            for path in paths:
                ask_everything(window, path, places(texts[path], library.lend, number))
        assert {path: window.session._documents.by_path[path].text for path in opened} == {
            path: texts[path] for path in opened
        }


def places(text: str, name: str, number: int) -> list[dict[str, int]]:
    """The place of a name in a text, and that of any other."""
    named = [{"line": line, "character": column} for _, line, column in occurrences({"": text}, name)]
    others = names_of(text, "utf-16")
    return named[-1:] + (others[number % len(others) :][:1] if others else [])


def ask_everything(window: EditorSession, path: str, names: list[dict[str, int]]) -> None:
    """Ask every method about a document."""
    for method in METHODS:
        for params in CASES[method](window, path, names):
            answer = window.answer(method, **params)
            if "error" in answer:
                assert answer["error"]["code"] != INTERNAL_ERROR, (method, answer)
            else:
                structured(answer, response_type(method))
                check_ranges(answer["result"])
