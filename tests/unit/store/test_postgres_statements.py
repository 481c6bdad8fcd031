"""The statements of a team's server: those of the memories, each understood by PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from codeagentd.store.postgres.postgres_connection import PACKAGE
from codeagentd.store.statements import statements
from tests.harness.postgres import OWNER, missing
from tests.harness.team import server

AREAS = {"memory", "tasks", "anchors", "recall", "code_chunks", "reflection"}
OF_THE_INDEX = {  # in index.db, which is never on a server
    "tasks.calls_between", "anchors.file", "anchors.file_by_digest", "anchors.body", "anchors.by_body", "code_chunks.file",
    "code_chunks.definitions", "code_chunks.uses", "reflection.symbol_at", "reflection.files_ending",
}  # fmt: skip
PARAMETER = re.compile(rb"%s|%\((\w+)\)s")


@pytest.fixture(scope="module")
def connection() -> Iterator[psycopg.Connection]:
    database = server().migrated()
    with psycopg.connect(server().url(database, OWNER), autocommit=True) as connection:
        connection.execute("SET search_path = codeagent, public")
        yield connection
    server().drop(database)


def test_both_databases_have_the_statements_of_memories_except_for_search() -> None:
    local, remote = (
        {name for name in names if name.partition(".")[0] in AREAS - {"recall"}} - OF_THE_INDEX
        for names in (statements(), statements(PACKAGE))
    )
    assert local - remote == set()
    assert remote - local == {"tasks.renew"}


@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.parametrize("name", sorted(set(statements(PACKAGE)) - {"recall.cosines", "recall.put_embedding"}))
def test_the_server_understands_a_statement(name: str, connection: psycopg.Connection) -> None:
    text = statements(PACKAGE)[name].encode()
    numbers: dict[bytes, int] = {}

    def numbered(match: re.Match[bytes]) -> bytes:
        key = match[1] or str(match.start()).encode()
        return b"$%d" % numbers.setdefault(key, len(numbers) + 1)

    code = b"\n".join(line for line in PARAMETER.sub(numbered, text).splitlines() if not line.startswith(b"--"))
    prepared = connection.pgconn.prepare(b"", code)
    assert prepared.status == psycopg.pq.ExecStatus.COMMAND_OK, prepared.error_message.decode()
