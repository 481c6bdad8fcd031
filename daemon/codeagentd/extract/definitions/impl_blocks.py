"""Rust's impl blocks: their members belong to a type of the same module, of another module, or of another crate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from codeagentd.extract.import_rules.imported import Rule
from codeagentd.model.kinds import TYPES, SymbolKind

from .draft import Draft

_PATH: Final = re.compile(r"(?:(?:crate|self|super|[^\W\d]\w*)::)*[^\W\d]\w*(?=\s*(?:<|$))")
_HERE: Final = ("crate", "self", "super")

Owners = dict[tuple[int, bytes], Draft]  # (module, name) -> type


def implement(drafts: Sequence[Draft], statements: Sequence[Node], rule: Rule) -> None:
    """Name each impl block in `drafts` after its type, so that the block becomes a position of the type. The methods of
    the block get its trait into their keys.

    A block for a type of another module is a stub, and the type of the stub is the path of that type. If no path of
    this repository leads to the type, the block is a definition with the name `<u32 as Lend>`, as such paths are
    written (The Rust Reference, "Qualified paths").
    """
    blocks = [draft for draft in drafts if "implementation" in draft.modifiers]
    for block in blocks:
        block.is_stub = True
    members: dict[int, list[Draft]] = {}
    for draft in drafts:
        if draft.parent is not None:
            members.setdefault(id(draft.parent), []).append(draft)
        draft.bases = tuple([base.replace("::", ".") for base in draft.bases])
        if draft.kind == SymbolKind.METHOD and "self" not in draft.modifiers:
            draft.modifiers += ("associated",)
    if not blocks:
        return
    owners = {
        (id(draft.parent), draft.name): draft for draft in reversed(drafts) if draft.kind in TYPES and not draft.is_stub
    }
    used = {
        item.local: f"{item.module}::{item.name}" if item.name else item.module
        for statement in statements
        for item in rule(statement)
        if item.local
    }
    for block in blocks:
        trait, block.header = block.header.strip(), ""
        _name(block, trait, owners, used)
        for member in members.get(id(block), ()):
            member.header = f"{trait} " if trait else ""
            if trait:
                member.modifiers += ("provided",)


def _name(block: Draft, trait: str, owners: Owners, used: dict[str, str]) -> None:
    """Name a block after its type. No `owner` is set then: the block is a position of the type."""
    match = _PATH.match(block.owner)
    path, text, block.owner = match[0] if match else "", block.owner, ""
    head, _, rest = path.partition("::")
    name = path.rpartition("::")[2].encode()
    if path and not rest and (id(block.parent), name) in owners:
        block.name = name
        return
    whole = f"{used[head]}::{rest}" if head in used and rest else used.get(head, path if head in _HERE and rest else "")
    if path and whole.startswith(("crate::", "self::", "super::")):
        block.name, block.type = whole.rpartition("::")[2].encode(), whole
        block.bases = tuple([_absolute(base, block, owners, used) for base in block.bases])
        return
    block.is_stub = False
    shown = " ".join(text.split())
    block.name = (f"<{shown} as {trait}>" if trait else f"<{shown}>").encode()


def _absolute(base: str, block: Draft, owners: Owners, used: dict[str, str]) -> str:
    """Return the absolute path of a trait; a trait of this file is `self.Trait`."""
    head, _, rest = base.partition(".")
    if (id(block.parent), head.encode()) in owners:
        return f"self.{base}"
    path = used.get(head, head).replace("::", ".")
    return f"{path}.{rest}" if rest else path
