-- What does the graph look like around what a transaction has changed? Of an open reference the target is 0, of any other one the key.

-- :name begin
-- Rows that come and go are noted by triggers, so that nobody who writes has to think of it; in tables of this connection alone, in memory.
CREATE TEMP TABLE IF NOT EXISTS changed_refs(source, target, key, kind, confidence, sign);
CREATE TEMP TABLE IF NOT EXISTS changed_symbols(id, kind, file, key, parent, name, language, sign);
CREATE TEMP TRIGGER IF NOT EXISTS refs_came AFTER INSERT ON main.refs WHEN new.target IS NULL OR new.target > 0 BEGIN
  INSERT INTO changed_refs VALUES (new.source, coalesce(new.target, 0), CASE WHEN new.target IS NULL THEN new.key ELSE 0 END, new.kind, new.confidence, 1);
END;
CREATE TEMP TRIGGER IF NOT EXISTS refs_went AFTER DELETE ON main.refs WHEN old.target IS NULL OR old.target > 0 BEGIN
  INSERT INTO changed_refs VALUES (old.source, coalesce(old.target, 0), CASE WHEN old.target IS NULL THEN old.key ELSE 0 END, old.kind, old.confidence, -1);
END;
CREATE TEMP TRIGGER IF NOT EXISTS symbols_came AFTER INSERT ON main.symbols WHEN new.id > 0 BEGIN
  INSERT INTO changed_symbols
  VALUES (new.id, new.kind, new.file, new.key, new.parent, new.qualified_name, (SELECT language FROM main.files WHERE id = new.file), 1);
END;
CREATE TEMP TRIGGER IF NOT EXISTS symbols_went AFTER DELETE ON main.symbols WHEN old.id > 0 BEGIN
  INSERT INTO changed_symbols
  VALUES (old.id, old.kind, old.file, old.key, old.parent, old.qualified_name, (SELECT language FROM main.files WHERE id = old.file), -1);
END;
CREATE TEMP TRIGGER IF NOT EXISTS files_translated AFTER UPDATE OF language ON main.files WHEN old.language IS NOT NULL AND new.language IS NOT old.language BEGIN
  INSERT INTO changed_symbols SELECT id, kind, file, key, parent, qualified_name, NULL, 1 FROM main.symbols WHERE file = new.id;
END;

-- :name end
DROP TRIGGER IF EXISTS temp.refs_came; DROP TRIGGER IF EXISTS temp.refs_went; DROP TRIGGER IF EXISTS temp.symbols_came;
DROP TRIGGER IF EXISTS temp.symbols_went; DROP TRIGGER IF EXISTS temp.files_translated;

-- :name forget
DELETE FROM temp.changed_refs; DELETE FROM temp.changed_symbols;

-- :name refs
-- parameter: limit. columns: source, target, key: of references that came or went. All of a file are written anew, so that most have done both.
SELECT source, target, key FROM changed_refs GROUP BY source, target, key, kind, confidence HAVING min(sign) = max(sign) LIMIT ?;

-- :name symbols
-- parameter: limit. columns: id, file, key, parent (0: none), language (NULL: not known): of symbols that came, went or are others.
SELECT id, file, key, coalesce(parent, 0), language FROM changed_symbols
GROUP BY id, kind, file, key, parent, name, language HAVING sum(sign) <> 0 LIMIT ?;

-- :name children
-- parameter: symbols (JSON array). columns: what they contain: id, key, language. index: symbols_parent.
SELECT s.id, s.key, f.language FROM json_each(?) j CROSS JOIN symbols s ON s.parent = j.value CROSS JOIN files f ON f.id = s.file WHERE s.id > 0;

-- :name files
-- parameter: symbols (JSON array), twice. columns: the files that their references are in. indexes: primary keys.
SELECT s.file FROM json_each(?) j CROSS JOIN symbols s ON s.id = j.value UNION SELECT p.file FROM json_each(?) j CROSS JOIN spans p ON p.symbol = j.value;

-- :name from
-- parameters: symbols, files (JSON arrays). columns: those of analysis.refs. A file's references are one range of the primary key.
SELECT DISTINCT r.source, coalesce(r.target, 0), CASE WHEN r.target IS NULL THEN r.key ELSE 0 END, r.kind, r.confidence
FROM json_each(:files) j CROSS JOIN refs r ON r.id BETWEEN j.value << 20 AND (j.value << 20) + 1048575
WHERE +r.source IN (SELECT value FROM json_each(:symbols)) AND (r.target IS NULL OR r.target > 0);

-- :name into
-- parameter: symbols (JSON array). columns: those of analysis.refs. index: refs_target.
SELECT DISTINCT r.source, r.target, 0, r.kind, r.confidence FROM json_each(?) j CROSS JOIN refs r ON r.target = j.value;

-- :name open
-- parameter: keys (JSON array). columns: those of analysis.refs. index: refs_open.
SELECT DISTINCT r.source, 0, r.key, r.kind, r.confidence FROM json_each(?) j CROSS JOIN refs r ON r.target IS NULL AND r.key = j.value;

-- :name lenders
-- parameters: key, and those of languages.lending. columns: symbol, language: of those that an open reference by this name can mean. index: symbols_key.
SELECT s.id, f.language FROM symbols s CROSS JOIN symbols p ON p.id = s.parent CROSS JOIN files f ON f.id = s.file
WHERE s.key = :key AND s.id > 0 AND s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
  AND p.kind IN (SELECT value FROM json_each(:types));

-- :name nodes
-- parameters: symbols (JSON array), and those of languages.lending. columns: those of analysis.graph.Node without a label. In the order of analysis.symbols. index: primary key.
SELECT s.id, s.kind, '', s.key, s.file, coalesce(s.parent, 0), s.parent IS NULL AND s.kind IN (1, 2),
  s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
    AND coalesce((SELECT p.kind FROM symbols p WHERE p.id = s.parent), 0) IN (SELECT value FROM json_each(:types))
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value CROSS JOIN files f ON f.id = s.file WHERE s.id > 0 ORDER BY s.uid;

-- :name places
-- parameter: files (JSON array). columns: number, path, language. index: primary key.
SELECT f.id, f.path, coalesce(f.language, '') FROM json_each(?) j CROSS JOIN files f ON f.id = j.value;
