"""The identifiers of languages that editors send, for documents whose names do not tell their language."""

from __future__ import annotations

from codeagentd.languages.language import languages


def language_named(language_id: str) -> str:
    """Return the language that a client calls `language_id`; '' for an unknown one."""
    return language_id if language_id in languages() else ""
