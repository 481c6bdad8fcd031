-- Vectors of symbols: filling, and search by meaning.

-- :name pending
-- parameters: kinds (JSON array), limit; indexes symbols_file, refs_target. columns: symbol, file; the most used first.
SELECT s.id, s.file
FROM files f JOIN symbols s ON s.file = f.id LEFT JOIN vectors v ON v.symbol = s.id
WHERE f.embedded IS NOT f.digest AND f.language IS NOT NULL AND f.id > 0 AND f.generated = 0
  AND s.kind IN (SELECT value FROM json_each(?1)) AND v.content IS NOT f.digest
ORDER BY (SELECT count(*) FROM refs r WHERE r.target = s.id) DESC, s.id LIMIT ?2;

-- :name pending_count
-- parameter: kinds (JSON array)
SELECT count(*)
FROM files f JOIN symbols s ON s.file = f.id LEFT JOIN vectors v ON v.symbol = s.id
WHERE f.embedded IS NOT f.digest AND f.language IS NOT NULL AND f.id > 0 AND f.generated = 0
  AND s.kind IN (SELECT value FROM json_each(?1)) AND v.content IS NOT f.digest;

-- :name count
-- no parameters
SELECT count(*) FROM vectors;

-- :name files
-- parameter: files (JSON array); primary keys. columns: id, path, language, digest
SELECT id, path, language, digest FROM files WHERE id IN (SELECT value FROM json_each(?)) AND digest IS NOT NULL;

-- :name symbols
-- parameter: symbols (JSON array); primary keys. columns: id, file, kind, name, qualified name, signature, returns, first line, line of the name, last line,
-- whether it stands for its file, digest of its passage
SELECT s.id, s.file, s.kind, s.name, s.qualified_name, s.signature, s.returns, s.line_start, s.line, s.line_end, s.parent IS NULL, v.passage
FROM symbols s LEFT JOIN vectors v ON v.symbol = s.id WHERE s.id IN (SELECT value FROM json_each(?));

-- :name calls
-- parameters: first and last id of the file's range, kind of a call; range of the primary key. columns: symbol that calls, name; in the order of the text
SELECT r.source, n.name FROM refs r JOIN names n ON n.key = r.key WHERE r.id BETWEEN ? AND ? AND r.kind = ? ORDER BY r.id;

-- :name members
-- parameters: symbol, limit; index symbols_parent. column: name
SELECT name FROM symbols WHERE parent = ? ORDER BY line_start LIMIT ?;

-- :name cached
-- parameter: digest of a passage; primary key of blobs.db
SELECT vector FROM vectors WHERE passage = ?;

-- :name cache
-- parameters: digest of a passage, vector; of blobs.db
INSERT OR IGNORE INTO vectors(passage, vector) VALUES (?, ?);

-- :name put
-- parameters: symbol, bits, digest of the content, digest of the passage
INSERT OR REPLACE INTO vectors(symbol, bits, content, passage) VALUES (?, ?, ?, ?);

-- :name put_value
-- parameters: symbol, vector
INSERT OR REPLACE INTO vector_values(symbol, vector) VALUES (?, ?);

-- :name confirm
-- parameters: digest of the content, symbol: its passage is the same
UPDATE vectors SET content = ? WHERE symbol = ?;

-- :name settle
-- no parameters; full scan of files. No symbol is pending
UPDATE files SET embedded = digest WHERE embedded IS NOT digest AND language IS NOT NULL AND id > 0;

-- :name drop_orphans
-- no parameters; full scan, when idle
DELETE FROM vectors WHERE symbol NOT IN (SELECT id FROM symbols);

-- :name drop_orphaned_values
-- no parameters; full scan, when idle
DELETE FROM vector_values WHERE symbol NOT IN (SELECT symbol FROM vectors);

-- :name drop
-- no parameters: another model's vectors
DELETE FROM vectors;

-- :name drop_values
-- no parameters
DELETE FROM vector_values;

-- :name unsettle
-- no parameters; full scan of files, when the model is another one
UPDATE files SET embedded = NULL WHERE embedded IS NOT NULL;

-- :name count_to
-- parameter: number of vectors, at which the full scan ends
SELECT count(*) FROM (SELECT 1 FROM vectors LIMIT ?);

-- :name nearest
-- parameters as named: bits and vector of what is asked, how many to compare by their numbers, symbol to leave out, limit;
-- full scan of vectors, 0.15 us a row. columns: symbol, cosine distance; the nearest first. Vectors of symbols that are gone are left out.
SELECT n.symbol, vec_distance_cosine(vec_int8(w.vector), vec_int8(:vector)) AS distance
FROM (
  SELECT v.symbol, vec_distance_hamming(vec_bit(v.bits), vec_bit(:bits)) AS away FROM vectors v
  WHERE v.symbol <> :besides ORDER BY away LIMIT :compared
) n JOIN vector_values w ON w.symbol = n.symbol WHERE EXISTS (SELECT 1 FROM symbols s WHERE s.id = n.symbol) ORDER BY distance, n.symbol LIMIT :limit;

-- :name nearest_of_all
-- parameters: vector, symbol to leave out, how many to look at, limit; full scan of vector_values, 0.9 us a row. columns: as nearest, of which it is the exact
-- answer, if no more symbols are gone than are looked at beyond the limit.
SELECT n.symbol, n.distance
FROM (
  SELECT w.symbol, vec_distance_cosine(vec_int8(w.vector), vec_int8(:vector)) AS distance FROM vector_values w
  WHERE w.symbol <> :besides ORDER BY distance, w.symbol LIMIT :compared
) n WHERE EXISTS (SELECT 1 FROM symbols s WHERE s.id = n.symbol) ORDER BY n.distance, n.symbol LIMIT :limit;

-- :name vector_of
-- parameter: symbol; primary key
SELECT vector FROM vector_values WHERE symbol = ?;

-- :name chunks
-- parameter: symbols (JSON array); primary keys. columns: symbol, the chunk that it begins in
SELECT s.id, (
  SELECT c.id FROM chunks c WHERE c.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575 AND c.line_start <= s.line_start ORDER BY c.id DESC LIMIT 1
) FROM json_each(?) j JOIN symbols s ON s.id = j.value;
