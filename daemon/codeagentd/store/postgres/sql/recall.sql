-- Search over memories: by words, by vectors. Filters: type, project (NULL: any), tags (JSON array: all of them).

-- :name matching
-- parameters as named: words, phrases, clauses (arrays, one element for each word: the number of its phrase, and of the clause of that phrase),
-- all (how many clauses have to match), limit, near (JSON array), type, project, tags. columns: number, BM25 (the smaller, the better), how many match
-- in all, how many of the near ones match. A phrase is there when all of its words are. The figures are those of SQLite's bm25: k1 = 1.2, b = 0.75.
WITH asked(word, phrase, clause) AS (SELECT * FROM unnest(%(words)s::text[], %(phrases)s::int[], %(clauses)s::int[])),
sizes(phrase, size) AS (SELECT phrase, count(*) FROM asked GROUP BY phrase),
total(documents, mean) AS MATERIALIZED (SELECT greatest(memories, 1)::float8, greatest(words::float8 / greatest(memories, 1), 1) FROM word_totals()),
hit AS MATERIALIZED (SELECT a.phrase, a.clause, w.memory, w.weight, w.length, w.project, w.type FROM asked a JOIN memory_words w ON w.word = a.word),
found AS MATERIALIZED (
  SELECT h.phrase, min(h.clause) AS clause, h.memory, min(h.weight)::float8 AS weight, min(h.length) AS length, min(h.project) AS project, min(h.type) AS type
  FROM hit h JOIN sizes s USING (phrase) GROUP BY h.phrase, h.memory, s.size HAVING count(*) = s.size
),
rarity(phrase, idf) AS (
  SELECT phrase, greatest(ln((documents - count(*) + 0.5) / (count(*) + 0.5)), 0.000001) FROM found, total GROUP BY phrase, documents
),
scored AS MATERIALIZED (
  SELECT f.memory, -sum(r.idf * f.weight * 2.2 / (f.weight + 1.2 * (0.25 + 0.75 * f.length / t.mean))) AS figure
  FROM found f JOIN rarity r USING (phrase) CROSS JOIN total t
  WHERE (%(type)s::text IS NULL OR f.type = %(type)s) AND (%(project)s::text IS NULL OR f.project = %(project)s)
  GROUP BY f.memory HAVING %(all)s = 1 OR count(DISTINCT f.clause) = %(all)s
),
chosen AS MATERIALIZED (
  SELECT s.memory, s.figure FROM scored s
  WHERE %(tags)s::jsonb = '[]' OR EXISTS (SELECT 1 FROM memories m WHERE m.number = s.memory AND m.tags @> %(tags)s::jsonb)
)
SELECT memory, figure, (SELECT count(*) FROM chosen),
  (SELECT count(*) FROM chosen WHERE memory IN (SELECT value::bigint FROM json_array_elements_text(%(near)s::json)))
FROM chosen ORDER BY figure, memory LIMIT %(limit)s;

-- :name matching_words
-- parameters and columns as matching, of phrases of one word each in one clause: nearly every question
WITH asked(word, phrase) AS (SELECT * FROM unnest(%(words)s::text[], %(phrases)s::int[])),
total(documents, mean) AS MATERIALIZED (SELECT greatest(memories, 1)::float8, greatest(words::float8 / greatest(memories, 1), 1) FROM word_totals()),
hit AS MATERIALIZED (
  SELECT a.phrase, w.memory, w.weight::float8, w.length, w.project, w.type FROM asked a JOIN memory_words w ON w.word = a.word
),
rarity(phrase, idf) AS (
  SELECT phrase, greatest(ln((documents - count(*) + 0.5) / (count(*) + 0.5)), 0.000001) FROM hit, total GROUP BY phrase, documents
),
scored AS MATERIALIZED (
  SELECT h.memory, -sum(r.idf * h.weight * 2.2 / (h.weight + 1.2 * (0.25 + 0.75 * h.length / t.mean))) AS figure
  FROM hit h JOIN rarity r USING (phrase) CROSS JOIN total t
  WHERE (%(type)s::text IS NULL OR h.type = %(type)s) AND (%(project)s::text IS NULL OR h.project = %(project)s)
  GROUP BY h.memory
),
chosen AS MATERIALIZED (
  SELECT s.memory, s.figure FROM scored s
  WHERE %(tags)s::jsonb = '[]' OR EXISTS (SELECT 1 FROM memories m WHERE m.number = s.memory AND m.tags @> %(tags)s::jsonb)
)
SELECT memory, figure, (SELECT count(*) FROM chosen),
  (SELECT count(*) FROM chosen WHERE memory IN (SELECT value::bigint FROM json_array_elements_text(%(near)s::json)))
