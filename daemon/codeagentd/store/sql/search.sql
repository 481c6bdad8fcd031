-- Full-text and substring search over symbols.

-- :name ranked
-- parameters: match (FTS5 expression), scan (matches looked at). columns: id, figure.
-- The scan is capped because ranking every match of a common word costs tens of milliseconds.
-- BM25 weights, in column order: the name says most, then its words; signatures repeat everybody's names.
SELECT rowid, bm25(symbols_fts, 10.0, 5.0, 2.0, 1.0, 1.0) FROM symbols_fts WHERE symbols_fts MATCH :match LIMIT :scan;

-- :name narrowed
-- parameters: as ranked; kind, language, project (NULL: any). columns: as ranked, of what passes.
SELECT h.id, h.figure
FROM (SELECT rowid AS id, bm25(symbols_fts, 10.0, 5.0, 2.0, 1.0, 1.0) AS figure FROM symbols_fts WHERE symbols_fts MATCH :match LIMIT :scan) h
CROSS JOIN symbols s ON s.id = h.id JOIN files f ON f.id = s.file
WHERE (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project);

-- :name called
-- parameters: keys, names (JSON arrays), suffix (what symbols may be called, and how their qualified name ends), kind, language, project (NULL: any).
-- columns: id, is it a part of a document (kinds 23 to 26, model.kinds.OUTLINE)? index: symbols_key.
SELECT s.id, s.kind BETWEEN 23 AND 26 FROM symbols s
WHERE s.key IN (SELECT value FROM json_each(:keys)) AND s.name IN (SELECT value FROM json_each(:names))
  AND (:suffix = '' OR substr(s.qualified_name, -length(:suffix)) = :suffix) AND (:kind IS NULL OR s.kind = :kind)
  AND ((:language IS NULL AND :project IS NULL) OR EXISTS (
    SELECT 1 FROM files f WHERE f.id = s.file AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)))
ORDER BY s.id;

-- :name last
-- column: the last symbol's number; primary key
SELECT max(id) FROM symbols;

-- :name shown
-- parameters: ids (JSON array). columns: id, then those of a hit; in no order.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM json_each(:ids) h CROSS JOIN symbols s ON s.id = h.value JOIN files f ON f.id = s.file;

-- :name substring
-- parameters: match (the trigrams, joined by AND), text, scan, kind, language, project (NULL: any), limit. columns: those of a hit.
-- The trigram table knows which three letters a name has, not their order: instr() decides. index: symbols_key.
SELECT s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM (SELECT rowid AS key FROM names_trigram WHERE names_trigram MATCH :match LIMIT :scan) h
CROSS JOIN names n ON n.key = h.key CROSS JOIN symbols s ON s.key = n.key JOIN files f ON f.id = s.file
WHERE instr(lower(n.name), lower(:text)) > 0
  AND (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)
ORDER BY length(s.name), s.id LIMIT :limit;

-- :name outside
-- parameters: text (a qualified name), kind, language, limit. columns: those of a hit. index: symbols_qualified.
-- What lies outside of the repository has a number below zero, and is shown while something refers to it.
SELECT s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.qualified_name = :text AND s.id < 0 AND (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language)
  AND EXISTS (SELECT 1 FROM refs WHERE target = s.id)
ORDER BY s.id LIMIT :limit;
