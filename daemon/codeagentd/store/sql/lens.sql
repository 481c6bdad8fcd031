-- Symbols by name as editors ask for them, and what stands around them. Symbol kinds, reference kinds and confidences are those of model/kinds.py.
--
-- Parts of documents are the kinds 23 to 26 (model.kinds.OUTLINE). `wanted` columns say what a name means: whole (the name, or the whole qualified
-- name) with its key; last (the last part of a dotted name) with its key, and suffix ('.Class.method'; '' when the name is not dotted or is a whole
-- qualified name); kinds (JSON array, or NULL for any).

-- :name names
-- parameters: pattern (of LIKE), begins (the same for names that begin so), text, furthest (where the text may begin in the name, as letters count), scan.
-- columns: key, name. full scan of names, which has one short row per distinct name: 3 ms at 35,000; for texts too short for trigrams.
SELECT key, name FROM names
WHERE name LIKE :pattern ESCAPE '\' AND (:text = '' OR instr(name, :text) BETWEEN 1 AND :furthest)
ORDER BY name LIKE :begins ESCAPE '\' DESC, length(name), name LIMIT :scan;

-- :name names_by_trigrams
-- parameters: match (the trigrams, joined by AND), and those of names. columns: key, name. index: names_trigram.
SELECT n.key, n.name FROM (SELECT rowid AS key FROM names_trigram WHERE names_trigram MATCH :match) h CROSS JOIN names n ON n.key = h.key
WHERE n.name LIKE :pattern ESCAPE '\' AND (:text = '' OR instr(n.name, :text) BETWEEN 1 AND :furthest)
ORDER BY n.name LIKE :begins ESCAPE '\' DESC, length(n.name), n.name LIMIT :scan;

-- :name of_names
-- parameters: keys (JSON array), kind (NULL: any), documents (1: their parts alone, 0: all others), counted (references counted at most), limit.
-- The shorter name first, then what is referred to most. indexes: symbols_key, refs_target.
SELECT s.id, s.name, s.kind, f.path, s.line_start, s.line_end, s.qualified_name
FROM json_each(:keys) k CROSS JOIN symbols s ON s.key = k.value JOIN files f ON f.id = s.file
WHERE s.id > 0 AND (:kind IS NULL OR s.kind = :kind) AND (s.kind BETWEEN 23 AND 26) = :documents
ORDER BY length(s.name), (SELECT count(*) FROM (SELECT 1 FROM refs WHERE target = s.id LIMIT :counted)) DESC, f.language IN ('asciidoc', 'latex', 'man', 'markdown', 'org', 'other', 'pod', 'rst', 'text'), f.path, s.line_start, s.uid
LIMIT :limit;

-- :name is_qualified
-- parameters: whole. index: symbols_qualified.
SELECT EXISTS (SELECT 1 FROM symbols WHERE qualified_name = :whole AND id > 0);

