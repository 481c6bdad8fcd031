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

-- :name open_calls
-- parameters: symbols (JSON array), name, limit. columns: qualified name of the symbol, name that it calls on a value of unknown type, path, line; those of the
-- name first, then in the order of the symbols. indexes: primary keys.
SELECT s.qualified_name, n.name, f.path, r.line
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value
CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575 AND r.source = s.id AND r.target IS NULL AND r.kind = 1
CROSS JOIN names n ON n.key = r.key CROSS JOIN files f ON f.id = s.file
ORDER BY n.name <> :name, j.key, r.id LIMIT :limit;

-- :name paths
-- parameters: part, limit: files whose paths contain it, the shortest first. full scan of files: there are few, and no index finds a part.
SELECT path FROM files WHERE instr(lower(path), lower(:part)) ORDER BY length(path), path LIMIT :limit;

-- :name leaving_calls
-- parameters: symbols (JSON array), limit. columns: what they call outside of the repository, how often, path and line of one of the calls; the most frequent
-- first. indexes: primary keys.
SELECT t.qualified_name, count(*), min(f.path), min(r.line)
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value
CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575 AND r.source = s.id AND r.target < 0 AND r.kind IN (1, 23)
CROSS JOIN symbols t ON t.id = r.target CROSS JOIN files f ON f.id = s.file
GROUP BY t.id ORDER BY 2 DESC, 1 LIMIT :limit;
