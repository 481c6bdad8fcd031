"""Everything that an index says, so that two of them can be compared."""

from __future__ import annotations

from pathlib import Path

from codeagentd.store.connection import Database


def content(index: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything the index says, without row numbers and ids."""
    database = Database(index)
    query = database.connection.execute
    try:
        return {
            "files": sorted(
                query(
                    "SELECT path, language, status, reason, generated, size, digest, module, import_name, names, resolved FROM files WHERE id > 0"
                )
            ),
            "symbols": sorted(
                query(
                    "SELECT f.path, s.qualified_name, s.kind, s.flags, s.line_start, s.line_end, s.line, s.col, s.access, s.signature, s.parameters,"
                    " s.returns, s.bases, s.type, p.qualified_name, p.kind FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent"
                    " WHERE s.id > 0"
                ),
                key=repr,
            ),
            "spans": sorted(
                query(
                    "SELECT s.qualified_name, f.path, p.line_start, p.line_end, p.line FROM spans p JOIN symbols s ON s.id = p.symbol"
                    " JOIN files f ON f.id = p.file"
                )
            ),
            "imports": sorted(
                query(
                    "SELECT f.path, i.local, i.module, i.name, i.exported FROM imports i JOIN files f ON f.id = i.id >> 20"
                )
            ),
            "refs": sorted(
                query(
                    "SELECT f.path, r.line, r.col, r.key, r.kind, r.confidence, r.origin, t.qualified_name, t.kind, tf.path, s.qualified_name FROM refs r"
                    " JOIN files f ON f.id = r.id >> 20 JOIN symbols s ON s.id = r.source LEFT JOIN symbols t ON t.id = r.target"
                    " LEFT JOIN files tf ON tf.id = t.file"
                ),
                key=repr,
            ),
            "lost": list(
                query(
                    "SELECT r.id FROM refs r LEFT JOIN symbols t ON t.id = r.target LEFT JOIN symbols s ON s.id = r.source"
                    " WHERE (r.target IS NOT NULL AND t.id IS NULL) OR s.id IS NULL"
                )
            ),
            "words": sorted(query("SELECT rowid FROM symbols_fts WHERE rowid NOT IN (SELECT id FROM symbols)")),
        }
    finally:
        database.close()
