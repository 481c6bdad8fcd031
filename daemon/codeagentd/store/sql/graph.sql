-- Edges: what references, containment and inheritance add up to. Reference kinds, symbol kinds and confidences are those of model/kinds.py.
--
-- A `kinds` parameter is a set of reference kinds as bits. The kinds READ (11) and WRITE (12) make the same edge as TYPE (4).
-- Every statement that lists edges has the columns: confidence, path, line_start, uid, kind, origin (together the order and the position of a
-- page), name, qualified_name, symbol kind, line_end, sites ('file:line:col' parted by blanks); and the parameters after_confidence
-- … after_origin, from which (inclusive) the rows go on, and limit.
--
-- A reference to a member may mean one that overrides it, but not by `super` (an origin), nor by the name of the type (`named`, an origin), unless that is an
-- interface or trait.

-- :name incoming
-- parameters: symbol, kinds, named (1: without edges of structure and of operations, at whose places it is not named). index: refs_target.
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT source, CASE WHEN kind IN (11, 12) THEN 4 ELSE kind END AS kind, confidence, origin,
    group_concat((id >> 20) || ':' || line || ':' || col, ' ' ORDER BY id) AS sites
  FROM refs WHERE target = :symbol AND (:kinds >> kind) & 1 AND NOT (:named AND origin IN (16, 21))
  GROUP BY 1, 2, 3, 4
) g JOIN symbols s ON s.id = g.source JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name count_to
-- parameters: symbol, kinds, limit: how many references it has, as far as the limit. index: refs_target (covering).
SELECT count(*) FROM (SELECT 1 FROM refs WHERE target = :symbol AND (:kinds >> kind) & 1 LIMIT :limit);

-- :name kinds_of_incoming
-- parameter: symbol. index: refs_target (covering).
SELECT DISTINCT kind FROM refs WHERE target = :symbol;

-- :name exact_by_file
-- parameters: symbol, kinds (JSON array), named (as incoming), after_path (inclusive). columns: number, path, source, kind, origin, line, column; by path. Files are read in the order of the unique index of path, as far as rows are taken; index refs_target has the references of each.
SELECT r.id, f.path, r.source, r.kind, r.origin, r.line, r.col
FROM files f CROSS JOIN json_each(:kinds) k CROSS JOIN refs r ON r.target = :symbol AND r.kind = k.value AND r.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575
WHERE f.path >= :after_path AND f.id > 0 AND r.confidence = 0 AND NOT (:named AND r.origin IN (16, 21))
ORDER BY f.path;

-- :name sources_in_file
-- parameters: symbols (JSON array), file. columns: number, first line, uid, name, qualified name, kind, last line; lines in that file where several files define it.
-- indexes: primary keys.
SELECT s.id, coalesce(p.line_start, s.line_start), s.uid, s.name, s.qualified_name, s.kind, coalesce(p.line_end, s.line_end)
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value
  LEFT JOIN spans p ON p.symbol = s.id AND p.file = :file AND s.file <> :file AND p.line_start = (
    SELECT max(o.line_start) FROM spans o WHERE o.symbol = s.id AND o.file = :file);

-- :name incoming_open
-- parameters: key, kinds, family (JSON array of languages), members: how many have the name. index: refs_open. Confidence and origin as in outgoing_open.
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, 10 + g.confidence AS origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT source, CASE WHEN kind IN (11, 12) THEN 4 ELSE kind END AS kind, max(confidence, min(:members, 2)) AS confidence,
    group_concat((id >> 20) || ':' || line || ':' || col, ' ' ORDER BY id) AS sites
  FROM refs WHERE key = :key AND target IS NULL AND (:kinds >> kind) & 1
  GROUP BY 1, 2, 3
) g JOIN symbols s ON s.id = g.source JOIN files f ON f.id = s.file
WHERE f.language IN (SELECT value FROM json_each(:family))
  AND (g.confidence, f.path, s.line_start, s.uid, g.kind, 10 + g.confidence)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name count_members
