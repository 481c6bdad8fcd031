-- Memories, their links, their history.

-- :name put
-- parameters as named. columns: as by_id
INSERT INTO memories(id, type, title, content, metadata, tags, project, confidence, source_task, repository, digest, anchored, created_at,
  updated_at)
VALUES (:id, :type, :title, :content, :metadata, :tags, :project, :confidence, :source_task, :repository, :digest, :anchored, :now, :now)
RETURNING number, id, type, title, content, metadata, tags, project, confidence, source_task, repository, access_count, last_accessed, created_at,
  updated_at;

-- :name open_project
-- nothing: a file knows no roles. parameter: project of rows that are going to be written
SELECT ?;

-- :name by_id
-- parameter: id. index: the unique one of id. columns: those of memory/memory_rows.py Row
SELECT number, id, type, title, content, metadata, tags, project, confidence, source_task, repository, access_count, last_accessed, created_at, updated_at
FROM memories WHERE id = ? AND deleted_at IS NULL;

-- :name lock
-- parameter: id. columns: number of a living memory; a transaction that writes has the whole database to itself
SELECT number FROM memories WHERE id = ? AND deleted_at IS NULL;

-- :name by_numbers
-- parameter: numbers (JSON array); primary key. columns: as by_id
SELECT m.number, m.id, m.type, m.title, m.content, m.metadata, m.tags, m.project, m.confidence, m.source_task, m.repository, m.access_count,
  m.last_accessed, m.created_at, m.updated_at
FROM json_each(?) j JOIN memories m ON m.number = j.value WHERE m.deleted_at IS NULL;

-- :name change
-- parameters as named
UPDATE memories SET title = :title, content = :content, metadata = :metadata, tags = :tags, confidence = :confidence, digest = :digest,
  repository = :repository, anchored = :anchored, updated_at = :now
WHERE number = :number;

-- :name count_access
-- parameters: unix seconds, number
UPDATE memories SET access_count = access_count + 1, last_accessed = ? WHERE number = ?;

-- :name set_deleted
-- parameters: unix seconds, number
UPDATE memories SET deleted_at = ? WHERE number = ?;

-- :name put_words
-- parameters: number, title, content, tags
INSERT INTO memory_fts(rowid, title, content, tags) VALUES (?, ?, ?, ?);

-- :name delete_words
-- parameter: number
DELETE FROM memory_fts WHERE rowid = ?;

-- :name put_link
-- parameters as named: one that is made by hand replaces one that was found, never the other way round
INSERT INTO links(source, target, reason, strength, automatic, created_at) VALUES (:source, :target, :reason, :strength, :automatic, :now)
ON CONFLICT(source, target) DO UPDATE SET reason = excluded.reason, strength = excluded.strength, automatic = excluded.automatic
WHERE excluded.automatic = 0 OR links.automatic = 1;

-- :name delete_found_links
-- parameter: number, twice; indexes: primary key, links_target
DELETE FROM links WHERE automatic = 1 AND (source = ? OR target = ?);

-- :name neighbours
-- parameters: numbers (JSON array), limit; indexes: primary key, links_target. The strongest first.
-- columns: number asked for, number at the other end, outgoing, strength, reason, automatic
SELECT l.source, l.target, 1, l.strength, l.reason, l.automatic
FROM json_each(:numbers) j CROSS JOIN links l ON l.source = j.value JOIN memories m ON m.number = l.target WHERE m.deleted_at IS NULL
UNION ALL
SELECT l.target, l.source, 0, l.strength, l.reason, l.automatic
FROM json_each(:numbers) j CROSS JOIN links l ON l.target = j.value JOIN memories m ON m.number = l.source WHERE m.deleted_at IS NULL
ORDER BY 4 DESC, 2 LIMIT :limit;

-- :name totals
-- parameters: project, type (NULL: any). full scan of memories: all are counted. columns: type, project, how many, sum of their confidences
SELECT type, project, count(*), total(confidence) FROM memories
WHERE deleted_at IS NULL AND (:project IS NULL OR project = :project) AND (:type IS NULL OR type = :type) GROUP BY 1, 2;

