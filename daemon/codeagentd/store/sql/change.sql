-- What a change of files or symbols touches.

-- :name defined_in
-- parameter: path. columns: number, parent, kind, first line, last line, line of the name, name. The symbols in a file, its own first, by the lines that they have there. indexes: the
-- unique one on files.path, symbols_file, spans_file.
SELECT id, parent, kind, first, last, line, name FROM (
  SELECT s.id, s.parent, s.kind, s.line_start AS first, s.line_end AS last, s.line, s.name FROM files f CROSS JOIN symbols s ON s.file = f.id WHERE f.path = :path
  UNION
  SELECT s.id, s.parent, s.kind, p.line_start, p.line_end, p.line, s.name FROM files f CROSS JOIN spans p ON p.file = f.id JOIN symbols s ON s.id = p.symbol WHERE f.path = :path
)
ORDER BY parent IS NOT NULL, first, id;

-- :name in_files
-- parameters: paths (JSON array), namespace (a symbol kind). columns: path, number, kind, flags, whether it stands for its file. Symbols that other files define too
-- are of each of these files, but namespaces. indexes: the unique one on files.path, symbols_file, spans_file.
SELECT path, id, kind, flags, is_file FROM (
  SELECT f.path, s.id, s.kind, s.flags, s.parent IS NULL AS is_file, s.line_start
  FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value CROSS JOIN symbols s ON s.file = f.id
  UNION
  SELECT f.path, s.id, s.kind, s.flags, 0, p.line_start
  FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value CROSS JOIN spans p ON p.file = f.id JOIN symbols s ON s.id = p.symbol
  WHERE s.kind <> :namespace AND s.file <> f.id
)
ORDER BY path, line_start, id;

-- :name used_outside
-- parameter: symbols (JSON array). columns: symbol, symbols of other files that refer to it for certain. indexes: primary key, refs_target.
SELECT s.id, count(DISTINCT r.source) FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value CROSS JOIN refs r ON r.target = s.id
WHERE r.id >> 20 <> s.file AND r.confidence < 2 GROUP BY s.id;

-- :name communities_of
-- parameter: symbols (JSON array). columns: number of communities. index: primary key.
SELECT count(DISTINCT n.community) FROM json_each(:symbols) j CROSS JOIN nodes n ON n.symbol = j.value;

-- :name tested
-- parameters: symbols (JSON array), module (a symbol kind). columns: symbol, its name, whether a module called tests is around it. index: primary key.
WITH RECURSIVE up(symbol, id) AS (
  SELECT j.value, j.value FROM json_each(:symbols) j
  UNION
  SELECT up.symbol, s.parent FROM up JOIN symbols s ON s.id = up.id WHERE s.parent IS NOT NULL
)
SELECT DISTINCT up.symbol FROM up JOIN symbols s ON s.id = up.id JOIN files f ON f.id = s.file
WHERE f.language = 'rust' AND s.kind = :module AND s.name IN ('tests', 'test') AND s.parent IS NOT NULL;

-- :name paths
-- columns: path of every file that is parsed. full scan of files: where tests are looked for by their names; 1 ms at 3,000
SELECT path FROM files WHERE language IS NOT NULL AND id > 0 ORDER BY path;

-- :name sites
-- parameter: symbols (JSON array). columns: file, line, column, kind, confidence, key of the name written there, target; without edges of structure
-- (origin 16). index: refs_target.
SELECT f.path, r.line, r.col, r.kind, r.confidence, r.key, r.target FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value JOIN files f ON f.id = r.id >> 20
WHERE r.origin <> 16 ORDER BY f.path, r.line, r.col;

-- :name open_sites
-- parameters: key, family (JSON array of languages), limit. columns: file, line, column, best confidence. index: refs_open.
SELECT f.path, r.line, r.col, r.confidence FROM refs r JOIN files f ON f.id = r.id >> 20
WHERE r.key = :key AND r.target IS NULL AND f.language IN (SELECT value FROM json_each(:family))
ORDER BY f.path, r.line, r.col LIMIT :limit;

-- :name definitions
-- parameter: symbols (JSON array). columns: symbol, file, line, column (-1: not known) of each place where its name stands. indexes: primary keys.
SELECT s.id, f.path, s.line, s.col FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file
UNION
SELECT s.id, f.path, p.line, -1 FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN spans p ON p.symbol = s.id JOIN files f ON f.id = p.file
WHERE (p.file, p.line) <> (s.file, s.line);

-- :name same_scope
-- parameters: parent, key (of the new name). columns: number. The symbols of that name next to the old one. index: symbols_parent.
SELECT id FROM symbols WHERE parent = ? AND key = ?;

