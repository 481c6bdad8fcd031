"""Extraction of a text without a grammar: its sections or columns, and nothing else."""

from __future__ import annotations

from codeagentd.base.text import decode
from codeagentd.languages.language import languages
from codeagentd.model.facts import FileFacts

from .column_names import column_drafts
from .definitions.drafts import nest, section_drafts
from .definitions.text_outline import text_sections
from .positions import Places
from .symbol_facts import SymbolFacts


def text_facts(source: bytes, language: str) -> FileFacts:
    """Return the facts of a text in `language`, which no parser reads: symbols alone. Any encoding is read."""
    text = decode(source).replace("\r\n", "\n").encode(errors="replace")
    if not text.endswith(b"\n"):
        text += b"\n"  # no position lies at the very end
    chosen, places = languages()[language], Places(text)
    has_columns = chosen.rules.outline == "columns"
    drafts = column_drafts(text) if has_columns else section_drafts(text_sections(text, language), chosen)
    nest(drafts, chosen)
    for index, draft in enumerate(drafts, start=1):
        draft.index = index
    return FileFacts(
        language=language, status="full", lines=places.lines, symbols=SymbolFacts(text, chosen, places).facts(drafts),
        imports=[], exports=[], names=[], wide=False, columns=b"",
    )  # fmt: skip
