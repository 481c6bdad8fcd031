-- Full-text and substring search over symbols.

-- :name ranked
-- parameters: match (FTS5 expression), scan (matches looked at), keys, names (JSON arrays), suffix (what an exact hit may be called),
-- kind, language, project (NULL: any), limit. columns: exact, figure, then those of a hit. index: symbols_key.
-- The scan is capped because ranking every match of a common word costs tens of milliseconds; exact hits that it did not reach get its best figure.
-- Of exact hits, parts of documents (kinds 23 to 26, model.kinds.OUTLINE) come last: keys are often called like what code defines.
-- BM25 weights, in column order: the name says most, then its words; signatures repeat everybody's names.
WITH exact(id) AS MATERIALIZED (
  SELECT id FROM symbols
  WHERE key IN (SELECT value FROM json_each(:keys)) AND name IN (SELECT value FROM json_each(:names)) AND (:suffix = '' OR substr(qualified_name, -length(:suffix)) = :suffix)
),
hit(id, figure) AS MATERIALIZED (
  SELECT rowid, bm25(symbols_fts, 10.0, 5.0, 2.0, 1.0, 1.0) FROM symbols_fts WHERE symbols_fts MATCH :match LIMIT :scan
),
found(id, figure, exact) AS (
  SELECT id, figure, id IN (SELECT id FROM exact) FROM hit
  UNION ALL
  SELECT id, (SELECT min(figure) FROM hit), 1 FROM exact WHERE (SELECT count(*) FROM hit) >= :scan AND id NOT IN (SELECT id FROM hit)
),
best AS (
  SELECT id, figure, exact FROM found
  WHERE (:kind IS NULL OR EXISTS (SELECT 1 FROM symbols s WHERE s.id = found.id AND s.kind = :kind))
    AND ((:language IS NULL AND :project IS NULL) OR EXISTS (
      SELECT 1 FROM symbols s JOIN files f ON f.id = s.file
      WHERE s.id = found.id AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)))
  ORDER BY exact DESC, CASE WHEN exact THEN (SELECT s.kind BETWEEN 23 AND 26 FROM symbols s WHERE s.id = found.id) ELSE 0 END, figure, id LIMIT :limit
)
SELECT b.exact, b.figure, s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM best b CROSS JOIN symbols s ON s.id = b.id JOIN files f ON f.id = s.file
ORDER BY b.exact DESC, b.exact AND s.kind BETWEEN 23 AND 26, b.figure, s.id;

-- :name exact
-- parameters: keys, names, suffix, kind, language, project, limit. columns: as ranked. index: symbols_key.
SELECT 1, 0.0, s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.key IN (SELECT value FROM json_each(:keys)) AND s.name IN (SELECT value FROM json_each(:names)) AND (:suffix = '' OR substr(s.qualified_name, -length(:suffix)) = :suffix)
  AND (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)
ORDER BY s.id LIMIT :limit;

-- :name substring
-- parameters: match (the trigrams, joined by AND), text, scan, kind, language, project, limit. columns: as ranked.
-- The trigram table knows which three letters a name has, not their order: instr() decides. index: symbols_key.
SELECT 0, 0.0, s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM (SELECT rowid AS key FROM names_trigram WHERE names_trigram MATCH :match LIMIT :scan) h
CROSS JOIN names n ON n.key = h.key CROSS JOIN symbols s ON s.key = n.key JOIN files f ON f.id = s.file
WHERE instr(lower(n.name), lower(:text)) > 0
  AND (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language) AND (:project IS NULL OR f.project = :project)
ORDER BY length(s.name), s.id LIMIT :limit;

-- :name outside
-- parameters: text (a qualified name), kind, language, limit. columns: as ranked. index: symbols_qualified.
-- What lies outside of the repository has a number below zero, and is shown while something refers to it.
SELECT 0, 0.0, s.uid, s.name, s.qualified_name, s.kind, f.language, f.path, s.line_start, s.line_end, s.access, s.signature, s.returns
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.qualified_name = :text AND s.id < 0 AND (:kind IS NULL OR s.kind = :kind) AND (:language IS NULL OR f.language = :language)
  AND EXISTS (SELECT 1 FROM refs WHERE target = s.id)
ORDER BY s.id LIMIT :limit;
