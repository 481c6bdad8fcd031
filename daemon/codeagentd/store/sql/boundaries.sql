-- Edges between languages and processes: what they are made from, and how they are kept. Kinds are those of model/kinds.py.
--
-- A boundary is a symbol of the kind 37 in a file of its own below zero. Its places (spans) are where it is declared, so that a file's range of references
-- holds the edges that begin at it. Edges of a file have the last numbers of its range.

-- :name facts
-- columns: file, path, language, symbols, facts. full scan of boundaries, which few files have
SELECT b.file, f.path, f.language, f.symbols, b.facts FROM boundaries b CROSS JOIN files f ON f.id = b.file WHERE b.facts <> x'' ORDER BY f.path;

-- :name files
-- columns: file, whether it has facts of its own
SELECT file, facts <> x'' FROM boundaries;

-- :name place
-- parameter: symbol. columns: file, line, column of its name. Primary key.
SELECT file, line, col FROM symbols WHERE id = ?;

-- :name any
-- parameters: files of boundaries (JSON array); index symbols_file: whether a file has some, or one is left that no file reaches any more
SELECT EXISTS (SELECT 1 FROM boundaries) OR EXISTS (SELECT 1 FROM symbols WHERE file IN (SELECT value FROM json_each(?)));

-- :name has
-- parameter: file
SELECT EXISTS (SELECT 1 FROM boundaries WHERE file = ?);

-- :name put
-- parameters: file, facts
REPLACE INTO boundaries(file, facts) VALUES (?, ?);

-- :name drop
-- parameter: file
DELETE FROM boundaries WHERE file = ?;

-- :name named_at
-- parameters: first and last id of the file's range. columns: line, column, target. A range of the primary key.
SELECT line, col, target FROM refs WHERE id BETWEEN ? AND ? AND target > 0 AND kind < 19;

-- :name symbols_at
-- parameter: file; index symbols_file. columns: line, column, symbol, the one around it
SELECT line, col, id, parent FROM symbols WHERE file = ?;

-- :name external_references
-- parameter: symbol outside of the repository; index refs_target. columns: file, line, column, source
SELECT id >> 20, line, col, source FROM refs WHERE target = ? AND kind < 19 AND kind <> 2;

-- :name paths
-- full scan of files: once for all scripts whose folder is computed
SELECT path FROM files WHERE id > 0;

-- :name edges
-- parameters: first and last id. columns: in their order. A range of the primary key.
SELECT id, key, target, source, kind, confidence, origin, line, col FROM refs WHERE id BETWEEN ? AND ? ORDER BY id;

-- :name nodes
-- parameter: file; index symbols_file. columns: number, name
SELECT id, name FROM symbols WHERE file = ?;

-- :name places
-- parameter: symbol. columns: file, line. Primary key.
SELECT file, line FROM spans WHERE symbol = ?;

-- :name drop_place
-- parameters: symbol, file, line
DELETE FROM spans WHERE symbol = ? AND file = ? AND line = ?;

-- :name put_file
-- parameters: id, path
INSERT OR IGNORE INTO files(id, path, language, status, size, resolved) VALUES (?, ?, '', 'boundary', 0, 1);
