-- Chunks of files: text search.

-- :name unchunked
-- parameter: limit; index files_text_due. Code before documents before data, which mentions nothing: it may be many times more, and is asked for less
SELECT id, path FROM files WHERE chunked <> 1 AND id > 0 AND language > '' AND chunked = 0
ORDER BY CASE WHEN language IN ('asciidoc', 'latex', 'man', 'markdown', 'org', 'pod', 'rst', 'text') THEN 1 WHEN length(names) = 0 THEN 2 ELSE 0 END
LIMIT ?;

-- :name doubtful
-- parameter: limit; index files_text_due
SELECT id, path FROM files WHERE chunked <> 1 AND id > 0 AND language > '' AND chunked = 2 LIMIT ?;

-- :name waiting
-- index files_text_due
SELECT count(*) FROM files WHERE chunked <> 1 AND id > 0 AND language > '' AND chunked IN (0, 2);

-- :name withheld
-- parameter: what says so (pipeline.chunks); index files_text_due
SELECT count(*) FROM files WHERE chunked <> 1 AND id > 0 AND language > '' AND chunked = ?;

-- :name definitions
-- parameter: file; index symbols_file. columns: first and last line, name, kind
SELECT line_start, line_end, name, kind FROM symbols WHERE file = ? AND parent IS NOT NULL ORDER BY line_start, line_end DESC;

-- :name delete_words
-- parameters: first and last id of the file's range
DELETE FROM chunks_fts WHERE rowid BETWEEN ? AND ?;

-- :name delete
-- parameters: first and last id of the file's range
DELETE FROM chunks WHERE id BETWEEN ? AND ?;

-- :name put
-- parameters: id, first and last line
INSERT INTO chunks(id, line_start, line_end) VALUES (?, ?, ?);

-- :name put_words
-- parameters: id, path, names, text
INSERT INTO chunks_fts(rowid, path, names, text) VALUES (?, ?, ?, ?);

-- :name set_chunked
-- parameters: what has become of its chunks (pipeline.chunks), the digest of its text if it is known to be clean, file
UPDATE files SET chunked = ?, clean = ? WHERE id = ?;

-- :name clean
-- parameters: path, digest of a text; index files_path. column: 1 if that is the file's text, and the issuers' rules have found nothing in it
SELECT 1 FROM files WHERE path = ? AND clean = ?;

-- :name ranked
-- parameters: match (FTS5 expression), limit. columns: id, BM25 of it (the smaller, the better).
-- Column weights (path, names, text): what is defined there says most of what a chunk is about, the path next; decision 0010 has the measurement.
SELECT rowid, bm25(chunks_fts, 3.0, 6.0, 1.0) AS figure FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY figure LIMIT ?;

-- :name weighed
-- parameters: match, weights (store/fts_weights.py), limit (matches ranked, the first by id). columns: those of ranked, in the order of ids.
SELECT rowid, weighed_bm25(chunks_fts, :weights, 3.0, 6.0, 1.0) FROM chunks_fts WHERE chunks_fts MATCH :match LIMIT :limit;

-- :name having_to
-- parameters: match, limit. columns: how many chunks match, as far as the limit; the last of them
SELECT count(*), max(id) FROM (SELECT rowid AS id FROM chunks_fts WHERE chunks_fts MATCH ? LIMIT ?);

-- :name known_names
-- parameter: keys (JSON array); primary key. columns: those of the keys that names of symbols have
SELECT n.key FROM json_each(?) j JOIN names n ON n.key = j.value;

-- :name mentioned
-- parameter: tails of paths (JSON array, longest first); the unique index of path. columns: id of the file with the longest of them
SELECT f.id FROM json_each(?) j JOIN files f ON f.path = j.value WHERE f.id > 0 ORDER BY j.key LIMIT 1;

-- :name totals
-- primary key. column: what FTS5 keeps of the whole table: the number of its rows, then that of the tokens of each column, as varints
SELECT block FROM chunks_fts_data WHERE id = 1;

-- :name ends
-- primary key. columns: the first and the last chunk
SELECT (SELECT min(id) FROM chunks), (SELECT max(id) FROM chunks);

-- :name places
-- parameter: ids (JSON array); primary keys. columns: id, first and last line, file, path, language, whether it is generated
SELECT c.id, c.line_start, c.line_end, f.id, f.path, f.language, f.generated
FROM json_each(?) j JOIN chunks c ON c.id = j.value JOIN files f ON f.id = c.id >> 20;

-- :name of_files
-- parameter: files (JSON array); ranges of the primary key. columns: file, number of its chunks
SELECT j.value, (SELECT count(*) FROM chunks WHERE id BETWEEN j.value << 20 AND (j.value << 20) + 1048575) FROM json_each(?) j;

-- :name defined
-- parameter: key; indexes symbols_key, refs_target (at most 500 entries of each). columns: file, first line, name, kind, qualified name, references (500: as
-- many or more); of what is defined in several places each of them
SELECT coalesce(p.file, s.file), coalesce(p.line_start, s.line_start), s.name, s.kind, s.qualified_name,
  (SELECT count(*) FROM (SELECT 1 FROM refs r WHERE r.target = s.id LIMIT 500))
FROM symbols s LEFT JOIN spans p ON p.symbol = s.id WHERE s.key = ? AND s.id > 0 LIMIT 200;

-- :name chunk_at
-- parameters: file << 20, the last id of the file's range, line; a range of the primary key
SELECT id FROM chunks WHERE id BETWEEN ? AND ? AND line_start <= ? ORDER BY id DESC LIMIT 1;

-- :name names
-- parameters: ids (JSON array), kinds that say too little (JSON array); primary key, index symbols_file. columns: chunk, name that it defines, kind
SELECT c.id, s.name, s.kind FROM json_each(?) j JOIN chunks c ON c.id = j.value JOIN symbols s ON s.file = c.id >> 20 AND s.line_start BETWEEN c.line_start AND c.line_end
WHERE s.parent IS NOT NULL AND s.kind NOT IN (SELECT value FROM json_each(?));

-- :name symbols_at
-- parameters: file, first and last line; index symbols_file. columns: qualified name, first line
SELECT qualified_name, line_start FROM symbols WHERE file = ? AND parent IS NOT NULL AND line_start BETWEEN ? AND ? ORDER BY line_start LIMIT 20;
