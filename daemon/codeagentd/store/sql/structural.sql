-- Types that implement an interface by their methods alone: what is compared, and the rows of refs that this makes (origin 16). Kinds are those of model/kinds.py.
--
-- `types`, `keys` (of names), `methods` and `files` are JSON arrays of numbers; `inherits` is a set of reference kinds as bits; `family` is a JSON array of
-- languages; `method` and `interface` are symbol kinds.

-- :name types
-- parameters: types. index: primary key.
SELECT s.id, s.kind, s.bases, s.type, s.key, s.file, s.line, s.col, f.language, s.qualified_name, f.path FROM symbols s JOIN files f ON f.id = s.file
WHERE s.id IN (SELECT value FROM json_each(:types));

-- :name members
-- parameters: types: all their own members. index: symbols_parent.
SELECT s.parent, s.key, s.id, s.kind, t.kind, t.parent, s.access, coalesce(s.signature, ''), coalesce(s.returns, ''), s.file, s.line, s.col, s.name, f.path
FROM json_each(:types) a CROSS JOIN symbols t ON t.id = a.value CROSS JOIN symbols s ON s.parent = t.id JOIN files f ON f.id = s.file;

-- :name bases
-- parameters: types, inherits. columns: type, base, confidence. A file's references are one range of the primary key.
WITH own(file) AS (
  SELECT file FROM symbols WHERE id IN (SELECT value FROM json_each(:types))
  UNION SELECT file FROM spans WHERE symbol IN (SELECT value FROM json_each(:types))
)
SELECT r.source, r.target, min(r.confidence)
FROM own CROSS JOIN refs r ON r.id BETWEEN own.file << 20 AND (own.file << 20) + 1048575
WHERE (:inherits >> r.kind) & 1 AND r.origin <> 16 AND r.source IN (SELECT value FROM json_each(:types)) AND r.target > 0
GROUP BY 1, 2;

-- :name counts
-- parameters: keys, method, limit (counted no further). columns: key, methods of that name. index: symbols_key.
SELECT k.value, (SELECT count(*) FROM (SELECT 1 FROM symbols WHERE key = k.value AND kind = :method LIMIT :limit)) FROM json_each(:keys) k;

-- :name carriers
-- parameters: key, method, interface, inherits, family, limit: the types with a method of this name, or that embed one, interfaces excepted, by name.
-- indexes: symbols_key, refs_target.
WITH RECURSIVE carrier(id) AS (
  SELECT m.parent FROM symbols m JOIN files f ON f.id = m.file
  WHERE m.key = :key AND m.kind = :method AND f.language IN (SELECT value FROM json_each(:family))
  UNION
  SELECT r.source FROM carrier JOIN refs r ON r.target = carrier.id WHERE (:inherits >> r.kind) & 1 AND r.origin <> 16
)
SELECT t.id FROM carrier CROSS JOIN symbols t ON t.id = carrier.id JOIN files f ON f.id = t.file
WHERE t.kind <> :interface ORDER BY t.qualified_name, f.path, t.line LIMIT :limit;

-- :name declaring
-- parameters: key, keys, method, interface, family, limit: the types that declare a method of this name and methods of these names themselves, interfaces
-- excepted, by name. columns: type, qualified name, path. indexes: symbols_key, symbols_parent.
SELECT DISTINCT t.id, t.qualified_name, g.path FROM symbols m JOIN files f ON f.id = m.file CROSS JOIN symbols t ON t.id = m.parent JOIN files g ON g.id = t.file
WHERE m.key = :key AND m.kind = :method AND t.kind <> :interface AND f.language IN (SELECT value FROM json_each(:family))
  AND NOT EXISTS (SELECT 1 FROM json_each(:keys) k WHERE NOT EXISTS (SELECT 1 FROM symbols o WHERE o.parent = t.id AND o.key = k.value AND o.kind = :method))
ORDER BY t.qualified_name, g.path, t.line LIMIT :limit;

-- :name heirs
-- parameters: types, inherits: these types, and those that embed them, directly or not. index: refs_target.
WITH RECURSIVE heir(id) AS (
  SELECT value FROM json_each(:types)
  UNION
  SELECT r.source FROM heir JOIN refs r ON r.target = heir.id WHERE (:inherits >> r.kind) & 1 AND r.origin <> 16
)
SELECT id FROM heir;

