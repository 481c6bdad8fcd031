-- What the page of the daemon shows beside the answers of tools.

-- :name links
-- parameters: first and last id of a file's range of references, first and last line. columns: line, column (0-based), kind, confidence, then the target's id,
-- qualified name, path and line. A range of the primary key.
SELECT r.line, r.col, r.kind, r.confidence, s.uid, s.qualified_name, f.path, s.line_start
FROM refs r JOIN symbols s ON s.id = r.target JOIN files f ON f.id = s.file
WHERE r.id BETWEEN :first AND :last AND r.line BETWEEN :from AND :until ORDER BY r.line, r.col, r.confidence, r.id;

-- :name definitions
-- parameters: file, first and last line. columns: line, column (0-based) of the name, name, id, qualified name. index: symbols_file.
SELECT line, col, name, uid, qualified_name FROM symbols
WHERE file = :file AND line_start <= :until AND line BETWEEN :from AND :until AND id > 0 AND parent IS NOT NULL ORDER BY line, col, line_end DESC;

-- :name paths
-- parameters: part, limit: files whose paths contain it, the shortest first. full scan of files: there are few, and no index finds a part.
SELECT path FROM files WHERE instr(lower(path), lower(:part)) ORDER BY length(path), path LIMIT :limit;