-- :name bound_in
-- parameters: paths (JSON array), name, key. columns: file, line (0: of an import, not known). Top-level definitions and imports of a name in some files. indexes: symbols_file; a range of
-- imports' primary key.
SELECT f.path, s.line FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value CROSS JOIN symbols s ON s.file = f.id JOIN symbols p ON p.id = s.parent
WHERE s.key = :key AND p.parent IS NULL
UNION
SELECT f.path, 0 FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value CROSS JOIN imports i ON i.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575
WHERE i.local = :name;

-- :name holders
-- parameters: symbol, callables (JSON array of symbol kinds). columns: file, first and last line of each function that refers to it for certain. index: refs_target.
SELECT DISTINCT f.path, s.line_start, s.line_end FROM refs r JOIN symbols s ON s.id = r.source JOIN files f ON f.id = s.file
WHERE r.target = :symbol AND r.confidence < 2 AND s.kind IN (SELECT value FROM json_each(:callables))
ORDER BY f.path DESC, s.line_start DESC;

-- :name saying
-- parameters: match (FTS5 expression), limit. columns: file, first and last line. Pieces of text that say a word. Primary keys.
SELECT f.path, c.line_start, c.line_end FROM (SELECT rowid AS id FROM chunks_fts WHERE chunks_fts MATCH :match LIMIT :limit) h
CROSS JOIN chunks c ON c.id = h.id JOIN files f ON f.id = c.id >> 20;

-- :name override_family
-- parameter: symbol. columns: symbol, confidence. The members that it overrides or that override it, directly or not, and those that do so with these: all have one
-- name. indexes: refs_overriding, refs_target.
WITH RECURSIVE family(id, confidence) AS (
  SELECT :symbol, 0
  UNION
  SELECT r.target, max(m.confidence, r.confidence) FROM family m CROSS JOIN refs r ON r.source = m.id AND r.kind = 13
  UNION
  SELECT r.source, max(m.confidence, r.confidence) FROM family m CROSS JOIN refs r ON r.target = m.id AND r.kind = 13
)
SELECT id, min(confidence) FROM family WHERE id <> :symbol GROUP BY id;

-- :name members_around
-- parameters: type, key, inherits (bits of reference kinds). columns: number, type and kind of the members of this name of the types above and below a type.
-- indexes: refs_target, symbols_parent; a file's references are one range of the primary key.
WITH RECURSIVE down(id) AS (
  SELECT :type UNION SELECT r.source FROM down JOIN refs r ON r.target = down.id WHERE (:inherits >> r.kind) & 1
),
up(id) AS (
  SELECT :type
  UNION
  SELECT r.target FROM up CROSS JOIN symbols s ON s.id = up.id CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575
  WHERE +r.source = s.id AND r.target > 0 AND (:inherits >> r.kind) & 1
)
SELECT m.id, m.parent, m.kind FROM (SELECT id FROM down UNION SELECT id FROM up) t CROSS JOIN symbols m ON m.parent = t.id AND m.key = :key
WHERE t.id <> :type;

-- :name constructors_of
-- parameters: type, name, constructor. columns: number. index: symbols_parent.
SELECT id FROM symbols WHERE parent = :type AND kind = :constructor AND name = :name;

-- :name others_named
-- parameters: paths (JSON array), key, symbols (JSON array). columns: file, line, column of what is called so and means another symbol. Ranges of the primary key
-- of refs; index symbols_key.
SELECT f.path, r.line, r.col FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value CROSS JOIN refs r ON r.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575
WHERE r.key = :key AND r.target IS NOT NULL AND r.confidence < 2 AND r.origin <> 16 AND r.target NOT IN (SELECT value FROM json_each(:symbols))
UNION
SELECT f.path, s.line, s.col FROM symbols s JOIN files f ON f.id = s.file WHERE s.key = :key AND s.id NOT IN (SELECT value FROM json_each(:symbols));

-- :name named_in
-- parameters: paths (JSON array), key. columns: uid, number, file, line, column, parent, whether it is at the top level. indexes: files.path, symbols_file.
SELECT s.uid, s.id, f.path, s.line, s.col, s.parent, p.id IS NOT NULL AND p.parent IS NULL
FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value CROSS JOIN symbols s ON s.file = f.id LEFT JOIN symbols p ON p.id = s.parent WHERE s.key = :key;

-- :name referring_in
-- parameters: paths (JSON array), key. columns: file, line, column, target (NULL: open) of what is called so. A range of the primary key for each file.
SELECT f.path, r.line, r.col, r.target FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value
CROSS JOIN refs r ON r.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575 WHERE r.key = :key AND r.origin <> 16;

