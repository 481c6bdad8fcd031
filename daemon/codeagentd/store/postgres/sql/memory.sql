-- Memories, their links, their history. As store/sql/memory.sql where nothing is said.

-- :name put
INSERT INTO memories(id, type, title, content, metadata, tags, project, confidence, source_task, repository, digest, anchored, created_at,
  updated_at)
SELECT %(id)s, %(type)s, %(title)s, %(content)s, %(metadata)s, %(tags)s::jsonb, %(project)s, %(confidence)s, %(source_task)s, %(repository)s,
  %(digest)s, %(anchored)s::int, at, at
FROM (SELECT least(%(now)s, date_part('epoch', clock_timestamp())) AS at) AS t
RETURNING number, id, type, title, content, metadata, tags::text, project, confidence, source_task, repository, access_count, last_accessed, created_at,
  updated_at;

-- :name open_project
-- parameter: project of rows that are going to be written
SELECT open_project(%s);

-- :name by_id
SELECT number, id, type, title, content, metadata, tags::text, project, confidence, source_task, repository, access_count, last_accessed, created_at, updated_at
FROM memories WHERE id = %s AND deleted_at IS NULL;

-- :name lock
-- parameter: id. columns: number of a living memory that the role may change; nobody else changes it until the transaction ends
SELECT number FROM memories WHERE id = %s AND deleted_at IS NULL FOR NO KEY UPDATE;

-- :name by_numbers
SELECT m.number, m.id, m.type, m.title, m.content, m.metadata, m.tags::text, m.project, m.confidence, m.source_task, m.repository, m.access_count,
  m.last_accessed, m.created_at, m.updated_at
FROM memories m WHERE m.number = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(%s::json))) AND m.deleted_at IS NULL;

-- :name change
UPDATE memories SET title = %(title)s, content = %(content)s, metadata = %(metadata)s, tags = %(tags)s::jsonb, confidence = %(confidence)s,
  digest = %(digest)s, repository = %(repository)s, anchored = %(anchored)s::int, updated_at = least(%(now)s, date_part('epoch', clock_timestamp()))
WHERE number = %(number)s;

-- :name count_access
UPDATE memories SET access_count = access_count + 1, last_accessed = least(%s, date_part('epoch', clock_timestamp())) WHERE number = %s;

-- :name set_deleted
-- the server's time, since it decides when the memory is forgotten
UPDATE memories SET deleted_at = date_part('epoch', clock_timestamp()) + 0 * %s WHERE number = %s;

-- :name put_words
-- parameters as named: words, weights (arrays), number, length
INSERT INTO memory_words(word, memory, weight, length, project, type)
SELECT w.word, m.number, w.weight, %(length)s, m.project, m.type
FROM memories m, unnest(%(words)s::text[], %(weights)s::real[]) AS w(word, weight) WHERE m.number = %(number)s;

-- :name delete_words
DELETE FROM memory_words WHERE memory = %s;

-- :name put_link
INSERT INTO links(source, target, reason, strength, automatic, created_at)
VALUES (%(source)s, %(target)s, %(reason)s, %(strength)s, %(automatic)s, %(now)s)
ON CONFLICT(source, target) DO UPDATE SET reason = excluded.reason, strength = excluded.strength, automatic = excluded.automatic
WHERE excluded.automatic = 0 OR links.automatic = 1;

-- :name delete_found_links
DELETE FROM links WHERE automatic = 1 AND (source = %s OR target = %s);

-- :name neighbours
WITH j AS (SELECT value::bigint FROM json_array_elements_text(%(numbers)s::json))
SELECT l.source, l.target, 1, l.strength, l.reason, l.automatic
FROM j JOIN links l ON l.source = j.value JOIN memories m ON m.number = l.target WHERE m.deleted_at IS NULL
UNION ALL
SELECT l.target, l.source, 0, l.strength, l.reason, l.automatic
FROM j JOIN links l ON l.target = j.value JOIN memories m ON m.number = l.source WHERE m.deleted_at IS NULL
ORDER BY 4 DESC, 2 LIMIT %(limit)s;

-- :name totals
SELECT type, project, count(*), coalesce(sum(confidence), 0) FROM memories
WHERE deleted_at IS NULL AND (%(project)s::text IS NULL OR project = %(project)s) AND (%(type)s::text IS NULL OR type = %(type)s) GROUP BY 1, 2;

