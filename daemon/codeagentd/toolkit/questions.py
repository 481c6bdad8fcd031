"""What a call asks about, as far as the values of its arguments tell: names, files, and words to search for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, Final

from codeagentd.languages.language import language_of, languages
from codeagentd.model.ids import uid_of
from codeagentd.model.on_demand import Question

from .context import Context
from .path_arguments import at_line, readings
from .tool import Effect, Tool

# parameters that narrow, page or place an answer; all other texts are what it is about
BESIDE: Final = frozenset(
    {
        "base", "context_filter", "context_path", "cursor", "kind", "project_id", "relation_filter", "relations",
        "repo", "rev1", "rev2", "to",
    }
)  # fmt: skip
SEARCHING: Final = frozenset({"retrieval"})  # toolsets that search the text of files
# toolsets whose answers follow from the file, or from the definition
DESCRIBING: Final = frozenset({"files", "symbols"})
MOST_NAMES: Final = 8
MOST_WORDS: Final = 6  # words of a text that are searched for: the search takes as long as there are different ones
SHORTEST_WORD: Final = 4  # characters; shorter words are in most files

_PACKAGES: Final = frozenset({"__init__", "index", "mod", "lib"})  # files that stand for their folder

_NAME: Final = re.compile(r"[\w$]+")
_QUALIFIED: Final = re.compile(r"[\w$~@]+(?:(?:::|->|[.#\\/:])[\w$~@]+)*(?:\(.*\))?")
_SEPARATORS: Final = re.compile(r"::|->|[.#\\/:]")


def question_of(tool: Tool, ctx: Context, arguments: object) -> Question:
    """Return what a call of `tool` with these arguments, which are not checked yet, asks about; an empty question where
    it names nothing, or writes.
    """
    if tool.effect is not Effect.READ or not tool.needs_index or not isinstance(arguments, dict):
        return Question()
    names: dict[str, None] = {}
    paths: dict[str, None] = {}
    words: dict[str, None] = {}
    ids: dict[bytes, None] = {}
    for text in _texts(tool, arguments):
        if uid := uid_of(text):  # a name may look like one
            ids[uid] = None
        if files := _files(ctx, text):
            paths.update(dict.fromkeys(files))
            if tool.toolset not in DESCRIBING:
                names.update(dict.fromkeys(map(_name_in_imports, files)))
        elif _QUALIFIED.fullmatch(text):
            if parts := _NAME.findall(_SEPARATORS.split(text.partition("(")[0])[-1]):
                names[parts[-1]] = None
        else:
            words.update(dict.fromkeys(_telling_words(text)))
    return Question(
        tuple(names)[:MOST_NAMES], tuple(paths), tuple(words)[:MOST_WORDS], tuple(ids),
        needs_text=tool.toolset in SEARCHING, needs_uses=tool.toolset not in DESCRIBING,
    )  # fmt: skip


def _texts(tool: Tool, arguments: dict[str, Any]) -> Iterator[str]:
    for name, value in arguments.items():
        schema = tool.input_schema["properties"].get(name, {})
        if name not in BESIDE and "enum" not in schema:
            for text in value if isinstance(value, list) else (value,):
                if isinstance(text, str) and text.strip():
                    yield text.strip()


def _files(ctx: Context, text: str) -> list[str]:
    """Return the files that a text may be the path of; none for any other text, which may be a qualified name."""
    text = (at_line(text) or (text, 0))[0]
    if any(map(str.isspace, text)) or not ("." in text or "/" in text):
        return []
    return [path for path in readings(ctx, text) if os.path.isfile(ctx.root / path)]


def _name_in_imports(path: str) -> str:
    """Return the word by which other files import the file at `path`: its name, where imports name files, else the
    name of the module or package.
    """
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    language = languages().get(language_of(path) or "")
    if language is not None and language.modules.is_pasted:
        return name
    return folder.rpartition("/")[2] if stem in _PACKAGES and folder else stem


def _telling_words(text: str) -> list[str]:
    """Return the words of a text that tell most by their form: identifiers of several words first, then long words."""
    words = [word for word in dict.fromkeys(_NAME.findall(text)) if len(word) >= SHORTEST_WORD]
    return sorted(words, key=lambda word: (not ("_" in word.strip("_") or word[1:].lower() != word[1:]), -len(word)))
