"""Named SQL: loads store/sql/<area>.sql once and returns statements by `area.name`; those of PostgreSQL are in
store/postgres/sql.

In these files a statement begins with a line `-- :name <name>` and comment lines with its parameters, columns and
index.
"""

from __future__ import annotations

import functools
from importlib import resources


@functools.cache
def statements(package: str = "codeagentd.store") -> dict[str, str]:
    """Return every statement in the folder `sql` of `package` by its full name, `area.name`."""
    result: dict[str, str] = {}
    for file in (resources.files(package) / "sql").iterdir():
        if not file.name.endswith(".sql"):
            continue
        area = file.name.removesuffix(".sql")
        for part in file.read_text(encoding="utf-8").split("-- :name ")[1:]:
            name, _, text = part.partition("\n")
            result[f"{area}.{name.strip()}"] = text.strip()
    return result


def sql(name: str) -> str:
    """Return the text of the statement with this full name. A KeyError means that no file has it."""
    return statements()[name]
