"""Symbol facts: the definitions of a file in the form in which facts keep them."""

from __future__ import annotations

from typing import Final

from codeagentd.extract.definitions.c_declarators import is_declared
from codeagentd.extract.definitions.call_signatures import type_of_signatures
from codeagentd.extract.definitions.declaration_merging import result_of_signatures
from codeagentd.extract.definitions.draft import CALLABLES, Draft
from codeagentd.extract.definitions.overload_keys import identity_of
from codeagentd.extract.definitions.shared_symbols import is_shared
from codeagentd.extract.definitions.symbol_attributes import (
    body_digest,
    flags_of,
    kind_of,
    position,
    shorten,
    signature_of,
)
from codeagentd.extract.definitions.visibility import RULES as ACCESS_RULES
from codeagentd.languages.language import Language
from codeagentd.model.facts import SymbolFact
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind

from .positions import Places
from .syntax_nodes import text_of

PUBLIC_API: Final = int(SymbolFlag.PUBLIC_API)  # plain numbers: enum arithmetic is slow
EXPORTED: Final = int(SymbolFlag.EXPORTED)
OVERLOADED: Final = int(SymbolFlag.OVERLOADED)
LOCAL_FLAG: Final = int(SymbolFlag.LOCAL)
QUOTES: Final = "`"  # around names that would be words of the language


class SymbolFacts:
    """Makes the symbol facts of one file from its merged and numbered drafts."""

    def __init__(self, source: bytes, language: Language, places: Places) -> None:
        self._source = source
        self._language = language
        self._places = places
        self._access = ACCESS_RULES[language.rules.access]
        self._has_declarators = language.rules.declarators == "c"

    def facts(self, drafts: list[Draft]) -> list[SymbolFact]:
        """Return the fact of the file itself, then those of its definitions `drafts`."""
        file = SymbolFact("", int(SymbolKind.FILE), -1, 1, max(1, self._places.lines), 1, 0, body=0)
        return [file, *[self.fact(draft) for draft in drafts]]

    def fact(self, draft: Draft) -> SymbolFact:
        """Return the fact of the definition `draft`."""
        language, source = self._language, self._source
        name, owner = draft.name.decode(errors="replace").strip(QUOTES), ""
        signature, parameters = signature_of(draft.parameters, source) if draft.parameters else (None, None)
        first, last, line, column = position(draft, self._places)
        flags = (
            flags_of(draft, language) if draft.documented or draft.modifiers or draft.decorators or draft.bases else 0
        )
        access, public = self._access(name, draft, language)
        if public:
            flags |= PUBLIC_API
        if "export" in draft.modifiers:
            flags |= EXPORTED
        if draft.closure:
            flags |= LOCAL_FLAG
        if signature and "=>" in signature and any(place.parameters for place in draft.more):
            flags |= OVERLOADED
        text = text_of(draft.returns, source) if draft.returns else draft.returned
        if not text and draft.more:
            text = result_of_signatures(draft, source)
        returns = shorten(text, is_type=True).lstrip(": ") if text else None
        if self._has_declarators:
            if draft.kind in CALLABLES:
                returns, draft.type = shorten(draft.type) or None, ""
            owner = "" if draft.is_adopted else draft.owner
        type_ = ""
        if draft.type:
            type_ = shorten(draft.type, is_type=True)
        elif draft.signatures or draft.more:
            type_ = self._call_signatures(draft)
        return SymbolFact(
            name, kind_of(draft), draft.parent.index if draft.parent else 0, first, last, line, column, flags, access,
            signature, parameters, returns, identity_of(draft, language),
            0 if draft.is_stub or is_declared(draft) else body_digest(draft, source), draft.bases, type_,
            bool(language.symbols.shared) and is_shared(draft, language),
            tuple([position(place, self._places)[:3] for place in draft.more]) if draft.more else (), owner,
        )  # fmt: skip

    def _call_signatures(self, draft: Draft) -> str:
        """Return the call signatures of a type, at all of its positions."""
        signatures = [node for place in (draft, *draft.more) for node in place.signatures]
        return (
            type_of_signatures(signatures, self._language.types.transparent)
            if signatures and draft.kind in TYPES
            else ""
        )
