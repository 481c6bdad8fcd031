"""Names as the index writes them, where the source writes them otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from codeagentd.languages.language import Language

from .symbols import Draft


def spell(drafts: Iterable[Draft], language: Language) -> None:
    """Write names as the index does, where the source writes them otherwise: `A::B`, `:lend`, `ll=`."""
    rules = language.symbols
    sign, separator = rules.path_sign.encode(), rules.separator.encode()
    literals, ends = rules.literals.encode(), rules.name_ends.encode()
    for draft in drafts if sign or literals or ends else ():
        if literals and draft.name.startswith(literals):
            draft.name, draft.name_start = draft.name[len(literals) :], draft.name_start + len(literals)
        if ends:
            draft.name = draft.name.partition(ends)[0]
            draft.name_end = draft.name_start + len(draft.name)
        if sign and sign in draft.name:
            draft.name = draft.name.replace(sign, separator)