-- :name importing
-- parameters: paths (JSON array), name. columns: files that import something of this name. A range of the primary key for each file.
SELECT DISTINCT f.path FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value
CROSS JOIN imports i ON i.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575 WHERE i.name = :name;

-- :name titles
-- parameter: symbols (JSON array). columns: number, qualified name, file, line. index: primary key.
SELECT s.id, s.qualified_name, f.path, s.line FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file;

-- :name uids
-- parameter: symbols (JSON array). columns: uid. index: primary key.
SELECT s.uid FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value;

-- :name of_outside
-- parameter: symbols (JSON array). columns: symbol, name, kind, flags, access, path, line, column, language, type around it (NULL where that is no type). index: primary keys.
SELECT s.id, s.name, s.kind, s.flags, s.access, f.path, s.line, s.col, f.language, CASE WHEN p.kind IN (SELECT value FROM json_each(:types)) THEN p.id END, p.kind
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent;

-- :name written_bases
-- parameter: type. columns: its bases as they are written. index: primary key.
SELECT bases FROM symbols WHERE id = ?;

-- :name found_bases
-- parameters: type, inherits (bits of reference kinds). columns: key of the name that is written for the base, base. indexes: primary keys; a file's references are one range.
SELECT r.key, r.target FROM symbols s CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575
WHERE s.id = :type AND +r.source = s.id AND r.target > 0 AND (:inherits >> r.kind) & 1;

-- :name overrides
-- parameters: symbol, override (a reference kind). columns: members that it overrides itself. indexes: primary keys; a file's references are one range.
SELECT r.target FROM symbols s CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575
WHERE s.id = :symbol AND +r.source = s.id AND r.target > 0 AND r.kind = :override;

-- :name embedding_fields
-- parameters: type, key (of its name), embed (a reference kind), field (a symbol kind). columns: fields that embed a type and are named after it. indexes: refs_target, symbols_parent.
SELECT m.id FROM refs r CROSS JOIN symbols m ON m.parent = r.source AND m.key = :key
WHERE r.target = :type AND r.kind = :embed AND m.kind = :field AND (m.file, m.line, m.col) = (r.id >> 20, r.line, r.col);

-- :name embedded_type
-- parameters: field, embed (a reference kind). columns: type whose name stands at the field's. A range of the primary key.
SELECT r.target FROM symbols m CROSS JOIN refs r ON r.id BETWEEN m.file << 20 AND (m.file << 20) + 1048575
WHERE m.id = :field AND r.kind = :embed AND +r.source = m.parent AND (r.line, r.col) = (m.line, m.col) AND r.target IS NOT NULL;

-- :name around
-- parameter: symbol. columns: kind and name of each definition around it, but for the file's own symbol. index: primary key.
WITH RECURSIVE up(id) AS (
  SELECT parent FROM symbols WHERE id = :symbol
  UNION
  SELECT s.parent FROM up JOIN symbols s ON s.id = up.id WHERE s.parent IS NOT NULL
)
SELECT s.kind, s.name FROM up JOIN symbols s ON s.id = up.id WHERE s.parent IS NOT NULL;

-- :name in_modules
-- parameters: symbol, key, module (a symbol kind). columns: file, line, column of other definitions of this name directly inside of a module inside of a file. index: symbols_key.
SELECT f.path, s.line, s.col FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = s.file
WHERE s.key = :key AND s.id <> :symbol AND p.kind = :module AND p.parent IS NOT NULL;

-- :name bodies_of_members
-- parameters: type, key, member (a symbol kind). columns: definitions of a name in the bodies of a type's members: `SMALL { int size() { … } }`. index: symbols_parent.
SELECT m.id FROM symbols e CROSS JOIN symbols m ON m.parent = e.id AND m.key = :key WHERE e.parent = :type AND e.kind = :member;

-- :name alike_members
-- parameters: key, family (JSON array of languages), types (JSON array of symbol kinds), symbols (JSON array). columns: file, line, column, kind and bases of
-- the type of each member of a name, whether it is one of the symbols. indexes: symbols_key, primary keys.
SELECT f.path, s.line, s.col, p.kind, p.bases, s.id IN (SELECT value FROM json_each(:symbols))
FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = s.file
WHERE s.key = :key AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
  AND s.kind NOT IN (SELECT value FROM json_each(:types))
ORDER BY f.path, s.line, s.col;

-- :name outer
-- parameter: symbol. columns: the symbol around it. index: primary key.
SELECT parent FROM symbols WHERE id = ?;
