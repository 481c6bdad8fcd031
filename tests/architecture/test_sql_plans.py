"""Every statement's plan: no full scan of a large table unless the statement's comment says "full scan" and why."""

from __future__ import annotations

import re
from collections.abc import Iterator

import apsw
import pytest

from codeagentd.store.connection import Database
from codeagentd.store.migrations import migrations
from codeagentd.store.statements import statements

LARGE = {
    "symbols",
    "refs",
    "files",
    "spans",
    "names",
    "imports",
    "facts",
    "memories",
    "links",
    "memory_vectors",
    "memory_bits",
    "anchors",
    "tasks",
    "audit",
    "calls",
}
KEYWORDS = {
    "on",
    "where",
    "join",
    "cross",
    "left",
    "order",
    "group",
    "set",
    "limit",
    "union",
    "inner",
    "natural",
    "using",
}
TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?", re.IGNORECASE)
SCAN = re.compile(r"^SCAN (\w+)(?! VIRTUAL TABLE)\b")
NAMED = re.compile(r"(?<![:\w]):([a-z_]\w*)")


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[apsw.Connection]]:
    """One database of each kind."""
    folder, made = tmp_path_factory.mktemp("plans"), []
    for kind in ("index", "blobs", "memory", "outbox"):
        connection = Database(folder / f"{kind}.db", writable=True).connection
        for script in migrations(kind):
            connection.execute(script)
        if kind == "index":
            for name in ("following.begin", "structural.begin"):  # tables of a connection that writes
                connection.execute(statements()[name])
        made.append(connection)
    yield made
    for connection in made:
        connection.close()


def code_of(statement: str) -> str:
    """A statement without its comments."""
    return "\n".join(line.partition("--")[0] for line in statement.splitlines())


def plan(databases: list[apsw.Connection], code: str) -> list[str]:
    """The steps of a statement's plan, in the database that has its tables."""
    names = NAMED.findall(code)
    values: dict[str, int] | tuple[int, ...] = dict.fromkeys(names, 1) if names else (1,) * code.count("?")
    complaints = []
    for connection in databases:
        try:
            return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {code}", values)]
        except apsw.SQLError as error:
            complaints.append(str(error))
    raise AssertionError(f"no database has its tables: {complaints}")


def scanned(steps: list[str], code: str) -> set[str]:
    """The large tables that a plan reads from end to end."""
    aliases = {
        alias.lower(): table.lower() for table, alias in TABLE.findall(code) if alias and alias.lower() not in KEYWORDS
    }
    found = {match[1].lower() for step in steps if (match := SCAN.match(step))}
    return {aliases.get(name, name) for name in found} & LARGE


@pytest.mark.parametrize("name", sorted(statements()))
def test_a_statement_reads_no_large_table_from_end_to_end_without_saying_why(
    name: str, databases: list[apsw.Connection]
) -> None:
    statement = statements()[name]
    code = code_of(statement)
    tables = scanned(plan(databases, code), code)
    assert not tables or "full scan" in statement.lower(), f"{name} scans {sorted(tables)}"


def test_a_scan_is_recognised_behind_an_alias_and_an_index(databases: list[apsw.Connection]) -> None:
    for code in (
        "SELECT s.name FROM symbols AS s",
        "SELECT key FROM symbols ORDER BY key",
        "SELECT 1 FROM files f JOIN refs r ON r.line = f.size",
    ):
        assert scanned(plan(databases, code), code)
    code = "SELECT r.id FROM refs r WHERE r.id BETWEEN ? AND ?"
    assert not scanned(plan(databases, code), code)


@pytest.mark.parametrize(
    "name", sorted(name for name, statement in statements().items() if "parent IS NULL" in code_of(statement))
)
def test_the_symbols_of_files_are_not_looked_for_among_those_of_all_files(
    name: str, databases: list[apsw.Connection]
) -> None:
    """Without a parent are as many symbols as there are files: SQLite takes an index on equality with NULL for one on any value."""
    assert not [step for step in plan(databases, code_of(statements()[name])) if "symbols_parent (parent=?" in step]


@pytest.mark.parametrize("name", ["vectors.due", "vectors.due_count"])
def test_the_symbols_that_are_due_for_a_vector_are_found_by_an_index_of_them_alone(
    name: str, databases: list[apsw.Connection]
) -> None:
    steps = plan(databases, code_of(statements()[name]))
    assert any("INDEX ranked_symbols_due" in step for step in steps), steps
    assert not [step for step in steps if "TEMP B-TREE" in step], steps