-- :name interfaces
-- parameters: keys, method, interface, inherits, family: interfaces that ask for methods of these names alone, and those that embed such a one. indexes:
-- symbols_key, symbols_parent, refs_target.
WITH RECURSIVE named(id) AS MATERIALIZED (
  SELECT DISTINCT p.id FROM json_each(:keys) k CROSS JOIN symbols m ON m.key = k.value CROSS JOIN symbols p ON p.id = m.parent CROSS JOIN files f ON f.id = m.file
  WHERE m.kind = :method AND p.kind = :interface AND f.language IN (SELECT value FROM json_each(:family))
),
able(id) AS (
  SELECT n.id FROM named n WHERE NOT EXISTS (
    SELECT 1 FROM symbols m WHERE m.parent = n.id AND m.kind = :method AND m.key NOT IN (SELECT value FROM json_each(:keys))
  )
  UNION
  SELECT r.source FROM able JOIN refs r ON r.target = able.id JOIN symbols s ON s.id = r.source
  WHERE s.kind = :interface AND (:inherits >> r.kind) & 1 AND r.origin <> 16
)
SELECT id FROM able;

-- :name interfaces_naming
-- parameters: keys, method, interface, family: interfaces with a method of one of these names. index: symbols_key.
SELECT DISTINCT p.id FROM json_each(:keys) k CROSS JOIN symbols m ON m.key = k.value CROSS JOIN symbols p ON p.id = m.parent CROSS JOIN files f ON f.id = m.file
WHERE m.kind = :method AND p.kind = :interface AND f.language IN (SELECT value FROM json_each(:family));

-- :name all_interfaces
-- parameters: interface, languages (JSON array). full scan of symbols, once for all: after a first index, or after a change of many files
SELECT s.id FROM symbols s JOIN files f ON f.id = s.file
WHERE s.kind = :interface AND s.id > 0 AND f.language IN (SELECT value FROM json_each(:languages));

-- :name signature_references
-- parameters: files, methods, accepts and returns (reference kinds): what the types mean that these methods name in their signatures, in the order of
-- the source. columns: method, key, target, confidence, 1 for another name of a type. A file's references are one range of the primary key.
SELECT r.source, r.key, r.target, r.confidence, s.kind = :type AND s.type <> ''
FROM json_each(:files) f CROSS JOIN refs r ON r.id BETWEEN f.value << 20 AND (f.value << 20) + 1048575 LEFT JOIN symbols s ON s.id = r.target
WHERE r.kind IN (:accepts, :returns) AND r.source IN (SELECT value FROM json_each(:methods))
ORDER BY r.id;

-- :name rows_from
-- parameter: sources (JSON array). columns: id, key, target, source, kind, confidence, origin, line, col. index: refs_structure.
SELECT r.id, r.key, r.target, r.source, r.kind, r.confidence, r.origin, r.line, r.col
FROM json_each(?) j CROSS JOIN refs r ON r.source = j.value AND r.origin = 16;

-- :name rows_to
-- parameter: targets (JSON array). columns: those of rows_from. index: refs_target.
SELECT r.id, r.key, r.target, r.source, r.kind, r.confidence, r.origin, r.line, r.col
FROM json_each(?) j CROSS JOIN refs r ON r.target = j.value AND r.kind IN (8, 13) WHERE r.origin = 16;

-- :name all_rows
-- columns: those of rows_from. full scan of the index refs_structure, which has these rows alone
SELECT r.id, r.key, r.target, r.source, r.kind, r.confidence, r.origin, r.line, r.col FROM refs r INDEXED BY refs_structure WHERE r.origin = 16;

-- :name used_ids
-- parameters: first and last id. A range of the primary key.
SELECT id FROM refs WHERE id BETWEEN ? AND ?;

-- :name drop_row
-- parameter: id
DELETE FROM refs WHERE id = ?;

-- :name move_rows
-- parameters: first and last id: rows where the names of their sources are now. A range of the primary key.
UPDATE refs SET line = s.line, col = s.col FROM symbols s WHERE s.id = refs.source AND refs.id BETWEEN ? AND ? AND (refs.line, refs.col) <> (s.line, s.col);

-- :name put_limit
-- parameters: the columns in their order
REPLACE INTO structural_limits(interface, method, types, last_name, last_path) VALUES (?, ?, ?, ?, ?);

-- :name drop_limit
-- parameter: interface
DELETE FROM structural_limits WHERE interface = ?;