-- parameters: key, family, limit, and those of languages.lending. index: symbols_key.
SELECT count(*) FROM (
  SELECT 1 FROM symbols m JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
  WHERE m.key = :key AND m.kind <> :constructor AND NOT (m.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
    AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
  LIMIT :limit
);

-- :name is_apart
-- parameters: symbol, and those of languages.lending: whether only its type has it. index: primary keys.
SELECT m.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)) FROM symbols m JOIN files f ON f.id = m.file WHERE m.id = :symbol;

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
-- parameters: symbol, kinds, family, those of languages.lending, and each: how many candidates a name may have; with more it makes no edge.
-- The only member of a name is inferred (1, by its unique name: 11), one of several is ambiguous (2, by the same name: 12), and so is the only one where the
-- reference itself is: values of the language have such a member as well.
-- indexes: a range of the primary key; symbols_key.
WITH own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol),
open AS (
  SELECT r.key, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END AS kind, r.confidence,
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source = :symbol AND r.target IS NULL AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2, 3
),
member AS (
  SELECT m.id, o.kind, o.sites, o.confidence AS least, count(*) OVER (PARTITION BY o.key, o.kind, o.confidence) AS total
  FROM open o CROSS JOIN symbols m ON m.key = o.key JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
  WHERE m.kind <> :constructor AND NOT (m.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
    AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
)
SELECT max(g.least, min(g.total, 2)) AS confidence, f.path, s.line_start, s.uid, g.kind, 10 + max(g.least, min(g.total, 2)) AS origin,
  s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM member g JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file
WHERE g.total <= :each AND (max(g.least, min(g.total, 2)), f.path, s.line_start, s.uid, g.kind, 10 + max(g.least, min(g.total, 2)))
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name count_open
-- parameters: key, kinds, family. index: refs_open.
SELECT count(*) FROM refs r JOIN files f ON f.id = r.id >> 20
WHERE r.key = :key AND r.target IS NULL AND (:kinds >> r.kind) & 1 AND f.language IN (SELECT value FROM json_each(:family));

-- :name undecided
-- parameters: symbol, kinds, family, each, and those of languages.lending: names that this symbol asks of receivers nobody knows, with too many candidates,
-- and how often.
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
  WHERE m.key = o.key AND m.kind <> :constructor AND NOT (m.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
    AND p.kind IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
)
ORDER BY 2 DESC, 1;

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
-- parameters: symbol. The members that override it, at any depth; each as sure as the least sure step of its surest way down. index: refs_target.
WITH RECURSIVE down(id, confidence, origin) AS (
  SELECT source, confidence, origin FROM refs WHERE target = :symbol AND kind = 13
  UNION
  SELECT r.source, max(down.confidence, r.confidence), r.origin FROM down CROSS JOIN refs r ON r.target = down.id AND r.kind = 13
)
SELECT g.confidence, f.path, s.line_start, s.uid, 13, g.origin, s.name, s.qualified_name, s.kind, s.line_end, s.file || ':' || s.line || ':' || s.col
FROM (SELECT id, min(confidence) AS confidence, min(origin) AS origin FROM down WHERE id <> :symbol GROUP BY id) g
JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, 13, g.origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name incoming_dispatch
-- parameters: symbol, kinds, origin, super, named. What refers to members that the symbol overrides may
-- lead to it: inferred. indexes: refs_overriding, refs_target.
WITH RECURSIVE base(id, confidence) AS (
  SELECT target, max(confidence, 1) FROM refs WHERE source = :symbol AND kind = 13
  UNION
  SELECT r.target, max(base.confidence, r.confidence) FROM base CROSS JOIN refs r ON r.source = base.id AND r.kind = 13
)
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, :origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT r.source, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END AS kind, min(max(r.confidence, base.confidence)) AS confidence,
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM base CROSS JOIN refs r ON r.target = base.id
  WHERE r.kind IN (1, 11, 12) AND NOT (r.origin = :super OR (r.origin = :named AND NOT EXISTS (SELECT 1 FROM symbols t JOIN symbols p ON p.id = t.parent WHERE t.id = r.target AND p.kind IN (5, 21)))) AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2
) g JOIN symbols s ON s.id = g.source JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, g.kind, :origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name outgoing_dispatch
-- parameters: symbol, kinds, origin, super, named, most (members that override, in all). A call of a member may run those that override it: inferred. A file's references
-- are one range of the primary key; index: refs_target.
WITH RECURSIVE own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol),
called(id, kind, confidence, sites) AS MATERIALIZED (
  SELECT r.target, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END, max(min(r.confidence), 1),
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id)
  FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source = :symbol AND r.target > 0 AND r.kind IN (1, 11, 12) AND NOT (r.origin = :super OR (r.origin = :named AND NOT EXISTS (SELECT 1 FROM symbols t JOIN symbols p ON p.id = t.parent WHERE t.id = r.target AND p.kind IN (5, 21)))) AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2
),
down(called, kind, id, confidence) AS (
  SELECT c.id, c.kind, r.source, max(c.confidence, r.confidence) FROM called c CROSS JOIN refs r ON r.target = c.id AND r.kind = 13
  UNION
  SELECT d.called, d.kind, r.source, max(d.confidence, r.confidence) FROM down d CROSS JOIN refs r ON r.target = d.id AND r.kind = 13
  LIMIT :most
)
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, :origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT d.id, d.kind, min(d.confidence) AS confidence, group_concat(c.sites, ' ') AS sites
  FROM down d JOIN called c ON c.id = d.called AND c.kind = d.kind GROUP BY 1, 2
) g JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, g.kind, :origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name incoming_initial
-- parameters: symbol, kinds, origin. The variables of files and modules whose initial values name the symbol, as in retrieval.initial_steps_in. indexes: refs_target,
-- symbols_file.
SELECT g.confidence, f.path, s.line_start, s.uid, 4, :origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT v.id, min(max(r.confidence, 1)) AS confidence, group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM refs r CROSS JOIN symbols p ON p.id = r.source
    CROSS JOIN symbols v ON v.file = r.id >> 20 AND v.line_start = (
      SELECT s.line_start FROM symbols s WHERE s.file = r.id >> 20 AND s.line_start <= r.line AND +s.parent = r.source ORDER BY s.line_start DESC LIMIT 1
    )
  WHERE r.target = :symbol AND (:kinds >> 11) & 1 AND r.kind IN (1, 11, 18, 23) AND (p.parent IS NULL OR p.kind IN (2, 3))
    AND +v.parent = r.source AND v.line_end >= r.line AND v.kind IN (5, 8, 13, 14, 15) AND v.id <> r.target
  GROUP BY 1
) g JOIN symbols s ON s.id = g.id JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, 4, :origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name outgoing_initial
-- parameters: symbol, kinds, origin. What the initial value of a variable of a file or module names. A file's references are one range of the primary key;
-- index: symbols_file.
SELECT g.confidence, f.path, s.line_start, s.uid, 4, :origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT r.target, min(max(r.confidence, 1)) AS confidence, group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM symbols v CROSS JOIN symbols p ON p.id = v.parent CROSS JOIN refs r ON r.id BETWEEN v.file << 20 AND (v.file << 20) + 1048575
  WHERE v.id = :symbol AND (:kinds >> 11) & 1 AND v.kind IN (5, 8, 13, 14, 15) AND (p.parent IS NULL OR p.kind IN (2, 3))
    AND r.source = v.parent AND r.line BETWEEN v.line_start AND v.line_end AND r.target > 0 AND r.target <> v.id AND r.kind IN (1, 11, 18, 23)
    AND v.line_start = (SELECT s.line_start FROM symbols s WHERE s.file = v.file AND s.line_start <= r.line AND +s.parent = v.parent ORDER BY s.line_start DESC LIMIT 1)
  GROUP BY 1
) g JOIN symbols s ON s.id = g.target JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, 4, :origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name calls_by_structure
-- parameters: key, type, family (JSON array of languages), types, kinds (JSON arrays of symbol kinds), bases (JSON array of names), inherits, call, most. columns: the
-- members of a name of the types of `kinds`, or with one of `bases`, all of whose members the type has or inherits, without descending from them; how many calls lead to
-- each, most first. indexes: symbols_key, symbols_parent, refs_target; a file's references are one range of the primary key.
WITH RECURSIVE up(id) AS (
  SELECT :type
  UNION
  SELECT r.target FROM up CROSS JOIN symbols s ON s.id = up.id CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575
  WHERE +r.source = s.id AND r.target > 0 AND (:inherits >> r.kind) & 1
),
asking(member, type) AS MATERIALIZED (
  SELECT m.id, p.id FROM symbols m JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
  WHERE m.key = :key AND m.kind NOT IN (SELECT value FROM json_each(:types)) AND f.language IN (SELECT value FROM json_each(:family))
    AND (p.kind IN (SELECT value FROM json_each(:kinds))
      OR EXISTS (SELECT 1 FROM json_each(:bases) b WHERE ',' || p.bases || ',' LIKE '%,' || b.value || ',%'))
    AND p.id NOT IN (SELECT id FROM up)
  LIMIT :most
)
SELECT m.qualified_name, (SELECT count(*) FROM refs c WHERE c.target = m.id AND c.kind = :call) AS calls
FROM asking a JOIN symbols m ON m.id = a.member
WHERE calls > 0 AND NOT EXISTS (
  SELECT 1 FROM symbols w WHERE w.parent = a.type AND w.kind NOT IN (SELECT value FROM json_each(:types))
    AND NOT EXISTS (SELECT 1 FROM up CROSS JOIN symbols o ON o.parent = up.id AND o.key = w.key)
)
ORDER BY 2 DESC, 1;