-- :name tag_totals
-- parameters: project, type (NULL: any), limit. full scan of memories: the tags of all are counted
SELECT j.value, count(*) FROM memories m, json_each(m.tags) j
WHERE m.deleted_at IS NULL AND (:project IS NULL OR m.project = :project) AND (:type IS NULL OR m.type = :type)
GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit;

-- :name count_links
-- parameters: project, type (NULL: any): links between living memories, one of which is counted. full scan of links: all are counted
SELECT count(*) FROM links l JOIN memories a ON a.number = l.source JOIN memories b ON b.number = l.target
WHERE a.deleted_at IS NULL AND b.deleted_at IS NULL
  AND ((:project IS NULL OR a.project = :project) AND (:type IS NULL OR a.type = :type)
    OR (:project IS NULL OR b.project = :project) AND (:type IS NULL OR b.type = :type));

-- :name listed
-- parameters: project, type (NULL: any), limit: the newest first, by primary key
SELECT number, id, type, title, content, metadata, tags, project, confidence, source_task, repository, access_count, last_accessed, created_at, updated_at
FROM memories
WHERE number > 0 AND deleted_at IS NULL AND (:project IS NULL OR project = :project) AND (:type IS NULL OR type = :type)
ORDER BY number DESC LIMIT :limit;

-- :name note
-- parameters: unix seconds, action, subject, session, before, after
INSERT INTO audit(at, action, subject, session, before, after) VALUES (?, ?, ?, ?, ?, ?);

-- :name history
-- parameters: subject (NULL: any), since (unix seconds), limit: the newest first, by primary key
SELECT number, at, action, subject, session, before, after FROM audit
WHERE number > 0 AND at >= :since AND (:subject IS NULL OR subject = :subject) ORDER BY number DESC LIMIT :limit;

-- :name answered
-- parameters: session, seq
SELECT answer FROM calls WHERE session = ? AND seq = ?;

-- :name put_call
-- parameters: session, seq, answer, unix seconds
INSERT OR IGNORE INTO calls(session, seq, answer, at) VALUES (?, ?, ?, ?);

-- :name forget_calls
-- parameter: unix seconds; index calls_at
DELETE FROM calls WHERE at < ?;

-- :name forget_history
-- parameter: unix seconds; index audit_at
DELETE FROM audit WHERE at < ?;

-- :name forgettable
-- parameters: unix seconds, limit; index memories_deleted
SELECT number FROM memories WHERE deleted_at < ? LIMIT ?;

-- :name forget
-- parameter: number: what is left of a memory that was deleted long ago
DELETE FROM memories WHERE number = ?;

-- :name forget_links
-- parameter: number, twice
DELETE FROM links WHERE source = ? OR target = ?;

-- :name numbers_of
-- parameter: ids (JSON array); the unique index of id, deleted ones too. columns: id, number
SELECT m.id, m.number FROM json_each(?) j JOIN memories m ON m.id = j.value;

-- :name restored
-- parameters as named: one that comes from elsewhere keeps its times
INSERT INTO memories(id, type, title, content, metadata, tags, project, confidence, source_task, repository, digest, access_count, last_accessed,
  created_at, updated_at)
VALUES (:id, :type, :title, :content, :metadata, :tags, :project, :confidence, :source_task, :repository, :digest, :access_count, :last_accessed,
  :created_at, :updated_at)
ON CONFLICT(id) DO NOTHING RETURNING number;

-- :name all_links
-- full scan of links: all are handed out. columns: source, target, reason, strength, automatic
SELECT a.id, b.id, l.reason, l.strength, l.automatic FROM links l JOIN memories a ON a.number = l.source JOIN memories b ON b.number = l.target
WHERE a.deleted_at IS NULL AND b.deleted_at IS NULL ORDER BY l.source, l.target;

-- :name exported
-- parameters: after (a number to go on from), limit; by primary key. columns: as by_id
SELECT number, id, type, title, content, metadata, tags, project, confidence, source_task, repository, access_count, last_accessed, created_at, updated_at
FROM memories WHERE number > ? AND deleted_at IS NULL ORDER BY number LIMIT ?;

-- :name has_link
-- parameters: source, target; primary key
SELECT 1 FROM links WHERE source = ? AND target = ?;
