"""Language ids: the names by which editors and language servers call the languages of files.

Sources (2026-11-27): LSP 3.18, TextDocumentItem, at github.com/microsoft/language-server-protocol; what that table
lacks, from VS Code's known language identifiers, at github.com/microsoft/vscode-docs docs/languages/identifiers.md
(jsonc, plaintext, vue), or its extensions, at github.com/microsoft/vscode (restructuredtext); what all of them lack,
from github.com/anomalyco/opencode packages/opencode/src/lsp/language.ts (hcl, kotlin, svelte, terraform,
terraform-vars), or from github.com/ocamllabs/vscode-ocaml-platform package.json (ocaml.interface). Languages that none
of these has keep the names that they have here.
"""

from __future__ import annotations

import functools
from typing import Final

from .language import OTHER, languages

# only where it differs from the name of the language
_IDS: Final = {
    "bash": "shellscript",
    "make": "makefile",
    "objc": "objective-c",
    "ocaml_interface": "ocaml.interface",
    "rst": "restructuredtext",
    "text": "plaintext",
    "tsx": "typescriptreact",
}
# files that editors tell from others of their language
_IDS_OF_EXTENSIONS: Final = {
    ".jsonc": "jsonc",
    ".jsx": "javascriptreact",
    ".mm": "objective-cpp",
    ".sv": "systemverilog",
    ".svh": "systemverilog",
    ".tf": "terraform",
    ".tfvars": "terraform-vars",
    ".tofu": "terraform",
}


@functools.cache
def ids_by_extension() -> dict[str, str]:
    """Return the language id of every file extension that a language claims, by the extension with its dot."""
    return {
        extension: _IDS_OF_EXTENSIONS.get(extension, _id_of(language.name))
        for language in languages().values()
        for extension in language.extensions
    }


@functools.cache
def ids_by_file_name() -> dict[str, str]:
    """Return the language id of every file name that a language claims, whatever its extension."""
    return {
        name: _id_of(language.name)
        for language in languages().values()
        if language.name != OTHER
        for name in language.filenames
    }


def language_ids() -> list[str]:
    """Return every language id, in alphabetical order."""
    return sorted({*ids_by_extension().values(), *ids_by_file_name().values()})


@functools.cache
def _languages_by_id() -> dict[str, str]:
    of_extensions = {
        _IDS_OF_EXTENSIONS[extension]: language.name
        for language in languages().values()
        for extension in language.extensions
        if extension in _IDS_OF_EXTENSIONS
    }
    return of_extensions | {_id_of(name): name for name in languages()}


def language_with_id(language_id: str) -> str:
    """Return the language that editors call `language_id`; '' for an unknown one."""
    return _languages_by_id().get(language_id, "")


def _id_of(language: str) -> str:
    return _IDS.get(language, language)
