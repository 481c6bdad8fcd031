-- Search over memories: by words, by vectors. Filters: type, project (NULL: any), tags (JSON array: all of them).

-- :name matching
-- parameters: match (FTS5 expression), limit, near (JSON array of numbers). columns: number, BM25 (the smaller, the better), how many match in all,
-- how many of the near ones match.
-- Weights (title, content, tags): a title says in few words what a memory is about.
WITH hit(id, figure) AS MATERIALIZED (SELECT rowid, bm25(memory_fts, 3.0, 1.0, 2.0) FROM memory_fts WHERE memory_fts MATCH :match)
SELECT id, figure, (SELECT count(*) FROM hit), (SELECT count(*) FROM hit WHERE id IN (SELECT value FROM json_each(:near)))
FROM hit ORDER BY figure, id LIMIT :limit;

-- :name matching_filtered
-- parameters: match, limit, near, type, project, tags. columns: as matching. Only what passes the filters is weighed: BM25 takes most of the time.
-- full scan of index memories_scope, which has type, project and number of a memory and nothing else
WITH kept(id, figure) AS MATERIALIZED (
  SELECT f.rowid, bm25(memory_fts, 3.0, 1.0, 2.0) FROM memory_fts f
  WHERE memory_fts MATCH :match
    AND +f.rowid IN (
      SELECT number FROM memories WHERE deleted_at IS NULL AND (:type IS NULL OR type = :type) AND (:project IS NULL OR project = :project))
    AND (:tags = '[]' OR NOT EXISTS (
      SELECT 1 FROM json_each(:tags) j
      WHERE j.value NOT IN (SELECT t.value FROM json_each((SELECT tags FROM memories WHERE number = f.rowid)) t)))
)
SELECT id, figure, (SELECT count(*) FROM kept), (SELECT count(*) FROM kept WHERE id IN (SELECT value FROM json_each(:near)))
FROM kept ORDER BY figure, id LIMIT :limit;

-- :name frequency
-- parameter: match: how many memories match
SELECT count(*) FROM memory_fts WHERE memory_fts MATCH ?;

-- :name nearest
-- parameters: bits (of the question), model, limit. columns: number. full scan of memory_bits: 50 bytes a memory, 6 ms for 50,000
SELECT memory FROM memory_bits WHERE model = :model ORDER BY vec_distance_hamming(vec_bit(bits), vec_bit(:bits)), memory LIMIT :limit;

-- :name nearest_filtered
-- parameters: bits, model, limit, type, project, tags. columns: number. full scan of memory_bits, as in nearest
SELECT b.memory FROM memory_bits b
WHERE b.model = :model AND (:type IS NULL OR b.type = :type) AND (:project IS NULL OR b.project = :project)
  AND (:tags = '[]' OR NOT EXISTS (
    SELECT 1 FROM json_each(:tags) j
    WHERE j.value NOT IN (SELECT t.value FROM json_each((SELECT tags FROM memories WHERE number = b.memory)) t)))
ORDER BY vec_distance_hamming(vec_bit(b.bits), vec_bit(:bits)), b.memory LIMIT :limit;

-- :name cosines
-- parameters: vector, model, numbers (JSON array); primary keys. columns: number, cosine
SELECT b.memory, 1 - vec_distance_cosine(v.vector, :vector)
FROM json_each(:numbers) j CROSS JOIN memory_bits b ON b.memory = j.value AND b.model = :model JOIN memory_vectors v ON v.id = b.vector
ORDER BY 2 DESC, 1;

-- :name bits
-- parameter: vector. columns: its signs as bits
SELECT vec_quantize_binary(?);

-- :name model
-- parameter: name
SELECT id FROM models WHERE name = ?;

-- :name put_model
-- parameter: name
INSERT INTO models(name) VALUES (?) RETURNING id;

-- :name put_vector
-- parameters: digest, model, vector
INSERT OR IGNORE INTO memory_vectors(digest, model, vector) VALUES (?, ?, ?);

-- :name put_bits
-- parameters: number, model, bits; the vector is that of the memory's digest
REPLACE INTO memory_bits(memory, model, type, project, bits, vector)
SELECT m.number, :model, m.type, m.project, :bits, v.id
FROM memories m JOIN memory_vectors v ON v.digest = m.digest AND v.model = :model WHERE m.number = :number;

-- :name delete_bits
-- parameter as named: number
DELETE FROM memory_bits WHERE memory = :number;

-- :name without_vector
-- parameters: model, after (a number to go on from), limit. columns: number, title, content, digest, its vector if another memory has it. By primary key.
SELECT m.number, m.title, m.content, m.digest, v.vector FROM memories m
LEFT JOIN memory_bits b ON b.memory = m.number AND b.model = :model LEFT JOIN memory_vectors v ON v.digest = m.digest AND v.model = :model
WHERE m.number > :after AND m.deleted_at IS NULL AND b.memory IS NULL ORDER BY m.number LIMIT :limit;

-- :name still_has
-- parameters: number, digest: whether the memory is alive and says what was embedded
SELECT EXISTS (SELECT 1 FROM memories WHERE number = ? AND digest = ? AND deleted_at IS NULL);

-- :name forget_vectors
-- vectors that no memory has any more. full scan of memory_vectors, once a start
DELETE FROM memory_vectors WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.digest = memory_vectors.digest);
