-- Files as they are indexed, and what is defined in them.

-- :name by_path
-- parameters: path. index: the unique one on files.path.
SELECT id, language, status, reason FROM files WHERE path = :path;

-- :name paths
-- parameters: ids (JSON array). index: primary key.
SELECT id, path FROM files WHERE id IN (SELECT value FROM json_each(:ids));

-- :name project
-- parameters: key. index: the unique one on projects.key.
SELECT id FROM projects WHERE key = :key;

-- :name projects
-- parameters: limit. columns: keys of the projects that have files. full scan of files: for a refusal
SELECT key FROM projects WHERE id IN (SELECT project FROM files) ORDER BY key LIMIT :limit;

-- :name outline
-- parameters: file, after_line, after_last (minus the last line), after_col, after_uid, limit.
-- A symbol whose primary span is in another file stands at its first span in this one. indexes: symbols_file, spans_file.
SELECT line_start, -line_end, col, uid, name, qualified_name, kind, line_end, access, signature, returns FROM (
  SELECT s.line_start, s.line_end, s.col, s.uid, s.name, s.qualified_name, s.kind, s.access, s.signature, s.returns
  FROM symbols s WHERE s.file = :file AND s.parent IS NOT NULL
  UNION ALL
  SELECT min(p.line_start), p.line_end, 0, s.uid, s.name, s.qualified_name, s.kind, s.access, s.signature, s.returns
  FROM spans p JOIN symbols s ON s.id = p.symbol WHERE p.file = :file AND s.file <> :file AND s.parent IS NOT NULL GROUP BY s.id
)
WHERE (line_start, -line_end, col, uid) > (:after_line, :after_last, :after_col, :after_uid)
ORDER BY line_start, -line_end, col, uid LIMIT :limit;

-- :name called
-- parameter: name, the last part of a path. columns: path. full scan of files, where no file has the path: 1 ms at 3,000
SELECT path FROM files WHERE id > 0 AND path NOT LIKE 'external:%' AND substr('/' || path, -length(:name) - 1) = '/' || :name ORDER BY path LIMIT 100;

-- :name called_alike
-- parameters: begin (of the last part), limit. columns: path. full scan of files, where no file has the path: 1 ms at 3,000
SELECT path FROM files WHERE id > 0 AND instr('/' || path, '/' || :begin) ORDER BY path LIMIT :limit;
