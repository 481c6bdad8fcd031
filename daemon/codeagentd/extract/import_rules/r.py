"""The import rule of R: files that are sourced."""

from __future__ import annotations

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import first_of

from .imported import Imported, Statement, text_of


def r(statement: Node) -> Statement:
    """Return the import of `statement`: source("R/helper.R")."""
    argument = first_of(statement.child_by_field_name("arguments"))
    value = argument.child_by_field_name("value") if argument is not None else None
    if value is not None:
        yield Imported(text_of(value).strip("'\""), "*", "", value.start_byte, value.start_byte + 1)
