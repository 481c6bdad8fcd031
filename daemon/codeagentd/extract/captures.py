"""The captures of a language's query in one file: the nodes by capture name."""

from __future__ import annotations

from tree_sitter import Node

Captures = dict[str, list[Node]]
