"""The import rule of Kotlin: imports."""

from __future__ import annotations

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import first_of

from .imported import Imported, Statement, text_of


def kotlin(statement: Node) -> Statement:
    """Return the imports of the import `statement`: import a.b.C; import a.b.C as D; import a.b.*. Words may be in back
    quotes.

    The types along the path are imported without a name. The first part that is a type is recognised by its case:
    Kotlin coding conventions, "Naming rules".
    """
    path = next((child for child in statement.named_children if child.type == "identifier"), None)
    if path is None or not path.named_children:
        return
    parts = [child for child in path.named_children if child.type == "simple_identifier"]
    names = [text_of(part).strip("`") for part in parts]
    if any(child.type == "wildcard_import" for child in statement.named_children):
        yield Imported(".".join(names), "*", "", path.start_byte, path.start_byte)
    else:
        alias = next((child for child in statement.named_children if child.type == "import_alias"), None)
        local = text_of(first_of(alias)).strip("`") if alias else names[-1]
        yield Imported(".".join(names[:-1]), names[-1], local, parts[-1].start_byte, path.start_byte)
    for at in range(len(names) - 2, -1, -1):
        if not names[at][:1].isupper():
            break
        yield Imported(".".join(names[:at]), names[at], "", parts[at].start_byte, path.start_byte)
