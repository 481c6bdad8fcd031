"""The extractor versions with which an index was written: files whose facts this version would extract differently are
read again; until then the index answers as it is.
"""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.languages.language import OTHER, languages
from codeagentd.languages.versions import version_of
from codeagentd.secrets.redaction import is_suspect, without_doubts
from codeagentd.store.connection import Database

RECORD: Final = "extractors"

_READ_AS_TEXT: Final = (OTHER, "text")


def renew(database: Database) -> tuple[str, ...]:
    """Save this build's extractor version of every language, and mark the files of those languages whose saved version
    differs. Returns these languages.

    A new language may claim any file that no other has claimed, or that was only read as text. An old version may have
    stored a secret; the data that it stored are overwritten on the disk.
    """
    now = {language: version_of(language) for language in languages()}
    recorded = database.value("writer.meta", (RECORD,))
    before: dict[str, int] = msgspec.json.decode(recorded) if recorded else now
    changed = tuple(language for language, version in now.items() if before.get(language) != version)
    has_new = bool(now.keys() - before.keys())
    if changed:
        database.overwrite_deleted()
    if changed or not recorded:
        with database.transaction():
            _forget_secrets(database)
            for language in (*changed, *(_READ_AS_TEXT if has_new else ())):
                database.run("writer.reread_language", (language,))
            if changed:
                database.run("writer.reread_failed")
                database.run("writer.distrust_unread")
            if has_new:
                database.run("writer.reread_unclaimed")
            database.run("writer.put_meta", (RECORD, msgspec.json.encode(now)))
    return changed


def _forget_secrets(database: Database) -> None:
    """Remove names that would not be stored now: names stay in the index when their symbols go."""
    for key, name in database.all("writer.all_names"):
        if is_suspect(name) and without_doubts(name, is_code=True) != name:
            database.run("writer.delete_trigrams", (key, name))
            database.run("writer.delete_name", (key,))