-- :name definitions
-- parameters: those of wanted, after_document, after_path, after_line, after_last, after_uid, limit. Every place of a symbol that has several.
-- indexes: symbols_key, symbols_qualified, primary keys.
WITH found(id) AS (
  SELECT id FROM symbols WHERE key = :whole_key AND name = :whole
  UNION SELECT id FROM symbols WHERE qualified_name = :whole
  UNION SELECT id FROM symbols WHERE key = :key AND name = :last AND :suffix <> ''
    AND substr(replace(replace(replace(qualified_name, '::', '.'), '#', '.'), '\', '.'), -length(:suffix)) = :suffix
)
SELECT document, path, line_start, line_end, uid, name, kind, qualified_name FROM (
  SELECT s.kind BETWEEN 23 AND 26 OR f.language IN ('asciidoc', 'latex', 'man', 'markdown', 'org', 'other', 'pod', 'rst', 'text') AS document, f.path, s.line_start, s.line_end, s.uid, s.name, s.kind, s.qualified_name
  FROM found CROSS JOIN symbols s ON s.id = found.id JOIN files f ON f.id = s.file
  WHERE s.id > 0 AND (:kinds IS NULL OR s.kind IN (SELECT value FROM json_each(:kinds)))
  UNION
  SELECT s.kind BETWEEN 23 AND 26 OR f.language IN ('asciidoc', 'latex', 'man', 'markdown', 'org', 'other', 'pod', 'rst', 'text'), f.path, p.line_start, p.line_end, s.uid, s.name, s.kind, s.qualified_name
  FROM found CROSS JOIN spans p ON p.symbol = found.id JOIN symbols s ON s.id = p.symbol JOIN files f ON f.id = p.file
  WHERE s.id > 0 AND (:kinds IS NULL OR s.kind IN (SELECT value FROM json_each(:kinds)))
)
WHERE (document, path, line_start, line_end, uid) > (:after_document, :after_path, :after_line, :after_last, :after_uid)
ORDER BY 1, 2, 3, 4, 5 LIMIT :limit;

-- :name nearest
-- parameters: those of wanted, path (of a file; '' for a folder), file (its number, or NULL), folder ('' for all, else ending in '/'), is_folder, project
-- (number, or NULL), limit. columns: level, symbols of this level in all, then those of symbols.by_uid. Levels: 0 in the file or folder, 1 named in
-- the file, 2 in what is named there, 3 in the file's folder, 4 in its project, 5 elsewhere.
-- indexes: symbols_key, symbols_qualified; a file's references are one range of the primary key.
WITH found(id) AS (
  SELECT id FROM symbols WHERE key = :whole_key AND name = :whole
  UNION SELECT id FROM symbols WHERE qualified_name = :whole
  UNION SELECT id FROM symbols WHERE key = :key AND name = :last AND :suffix <> ''
    AND substr(replace(replace(replace(qualified_name, '::', '.'), '#', '.'), '\', '.'), -length(:suffix)) = :suffix
),
seen(id) AS MATERIALIZED (SELECT DISTINCT target FROM refs WHERE id BETWEEN :file << 20 AND (:file << 20) + 1048575 AND target IS NOT NULL),
levelled AS (
  SELECT s.id, s.file, s.kind BETWEEN 23 AND 26 OR f.language IN ('asciidoc', 'latex', 'man', 'markdown', 'org', 'other', 'pod', 'rst', 'text') AS document, f.path, f.language,
    CASE
      WHEN f.path = :path OR (:is_folder AND substr(f.path, 1, length(:folder)) = :folder) THEN 0
      WHEN s.id IN (SELECT id FROM seen) THEN 1
      WHEN s.parent IN (SELECT id FROM seen) THEN 2
      WHEN NOT :is_folder AND substr(f.path, 1, length(:folder)) = :folder AND instr(substr(f.path, length(:folder) + 1), '/') = 0 THEN 3
      WHEN f.project = :project THEN 4
      ELSE 5
    END AS level
  FROM found CROSS JOIN symbols s ON s.id = found.id JOIN files f ON f.id = s.file
  WHERE s.id > 0 AND (:kinds IS NULL OR s.kind IN (SELECT value FROM json_each(:kinds)))
)
SELECT l.level, count(*) OVER (PARTITION BY l.level), s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, l.path, l.language, s.parent, p.kind,
  s.line_start, s.line_end, s.line, s.col
FROM levelled l CROSS JOIN symbols s ON s.id = l.id LEFT JOIN symbols p ON p.id = s.parent
ORDER BY l.level, l.document, l.path, s.line_start, s.uid LIMIT :limit;

-- :name file_at
-- parameters: path. columns: number, project, path of the first file at or after it. index: the unique one on files.path.
SELECT id, project, path FROM files WHERE path >= :path ORDER BY path LIMIT 1;

-- :name most_referenced
-- parameters: symbols (JSON array), counted. The one that is referred to most, the first of several. index: refs_target.
SELECT j.value FROM json_each(:symbols) j
ORDER BY (SELECT count(*) FROM (SELECT 1 FROM refs WHERE target = j.value LIMIT :counted)) DESC, j.key LIMIT 1;

-- :name references
-- parameters: symbols (JSON array), key (of their name), open (JSON object: language -> best confidence of open references there), apart (a file whose own
-- references do not count, or NULL), after_confidence, after_path, after_line, after_col, limit. One row per place, with its surest reading, and the enclosing symbol: '' for the file's own. indexes: refs_target, refs_open.
SELECT confidence, path, line, col, kind, (SELECT CASE WHEN s.parent IS NULL THEN '' ELSE s.qualified_name END FROM symbols s WHERE s.id = source) FROM (
SELECT confidence, path, line, col, kind, source FROM (
  SELECT min(confidence) AS confidence, path, line, col, kind, source FROM (
    SELECT r.confidence, f.path, r.line, r.col, r.kind, r.source
    FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value AND r.kind <> 13 AND r.origin NOT IN (16, 21) JOIN files f ON f.id = r.id >> 20
    WHERE :apart IS NULL OR f.id <> :apart
    UNION ALL
    SELECT max(o.value, r.confidence), f.path, r.line, r.col, r.kind, r.source
    FROM refs r JOIN files f ON f.id = r.id >> 20 JOIN json_each(:open) o ON o.key = f.language
    WHERE r.key = :key AND r.target IS NULL AND :open <> '{}'
  )
  GROUP BY path, line, col
)
WHERE (confidence, path, line, col) > (:after_confidence, :after_path, :after_line, :after_col)
ORDER BY 1, 2, 3, 4 LIMIT :limit)
ORDER BY 1, 2, 3, 4;

-- :name written
-- parameters: symbol. columns: signature, return type, declared type, flags. index: primary key.
SELECT signature, returns, type, flags FROM symbols WHERE id = :symbol;

-- :name document_symbols
-- parameters: file, after_line, after_last (minus the last line), after_col, after_uid, limit. As files.outline, with the enclosing symbol; that of the
-- file itself is '', unless the file is a component (17), which is listed. indexes: symbols_file, spans_file.
SELECT line_start, -line_end, col, uid, name, qualified_name, kind, line_end, parent FROM (
  SELECT s.line_start, s.line_end, s.col, s.uid, s.name, s.qualified_name, s.kind,
    CASE WHEN p.parent IS NULL AND p.kind <> 17 THEN '' ELSE p.qualified_name END AS parent
  FROM symbols s JOIN symbols p ON p.id = s.parent WHERE s.file = :file
  UNION ALL
  SELECT line_start, line_end, col, uid, name, qualified_name, kind, '' FROM symbols WHERE file = :file AND parent IS NULL AND kind = 17
  UNION ALL
  SELECT min(n.line_start), n.line_end, 0, s.uid, s.name, s.qualified_name, s.kind, CASE WHEN p.parent IS NULL THEN '' ELSE p.qualified_name END
  FROM spans n JOIN symbols s ON s.id = n.symbol JOIN symbols p ON p.id = s.parent WHERE n.file = :file AND s.file <> :file GROUP BY s.id
)
WHERE (line_start, -line_end, col, uid) > (:after_line, :after_last, :after_col, :after_uid)
ORDER BY line_start, -line_end, col, uid LIMIT :limit;

-- :name types_of
-- parameters: symbol, kinds (bits of reference kinds), text (which names the types), types (JSON array of symbol kinds), constructor. What the text names is
-- referred to inside the symbol's lines; a constructor stands for its type. columns: those of a relative. A file's references are one range of the primary key.
SELECT min(r.confidence), t.id, f.path, t.line_start, t.line_end, t.uid, t.name, t.kind, t.qualified_name
FROM symbols s CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575
JOIN symbols named ON named.id = r.target
JOIN symbols t ON t.id = CASE WHEN named.kind = :constructor THEN named.parent ELSE named.id END
JOIN files f ON f.id = t.file
WHERE s.id = :symbol AND r.line BETWEEN s.line_start AND s.line_end AND (:kinds >> r.kind) & 1
  AND (t.kind IN (SELECT value FROM json_each(:types)) OR t.id < 0) AND instr(:text, t.name) > 0
GROUP BY t.id ORDER BY min(r.id);

-- :name supertypes
-- parameters: types (JSON array), inherits (bits of reference kinds). columns: type, order, confidence, kind of reference, then those of a relative.
-- A file's references are one range of the primary key.
WITH own(symbol, file) AS (
  SELECT s.id, s.file FROM json_each(:types) j CROSS JOIN symbols s ON s.id = j.value
  UNION SELECT p.symbol, p.file FROM json_each(:types) j CROSS JOIN spans p ON p.symbol = j.value
)
SELECT r.source, min(r.id), min(r.confidence), min(r.kind), t.id, f.path, t.line_start, t.line_end, t.uid, t.name, t.kind, t.qualified_name
FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575 JOIN symbols t ON t.id = r.target JOIN files f ON f.id = t.file
WHERE r.source = own.symbol AND (:inherits >> r.kind) & 1 AND t.id <> r.source
GROUP BY r.source, t.id ORDER BY r.source, min(r.id);

-- :name subtypes
-- parameters: types (JSON array), inherits, limit. columns: as supertypes. index: refs_target.
SELECT r.target, min(r.id), min(r.confidence), min(r.kind), t.id, f.path, t.line_start, t.line_end, t.uid, t.name, t.kind, t.qualified_name
FROM json_each(:types) j CROSS JOIN refs r ON r.target = j.value JOIN symbols t ON t.id = r.source JOIN files f ON f.id = t.file
WHERE (:inherits >> r.kind) & 1 AND t.id <> r.target
GROUP BY r.target, t.id ORDER BY min(r.confidence), f.path, t.line_start, t.uid LIMIT :limit;

-- :name imports
-- parameters: files (JSON array), namespace (a symbol kind). columns: file, other file, its path, first line, confidence, names (JSON array, with doubles).
-- Reference kinds 2 and 3 import. What several files define a part of is imported from each; a namespace of several files only from those whose
-- definitions the importing file refers to. A file's references are one range of the primary key; other indexes: primary keys.
WITH referred(start, symbol, kind, line, confidence) AS MATERIALIZED (
  SELECT r.id >> 20, r.target, r.kind, r.line, r.confidence
  FROM json_each(:files) j CROSS JOIN refs r ON r.id BETWEEN j.value << 20 AND (j.value << 20) + 1048575 WHERE r.target IS NOT NULL
),
used(start, file) AS MATERIALIZED (
  SELECT u.start, t.file FROM referred u CROSS JOIN symbols t ON t.id = u.symbol WHERE t.kind <> :namespace
  UNION
  SELECT u.start, p.file FROM referred u CROSS JOIN spans p ON p.symbol = u.symbol JOIN symbols t ON t.id = p.symbol WHERE t.kind <> :namespace
),
imported(start, file, line, confidence, name) AS (
  SELECT r.start, t.file, r.line, r.confidence, t.name FROM referred r CROSS JOIN symbols t ON t.id = r.symbol
  WHERE r.kind IN (2, 3) AND NOT EXISTS (SELECT 1 FROM spans p WHERE p.symbol = t.id)
  UNION ALL
  SELECT r.start, p.file, r.line, r.confidence, t.name
  FROM referred r CROSS JOIN spans p ON p.symbol = r.symbol JOIN symbols t ON t.id = p.symbol JOIN used u ON u.start = r.start AND u.file = p.file
  WHERE r.kind IN (2, 3)
)
SELECT i.start, i.file, f.path, min(i.line), min(i.confidence), json_group_array(i.name)
FROM imported i CROSS JOIN files f ON f.id = i.file
WHERE i.file <> i.start GROUP BY 1, 2 ORDER BY f.path, 1;

-- :name imported_by
-- parameters: files (JSON array), namespace (a symbol kind). columns: as imports. indexes: symbols_file, spans_file, refs_target.
WITH inside(file, id, name, kind, is_whole) AS MATERIALIZED (
  SELECT t.file, t.id, t.name, t.kind, NOT EXISTS (SELECT 1 FROM spans p WHERE p.symbol = t.id)
  FROM json_each(:files) j CROSS JOIN symbols t ON t.file = j.value
  UNION
  SELECT p.file, t.id, t.name, t.kind, 0 FROM json_each(:files) j CROSS JOIN spans p ON p.file = j.value JOIN symbols t ON t.id = p.symbol
),
user(file, start) AS MATERIALIZED (
  SELECT DISTINCT i.file, r.id >> 20 FROM inside i CROSS JOIN refs r ON r.target = i.id WHERE i.kind <> :namespace
)
SELECT i.file, r.id >> 20, f.path, min(r.line), min(r.confidence), json_group_array(i.name)
FROM inside i CROSS JOIN refs r ON r.target = i.id AND r.kind IN (2, 3) JOIN files f ON f.id = r.id >> 20
WHERE i.file <> r.id >> 20 AND (i.is_whole OR EXISTS (SELECT 1 FROM user u WHERE u.file = i.file AND u.start = r.id >> 20))
GROUP BY 1, 2 ORDER BY f.path, 1;

-- :name unused_imports
-- parameters: file, namespace (a symbol kind). columns: qualified name of each namespace of several files that a file imports and of whose files it refers to
-- none. A file's references are one range of the primary key; other indexes: primary keys.
WITH referred(symbol, kind) AS MATERIALIZED (
  SELECT r.target, r.kind FROM refs r WHERE r.id BETWEEN :file << 20 AND (:file << 20) + 1048575 AND r.target IS NOT NULL
),
used(file) AS MATERIALIZED (SELECT DISTINCT t.file FROM referred u CROSS JOIN symbols t ON t.id = u.symbol WHERE t.kind <> :namespace)
SELECT DISTINCT t.qualified_name FROM referred r CROSS JOIN symbols t ON t.id = r.symbol
WHERE r.kind IN (2, 3) AND t.kind = :namespace AND EXISTS (SELECT 1 FROM spans p WHERE p.symbol = t.id)
  AND NOT EXISTS (SELECT 1 FROM spans p JOIN used u ON u.file = p.file WHERE p.symbol = t.id)
ORDER BY 1;
