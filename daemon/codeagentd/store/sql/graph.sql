-- Edges: what references, containment and inheritance add up to. Reference kinds, symbol kinds and confidences are those of model/kinds.py.
--
-- A `kinds` parameter is a set of reference kinds as bits. The kinds READ (11) and WRITE (12) make the same edge as TYPE (4).
-- Every statement that lists edges has the columns: confidence, path, line_start, uid, kind, origin (together the order and the position of a
-- page), name, qualified_name, symbol kind, line_end, sites ('file:line:col' parted by blanks); and the parameters after_confidence
-- … after_origin, from which (inclusive) the rows go on, and limit.

-- :name incoming
-- parameters: symbol, kinds. index: refs_target.
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT source, CASE WHEN kind IN (11, 12) THEN 4 ELSE kind END AS kind, confidence, origin,
    group_concat((id >> 20) || ':' || line || ':' || col, ' ' ORDER BY id) AS sites
  FROM refs WHERE target = :symbol AND (:kinds >> kind) & 1
  GROUP BY 1, 2, 3, 4
) g JOIN symbols s ON s.id = g.source JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name incoming_open
-- parameters: key, kinds, family (JSON array of languages), confidence, origin. index: refs_open.
SELECT :confidence, f.path, s.line_start, s.uid, g.kind, :origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT source, CASE WHEN kind IN (11, 12) THEN 4 ELSE kind END AS kind,
    group_concat((id >> 20) || ':' || line || ':' || col, ' ' ORDER BY id) AS sites
  FROM refs WHERE key = :key AND target IS NULL AND (:kinds >> kind) & 1
  GROUP BY 1, 2
) g JOIN symbols s ON s.id = g.source JOIN files f ON f.id = s.file
WHERE f.language IN (SELECT value FROM json_each(:family))
  AND (:confidence, f.path, s.line_start, s.uid, g.kind, :origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name count_members
-- parameters: key, family, types (JSON array of symbol kinds), constructor (the kind that no open reference means), limit. index: symbols_key.
SELECT count(*) FROM (
  SELECT 1 FROM symbols m JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
  WHERE m.key = :key AND m.kind <> :constructor AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
  LIMIT :limit
);

-- :name outgoing
-- parameters: symbol, kinds, external (1: also what lies outside of the repository, which has numbers below zero). A file's references are one range of the primary key.
WITH own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol)
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT r.target, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END AS kind, r.confidence, r.origin,
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source = :symbol AND (r.target > 0 OR (:external AND r.target < 0)) AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2, 3, 4
) g JOIN symbols s ON s.id = g.target JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name outgoing_open
-- parameters: symbol, kinds, family, types, constructor; each: how many candidates a name may have; with more it makes no edge.
-- The only member of a name is inferred (1, by its unique name: 11), one of several is ambiguous (2, by the same name: 12).
-- indexes: a range of the primary key; symbols_key.
WITH own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol),
open AS (
  SELECT r.key, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END AS kind,
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source = :symbol AND r.target IS NULL AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2
),
member AS (
  SELECT m.id, o.kind, o.sites, count(*) OVER (PARTITION BY o.key, o.kind) AS total
  FROM open o CROSS JOIN symbols m ON m.key = o.key JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
  WHERE m.kind <> :constructor AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
)
SELECT min(g.total, 2) AS confidence, f.path, s.line_start, s.uid, g.kind, 10 + min(g.total, 2) AS origin,
  s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM member g JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file
WHERE g.total <= :each AND (min(g.total, 2), f.path, s.line_start, s.uid, g.kind, 10 + min(g.total, 2))
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name count_open
-- parameters: key, kinds, family. index: refs_open.
SELECT count(*) FROM refs r JOIN files f ON f.id = r.id >> 20
WHERE r.key = :key AND r.target IS NULL AND (:kinds >> r.kind) & 1 AND f.language IN (SELECT value FROM json_each(:family));

-- :name undecided
-- parameters: symbol, kinds, family, types, constructor, each: names that this symbol asks of receivers nobody knows, with too many candidates, and how often.
-- indexes: a range of the primary key; symbols_key.
WITH own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol),
open AS (
  SELECT r.key, count(*) AS places FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source = :symbol AND r.target IS NULL AND (:kinds >> r.kind) & 1
  GROUP BY 1
)
SELECT n.name, o.places FROM open o JOIN names n ON n.key = o.key
WHERE :each < (
  SELECT count(*) FROM symbols m JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
  WHERE m.key = o.key AND m.kind <> :constructor AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
)
ORDER BY 2 DESC, 1;

-- :name coverage
-- parameters: family. full scan of files: only for an answer without edges. columns: files that are not parsed whole, then those of model.answers.Coverage
SELECT sum(status <> 'full'), sum(refs_resolved), sum(refs_external), sum(refs_dynamic), sum(refs_unknown), sum(refs_unbound)
FROM files WHERE language IN (SELECT value FROM json_each(:family)) AND id > 0;

-- :name contained
-- parameters: symbol, kind and origin (of the edge). index: symbols_parent.
SELECT 0, f.path, s.line_start, s.uid, :kind, :origin, s.name, s.qualified_name, s.kind, s.line_end, s.file || ':' || s.line || ':' || s.col
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.parent = :symbol
  AND (0, f.path, s.line_start, s.uid, :kind, :origin) >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name container
-- parameters: symbol, kind and origin (of the edge). The place is the contained symbol's. index: primary key.
SELECT 0, f.path, p.line_start, p.uid, :kind, :origin, p.name, p.qualified_name, p.kind, p.line_end, s.file || ':' || s.line || ':' || s.col
FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = p.file
WHERE s.id = :symbol
  AND (0, f.path, p.line_start, p.uid, :kind, :origin) >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
LIMIT :limit;

-- :name overriding
-- parameters: type (whose member it is), key (of the member's name), constructor, inherits (bits of the kinds that make a type a descendant),
-- kind and origin (of the edge). An edge is as sure as the least sure step of the surest way down. indexes: refs_target, symbols_parent.
WITH RECURSIVE down(id, confidence) AS (
  SELECT :type, 0
  UNION
  SELECT r.source, max(down.confidence, r.confidence) FROM down JOIN refs r ON r.target = down.id WHERE (:inherits >> r.kind) & 1
)
SELECT min(down.confidence) AS confidence, f.path, s.line_start, s.uid, :kind, :origin, s.name, s.qualified_name, s.kind, s.line_end,
  s.file || ':' || s.line || ':' || s.col
FROM down CROSS JOIN symbols s ON s.parent = down.id AND s.key = :key JOIN files f ON f.id = s.file
WHERE down.id <> :type AND s.kind <> :constructor
GROUP BY s.id
HAVING (min(down.confidence), f.path, s.line_start, s.uid, :kind, :origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name bases
-- parameters: type, inherits (bits of reference kinds). columns: base, confidence. A file's references are one range of the primary key.
WITH own(file) AS (SELECT file FROM symbols WHERE id = :type UNION SELECT file FROM spans WHERE symbol = :type)
SELECT r.target, min(r.confidence)
FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
WHERE r.source = :type AND r.target > 0 AND (:inherits >> r.kind) & 1
GROUP BY r.target;

-- :name member
-- parameters: type, key, constructor, confidence, kind and origin (of the edge), place (of the member that overrides it). index: symbols_parent.
SELECT :confidence, f.path, s.line_start, s.uid, :kind, :origin, s.name, s.qualified_name, s.kind, s.line_end, :place
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.parent = :type AND s.key = :key AND s.kind <> :constructor
ORDER BY 1, 2, 3, 4, 5, 6;
