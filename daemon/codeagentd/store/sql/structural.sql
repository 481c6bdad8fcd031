-- What types have, and interfaces ask for, where a type implements an interface by its methods alone. Kinds are those of model/kinds.py.
--
-- `types`, `keys` (of names), `methods` and `files` are JSON arrays of numbers; `inherits` is a set of reference kinds as bits; `family` is a JSON array of
-- languages; `method` and `interface` are symbol kinds.

-- :name types
-- parameters: types. index: primary key.
SELECT s.id, s.kind, s.bases, s.type, f.path, s.line_start, s.uid, s.name, s.qualified_name, s.line_end, s.file || ':' || s.line || ':' || s.col
FROM symbols s JOIN files f ON f.id = s.file
WHERE s.id IN (SELECT value FROM json_each(:types));

-- :name members
-- parameters: types, keys: their own members of these names. index: symbols_parent.
SELECT s.parent, s.key, s.id, s.kind, t.kind, t.parent, s.access, coalesce(s.signature, ''), coalesce(s.returns, ''), s.file,
  f.path, s.line_start, s.uid, s.name, s.qualified_name, s.line_end, s.file || ':' || s.line || ':' || s.col
FROM json_each(:types) a CROSS JOIN symbols t ON t.id = a.value CROSS JOIN json_each(:keys) k CROSS JOIN symbols s ON s.parent = t.id AND s.key = k.value
  JOIN files f ON f.id = s.file;

-- :name methods
-- parameters: types, method: all their own methods. columns: as members. index: symbols_parent.
SELECT s.parent, s.key, s.id, s.kind, t.kind, t.parent, s.access, coalesce(s.signature, ''), coalesce(s.returns, ''), s.file,
  f.path, s.line_start, s.uid, s.name, s.qualified_name, s.line_end, s.file || ':' || s.line || ':' || s.col
FROM json_each(:types) a CROSS JOIN symbols t ON t.id = a.value CROSS JOIN symbols s ON s.parent = t.id JOIN files f ON f.id = s.file
WHERE s.kind = :method;

-- :name bases
-- parameters: types, inherits. columns: type, base, confidence. A file's references are one range of the primary key.
WITH own(file) AS (
  SELECT file FROM symbols WHERE id IN (SELECT value FROM json_each(:types))
  UNION SELECT file FROM spans WHERE symbol IN (SELECT value FROM json_each(:types))
)
SELECT r.source, r.target, min(r.confidence)
FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
WHERE r.source IN (SELECT value FROM json_each(:types)) AND r.target > 0 AND (:inherits >> r.kind) & 1
GROUP BY 1, 2;

-- :name rarest
-- parameters: keys, method, limit (counted no further). columns: the key that the fewest methods have. index: symbols_key.
SELECT k.value FROM json_each(:keys) k
ORDER BY (SELECT count(*) FROM (SELECT 1 FROM symbols WHERE key = k.value AND kind = :method LIMIT :limit)), 1 LIMIT 1;

-- :name carriers
-- parameters: key, method, interface, inherits, family, limit: the types with a method of this name, or that embed one, interfaces excepted.
-- indexes: symbols_key, refs_target.
WITH RECURSIVE carrier(id) AS (
  SELECT m.parent FROM symbols m JOIN files f ON f.id = m.file
  WHERE m.key = :key AND m.kind = :method AND f.language IN (SELECT value FROM json_each(:family))
  UNION
  SELECT r.source FROM carrier JOIN refs r ON r.target = carrier.id WHERE (:inherits >> r.kind) & 1
)
SELECT t.id FROM carrier CROSS JOIN symbols t ON t.id = carrier.id WHERE t.kind <> :interface LIMIT :limit;

-- :name heirs
-- parameters: type, interface, inherits, limit: the type, and those that embed it, directly or not. index: refs_target.
WITH RECURSIVE heir(id) AS (
  SELECT :type
  UNION
  SELECT r.source FROM heir JOIN refs r ON r.target = heir.id WHERE (:inherits >> r.kind) & 1
)
SELECT t.id FROM heir CROSS JOIN symbols t ON t.id = heir.id WHERE t.kind <> :interface LIMIT :limit;

-- :name interfaces
-- parameters: keys, method, interface, inherits (0: those alone that name a method themselves), family, limit: interfaces with a method of such a name, and
-- those that embed one of them. indexes: symbols_key, refs_target.
WITH RECURSIVE able(id) AS (
  SELECT p.id FROM json_each(:keys) k CROSS JOIN symbols m ON m.key = k.value JOIN symbols p ON p.id = m.parent JOIN files f ON f.id = m.file
  WHERE m.kind = :method AND p.kind = :interface AND f.language IN (SELECT value FROM json_each(:family))
  UNION
  SELECT r.source FROM able JOIN refs r ON r.target = able.id JOIN symbols s ON s.id = r.source WHERE s.kind = :interface AND (:inherits >> r.kind) & 1
)
SELECT id FROM able LIMIT :limit;

-- :name signature_references
-- parameters: files, methods, accepts and returns (reference kinds): what the types mean that these methods name in their signatures, in the order of
-- the source. columns: method, key, target, confidence, 1 for another name of a type. A file's references are one range of the primary key.
SELECT r.source, r.key, r.target, r.confidence, s.kind = :type AND s.type <> ''
FROM json_each(:files) f CROSS JOIN refs r ON r.id BETWEEN f.value << 20 AND (f.value << 20) + 1048575 LEFT JOIN symbols s ON s.id = r.target
WHERE r.kind IN (:accepts, :returns) AND r.source IN (SELECT value FROM json_each(:methods))
ORDER BY r.id;
