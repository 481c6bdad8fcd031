-- Code that memories speak of: in memory.db what was seen, in index.db what there is.

-- :name put
-- parameters: memory, repository, kind, uid, name, path, digest, body
INSERT OR REPLACE INTO anchors(memory, repository, kind, uid, name, path, digest, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- :name delete
-- parameters: memory, repository; a range of the primary key
DELETE FROM anchors WHERE memory = ? AND repository = ?;

-- :name forget
-- parameter: memory; a range of the primary key
DELETE FROM anchors WHERE memory = ?;

-- :name of_memories
-- parameter: numbers (JSON array); ranges of the primary key. columns: memory, repository, kind, uid, name, path, digest, body
SELECT a.memory, a.repository, a.kind, a.uid, a.name, a.path, a.digest, a.body
FROM json_each(?) j CROSS JOIN anchors a ON a.memory = j.value ORDER BY a.memory, a.kind DESC, a.name, a.path;

-- :name of_symbol
-- parameters: repository, uid, limit. index: anchors_uid. columns: number of a living memory
SELECT m.number FROM anchors a JOIN memories m ON m.number = a.memory
WHERE a.repository = ? AND a.kind = 'symbol' AND a.uid = ? AND m.deleted_at IS NULL ORDER BY m.updated_at DESC LIMIT ?;

-- :name unanchored
-- parameters: repository, limit. index: memories_unanchored. columns: number, title, content, metadata, digest
SELECT number, title, content, metadata, digest FROM memories WHERE repository = ? AND anchored = 0 AND deleted_at IS NULL LIMIT ?;

-- :name set_anchored
-- parameters: number, digest of what was looked at: another text is looked at again
UPDATE memories SET anchored = 1 WHERE number = ? AND digest = ? AND deleted_at IS NULL RETURNING number;

-- :name file
-- parameter: path; the unique index of path. columns: digest of its bytes
SELECT digest FROM files WHERE path = ? AND id > 0 AND digest IS NOT NULL;

-- :name file_by_digest
-- parameter: digest. full scan of files: only when a file that somebody remembers is gone. columns: path
SELECT path FROM files WHERE digest = ? AND id > 0 LIMIT 2;

-- :name body
-- parameter: symbol; primary key
SELECT body FROM symbols WHERE id = ?;

-- :name by_body
-- parameters: path, body. index: symbols_file. columns: those of symbols.by_uid
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM files f JOIN symbols s ON s.file = f.id LEFT JOIN symbols p ON p.id = s.parent WHERE f.path = ? AND s.body = ? LIMIT 2;
