-- Search over memories: by words, by vectors. Filters: type, project (NULL: any), tags (JSON array: all of them).

-- :name matching
-- parameters as named: words, phrases, clauses (arrays, one element for each word: the number of its phrase, and of the clause of that phrase),
-- all (how many clauses have to match), limit, near (JSON array), type, project, tags. columns: number, BM25 (the smaller, the better), how many match
-- in all, how many of the near ones match. A phrase is there when all of its words are. The figures are those of SQLite's bm25: k1 = 1.2, b = 0.75.
WITH asked(word, phrase, clause) AS (SELECT * FROM unnest(%(words)s::text[], %(phrases)s::int[], %(clauses)s::int[])),
sizes(phrase, size) AS (SELECT phrase, count(*) FROM asked GROUP BY phrase),
total(documents, mean) AS MATERIALIZED (SELECT greatest(memories, 1)::float8, greatest(words::float8 / greatest(memories, 1), 1) FROM word_totals()),
hit AS MATERIALIZED (
  SELECT a.phrase, min(a.clause) AS clause, w.memory, min(w.weight)::float8 AS weight, min(w.length)::float8 AS length,
    bool_and((%(type)s::text IS NULL OR w.type = %(type)s) AND (%(project)s::text IS NULL OR w.project = %(project)s)) AS fits
  FROM asked a JOIN sizes s USING (phrase) JOIN memory_words w ON w.word = a.word GROUP BY a.phrase, w.memory, s.size HAVING count(*) = s.size
),
rarity(phrase, idf) AS (
  SELECT phrase, greatest(ln(((SELECT documents FROM total) - count(*) + 0.5) / (count(*) + 0.5)), 1e-6::float8) FROM hit GROUP BY phrase
),
scored AS MATERIALIZED (
  SELECT h.memory, -sum(r.idf * h.weight * 2.2::float8 / (h.weight + 0.3::float8 + 0.9::float8 * h.length / (SELECT mean FROM total))) AS figure
  FROM hit h JOIN rarity r USING (phrase) WHERE h.fits GROUP BY h.memory HAVING count(DISTINCT h.clause) = %(all)s
),
chosen AS MATERIALIZED (
  SELECT s.memory, s.figure FROM scored s
  WHERE %(tags)s::jsonb = '[]' OR EXISTS (SELECT 1 FROM memories m WHERE m.number = s.memory AND m.tags @> %(tags)s::jsonb)
)
SELECT memory, figure, (SELECT count(*) FROM chosen),
  (SELECT count(*) FROM chosen WHERE memory IN (SELECT value::bigint FROM json_array_elements_text(%(near)s::json)))
FROM chosen ORDER BY figure, memory LIMIT %(limit)s;

-- :name matching_words
-- parameters as named: words and idfs (arrays: each word with its rarity), length (0.9 by the mean length of a memory), limit, type, project, tags.
-- columns: number, BM25, how many match in all. Of phrases of one word each in one clause, as nearly every question is: with the rarities known,
-- the words are read once and nothing is kept between. Constants are float8, since numeric takes thrice the time
SELECT w.memory, -sum(a.idf * 2.2::float8 * w.weight / (w.weight + 0.3::float8 + w.length * %(length)s::float8)), count(*) OVER ()
FROM unnest(%(words)s::text[], %(idfs)s::float8[]) AS a(word, idf) JOIN memory_words w ON w.word = a.word
WHERE (%(type)s::text IS NULL OR w.type = %(type)s) AND (%(project)s::text IS NULL OR w.project = %(project)s)
  AND (%(tags)s::jsonb = '[]' OR EXISTS (SELECT 1 FROM memories m WHERE m.number = w.memory AND m.tags @> %(tags)s::jsonb))
GROUP BY w.memory ORDER BY 2, 1 LIMIT %(limit)s;

-- :name rarest
-- parameters: words, phrases (arrays: a word of a phrase, and the phrase's number), most (words that more memories have are not told apart).
-- columns: phrase, how many memories have its rarest word
SELECT a.phrase, min((SELECT count(*) FROM (SELECT 1 FROM memory_words w WHERE w.word = a.word LIMIT %(most)s) AS t))
FROM unnest(%(words)s::text[], %(phrases)s::int[]) AS a(word, phrase) GROUP BY a.phrase;

-- :name matching_near
-- parameters: words (array), near (JSON array of numbers). columns: how many of them have one of the words
SELECT count(DISTINCT memory) FROM memory_words
WHERE word = ANY (%(words)s::text[]) AND memory = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(%(near)s::json)));

