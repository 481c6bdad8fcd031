"""Language support: the features that each language's data cover, and the number of marked cases that test it.

`data/cases.json` counts the cases; `make docs` writes this file and a test compares it.
"""

from __future__ import annotations

import functools
import re
from importlib import resources
from typing import Final

import msgspec

from .language import GENERIC, Language, languages, query_files
from .measured import Measured, measured

CASES: Final = "cases.json"
_COMMENT: Final = re.compile(r"^\s*;.*$", re.MULTILINE)
_DEFINED: Final = re.compile(r"@def\.(\w+)")
_REFERRED: Final = re.compile(
    r"@(?:ref|region)\.(call|type|accepts|returns|inherit|implement|extend|decorate|read|write|reexport)\b"
)
_ASSIGNED: Final = {"@bind.define": ("variable", "constant"), "@bind.member": ("field",)}


class Proof(msgspec.Struct, frozen=True):
    """The numbers of a language's marked cases, of their expectations by part, and of the expectations that are known
    to fail.
    """

    cases: int = 0
    definitions: int = 0
    references: int = 0
    imports: int = 0
    receivers: int = 0
    gaps: int = 0


class Support(msgspec.Struct, frozen=True):
    """The support of one language, and how much of what other tools find it has, where that was measured.

    `imports` and `parts` name the rules that read them, 'none' without a rule; `receivers`: whether members are looked
    up by their receivers.
    """

    language: str
    tier: str
    files: tuple[str, ...]
    definitions: tuple[str, ...]
    references: tuple[str, ...]
    imports: str
    receivers: bool
    parts: str
    proof: Proof
    measured: Measured | None = None


def support() -> list[Support]:
    """Return the support of every language, by name."""
    proofs = proof()
    return [_support(language, proofs.get(language.name, Proof())) for language in languages().values()]


@functools.cache
def proof() -> dict[str, Proof]:
    """Return the counts of the marked cases by language; empty before they are counted."""
    file = resources.files("codeagentd.languages") / "data" / CASES
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Proof]) if file.is_file() else {}


def _support(language: Language, proven: Proof) -> Support:
    text = _COMMENT.sub("", "\n".join(file.text for file in query_files(language.name)))
    defined = {
        *_DEFINED.findall(text),
        *(kind for capture, kinds in _ASSIGNED.items() if capture in text for kind in kinds),
    }
    referred = set(_REFERRED.findall(text))
    if "@ref" in text:
        referred |= {"read"} | ({"call"} if language.symbols.call_sign else set())
    if "@section." in text or language.headings.marked or language.headings.underlines:
        defined.add(language.symbols.section)
    if language.rules.outline == "columns":
        defined.add("key")
    if language.symbols.file == "component":
        defined.add("component")
    has_receivers = any(sign in text for sign in ("@receiver", "@member", "@ref.dotted")) or bool(
        language.receivers.self_words
    )
    return Support(
        language.name, language.tier, (*language.filenames, *language.extensions), tuple(sorted(defined)),
        tuple(sorted(referred)), language.rules.imports, has_receivers, language.rules.parts, proven,
        measured().get(language.name),
    )  # fmt: skip


def rows() -> list[list[str]]:
    """Return the rows of the language support table, with the columns HEADING: numbers of tested expectations, '-' for
    a feature that the language lacks. Generic languages have `generic_rows` instead.
    """
    return [_row(entry) for entry in support() if entry.tier != GENERIC]


HEADING: Final = ("language", "tier", "files", "definitions", "references", "imports", "receivers", "known gaps")


def _row(entry: Support) -> list[str]:
    counts = entry.proof
    mixed = entry.parts != "none"
    cells = (
        (bool(entry.definitions) or mixed, counts.definitions),
        (bool(entry.references) or mixed, counts.references),
        (entry.imports != "none" or mixed, counts.imports),
        (entry.receivers, counts.receivers),
    )
    return [
        entry.language,
        entry.tier,
        " ".join(entry.files),
        *(f"{number:,}" if there else "-" for there, number in cells),
        f"{counts.gaps:,}",
    ]