FROM chosen ORDER BY figure, memory LIMIT %(limit)s;

-- :name frequencies
-- parameters: words, phrases (arrays: a word of a phrase, and the phrase's number). columns: phrase, how many memories have all of its words
WITH asked(word, phrase) AS (SELECT * FROM unnest(%(words)s::text[], %(phrases)s::int[])),
sizes(phrase, size, word) AS (SELECT phrase, count(*), min(word) FROM asked GROUP BY phrase)
SELECT s.phrase, (SELECT count(*) FROM memory_words w WHERE w.word = s.word) FROM sizes s WHERE s.size = 1
UNION ALL
SELECT phrase, count(*) FROM (
  SELECT a.phrase FROM asked a JOIN sizes s USING (phrase) JOIN memory_words w ON w.word = a.word
  WHERE s.size > 1 GROUP BY a.phrase, w.memory, s.size HAVING count(*) = s.size
) AS t GROUP BY phrase;

-- :name nearest
-- parameters: bits (of the question), model, limit, type, project, tags. columns: number. full scan of memory_bits
SELECT b.memory FROM memory_bits b
WHERE b.model = %(model)s AND (%(type)s::text IS NULL OR b.type = %(type)s) AND (%(project)s::text IS NULL OR b.project = %(project)s)
  AND (%(tags)s::jsonb = '[]' OR EXISTS (SELECT 1 FROM memories m WHERE m.number = b.memory AND m.tags @> %(tags)s::jsonb))
ORDER BY bit_count(b.bits # %(bits)s::bit varying), b.memory LIMIT %(limit)s;

-- :name vectors
-- parameters: model, numbers (JSON array); primary keys. columns: number, vector
SELECT v.memory, v.vector FROM memory_vectors v
WHERE v.memory = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(%(numbers)s::json))) AND v.model = %(model)s;

-- :name model
SELECT id FROM models WHERE name = %s;

-- :name put_model
-- another machine may put it at the same moment
INSERT INTO models(name) VALUES (%s) ON CONFLICT(name) DO UPDATE SET name = excluded.name RETURNING id;

-- :name put_vector
-- parameters as named: number, digest, model, vector
INSERT INTO memory_vectors(memory, model, digest, vector) VALUES (%(number)s, %(model)s, %(digest)s, %(vector)s)
ON CONFLICT(memory) DO UPDATE SET model = excluded.model, digest = excluded.digest, vector = excluded.vector;

-- :name put_bits
-- parameters as named: number, model, bits
INSERT INTO memory_bits(memory, model, type, project, bits)
SELECT number, %(model)s, type, project, %(bits)s::bit varying FROM memories WHERE number = %(number)s
ON CONFLICT(memory) DO UPDATE SET model = excluded.model, bits = excluded.bits;

-- :name delete_bits
WITH removed AS (DELETE FROM memory_vectors WHERE memory = %(number)s) DELETE FROM memory_bits WHERE memory = %(number)s;

-- :name without_vector
SELECT m.number, m.title, m.content, m.digest, (SELECT v.vector FROM memory_vectors v WHERE v.digest = m.digest AND v.model = %(model)s LIMIT 1)
FROM memories m LEFT JOIN memory_bits b ON b.memory = m.number AND b.model = %(model)s
WHERE m.number > %(after)s AND m.deleted_at IS NULL AND b.memory IS NULL ORDER BY m.number LIMIT %(limit)s;

-- :name still_has
-- and nobody else changes it until the transaction ends
SELECT 1 FROM memories WHERE number = %s AND digest = %s AND deleted_at IS NULL FOR NO KEY UPDATE;

-- :name forget_vectors
-- nothing: a vector goes with its memory
SELECT 1;
