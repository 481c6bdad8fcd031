"""The import rule of Clojure: the namespaces that a namespace requires and uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.import_rules.imported import Imported, Statement, text_of
from codeagentd.extract.syntax_nodes import children

_CLAUSES: Final = frozenset({":require", ":use", ":require-macros"})
_CALLS: Final = frozenset({"require", "use", "require-macros"})
_LISTS: Final = frozenset({"list_lit", "vec_lit"})
_CONDITIONS: Final = frozenset({"read_cond_lit", "splicing_read_cond_lit", "quoting_lit"})
_ALL: Final = "*"


def clojure(statement: Node) -> Statement:
    """Return the imports of the form `statement`: (ns a (:require [b.c :as c :refer [d]] b.e [b [f :as f]])), and
    (require '[b.c :as c]).

    A namespace that is used as a whole is imported with the name `*`.
    """
    head, *rest = children(statement)
    if text_of(head) in _CALLS:
        for form in rest:
            yield from _library(form, "", is_used=text_of(head) == "use")
        return
    for clause in _forms(rest):
        parts = children(clause) if clause.type == "list_lit" else []
        if parts and text_of(parts[0]) in _CLAUSES:
            for form in parts[1:]:
                yield from _library(form, "", is_used=text_of(parts[0]) == ":use")


def _forms(forms: list[Node]) -> Iterator[Node]:
    """List these forms, and those that a condition of the reader selects."""
    for form in forms:
        if form.type in _CONDITIONS:
            yield from _forms(children(form))
        else:
            yield form


def _library(form: Node, prefix: str, *, is_used: bool) -> Statement:
    if form.type in _CONDITIONS:
        for inner in children(form):
            yield from _library(inner, prefix, is_used=is_used)
        return
    parts = children(form) if form.type in _LISTS else [form]
    if not parts or parts[0].type != "sym_lit":
        return
    named = parts[0].child_by_field_name("name") or parts[0]
    whole = prefix + text_of(named)
    if len(parts) > 1 and parts[1].type in _LISTS:  # (shop [store :as store] desk)
        for inner in parts[1:]:
            yield from _library(inner, f"{whole}.", is_used=is_used)
        return
    options = {text_of(key): value for key, value in zip(parts[1::2], parts[2::2], strict=False)}
    yield from _names(whole, named, options, is_used=is_used)


def _names(whole: str, named: Node, options: dict[str, Node], *, is_used: bool) -> Statement:
    """List the imports of one namespace: itself, by its alias or not, and what is referred to by bare name."""
    at, (outer, _, last) = named.start_byte, whole.rpartition(".")
    alias = text_of(options.get(":as") or options.get(":as-alias"))
    yield Imported(outer or last, last if outer else "", alias, at, at)
    chosen = [options[key] for key in (":refer", ":only", ":refer-macros") if key in options]
    for names in chosen:
        for name in children(names) if names.type in _LISTS else ():
            yield Imported(whole, text_of(name), text_of(name), name.start_byte, at)
    if any(text_of(names) == ":all" for names in chosen) or (is_used and not chosen):
        yield Imported(whole, _ALL, "", at, at)