-- :name tag_totals
SELECT j.value, count(*) FROM memories m, jsonb_array_elements_text(m.tags) AS j(value)
WHERE m.deleted_at IS NULL AND (%(project)s::text IS NULL OR m.project = %(project)s) AND (%(type)s::text IS NULL OR m.type = %(type)s)
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %(limit)s;

-- :name count_links
SELECT count(*) FROM links l JOIN memories a ON a.number = l.source JOIN memories b ON b.number = l.target
WHERE a.deleted_at IS NULL AND b.deleted_at IS NULL
  AND ((%(project)s::text IS NULL OR a.project = %(project)s) AND (%(type)s::text IS NULL OR a.type = %(type)s)
    OR (%(project)s::text IS NULL OR b.project = %(project)s) AND (%(type)s::text IS NULL OR b.type = %(type)s));

-- :name listed
SELECT number, id, type, title, content, metadata, tags::text, project, confidence, source_task, repository, access_count, last_accessed, created_at, updated_at
FROM memories
WHERE deleted_at IS NULL AND (%(project)s::text IS NULL OR project = %(project)s) AND (%(type)s::text IS NULL OR type = %(type)s)
ORDER BY number DESC LIMIT %(limit)s;

-- :name note
-- the entry belongs to the project of its subject, that of a link to those of both ends
INSERT INTO audit(at, action, subject, session, before, after, project, other)
SELECT least(at, date_part('epoch', clock_timestamp())), action, subject, session, before, after,
  coalesce((SELECT project FROM memories m WHERE m.id = subject), (SELECT project FROM tasks t WHERE t.id = subject), ''),
  CASE action WHEN 'link' THEN (SELECT project FROM memories m WHERE m.id = after::json ->> 'to_id') END
FROM (SELECT %s::float8 AS at, %s::text AS action, %s::text AS subject, %s::bytea AS session, %s::text AS before, %s::text AS after) AS entry;

-- :name history
SELECT number, at, action, subject, session, before, after FROM audit
WHERE at >= %(since)s AND (%(subject)s::text IS NULL OR subject = %(subject)s) ORDER BY number DESC LIMIT %(limit)s;

-- :name answered
SELECT answer FROM calls WHERE role = session_user AND session = %s AND seq = %s;

-- :name put_call
-- a call that is being done elsewhere at the same moment ends this transaction. The time is the server's
INSERT INTO calls(session, seq, answer) SELECT session, seq, answer
FROM (SELECT %s::bytea AS session, %s::bigint AS seq, %s::bytea AS answer, %s::float8 AS at) AS call;

-- :name forget_calls
-- not by a clock that is ahead of the server's
DELETE FROM calls WHERE at < to_timestamp(least(%s, date_part('epoch', now()) - 7 * 86400));

-- :name forget_history
DELETE FROM audit WHERE at < least(%s, date_part('epoch', now()) - 90 * 86400);

-- :name forgettable
SELECT number FROM memories WHERE deleted_at < least(%s, date_part('epoch', now()) - 90 * 86400) LIMIT %s;

-- :name forget
DELETE FROM memories WHERE number = %s;

-- :name forget_links
DELETE FROM links WHERE source = %s OR target = %s;

-- :name numbers_of
SELECT m.id, m.number FROM memories m WHERE m.id = ANY (ARRAY(SELECT value FROM json_array_elements_text(%s::json)));

-- :name restored
INSERT INTO memories(id, type, title, content, metadata, tags, project, confidence, source_task, repository, digest, access_count, last_accessed,
  created_at, updated_at)
VALUES (%(id)s, %(type)s, %(title)s, %(content)s, %(metadata)s, %(tags)s::jsonb, %(project)s, %(confidence)s, %(source_task)s, %(repository)s,
  %(digest)s, %(access_count)s, %(last_accessed)s, %(created_at)s, %(updated_at)s)
ON CONFLICT(id) DO NOTHING RETURNING number;

-- :name all_links
SELECT a.id, b.id, l.reason, l.strength, l.automatic FROM links l JOIN memories a ON a.number = l.source JOIN memories b ON b.number = l.target
WHERE a.deleted_at IS NULL AND b.deleted_at IS NULL ORDER BY l.source, l.target;

-- :name exported
SELECT number, id, type, title, content, metadata, tags::text, project, confidence, source_task, repository, access_count, last_accessed, created_at, updated_at
FROM memories WHERE number > %s AND deleted_at IS NULL ORDER BY number LIMIT %s;

-- :name has_link
SELECT 1 FROM links WHERE source = %s AND target = %s;
