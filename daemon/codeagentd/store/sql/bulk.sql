-- A first index: its rows as they come, and how they are put in order at the end.

-- :name put_span
-- parameters: symbol, file, line_start, line_end, line
INSERT INTO bulk_spans(symbol, file, line_start, line_end, line) VALUES (?, ?, ?, ?, ?);

-- :name sort_spans
-- full scan: once, at the end of a first index
INSERT OR IGNORE INTO spans(symbol, file, line_start, line_end, line)
SELECT symbol, file, line_start, line_end, line FROM bulk_spans ORDER BY symbol, file, line_start, line;

-- :name drop_spans
DELETE FROM bulk_spans;

-- :name put_part
-- parameters: symbol, file, the row as MessagePack
INSERT INTO bulk_parts(symbol, file, row) VALUES (?, ?, ?);

-- :name parts
-- full scan: once, at the end of a first index. columns: symbol, file, row; in the order of symbols, paths and lines
SELECT p.symbol, p.file, p.row FROM bulk_parts p JOIN files f ON f.id = p.file ORDER BY p.symbol, f.path, p.rowid;

-- :name drop_parts
DELETE FROM bulk_parts;

-- :name shared_ids
-- full scan of symbols: when a first index that was interrupted goes on. columns: uid, symbol
SELECT uid, id FROM symbols WHERE shared = 1 ORDER BY uid;

-- :name repeated_uids
-- full scan of symbols: once, at the end of a first index. Symbols of different files with the same uid. columns: symbol, uid, path
SELECT s.id, s.uid, f.path FROM symbols s JOIN files f ON f.id = s.file
WHERE s.uid IN (SELECT uid FROM symbols GROUP BY uid HAVING count(*) > 1) ORDER BY s.uid, s.id;

-- :name set_uid
-- parameters: uid, symbol
UPDATE symbols SET uid = ? WHERE id = ?;

-- :name last_key
-- parameters: key, limit; index symbols_key. The last of the next keys, none at their end.
SELECT max(key) FROM (SELECT key FROM symbols WHERE key > ? ORDER BY key LIMIT ?);

-- :name put_trigrams
-- parameters: first (left out) and last key; index symbols_key. Those of external symbols may be there already.
INSERT INTO names_trigram(rowid, name) SELECT s.key, min(s.name) FROM symbols s
WHERE s.key > ? AND s.key <= ? AND NOT EXISTS (SELECT 1 FROM names n WHERE n.key = s.key) GROUP BY s.key;

-- :name put_names
-- parameters: first (left out) and last key; index symbols_key
INSERT OR IGNORE INTO names(key, name) SELECT key, min(name) FROM symbols WHERE key > ? AND key <= ? GROUP BY key;

-- :name next_file
SELECT coalesce(max(id), 0) + 1 FROM files;
