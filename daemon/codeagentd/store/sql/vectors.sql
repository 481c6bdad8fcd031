-- Vectors of symbols: filling, and search by meaning.

-- :name ranking
-- no parameters; one row, or none before the first ranking. columns: number, budget, eligible, chosen, files, changed
SELECT number, budget, eligible, chosen, files, changed FROM ranking;

-- :name begin_ranking
-- parameters: number, budget
INSERT INTO ranking(id, number, budget, eligible, chosen, files, changed) VALUES (1, ?, ?, NULL, 0, 0, 0)
ON CONFLICT(id) DO UPDATE SET number = excluded.number, budget = excluded.budget, eligible = NULL;

-- :name end_ranking
-- parameters: symbols that may have a vector, files; full scan of ranked_symbols
UPDATE ranking SET eligible = ?, files = ?, changed = 0, chosen = (SELECT count(*) FROM ranked_symbols);

-- :name count_changes
-- parameters: symbols that were chosen, files that have changed
UPDATE ranking SET chosen = chosen + ?, changed = changed + ?;

-- :name ranked
-- parameters: kinds, languages whose symbols come last, those without symbols of interest (JSON arrays), limit (-1: all); full scan of files: once for a
-- ranking. columns: symbol, whether its text has to be looked at; the symbol that most places refer to first
SELECT s.id, v.content IS NOT f.digest
FROM files f JOIN symbols s ON s.file = f.id LEFT JOIN vectors v ON v.symbol = s.id
WHERE f.digest IS NOT NULL AND f.language IS NOT NULL AND f.id > 0 AND f.generated = 0 AND s.kind IN (SELECT value FROM json_each(?1))
  AND f.language NOT IN (SELECT value FROM json_each(?3))
ORDER BY f.language IN (SELECT value FROM json_each(?2)), (SELECT count(*) FROM refs r WHERE r.target = s.id) DESC, s.id LIMIT ?4;

-- :name eligible
-- parameters: kinds, languages without symbols of interest (JSON arrays); full scan of files: once for a ranking
SELECT count(*) FROM files f JOIN symbols s ON s.file = f.id
WHERE f.digest IS NOT NULL AND f.language IS NOT NULL AND f.id > 0 AND f.generated = 0 AND s.kind IN (SELECT value FROM json_each(?1))
  AND f.language NOT IN (SELECT value FROM json_each(?2));

-- :name files_count
-- no parameters; full scan of an index of files: once for a ranking
SELECT count(*) FROM files;

-- :name put_rank
-- parameters: symbol, rank, number of the ranking, whether its text has to be looked at
INSERT INTO ranked_symbols(symbol, rank, ranking, is_due) VALUES (?, ?, ?, ?)
ON CONFLICT(symbol) DO UPDATE SET rank = excluded.rank, ranking = excluded.ranking, is_due = excluded.is_due;

-- :name choose
-- parameter: symbol, which takes a free place behind all others
INSERT OR IGNORE INTO ranked_symbols(symbol, rank, ranking, is_due) SELECT ?, 1 << 40, number, 0 FROM ranking;

-- :name drop_unranked
-- no parameters; full scan of ranked_symbols: once for a ranking
DELETE FROM ranked_symbols WHERE ranking <> (SELECT number FROM ranking);

-- :name drop_unchosen
-- no parameters; full scan of vectors: once for a ranking
DELETE FROM vectors WHERE symbol NOT IN (SELECT symbol FROM ranked_symbols);

-- :name due
-- parameter: limit; index ranked_symbols_due. columns: symbol, file, NULL for a symbol that is gone; by rank
SELECT r.symbol, s.file FROM ranked_symbols r LEFT JOIN symbols s ON s.id = r.symbol WHERE r.is_due = 1 ORDER BY r.rank LIMIT ?;

-- :name due_count
-- no parameters; index ranked_symbols_due
SELECT count(*) FROM ranked_symbols WHERE is_due = 1;

-- :name looked_at
-- parameter: symbol; primary key
UPDATE ranked_symbols SET is_due = 0 WHERE symbol = ?;

-- :name changed_files
-- parameter: limit; primary keys. columns: file, digest
SELECT t.file, f.digest FROM files_to_embed t LEFT JOIN files f ON f.id = t.file LIMIT ?;

