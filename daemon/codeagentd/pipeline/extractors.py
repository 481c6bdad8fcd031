"""Which files has an older version read otherwise than this one would? They are read again; until then the index answers as it is."""

from __future__ import annotations

from typing import Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.languages.versions import version_of
from codeagentd.store.connection import Database

RECORD: Final = "extractors"


def renew(database: Database) -> tuple[str, ...]:
    """Note the version of every language, and mark the files of those whose version was another; which these are.

    A language that is new may claim any file that none has claimed.
    """
    now = {language: version_of(language) for language in languages()}
    said = database.value("writer.meta", (RECORD,))
    before: dict[str, int] = msgspec.json.decode(said) if said else now
    changed = tuple(language for language, version in now.items() if before.get(language) != version)
    if changed or not said:
        with database.transaction():
            for language in changed:
                database.run("writer.reread_language", (language,))
            if changed:
                database.run("writer.reread_failed")
            if now.keys() - before.keys():
                database.run("writer.reread_unclaimed")
            database.run("writer.put_meta", (RECORD, msgspec.json.encode(now)))
    return changed
