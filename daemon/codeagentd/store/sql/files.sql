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

-- :name imports
-- parameters: first and last id of the file's range. primary key.
SELECT id, local, module, name, exported FROM imports WHERE id BETWEEN ? AND ? ORDER BY id;

-- :name imported
-- parameters: file, kind (of reference). What the file itself, and no definition in it, refers to so, in line order. columns: key, and those of a target.
-- A file's references are one range of the primary key.
SELECT r.key, t.id, t.name, t.kind, t.file, f.path, t.line_start
FROM refs r CROSS JOIN symbols s ON s.id = r.source JOIN symbols t ON t.id = r.target JOIN files f ON f.id = t.file
WHERE r.id BETWEEN :file << 20 AND (:file << 20) + 1048575 AND r.kind = :kind AND s.parent IS NULL ORDER BY r.line, r.col;

-- :name place
-- parameter: id. primary key.
SELECT path, coalesce(language, '') FROM files WHERE id = ?;

-- :name top
-- parameter: file. columns: name, flags, access of what stands in no other definition, in line order. index: symbols_file.
SELECT s.name, s.flags, s.access FROM symbols s JOIN symbols p ON p.id = s.parent WHERE s.file = ? AND p.parent IS NULL ORDER BY s.line_start, s.col;