-- :name calls_through
-- parameters: symbol, call, super, named. columns: the members that it overrides, directly or not, and how many calls lead to each, most first. indexes:
-- refs_overriding, refs_target.
WITH RECURSIVE base(id) AS (
  SELECT target FROM refs WHERE source = :symbol AND kind = 13
  UNION
  SELECT r.target FROM base CROSS JOIN refs r ON r.source = base.id AND r.kind = 13
)
SELECT m.qualified_name, (SELECT count(*) FROM refs c WHERE c.target = m.id AND c.kind = :call AND NOT (c.origin = :super OR (c.origin = :named AND NOT EXISTS (SELECT 1 FROM symbols t JOIN symbols p ON p.id = t.parent WHERE t.id = c.target AND p.kind IN (5, 21))))) AS calls
FROM base CROSS JOIN symbols m ON m.id = base.id
WHERE calls > 0
ORDER BY 2 DESC, 1;

-- :name overridden_callees
-- parameters: symbol, call, super, named, most (as in outgoing_dispatch). columns: the members that the symbol calls and that others override, and how many do, most first.
-- A file's references are one range of the primary key; index: refs_target.
WITH RECURSIVE own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol),
called(id) AS MATERIALIZED (
  SELECT DISTINCT r.target FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source = :symbol AND r.target > 0 AND r.kind = :call AND NOT (r.origin = :super OR (r.origin = :named AND NOT EXISTS (SELECT 1 FROM symbols t JOIN symbols p ON p.id = t.parent WHERE t.id = r.target AND p.kind IN (5, 21))))
),
down(called, id) AS (
  SELECT c.id, r.source FROM called c CROSS JOIN refs r ON r.target = c.id AND r.kind = 13
  UNION
  SELECT d.called, r.source FROM down d CROSS JOIN refs r ON r.target = d.id AND r.kind = 13
  LIMIT :most
)
SELECT m.qualified_name, count(*) FROM down d CROSS JOIN symbols m ON m.id = d.called GROUP BY m.id ORDER BY 2 DESC, 1;

