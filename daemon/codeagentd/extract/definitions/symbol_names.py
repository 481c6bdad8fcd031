"""Symbol names: the rules of languages by which the text of a name becomes the name of a symbol."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from codeagentd.model.kinds import SymbolKind


class Named(Protocol):
    """The parts of a definition that the naming rules read and set."""

    name: bytes
    name_start: int
    name_end: int
    kind: int
    header: str
    start: int
    modifiers: tuple[str, ...]
    bases: tuple[str, ...]


Rule = Callable[[Sequence[Named]], None]

_QUOTES: Final = b"\"'`"


def quoted(drafts: Sequence[Named]) -> None:
    """Remove the quotes around the names of `drafts`."""
    for draft in drafts:
        draft.name = unquoted(draft.name.decode(errors="replace")).encode()


def terraform(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in Terraform: the address by which a configuration refers to a block, `var.region`,
    `aws_instance.web`.

    Source: Terraform language, "References to Named Values".
    """
    for draft in drafts:
        if draft.kind == SymbolKind.CONSTANT:
            draft.name = b"local." + draft.name
        elif draft.name:
            head, *rest = (part for word in draft.name.split() if (part := word.strip(_QUOTES)))
            draft.name = b".".join([word for word in (_HEADS.get(head, head), *rest) if word])


def html(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in HTML: the id of an element, else the tag of a landmark or of a custom element. Other
    elements are no symbols.

    Source: HTML Living Standard, "Sections", "Valid custom element name"; WAI-ARIA 1.2, "Landmark Roles".
    """
    for draft in drafts:
        tag = draft.modifiers[0] if draft.modifiers else ""
        if not draft.name and (tag in _LANDMARKS or "-" in tag):
            draft.name, draft.name_start = tag.encode(), draft.start + 1
            draft.name_end = draft.name_start + len(tag)


def folded(drafts: Sequence[Named]) -> None:
    """Fold the white space in the names of `drafts`, which may span several lines."""
    for draft in drafts:
        draft.name = b" ".join(draft.name.split())


def make(drafts: Sequence[Named]) -> None:
    """Mark the targets among `drafts` in Make, as a target and a variable may have the same name."""
    for draft in drafts:
        if draft.kind == SymbolKind.TARGET:
            draft.header = "target"


def namespaced(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in PHP: join the parts of a namespace's name, `App\\Models`, by dots."""
    for draft in drafts:
        draft.name = draft.name.replace(b"\\", b".")


def ruby(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in Ruby. The name of a class may be a path, `App::Shelf`, and that of a method a
    literal, `:lend`.
    """
    for draft in drafts:
        if draft.name.startswith(b":"):
            draft.name, draft.name_start = draft.name.removeprefix(b":"), draft.name_start + 1
        draft.name = draft.name.replace(b"::", b".")


def paths(drafts: Sequence[Named]) -> None:
    """Set the names and bases of `drafts` where names are paths, `Library::Shelf`: join their parts by dots."""
    for draft in drafts:
        draft.name = _dotted(draft.name.decode(errors="replace")).encode()
        draft.bases = tuple(map(_dotted, draft.bases))


def powershell(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in PowerShell: without the scope that may stand before them, `script:Get-Shelf`, and of
    properties without the sign of a variable.
    """
    for draft in drafts:
        draft.name = _unscoped(draft.name.decode(errors="replace")).encode()
        if draft.kind == SymbolKind.FIELD:
            draft.name = draft.name.removeprefix(b"$")


def elixir(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in Elixir: a field without the sign of its atom or key, a nested module without its
    outer one, and the implementation of a protocol (the header is the type) with both names.
    """
    for draft in drafts:
        if draft.name.startswith(b":"):
            draft.name, draft.name_start = draft.name.removeprefix(b":"), draft.name_start + 1
        elif draft.kind == SymbolKind.FIELD:
            draft.name = draft.name.rstrip(b": \t\r\n")
            draft.name_end = draft.name_start + len(draft.name)
        elif draft.kind == SymbolKind.MODULE:
            draft.name = b".".join([draft.name.removeprefix(b"__MODULE__."), *draft.header.encode().split()])


def bash(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in Bash: the part before the `=` of a word that defines a name, `ll='ls -l'`."""
    for draft in drafts:
        draft.name = draft.name.partition(b"=")[0]
        draft.name_end = draft.name_start + len(draft.name)


def generic(drafts: Sequence[Named]) -> None:
    """Set the names of `drafts` in generic languages: without the quotes around them, and the signs that end them."""
    for draft in drafts:
        draft.name = draft.name.rstrip(b" \t.:=,;({").strip(b"\"'`")


_LANDMARKS: Final = frozenset(
    {"main", "nav", "header", "footer", "aside", "section", "article", "search", "form", "dialog", "template"}
)
_HEADS: Final = {b"variable": b"var", b"resource": b""}


def as_written(drafts: Sequence[Named]) -> None:
    """Leave the names of `drafts` as written."""


def unquoted(name: str) -> str:
    """Return `name` without the quotes around it."""
    return name[1:-1] or name if name[:1] in _OPENING and len(name) > 1 else name


def _unscoped(name: str) -> str:
    return _SCOPE.sub(r"\1", name)


def _dotted(name: str) -> str:
    return name.removeprefix("::").replace("::", ".")


# PowerShell documentation, about_Scopes
_SCOPE: Final = re.compile(r"^(\$?)(?:global|local|private|script|using):", re.IGNORECASE)
_OPENING: Final = frozenset("\"'`[")
REFERENCE_NAMES: Final[dict[str, Callable[[str], str]]] = {
    "paths": _dotted, "powershell": _unscoped, "quoted": unquoted,
}  # fmt: skip  # the names of references, by rule
RULES: Final[dict[str, Rule]] = {
    "bash": bash,
    "elixir": elixir,
    "folded": folded,
    "generic": generic,
    "html": html,
    "make": make,
    "namespaced": namespaced,
    "none": as_written,
    "paths": paths,
    "powershell": powershell,
    "quoted": quoted,
    "ruby": ruby,
    "terraform": terraform,
}
