-- Episodes: what was tried and what came of it; in index.db where it failed.

-- :name symbol_at
-- parameters: path, line; the unique index of path, index symbols_file. columns: qualified name, uid of the innermost definition there that is no value
SELECT s.qualified_name, s.uid FROM files f JOIN symbols s ON s.file = f.id
WHERE f.path = ? AND s.parent IS NOT NULL AND s.kind NOT IN (13, 14, 15, 16) AND ? BETWEEN s.line_start AND s.line_end
ORDER BY s.line_start DESC, s.line_end LIMIT 1;

-- :name files_ending
-- parameter: suffix ('/pricing.py'). full scan of files: for tools that leave the directory out. columns: path
SELECT path FROM files WHERE id > 0 AND substr('/' || path, -length(:suffix)) = :suffix LIMIT 2;

-- :name attempts
-- parameter: task; index memories_scope. How many episodes are about exactly this task
SELECT count(*) FROM memories WHERE project = '' AND type = 'episode' AND deleted_at IS NULL AND json_extract(metadata, '$.task') = ?;

-- :name resolving
-- parameter: ids (JSON array). full scan of tasks: some hundreds. Those of these memories that resolved a task
SELECT DISTINCT resolved_by FROM tasks WHERE status = 'done' AND resolved_by IN (SELECT value FROM json_each(?));