-- :name frequencies
-- parameters: words, phrases (arrays: a word of a phrase, and the phrase's number). columns: phrase, how many memories have all of its words, how many
-- memories there are, their mean length in words
WITH asked(word, phrase) AS (SELECT * FROM unnest(%(words)s::text[], %(phrases)s::int[])),
sizes(phrase, size, word) AS (SELECT phrase, count(*), min(word) FROM asked GROUP BY phrase),
total AS MATERIALIZED (SELECT greatest(memories, 1)::float8 AS documents, greatest(words::float8 / greatest(memories, 1), 1) AS mean FROM word_totals())
SELECT s.phrase, (SELECT count(*) FROM memory_words w WHERE w.word = s.word), documents, mean FROM sizes s, total WHERE s.size = 1
UNION ALL
SELECT phrase, count(*), documents, mean FROM (
  SELECT a.phrase FROM asked a JOIN sizes s USING (phrase) JOIN memory_words w ON w.word = a.word
  WHERE s.size > 1 GROUP BY a.phrase, w.memory, s.size HAVING count(*) = s.size
) AS t, total GROUP BY phrase, documents, mean;

-- :name nearest
-- parameters: bits (of the question), model, limit, type, project, tags. columns: number. full scan of memory_bits
SELECT b.memory FROM memory_bits b
WHERE b.model = %(model)s AND (%(type)s::text IS NULL OR b.type = %(type)s) AND (%(project)s::text IS NULL OR b.project = %(project)s)
  AND (%(tags)s::jsonb = '[]' OR EXISTS (SELECT 1 FROM memories m WHERE m.number = b.memory AND m.tags @> %(tags)s::jsonb))
ORDER BY bit_count(b.bits # %(bits)s::bit varying), b.memory LIMIT %(limit)s;

-- :name changed_bits
-- parameter: since (a transaction's number). columns of the first row: 0, 0, what to go on from, '', NULL; of the others: number, model, type, project,
-- bits. What a transaction in progress writes is read the next time: its number is not below what to go on from
SELECT 0, 0, pg_snapshot_xmin(pg_current_snapshot())::text, '', NULL::bit varying
UNION ALL SELECT memory, model, type, project, bits FROM memory_bits WHERE changed >= %(since)s::xid8;

-- :name vectors
-- parameters: model, numbers (JSON array); primary keys. columns: number, vector
SELECT v.memory, v.vector FROM memory_vectors v
WHERE v.memory = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(%(numbers)s::json))) AND v.model = %(model)s;

-- :name cosines
-- with pgvector alone. parameters: vector (array of float32), model, numbers (JSON array); primary keys. columns: number, cosine
SELECT v.memory, 1 - (v.embedding <=> %(vector)s::real[]::vector) FROM memory_vectors v
WHERE v.memory = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(%(numbers)s::json))) AND v.model = %(model)s
ORDER BY 2 DESC, 1;

-- :name model
SELECT id FROM models WHERE name = %s;

-- :name put_model
-- another machine may put it at the same moment
INSERT INTO models(name) VALUES (%s) ON CONFLICT(name) DO UPDATE SET name = excluded.name RETURNING id;

-- :name put_vector
-- parameters as named: number, digest, model, vector
INSERT INTO memory_vectors(memory, model, digest, vector) VALUES (%(number)s, %(model)s, %(digest)s, %(vector)s)
ON CONFLICT(memory) DO UPDATE SET model = excluded.model, digest = excluded.digest, vector = excluded.vector;

-- :name put_embedding
-- as put_vector, with pgvector alone. parameters as named: further numbers (array of float32)
INSERT INTO memory_vectors(memory, model, digest, vector, embedding) VALUES (%(number)s, %(model)s, %(digest)s, %(vector)s, %(numbers)s::real[]::vector)
ON CONFLICT(memory) DO UPDATE SET model = excluded.model, digest = excluded.digest, vector = excluded.vector, embedding = excluded.embedding;

-- :name put_bits
-- parameters as named: number, model, bits
INSERT INTO memory_bits(memory, model, type, project, bits)
SELECT number, %(model)s, type, project, %(bits)s::bit varying FROM memories WHERE number = %(number)s
ON CONFLICT(memory) DO UPDATE SET model = excluded.model, bits = excluded.bits, changed = pg_current_xact_id();

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