-- :name pending_of_file
-- parameters: file, kinds, languages without symbols of interest (JSON arrays); index symbols_file. columns: symbol, whether it is chosen
SELECT s.id, r.symbol IS NOT NULL
FROM files f JOIN symbols s ON s.file = f.id LEFT JOIN vectors v ON v.symbol = s.id LEFT JOIN ranked_symbols r ON r.symbol = s.id
WHERE f.id = ?1 AND f.digest IS NOT NULL AND f.language IS NOT NULL AND f.generated = 0 AND s.kind IN (SELECT value FROM json_each(?2))
  AND f.language NOT IN (SELECT value FROM json_each(?3)) AND v.content IS NOT f.digest ORDER BY s.id;

-- :name file_done
-- parameters: file, the digest of the content that was looked at; primary keys
DELETE FROM files_to_embed WHERE file = ? AND (SELECT digest FROM files WHERE id = file) IS ?;

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
-- parameters: first and last id of the file's range, kind of a call, symbols (JSON array); range of the primary key. columns: symbol that calls, name; in the
-- order of the text
SELECT r.source, n.name FROM refs r JOIN names n ON n.key = r.key
WHERE r.id BETWEEN ? AND ? AND r.kind = ? AND r.source IN (SELECT value FROM json_each(?)) ORDER BY r.id;

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

-- :name drop_orphans
-- no parameters; full scan, when idle
DELETE FROM vectors WHERE symbol NOT IN (SELECT id FROM symbols);

-- :name drop_orphaned_ranks
-- no parameters; full scan, when idle
DELETE FROM ranked_symbols WHERE symbol NOT IN (SELECT id FROM symbols);

-- :name count_chosen
-- no parameters; full scan of ranked_symbols, when idle
UPDATE ranking SET chosen = (SELECT count(*) FROM ranked_symbols) WHERE eligible IS NOT NULL;

-- :name drop_orphaned_values
-- no parameters; full scan, when idle
DELETE FROM vector_values WHERE symbol NOT IN (SELECT symbol FROM vectors);

-- :name drop
-- no parameters: another model's vectors
DELETE FROM vectors;

-- :name drop_values
-- no parameters
DELETE FROM vector_values;

-- :name all_due
-- no parameters; full scan of ranked_symbols, when the model is another one
UPDATE ranked_symbols SET is_due = 1;

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

-- :name similar
-- parameters as named: ids of chunks (JSON array), vector; primary keys, index symbols_file. columns: chunk, the least cosine distance of a symbol that begins in it
SELECT c.id, min(vec_distance_cosine(vec_int8(w.vector), vec_int8(:vector))) FROM json_each(:ids) j JOIN chunks c ON c.id = j.value
JOIN symbols s ON s.file = c.id >> 20 AND s.line_start BETWEEN c.line_start AND c.line_end JOIN vector_values w ON w.symbol = s.id
WHERE s.parent IS NOT NULL GROUP BY c.id;

-- :name similar_files
-- parameters as named: ids of files (JSON array), vector; primary keys, index symbols_file. columns: file, the cosine distance of the symbol that stands for it
SELECT s.file, vec_distance_cosine(vec_int8(w.vector), vec_int8(:vector)) FROM json_each(:ids) j
JOIN symbols s ON s.file = j.value AND s.line_start <= 1 AND +s.parent IS NULL JOIN vector_values w ON w.symbol = s.id;

-- :name vector_of
-- parameter: symbol; primary key
SELECT vector FROM vector_values WHERE symbol = ?;

-- :name chunks
-- parameter: symbols (JSON array); primary keys. columns: symbol, the chunk that it begins in
SELECT s.id, (
  SELECT c.id FROM chunks c WHERE c.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575 AND c.line_start <= s.line_start ORDER BY c.id DESC LIMIT 1
) FROM json_each(?) j JOIN symbols s ON s.id = j.value;

-- :name are_partial
-- no parameters; one row, none before the first ranking. column: whether symbols that may have a vector have none
SELECT r.eligible IS NULL OR r.budget BETWEEN 1 AND r.eligible - 1 OR EXISTS (SELECT 1 FROM ranked_symbols WHERE is_due = 1) FROM ranking r;

-- :name chunks_without
-- parameters: chunks (JSON array), kinds (JSON array); primary keys, index symbols_file. column: chunk in which symbols of these kinds begin, all without a
-- vector
SELECT c.id FROM json_each(?1) j JOIN chunks c ON c.id = j.value JOIN symbols s ON s.file = c.id >> 20 AND s.line_start BETWEEN c.line_start AND c.line_end
JOIN files f ON f.id = s.file AND f.generated = 0 LEFT JOIN vectors v ON v.symbol = s.id
WHERE s.kind IN (SELECT value FROM json_each(?2)) GROUP BY c.id HAVING count(v.symbol) = 0;
