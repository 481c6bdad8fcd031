-- Full-text and substring search over symbols.

-- :name ranked
-- parameters: match (FTS5 expression), scan (matches looked at), key, name, suffix (what an exact hit is called; name '' for none),
-- kind, language, project (NULL: any), limit. columns: exact, figure, how many matches were looked at, then those of a hit.
-- The scan is capped because ranking every match of a common word costs tens of milliseconds.
-- BM25 weights, in column order: the name says most, then its words; signatures repeat everybody's names.
WITH hit AS MATERIALIZED (
  SELECT rowid AS id, bm25(symbols_fts, 10.0, 5.0, 2.0, 1.0, 1.0) AS figure FROM symbols_fts WHERE symbols_fts MATCH :match LIMIT :scan
)
SELECT s.key = :key AND s.name = :name AND (:suffix = '' OR substr(s.qualified_name, -length(:suffix)) = :suffix) AS exact,
  h.figure, (SELECT count(*) FROM hit), s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM hit h JOIN symbols s ON s.id = h.id JOIN files f ON f.id = s.file
WHERE (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)
ORDER BY exact DESC, h.figure, s.id LIMIT :limit;

-- :name exact
-- parameters: key, name, suffix, kind, language, project, limit. columns: as ranked. index: symbols_key.
SELECT 1, 0.0, 0, s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.key = :key AND s.name = :name AND (:suffix = '' OR substr(s.qualified_name, -length(:suffix)) = :suffix)
  AND (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)
ORDER BY s.id LIMIT :limit;

-- :name substring
-- parameters: match (the trigrams, joined by AND), text, scan, kind, language, project, limit. columns: as ranked.
-- The trigram table knows which three letters a name has, not their order: instr() decides. index: symbols_key.
SELECT 0, 0.0, 0, s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM (SELECT rowid AS key FROM names_trigram WHERE names_trigram MATCH :match LIMIT :scan) h
CROSS JOIN names n ON n.key = h.key CROSS JOIN symbols s ON s.key = n.key JOIN files f ON f.id = s.file
WHERE instr(lower(n.name), lower(:text)) > 0
  AND (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)
ORDER BY length(s.name), s.id LIMIT :limit;
