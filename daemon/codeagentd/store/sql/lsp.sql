-- Names and symbols by their places, as language servers ask for them. `symbol` columns are those of the statement by_uid of symbols.sql.

-- :name file
-- parameter: path. columns: number, digest, language, whether its references are known. index: the unique one on files.path.
SELECT id, digest, coalesce(language, ''), resolved FROM files WHERE path = ?;

-- :name names_on_line
-- parameters: file, first and last (numbers of its references), line. columns: column (NULL: not stored), target (NULL: open), reference kind (0: a
-- definition), confidence, name of the target. What is not named at its place is left out: overriding, structure, operations.
-- indexes: a range of the primary key, symbols_file, spans_file.
SELECT r.col, r.target, r.kind, r.confidence, s.name FROM refs r LEFT JOIN symbols s ON s.id = r.target
WHERE r.id BETWEEN :first AND :last AND r.line = :line AND r.kind <> 13 AND r.origin NOT IN (16, 21)
UNION ALL
SELECT col, id, 0, 0, name FROM symbols WHERE file = :file AND line_start <= :line AND line = :line AND parent IS NOT NULL
UNION ALL
SELECT NULL, s.id, 0, 0, s.name FROM spans p JOIN symbols s ON s.id = p.symbol WHERE p.file = :file AND p.line = :line;

-- :name names_in_file
-- parameters: file, first and last (numbers of its references). columns: line, column, target (NULL: open), reference kind (0: a definition), name of the
-- target, its kind and flags. indexes: a range of the primary key, symbols_file.
SELECT r.line, r.col, r.target, r.kind, s.name, s.kind, s.flags FROM refs r LEFT JOIN symbols s ON s.id = r.target
WHERE r.id BETWEEN :first AND :last AND r.kind <> 13 AND r.origin NOT IN (16, 21)
UNION ALL
SELECT line, col, id, 0, name, kind, flags FROM symbols WHERE file = :file AND parent IS NOT NULL;

-- :name uses_in_file
-- parameters: first and last (numbers of a file's references), symbols (JSON array). columns: line, column, reference kind, confidence. A range of the primary key.
SELECT line, col, min(kind), min(confidence) FROM refs
WHERE id BETWEEN :first AND :last AND target IN (SELECT value FROM json_each(:symbols)) AND kind <> 13 AND origin NOT IN (16, 21)
GROUP BY line, col ORDER BY line, col;

-- :name import_of
-- parameters: first and last (numbers of a file's references), symbol. columns: line, column of the first import of a symbol. A range of the primary key.
SELECT line, col FROM refs WHERE id BETWEEN :first AND :last AND target = :symbol AND kind IN (2, 3) ORDER BY id LIMIT 1;

-- :name symbols
-- parameter: symbols (JSON array of numbers). columns: symbol. index: primary keys.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM json_each(?) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
ORDER BY j.key;

-- :name other_places
-- parameter: symbol. columns: path, first and last line, line of the name. The places of a symbol that has several. indexes: primary keys.
SELECT f.path, n.line_start, n.line_end, n.line FROM spans n JOIN files f ON f.id = n.file WHERE n.symbol = ? ORDER BY f.path, n.line_start;

-- :name members_named
-- parameters: key, family (JSON array of languages), limit, and those of languages.lending. columns: symbol, as `symbols`. Members that a receiver of
-- unknown type may have. index: symbols_key.
SELECT m.id, m.uid, m.name, m.qualified_name, m.kind, m.key, m.file, f.path, f.language, m.parent, p.kind, m.line_start, m.line_end, m.line, m.col
FROM symbols m JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
WHERE m.key = :key AND m.kind <> :constructor AND NOT (m.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
  AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
ORDER BY f.path, m.line_start, m.uid LIMIT :limit;

-- :name definitions_in_file
-- parameter: file. columns: number, parent, name, kind, flags, first and last line, line and column of the name, signature, return type, qualified name. index: symbols_file.
SELECT id, parent, name, kind, flags, line_start, line_end, line, col, signature, returns, qualified_name FROM symbols
WHERE file = ? AND parent IS NOT NULL ORDER BY line_start, -line_end, line, col, id;
