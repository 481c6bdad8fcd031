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
-- parameters: type (whose member it is), key (of the member's name), constructor, inherits (bits of the kinds that make a type a descendant),
-- kind and origin (of the edge), symbol (the member), overloads (whether parameters tell members apart: then one with as many is meant, and one with the
-- same ones before others). An edge is as sure as the least sure step of the surest way down. indexes: refs_target, symbols_parent.
WITH RECURSIVE down(id, confidence) AS (
  SELECT :type, 0
  UNION
  SELECT r.source, max(down.confidence, r.confidence) FROM down JOIN refs r ON r.target = down.id WHERE (:inherits >> r.kind) & 1
)
SELECT min(down.confidence) AS confidence, f.path, s.line_start, s.uid, :kind, :origin, s.name, s.qualified_name, s.kind, s.line_end,
  s.file || ':' || s.line || ':' || s.col
FROM down CROSS JOIN symbols s ON s.parent = down.id AND s.key = :key JOIN files f ON f.id = s.file JOIN symbols own ON own.id = :symbol
WHERE down.id <> :type AND s.kind <> :constructor
  AND (NOT :overloads OR s.parameters IS NULL OR own.parameters IS NULL OR (s.parameters = own.parameters AND (s.signature = own.signature
    OR NOT EXISTS (SELECT 1 FROM symbols o WHERE o.parent = s.parent AND o.key = s.key AND o.signature = own.signature))))
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
-- parameters: type, key, constructor, confidence, kind and origin (of the edge), place (of the member that overrides it), symbol and overloads as for
-- `overriding`. index: symbols_parent.
SELECT :confidence, f.path, s.line_start, s.uid, :kind, :origin, s.name, s.qualified_name, s.kind, s.line_end, :place
FROM symbols s JOIN files f ON f.id = s.file JOIN symbols own ON own.id = :symbol
WHERE s.parent = :type AND s.key = :key AND s.kind <> :constructor
  AND (NOT :overloads OR s.parameters IS NULL OR own.parameters IS NULL OR (s.parameters = own.parameters AND (s.signature = own.signature
    OR NOT EXISTS (SELECT 1 FROM symbols o WHERE o.parent = s.parent AND o.key = s.key AND o.signature = own.signature))))
ORDER BY 1, 2, 3, 4, 5, 6;

-- :name calls_through
-- parameters: type (whose member it is), key (of the member's name), constructor, inherits, call (its kind), super (the origin of calls that only the base's own
-- member answers), limit (of types above). columns: the members above that have this name, and how many calls lead to each, most first.
-- Nobody looks above where no other symbol has the name. A file's references are one range of the primary key; indexes: symbols_key, symbols_parent, refs_target.
-- The + keeps SQLite from indexing all references by their source for this one question.
WITH RECURSIVE up(id) AS (
  SELECT :type WHERE 1 < (SELECT count(*) FROM (SELECT 1 FROM symbols WHERE key = :key LIMIT 2))
  UNION
  SELECT r.target FROM up CROSS JOIN symbols s ON s.id = up.id CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575
  WHERE +r.source = s.id AND r.target > 0 AND (:inherits >> r.kind) & 1
  UNION
  SELECT r.target FROM up CROSS JOIN spans s ON s.symbol = up.id CROSS JOIN refs r ON r.id BETWEEN s.file << 20 AND (s.file << 20) + 1048575
  WHERE +r.source = s.symbol AND r.target > 0 AND (:inherits >> r.kind) & 1
  LIMIT :limit
)
SELECT m.qualified_name, (SELECT count(*) FROM refs c WHERE c.target = m.id AND c.kind = :call AND c.origin <> :super) AS calls
FROM up CROSS JOIN symbols m ON m.parent = up.id AND m.key = :key
WHERE up.id <> :type AND m.kind <> :constructor AND calls > 0
ORDER BY 2 DESC, 1;

-- :name calls_of
-- parameters: uids (JSON array of hexadecimal ids), call, super. columns: members, and how many calls lead to each, most first. indexes: symbols_uid, refs_target.
SELECT m.qualified_name, (SELECT count(*) FROM refs c WHERE c.target = m.id AND c.kind = :call AND c.origin <> :super) AS calls
FROM json_each(:uids) u CROSS JOIN symbols m ON m.uid = unhex(u.value)
WHERE calls > 0
ORDER BY 2 DESC, 1;

-- :name overridden_callees
-- parameters: symbol, call, super, constructor, types (JSON array of symbol kinds), static (a flag), inherits, limit (of types below all callees).
-- columns: the members of types that the symbol calls and that others override, and how many do, most first.
-- A file's references are one range of the primary key; indexes: symbols_key (most names are nobody else's), refs_target, symbols_parent.
WITH RECURSIVE own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol),
called(id) AS (
  SELECT DISTINCT r.target FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source = :symbol AND r.target > 0 AND r.kind = :call AND r.origin <> :super
),
callee(id, type, key, name) AS MATERIALIZED (
  SELECT m.id, m.parent, m.key, m.qualified_name FROM called CROSS JOIN symbols m ON m.id = called.id JOIN symbols p ON p.id = m.parent
  WHERE m.kind <> :constructor AND m.kind NOT IN (SELECT value FROM json_each(:types)) AND p.kind IN (SELECT value FROM json_each(:types))
    AND NOT m.flags & :static AND EXISTS (SELECT 1 FROM symbols o WHERE o.key = m.key AND o.id <> m.id AND o.kind = m.kind)
),
down(callee, id) AS (
  SELECT id, type FROM callee
  UNION
  SELECT down.callee, r.source FROM down JOIN refs r ON r.target = down.id WHERE (:inherits >> r.kind) & 1
  LIMIT :limit
)
SELECT c.name, count(DISTINCT s.id) FROM down CROSS JOIN callee c ON c.id = down.callee CROSS JOIN symbols s ON s.parent = down.id AND s.key = c.key
WHERE down.id <> c.type AND s.kind <> :constructor
GROUP BY c.id ORDER BY 2 DESC, 1;

-- :name interface_callees
-- parameters: symbol, call, interface (a symbol kind). columns: the methods of interfaces that the symbol calls, most called first.
-- A file's references are one range of the primary key.
WITH own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol)
SELECT m.qualified_name, count(*) FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  JOIN symbols m ON m.id = r.target JOIN symbols p ON p.id = m.parent
WHERE r.source = :symbol AND r.target > 0 AND r.kind = :call AND p.kind = :interface
GROUP BY m.id ORDER BY 2 DESC, 1;

-- :name into_file
-- parameters: file, kinds: what refers from other files to what a file defines. indexes: symbols_file, refs_target.
SELECT g.confidence, f.path, s.line_start, s.uid, g.kind, g.origin, s.name, s.qualified_name, s.kind, s.line_end, g.sites
FROM (
  SELECT r.source, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END AS kind, r.confidence, r.origin,
    group_concat((r.id >> 20) || ':' || r.line || ':' || r.col, ' ' ORDER BY r.id) AS sites
  FROM symbols t CROSS JOIN refs r ON r.target = t.id
  WHERE t.file = :file AND t.parent IS NOT NULL AND r.id >> 20 <> :file AND (:kinds >> r.kind) & 1
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
