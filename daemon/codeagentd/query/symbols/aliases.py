"""Definitions under the other names that imports and exports give them: `export { load as fetch }`, `from .pricing
import total as grand_total`.
"""

from __future__ import annotations

from typing import Final

from codeagentd.model.ids import name_key, numbers_of
from codeagentd.store.connection import Database

from .lookup import SEPARATORS, Subject

FILES: Final = 50  # files with another name for a symbol that are examined


def aliased(db: Database, name: str) -> list[Subject]:
    """Return the definitions that other files export or import under `name`, exports before imports. The name may
    follow the end of the path of the exporting module.

    Definitions outside of the repository are left out.
    """
    *qualifiers, last = SEPARATORS.sub(".", name).split(".")
    suffix = "." + ".".join(qualifiers)
    rows = [
        row
        for row in db.all("symbols.exported_as", (last,))
        if not qualifiers or _is_end(suffix, row[1]) or _is_end(suffix, row[2])
    ]
    result: dict[int, Subject] = {}
    for exported in (1, 0):
        for file, _, _, original, is_exported in rows[:FILES]:
            if is_exported == exported:
                result |= {subject.id: subject for subject in _defined(db, file, original)}
        if result:
            break
    return list(result.values())


def _is_end(suffix: str, module: str) -> bool:
    return bool(module) and f".{SEPARATORS.sub('.', module.replace('/', '.'))}".endswith(suffix)


def _defined(db: Database, file: int, original: str) -> list[Subject]:
    first, last = numbers_of(file)
    rows = db.all("symbols.bound_in", {"file": file, "first": first, "last": last, "key": name_key(original)})
    return [Subject(*row) for row in rows]