-- :name into_file
-- parameters: file, namespace (a symbol kind), kinds: what refers from other files to what a file defines, or defines a part of. indexes: symbols_file,
-- spans_file, refs_target.
WITH inside(id) AS (
  SELECT id FROM symbols WHERE file = :file AND parent IS NOT NULL
  UNION
  SELECT s.id FROM spans p JOIN symbols s ON s.id = p.symbol WHERE p.file = :file AND s.kind <> :namespace AND s.parent IS NOT NULL
)
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT r.source, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END AS kind, r.confidence, r.origin,
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM inside t CROSS JOIN refs r ON r.target = t.id
  WHERE r.id >> 20 <> :file AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2, 3, 4
) g JOIN symbols s ON s.id = g.source JOIN files f ON f.id = s.file
WHERE (g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name out_of_file
-- parameters: file, symbol (its own), kinds, external (as in outgoing): what the definitions of a file refer to in other files. A file's references are one
-- range of the primary key.
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT r.target, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END AS kind, r.confidence, r.origin,
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM refs r
  WHERE r.id BETWEEN :file << 20 AND (:file << 20) + 1048575 AND r.source <> :symbol AND (r.target > 0 OR (:external AND r.target < 0)) AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2, 3, 4
) g JOIN symbols s ON s.id = g.target JOIN files f ON f.id = s.file
WHERE s.file <> :file AND (g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin)
  >= (:after_confidence, :after_path, :after_line, :after_uid, :after_kind, :after_origin)
ORDER BY 1, 2, 3, 4, 5, 6 LIMIT :limit;

-- :name open_calls
-- parameters: symbols (JSON array), name, limit. columns: qualified name of the symbol, name that it calls on a value of unknown type, path, line; those of the
-- name first, then in the order of the symbols. indexes: primary keys.
SELECT s.qualified_name, n.name, f.path, r.line
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value
CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575 AND r.source = s.id AND r.target IS NULL AND r.kind = 1
CROSS JOIN names n ON n.key = r.key CROSS JOIN files f ON f.id = s.file
ORDER BY n.name <> :name, j.key, r.id LIMIT :limit;

-- :name leaving_calls
-- parameters: symbols (JSON array), limit. columns: what they call outside of the repository, how often, path and line of one of the calls; the most frequent
-- first. indexes: primary keys.
SELECT t.qualified_name, count(*), min(f.path), min(r.line)
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value
CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575 AND r.source = s.id AND r.target < 0 AND r.kind IN (1, 23)
CROSS JOIN symbols t ON t.id = r.target CROSS JOIN files f ON f.id = s.file
GROUP BY t.id ORDER BY 2 DESC, 1 LIMIT :limit;
