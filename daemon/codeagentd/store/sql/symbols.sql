-- Symbols by id, name and qualified name; their details and places.

-- :name by_uid
-- parameters: uid. index: symbols_uid.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
WHERE s.uid = :uid;

-- :name at_line
-- parameters: path, line, namespace (a symbol kind). columns: those of by_uid. The widest symbol that begins at the line, or whose name is there, with any of
-- its places; else the innermost one around it. Namespaces have their primary place alone. indexes: the unique one on files.path, symbols_file, spans_file.
WITH places(id, first, last, line) AS (
  SELECT s.id, s.line_start, s.line_end, s.line FROM files f CROSS JOIN symbols s ON s.file = f.id AND s.line_start <= :line AND s.line_end >= :line
  WHERE f.path = :path
  UNION
  SELECT s.id, p.line_start, p.line_end, p.line FROM files f CROSS JOIN spans p ON p.file = f.id AND p.line_start <= :line AND p.line_end >= :line
  CROSS JOIN symbols s ON s.id = p.symbol AND s.id > 0 AND s.kind <> :namespace
  WHERE f.path = :path
)
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM places o CROSS JOIN symbols s ON s.id = o.id JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
ORDER BY s.parent IS NULL, :line NOT IN (o.first, o.line), (o.last - o.first) * iif(:line IN (o.first, o.line), -1, 1), s.uid LIMIT 1;

-- :name by_qualified_name
-- parameters: qualified_name, place (a part of the file's path, '' for any), limit. columns: those of by_uid, then how many there are in all.
-- index: symbols_qualified.
-- What lies outside of the repository has a number below zero, and is shown while something refers to it.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col,
  count(*) OVER ()
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
WHERE s.qualified_name = :qualified_name AND instr(f.path, :place) AND (s.id > 0 OR EXISTS (SELECT 1 FROM refs WHERE target = s.id))
ORDER BY f.path, s.line_start, s.uid LIMIT :limit;

-- :name by_name
-- parameters: key and name of the last part, suffix ('.Class.method', or '' for any; `::` counts as a dot), documents (0: neither parts of
-- documents, which are the kinds 23 to
-- 26 of model.kinds.OUTLINE, nor what their examples define), place, limit. columns: as by_qualified_name. index: symbols_key.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col,
  count(*) OVER ()
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
WHERE s.key = :key AND s.name = :name AND (:suffix = '' OR substr('.' || replace(s.qualified_name, '::', '.'), -length(:suffix)) = :suffix)
  AND (:documents OR (s.kind NOT BETWEEN 23 AND 26 AND f.language <> 'markdown')) AND instr(f.path, :place)
ORDER BY f.path, s.line_start, s.uid LIMIT :limit;

-- :name outside
-- parameters: name, suffix (a LIKE pattern: '_http_Get'), place, limit: what other packages have under a name that ends so. columns: as by_qualified_name.
-- A range of the primary key: what lies outside has a number below zero, and is shown while something refers to it.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col,
  count(*) OVER ()
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
WHERE s.id < 0 AND s.name = :name AND '.' || s.qualified_name LIKE '%' || :suffix AND instr(f.path, :place) AND EXISTS (SELECT 1 FROM refs WHERE target = s.id)
ORDER BY f.path, s.qualified_name LIMIT :limit;

-- :name lookup
-- parameters: qualified_name, language and project (NULL: any), after_path, after_line, after_uid, limit. index: symbols_qualified.
SELECT f.path, s.line_start, s.uid, s.name, s.qualified_name, s.kind, f.language, s.line_end, s.access, s.signature, s.returns
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.qualified_name = :qualified_name AND (s.id > 0 OR EXISTS (SELECT 1 FROM refs WHERE target = s.id))
  AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)
  AND (f.path, s.line_start, s.uid) > (:after_path, :after_line, :after_uid)
ORDER BY f.path, s.line_start, s.uid LIMIT :limit;

-- :name signature
-- parameter: symbol; primary key
SELECT signature FROM symbols WHERE id = ?;

-- :name details
-- parameters: symbol. indexes: primary keys.
SELECT s.flags, s.access, s.signature, s.parameters, s.returns, f.status, coalesce(p.key, '')
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN projects p ON p.id = f.project
WHERE s.id = :symbol;

-- :name reference_count
-- parameters: symbol. index: refs_target (covering).
SELECT count(*) FROM refs WHERE target = :symbol;

-- :name spans
-- parameters: symbol, after_rank, after_path, after_line, after_last, limit.
-- columns: 0 for the primary span, else 1; path; first and last line. indexes: primary keys.
SELECT DISTINCT rank, path, line_start, line_end FROM (
  SELECT 0 AS rank, f.path, s.line_start, s.line_end FROM symbols s JOIN files f ON f.id = s.file WHERE s.id = :symbol
  UNION ALL
  SELECT 1, f.path, p.line_start, p.line_end FROM spans p JOIN files f ON f.id = p.file JOIN symbols s ON s.id = p.symbol
  WHERE p.symbol = :symbol AND (p.file, p.line_start, p.line_end) <> (s.file, s.line_start, s.line_end)
)
WHERE (rank, path, line_start, line_end) > (:after_rank, :after_path, :after_line, :after_last)
ORDER BY rank, path, line_start, line_end LIMIT :limit;

-- :name standings
-- parameter: symbols (JSON array). columns: number, flags, access, whether its file is generated, parameters. indexes: primary keys.
SELECT s.id, s.flags, s.access, f.generated, coalesce(s.signature, '')
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file;

-- :name exported_as
-- parameter: local. columns: file, its module and import name, the name that the definition has itself, whether it is exported.
-- full scan of imports, where no symbol has the name: 2 ms at 19,000
SELECT f.id, f.module, f.import_name, i.name, i.exported FROM imports i JOIN files f ON f.id = i.id >> 20
WHERE i.local = ? AND i.name NOT IN ('', '*') ORDER BY f.path;

-- :name bound_in
-- parameters: file, first and last (the numbers of its references), key: what a name is at the top of a file, imported (reference kinds 2 and 3) or defined there.
-- columns: those of by_uid. A file's references are one range of the primary key; index: symbols_file.
WITH bound(id) AS (
  SELECT target FROM refs WHERE id BETWEEN :first AND :last AND key = :key AND kind IN (2, 3) AND target > 0
  UNION
  SELECT s.id FROM symbols s JOIN symbols p ON p.id = s.parent WHERE s.file = :file AND s.key = :key AND p.parent IS NULL
)
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM bound b CROSS JOIN symbols s ON s.id = b.id JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
ORDER BY f.path, s.line_start, s.uid;

-- :name having_words
-- parameters: match (FTS5 expression), limit. columns: names.
SELECT DISTINCT s.name FROM (SELECT rowid AS id FROM symbols_fts WHERE symbols_fts MATCH ? LIMIT ?) h CROSS JOIN symbols s ON s.id = h.id ORDER BY s.name;

-- :name named_alike
-- parameters: match (trigrams), scan, length, limit: names of some symbol, those of the most similar length first. index: names_trigram, symbols_key.
SELECT n.name FROM (SELECT rowid AS key FROM names_trigram WHERE names_trigram MATCH :match LIMIT :scan) h CROSS JOIN names n ON n.key = h.key
WHERE EXISTS (SELECT 1 FROM symbols s WHERE s.key = n.key) ORDER BY abs(length(n.name) - :length), n.name LIMIT :limit;

-- :name is_overriding
-- parameter: symbol. Whether it overrides a member of the repository. index: refs_overriding.
SELECT EXISTS (SELECT 1 FROM refs WHERE source = ? AND kind = 13);
