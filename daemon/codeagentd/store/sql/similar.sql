-- Symbols that are like another one.

-- :name hits
-- parameter: symbols (JSON array); primary keys. columns: id, then those of symbols.lookup
SELECT s.id, f.path, s.line_start, s.uid, s.name, s.qualified_name, s.kind, f.language, s.line_end, s.access, s.signature, s.returns
FROM json_each(?) j JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file;

-- :name uses
-- parameters: first and last id of the file's range, symbol; range of the primary key. column: name key of what the symbol says, each once
SELECT DISTINCT key FROM refs WHERE id BETWEEN ? AND ? AND source = ?;

-- :name companions
-- parameters as named: symbol, first and last id of its file's range, how many users a common thing has at most, limit; range of the primary key and
-- index refs_target. columns: symbol that uses some of what the symbol uses, how many of it; the most first
SELECT r.source, count(DISTINCT r.target) AS shared
FROM (SELECT DISTINCT target FROM refs WHERE id BETWEEN :first AND :last AND source = :symbol AND target IS NOT NULL) t
JOIN refs r ON r.target = t.target
WHERE r.source <> :symbol AND (SELECT count(*) FROM (SELECT 1 FROM refs c WHERE c.target = t.target LIMIT :common)) < :common
GROUP BY r.source ORDER BY shared DESC, r.source LIMIT :limit;

-- :name namesakes
-- parameters as named: key, kind, symbol, limit; index symbols_key. column: symbol
SELECT id FROM symbols WHERE key = :key AND kind = :kind AND id <> :symbol AND id > 0 ORDER BY id LIMIT :limit;

-- :name shapes
-- parameter: symbols (JSON array); primary keys. columns: symbol, file, kind, name, number of parameters, digest of the body
SELECT s.id, s.file, s.kind, s.name, s.parameters, s.body FROM json_each(?) j JOIN symbols s ON s.id = j.value WHERE s.id > 0;