-- :name drop_limits
-- full scan of a small table: before all interfaces are compared
DELETE FROM structural_limits;

-- :name limit
-- parameter: interface. columns: the method that too many types have, how many were compared at most, the last one's qualified name and path. Primary key.
SELECT method, types, last_name, last_path FROM structural_limits WHERE interface = ?;

-- :name begin
-- Rows that come and go are noted by triggers, in tables of this connection alone, in memory. Of symbols inside others and of what types inherit and methods
-- say in their signatures.
CREATE TEMP TABLE IF NOT EXISTS structural_symbols(id, file, parent, kind, key, access, signature, returns, bases, type, sign);
CREATE TEMP TABLE IF NOT EXISTS structural_refs(source, file, target, kind, key, confidence, col, sign);
CREATE TEMP TRIGGER IF NOT EXISTS structural_symbol_came AFTER INSERT ON main.symbols WHEN new.id > 0 AND new.parent IS NOT NULL BEGIN
  INSERT INTO structural_symbols
  VALUES (new.id, new.file, new.parent, new.kind, new.key, new.access, new.signature, new.returns, new.bases, new.type, 1);
END;
CREATE TEMP TRIGGER IF NOT EXISTS structural_symbol_went AFTER DELETE ON main.symbols WHEN old.id > 0 AND old.parent IS NOT NULL BEGIN
  INSERT INTO structural_symbols
  VALUES (old.id, old.file, old.parent, old.kind, old.key, old.access, old.signature, old.returns, old.bases, old.type, -1);
END;
CREATE TEMP TRIGGER IF NOT EXISTS structural_ref_came AFTER INSERT ON main.refs WHEN new.kind IN (5, 6, 7, 8, 9, 14, 15) AND new.origin <> 16 BEGIN
  INSERT INTO structural_refs VALUES (new.source, new.id >> 20, new.target, new.kind, new.key, new.confidence, new.col, 1);
END;
CREATE TEMP TRIGGER IF NOT EXISTS structural_ref_went AFTER DELETE ON main.refs WHEN old.kind IN (5, 6, 7, 8, 9, 14, 15) AND old.origin <> 16 BEGIN
  INSERT INTO structural_refs VALUES (old.source, old.id >> 20, old.target, old.kind, old.key, old.confidence, old.col, -1);
END;

-- :name end
DROP TRIGGER IF EXISTS temp.structural_symbol_came; DROP TRIGGER IF EXISTS temp.structural_symbol_went;
DROP TRIGGER IF EXISTS temp.structural_ref_came; DROP TRIGGER IF EXISTS temp.structural_ref_went;

-- :name forget
DELETE FROM temp.structural_symbols; DELETE FROM temp.structural_refs;

-- :name noted
-- columns: how many rows were noted
SELECT (SELECT count(*) FROM structural_symbols) + (SELECT count(*) FROM structural_refs);

-- :name changed_symbols
-- parameter: languages (JSON array). columns: id, parent, kind, key, sign: of symbols that came, went or are others; of files that are gone, all.
SELECT c.id, c.parent, c.kind, c.key, sum(c.sign) FROM structural_symbols c LEFT JOIN files f ON f.id = c.file
WHERE f.id IS NULL OR f.language IN (SELECT value FROM json_each(?))
GROUP BY c.id, c.file, c.parent, c.kind, c.key, c.access, c.signature, c.returns, c.bases, c.type HAVING sum(c.sign) <> 0;

-- :name changed_refs
-- parameter: languages (JSON array). columns: source, target, kind, sign: of references that came, went or are others
SELECT c.source, c.target, c.kind, sum(c.sign) FROM structural_refs c LEFT JOIN files f ON f.id = c.file
WHERE f.id IS NULL OR f.language IN (SELECT value FROM json_each(?))
GROUP BY c.source, c.file, c.target, c.kind, c.key, c.confidence, c.col HAVING sum(c.sign) <> 0;

-- :name mentioning
-- parameter: symbols (JSON array). columns: methods that name one of these in their signatures. index: refs_target.
SELECT DISTINCT r.source FROM json_each(?) j CROSS JOIN refs r ON r.target = j.value AND r.kind IN (5, 6);

-- :name parents
-- parameter: symbols (JSON array). columns: id, parent. Primary key.
SELECT s.id, s.parent FROM json_each(?) j CROSS JOIN symbols s ON s.id = j.value WHERE s.parent IS NOT NULL;
