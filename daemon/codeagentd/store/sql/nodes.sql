-- Symbols as nodes of the graph: by number, by place, by what their name is like. A symbol without a parent stands for its file.

-- :name cards
-- parameter: symbols (JSON array). columns: number, uid, kind, qualified name, module, path, language, whether it stands for its file, first and last line,
-- access. index: primary keys.
SELECT s.id, s.uid, s.kind, s.qualified_name, f.module, f.path, f.language, s.parent IS NULL AND s.kind IN (1, 2) AND s.id > 0, s.line_start, s.line_end, s.access
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file;

-- :name of_file
-- parameter: path. columns: those of symbols.by_uid, then how many there are. indexes: the unique one on files.path, symbols_file.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, NULL, s.line_start, s.line_end, s.line, s.col,
  count(*) OVER ()
FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL AND s.kind IN (1, 2)
WHERE f.path = :path LIMIT 1;

-- :name alike
-- parameters: match (the trigrams, joined by AND), scan, name (in lower case), suffix ('.class.name' in lower case, '' for any), whole (1: the name is just this),
-- place (a part of the path, '' for any), limit. columns: as of_file. indexes: names_trigram, symbols_key.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col,
  count(*) OVER ()
FROM (SELECT rowid AS key FROM names_trigram WHERE names_trigram MATCH :match LIMIT :scan) h
CROSS JOIN names n ON n.key = h.key CROSS JOIN symbols s ON s.key = n.key JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
WHERE s.id > 0 AND CASE WHEN :whole THEN lower(n.name) = :name ELSE instr(lower(n.name), :name) END AND instr(f.path, :place)
  AND (:suffix = '' OR substr('.' || lower(replace(s.qualified_name, '::', '.')), -length(:suffix)) = :suffix)
ORDER BY f.path, s.line_start, s.uid LIMIT :limit;

-- :name files_alike
-- parameters: text (in lower case), place, limit. columns: as of_file. full scan of files, where no symbol has the name: 1 ms at 3,000
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, NULL, s.line_start, s.line_end, s.line, s.col,
  count(*) OVER ()
FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL AND s.kind IN (1, 2)
WHERE f.id > 0 AND instr(lower(f.path), :text) AND instr(f.path, :place)
ORDER BY f.path LIMIT :limit;

-- :name contained_by
-- parameter: symbols (JSON array). columns: symbol, what contains it. index: primary key.
SELECT s.id, s.parent FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value WHERE s.parent IS NOT NULL;

-- :name containing
-- parameter: symbols (JSON array). columns: symbol, what it contains. index: symbols_parent.
SELECT s.parent, s.id FROM json_each(:symbols) j CROSS JOIN symbols s ON s.parent = j.value;

-- :name modules
-- parameter: paths (JSON array). columns: path, module. index: the unique one on files.path.
SELECT f.path, f.module FROM json_each(:paths) j CROSS JOIN files f ON f.path = j.value;

-- :name count
-- columns: symbols of the repository, about: the numbers are given in turn. index: primary key.
SELECT max(id) FROM symbols;

-- :name with_word
-- parameters: match (FTS5 expression), limit. columns: number. Only names are looked at, since signatures say everybody's.
SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ? LIMIT ?;
