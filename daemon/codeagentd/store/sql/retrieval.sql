-- What the tools of page 003 ask of the graph. Reference kinds, symbol kinds and confidences are those of model/kinds.py.
--
-- Steps lead from many symbols (JSON array) at once, along references of some `kinds` (bits). Their columns: start, other end, weight (confidence * 64 + kind
-- of reference, the least of the pair's). An open reference is a step while few members have its name, as in graph.sql: `types` (JSON array of symbol kinds), `constructor`, `each`,
-- and `families` (JSON object: language -> number of its family; languages of one family call each other).

-- :name steps_in
-- parameters: symbols, kinds. index: refs_target.
SELECT r.target, r.source, min(r.confidence * 64 + r.kind)
FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value
WHERE r.source <> r.target AND (:kinds >> r.kind) & 1 GROUP BY 1, 2;

-- :name steps_out
-- parameters: symbols, kinds. A file's references are one range of the primary key.
WITH own(file) AS (
  SELECT s.file FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value UNION SELECT p.file FROM json_each(:symbols) j CROSS JOIN spans p ON p.symbol = j.value
)
SELECT r.source, r.target, min(r.confidence * 64 + r.kind)
FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
WHERE r.source IN (SELECT value FROM json_each(:symbols)) AND r.target > 0 AND r.source <> r.target AND (:kinds >> r.kind) & 1
GROUP BY 1, 2;

-- :name steps_outside
-- parameters: symbols, kinds. As steps_out, to what lies outside of the repository.
WITH own(file) AS (
  SELECT s.file FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value UNION SELECT p.file FROM json_each(:symbols) j CROSS JOIN spans p ON p.symbol = j.value
)
SELECT r.source, r.target, min(r.confidence * 64 + r.kind)
FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
WHERE r.source IN (SELECT value FROM json_each(:symbols)) AND r.target < 0 AND (:kinds >> r.kind) & 1
GROUP BY 1, 2;

-- :name dispatch_steps_in
-- parameters: symbols, kinds, super, named (as in graph.sql), pairs. What refers to a member that one of the symbols overrides may lead to it. Without `pairs`, one
-- of the symbols that override the same member has all steps, and each other has one, so that 10,000 of them do not multiply the calls of the member. indexes:
-- refs_overriding, refs_target, primary key.
WITH RECURSIVE base(symbol, id, confidence) AS (
  SELECT j.value, r.target, max(r.confidence, 1) FROM json_each(:symbols) j CROSS JOIN refs r ON r.source = j.value AND r.kind = 13
  UNION
  SELECT b.symbol, r.target, max(b.confidence, r.confidence) FROM base b CROSS JOIN refs r ON r.source = b.id AND r.kind = 13
),
each(symbol, id, confidence) AS MATERIALIZED (SELECT min(symbol), id, min(confidence) FROM base GROUP BY id, CASE WHEN :pairs THEN symbol END)
SELECT b.symbol, r.source, min(max(r.confidence, b.confidence) * 64 + r.kind)
FROM each b CROSS JOIN refs r ON r.target = b.id
WHERE r.kind IN (1, 11, 12) AND NOT (r.origin = :super OR (r.origin = :named AND NOT EXISTS (SELECT 1 FROM symbols t JOIN symbols p ON p.id = t.parent WHERE t.id = r.target AND p.kind IN (5, 21)))) AND r.source <> b.symbol AND (:kinds >> r.kind) & 1 GROUP BY 1, 2
UNION
SELECT b.symbol, r.source, max(r.confidence, b.confidence) * 64 + r.kind
FROM base b CROSS JOIN refs r ON r.id = (
  SELECT c.id FROM refs c
  WHERE c.target = b.id AND c.kind IN (1, 11, 12) AND NOT (c.origin = :super OR (c.origin = :named AND NOT EXISTS (SELECT 1 FROM symbols t JOIN symbols p ON p.id = t.parent WHERE t.id = c.target AND p.kind IN (5, 21)))) AND c.source <> b.symbol AND (:kinds >> c.kind) & 1 LIMIT 1
)
WHERE NOT :pairs;

-- :name dispatch_steps_out
-- parameters: symbols, kinds, super, named, most (members that override, in all). A reference to a member may lead to those that override it. A file's references are one
-- range of the primary key; index: refs_target.
WITH RECURSIVE own(file) AS (
  SELECT s.file FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value UNION SELECT p.file FROM json_each(:symbols) j CROSS JOIN spans p ON p.symbol = j.value
),
named(source, id, confidence, kind) AS MATERIALIZED (
  SELECT r.source, r.target, max(min(r.confidence), 1), min(r.kind)
  FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source IN (SELECT value FROM json_each(:symbols)) AND r.target > 0 AND r.kind IN (1, 11, 12) AND NOT (r.origin = :super OR (r.origin = :named AND NOT EXISTS (SELECT 1 FROM symbols t JOIN symbols p ON p.id = t.parent WHERE t.id = r.target AND p.kind IN (5, 21)))) AND (:kinds >> r.kind) & 1
  GROUP BY 1, 2
),
down(source, id, confidence, kind) AS (
  SELECT n.source, r.source, max(n.confidence, r.confidence), n.kind FROM named n CROSS JOIN refs r ON r.target = n.id AND r.kind = 13
  UNION
  SELECT d.source, r.source, max(d.confidence, r.confidence), d.kind FROM down d CROSS JOIN refs r ON r.target = d.id AND r.kind = 13
  LIMIT :most
)
SELECT source, id, min(confidence * 64 + kind) FROM down WHERE source <> id GROUP BY 1, 2;

-- :name initial_steps_in
-- parameters: symbols, kinds. A file or module that uses one of the symbols in the initial value of a variable: the variable refers to it, inferred since only lines
-- are compared. The variable is the last definition in the same scope that begins at the reference's line or before. indexes: refs_target, symbols_file.
SELECT r.target, v.id, min(max(r.confidence, 1) * 64 + 11)
FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value CROSS JOIN symbols p ON p.id = r.source
  CROSS JOIN symbols v ON v.file = r.id >> 20 AND v.line_start = (
    SELECT s.line_start FROM symbols s WHERE s.file = r.id >> 20 AND s.line_start <= r.line AND +s.parent = r.source ORDER BY s.line_start DESC LIMIT 1
  )
WHERE (:kinds >> 11) & 1 AND r.kind IN (1, 11, 18, 23) AND (p.parent IS NULL OR p.kind IN (2, 3))
  AND +v.parent = r.source AND v.line_end >= r.line AND v.kind IN (5, 8, 13, 14, 15) AND v.id <> r.target
GROUP BY 1, 2;

-- :name initial_steps_out
-- parameters: symbols, kinds. The reverse of initial_steps_in. A file's references are one range of the primary key; index: symbols_file.
WITH own(file, parent) AS (
  SELECT DISTINCT s.file, s.parent FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value CROSS JOIN symbols p ON p.id = s.parent
  WHERE s.kind IN (5, 8, 13, 14, 15) AND (p.parent IS NULL OR p.kind IN (2, 3)) AND (:kinds >> 11) & 1
)
SELECT v.id, r.target, min(max(r.confidence, 1) * 64 + 11)
FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  CROSS JOIN symbols v ON v.file = own.file AND v.line_start = (
    SELECT s.line_start FROM symbols s WHERE s.file = own.file AND s.line_start <= r.line AND +s.parent = own.parent ORDER BY s.line_start DESC LIMIT 1
  )
WHERE r.source = own.parent AND r.target > 0 AND r.kind IN (1, 11, 18, 23)
  AND +v.parent = own.parent AND v.line_end >= r.line AND v.kind IN (5, 8, 13, 14, 15) AND v.id <> r.target AND v.id IN (SELECT value FROM json_each(:symbols))
GROUP BY 1, 2;

-- :name module_steps_in
-- parameters: symbols, kinds. A module that is used as a value (kind USE, origin NAMESPACE) may be asked for whatever it exports, itself or from other modules:
-- inferred. indexes: refs_target, primary keys.
WITH RECURSIVE offered(symbol, module) AS (
  SELECT s.id, s.parent FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value CROSS JOIN symbols p ON p.id = s.parent
  WHERE s.flags & 128 AND p.kind = 1
  UNION
  SELECT r.target, r.source FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value AND r.kind = 3
  UNION
  SELECT o.symbol, r.source FROM offered o CROSS JOIN refs r ON r.target = o.module AND r.kind = 3
)
SELECT o.symbol, r.source, min(max(r.confidence, 1) * 64 + r.kind)
FROM offered o CROSS JOIN refs r ON r.target = o.module AND r.kind = 18
WHERE r.origin = 9 AND (:kinds >> r.kind) & 1 AND r.source <> o.symbol AND r.source <> o.module GROUP BY 1, 2
UNION ALL
SELECT o.symbol, v.id, 64 + 18
FROM offered o CROSS JOIN refs r ON r.target = o.module AND r.kind = 18 CROSS JOIN symbols p ON p.id = r.source
  CROSS JOIN symbols v ON v.file = r.id >> 20 AND v.line_start = (
    SELECT s.line_start FROM symbols s WHERE s.file = r.id >> 20 AND s.line_start <= r.line AND +s.parent = r.source ORDER BY s.line_start DESC LIMIT 1
  )
WHERE r.origin = 9 AND (:kinds >> r.kind) & 1 AND p.kind = 1 AND +v.parent = r.source AND v.line_end >= r.line AND v.kind IN (5, 8, 13, 14, 15)
  AND v.id <> o.symbol;

-- :name module_steps_out
-- parameters: symbols, kinds. The reverse of module_steps_in. indexes: ranges of the primary key, symbols_parent.
WITH RECURSIVE own(file) AS (
  SELECT s.file FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value UNION SELECT p.file FROM json_each(:symbols) j CROSS JOIN spans p ON p.symbol = j.value
),
used(source, id) AS (
  SELECT r.source, r.target FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
  WHERE r.source IN (SELECT value FROM json_each(:symbols)) AND r.kind = 18 AND r.origin = 9 AND r.target > 0 AND (:kinds >> r.kind) & 1
  UNION
  SELECT u.source, r.target FROM used u CROSS JOIN symbols m ON m.id = u.id CROSS JOIN refs r ON r.id BETWEEN m.file << 20 AND (m.file << 20) + 1048575
  WHERE m.kind = 1 AND +r.kind = 3 AND r.target > 0
)
SELECT u.source, s.id, 64 + 18 FROM used u CROSS JOIN symbols s ON s.parent = u.id WHERE s.flags & 128 AND s.id <> u.source
UNION SELECT u.source, u.id, 64 + 18 FROM used u WHERE u.id <> u.source;

-- :name open_steps_in
-- parameters: symbols, kinds, each, families, and those of languages.lending. indexes: symbols_key, refs_open.
WITH member(id, key, family) AS MATERIALIZED (
  SELECT s.id, s.key, l.value FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN symbols p ON p.id = s.parent
  JOIN files f ON f.id = s.file JOIN json_each(:families) l ON l.key = f.language
  WHERE s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
    AND p.kind IN (SELECT value FROM json_each(:types))
),
counted(id, key, family, total) AS MATERIALIZED (
  SELECT m.id, m.key, m.family, (
    SELECT count(*) FROM (
      SELECT 1 FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = s.file JOIN json_each(:families) l ON l.key = f.language
      WHERE s.key = m.key AND s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
        AND p.kind IN (SELECT value FROM json_each(:types)) AND l.value = m.family LIMIT :each + 1
    ))
  FROM member m
)
SELECT c.id, r.source, min(max(r.confidence, min(c.total, 2)) * 64 + r.kind)
FROM counted c CROSS JOIN refs r ON r.key = c.key AND r.target IS NULL JOIN files f ON f.id = r.id >> 20 JOIN json_each(:families) l ON l.key = f.language
WHERE c.total <= :each AND l.value = c.family AND r.source <> c.id AND (:kinds >> r.kind) & 1 GROUP BY 1, 2;

-- :name open_steps_out
-- parameters: symbols, kinds, each, families, and those of languages.lending. indexes: ranges of the primary key, symbols_key.
WITH own(file) AS (
  SELECT s.file FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value UNION SELECT p.file FROM json_each(:symbols) j CROSS JOIN spans p ON p.symbol = j.value
),
open(source, key, weight, family) AS MATERIALIZED (
  SELECT r.source, r.key, min(r.confidence * 64 + r.kind), l.value
  FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575 JOIN files f ON f.id = own.file
  JOIN json_each(:families) l ON l.key = f.language
  WHERE r.source IN (SELECT value FROM json_each(:symbols)) AND r.target IS NULL AND (:kinds >> r.kind) & 1 GROUP BY 1, 2
),
counted(key, family, total) AS MATERIALIZED (
  SELECT o.key, o.family, (
    SELECT count(*) FROM (
      SELECT 1 FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = s.file JOIN json_each(:families) l ON l.key = f.language
      WHERE s.key = o.key AND s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
        AND p.kind IN (SELECT value FROM json_each(:types)) AND l.value = o.family LIMIT :each + 1
    ))
  FROM (SELECT DISTINCT key, family FROM open) o
)
SELECT o.source, s.id, min(max(o.weight, min(c.total, 2) * 64 + o.weight % 64))
FROM counted c JOIN open o ON o.key = c.key AND o.family = c.family CROSS JOIN symbols s ON s.key = c.key JOIN symbols p ON p.id = s.parent
  JOIN files f ON f.id = s.file JOIN json_each(:families) l ON l.key = f.language
WHERE c.total BETWEEN 1 AND :each AND s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
  AND p.kind IN (SELECT value FROM json_each(:types)) AND l.value = c.family AND s.id <> o.source
GROUP BY 1, 2;

-- :name members_of_types
-- parameters: symbols, types (symbol kinds). columns: number, kind, name, language, type. Of the symbols, those that are members of types. indexes: primary keys.
SELECT s.id, s.kind, s.name, f.language, p.id FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value CROSS JOIN symbols p ON p.id = s.parent
JOIN files f ON f.id = s.file WHERE p.kind IN (SELECT value FROM json_each(:types));

-- :name with_outside_bases
-- parameters: symbols (types), inherits (reference kinds, bits). Those with a base, at any height, that lies outside of the repository or is unknown. A file's
-- references are one range of the primary key.
WITH RECURSIVE above(start, type) AS (
  SELECT value, value FROM json_each(:symbols)
  UNION
  SELECT a.start, r.target FROM above a CROSS JOIN symbols t ON t.id = a.type CROSS JOIN refs r ON r.id BETWEEN t.file << 20 AND (t.file << 20) + 1048575
  WHERE r.source = a.type AND (:inherits >> r.kind) & 1
)
SELECT DISTINCT start FROM above WHERE type IS NULL OR type < 0;

-- :name object_steps_in
-- parameters: symbols (types), inherits, kinds (reference kinds, bits). What makes or passes on objects of one of the types or of a subtype. index: refs_target.
WITH RECURSIVE below(type) AS (
  SELECT value FROM json_each(:symbols) UNION SELECT r.source FROM below b CROSS JOIN refs r ON r.target = b.type WHERE (:inherits >> r.kind) & 1
)
SELECT b.type, r.source, min(max(r.confidence, 1) * 64 + r.kind) FROM below b CROSS JOIN refs r ON r.target = b.type
WHERE (:kinds >> r.kind) & 1 AND r.source <> b.type GROUP BY 1, 2;

-- :name cards
-- parameter: symbols. columns: number, kind, qualified name, path, first line. index: primary keys.
SELECT s.id, s.kind, s.qualified_name, f.path, s.line_start
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file;

-- :name in_file
-- parameters: file, namespace (a symbol kind). columns: number. The file's own symbol first; also what other files define a part of, but no namespaces.
-- indexes: symbols_file, spans_file.
SELECT id FROM (
  SELECT id, parent IS NOT NULL AS is_inside FROM symbols WHERE file = :file
  UNION
  SELECT s.id, 1 FROM spans p JOIN symbols s ON s.id = p.symbol WHERE p.file = :file AND s.kind <> :namespace AND s.file <> :file
)
ORDER BY is_inside, id;

-- :name members
-- parameter: symbol. columns: number. Everything inside it, at any depth. index: symbols_parent.
WITH RECURSIVE inside(id) AS (SELECT id FROM symbols WHERE parent = :symbol UNION SELECT s.id FROM inside JOIN symbols s ON s.parent = inside.id)
SELECT id FROM inside;

-- :name degrees
-- parameter: symbol. columns: symbols that refer to it. index: refs_target.
SELECT count(DISTINCT source) FROM refs WHERE target = :symbol AND source <> target;

-- :name out_degree
-- parameter: symbol. columns: symbols that it refers to. A file's references are one range of the primary key.
WITH own(file) AS (SELECT file FROM symbols WHERE id = :symbol UNION SELECT file FROM spans WHERE symbol = :symbol)
SELECT count(DISTINCT r.target) FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
WHERE r.source = :symbol AND r.target > 0 AND r.target <> r.source;

-- :name referenced
-- parameters: uids (JSON array, in hex), counted (references counted at most). columns: uid, references. indexes: symbols_uid, refs_target.
SELECT s.uid, (SELECT count(*) FROM (SELECT 1 FROM refs WHERE target = s.id LIMIT :counted))
FROM json_each(:uids) j CROSS JOIN symbols s ON s.uid = unhex(j.value);

-- :name edges_by_kind
-- columns: kind, references with a target in the repository. full scan of refs: one of its index refs_target, 20 ms at 300,000
SELECT kind, count(*) FROM refs WHERE target > 0 GROUP BY kind;

-- :name symbol_at
-- parameters: file, line, qualified_name. columns: those of symbols.by_uid. index: symbols_file.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent
WHERE s.file = :file AND s.line_start = :line AND s.qualified_name = :qualified_name;

-- :name methods
-- parameters: symbol, kinds (JSON array). columns: qualified name, first line. index: symbols_parent.
SELECT qualified_name, line_start FROM symbols
WHERE parent = :symbol AND kind IN (SELECT value FROM json_each(:kinds)) ORDER BY line_start, uid LIMIT 40;

-- :name constructors
-- parameters: symbol, constructor. columns: those of symbols.by_uid. index: symbols_parent.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM symbols s JOIN files f ON f.id = s.file JOIN symbols p ON p.id = s.parent
WHERE s.parent = :symbol AND s.kind = :constructor ORDER BY s.line_start, s.uid LIMIT 20;
