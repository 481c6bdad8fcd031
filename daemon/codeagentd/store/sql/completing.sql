-- What a half-written name, path, id or community could become. LIKE takes either case for ASCII letters, and \ before a letter that is meant as it is.

-- :name names
-- parameters: like (pattern of the name, or of the name behind its leading punctuation), within (part of '.qualified.name' in lower case), limit.
-- columns: symbol; the most connected first. full scan of names: 5 ms at 60,000
SELECT s.id FROM names n CROSS JOIN symbols s ON s.key = n.key LEFT JOIN nodes d ON d.symbol = s.id
WHERE (n.name LIKE :like ESCAPE '\' OR ltrim(n.name, '._$#@~') LIKE :like ESCAPE '\') AND s.id > 0
  AND (:within = '.' OR instr('.' || lower(replace(s.qualified_name, '::', '.')), :within))
ORDER BY coalesce(d.degree, 0) DESC, length(n.name), s.qualified_name, s.id LIMIT :limit;

-- :name files
-- parameters: begun (pattern of the path), limit. columns: symbol that stands for the file. full scan of files: 1 ms at 3,000
SELECT s.id FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL AND s.kind IN (1, 2)
WHERE f.id > 0 AND f.path LIKE :begun ESCAPE '\' ORDER BY f.path LIMIT :limit;

-- :name qualified_names
-- parameter: symbols (JSON array). columns: symbol, qualified name. index: primary key.
SELECT s.id, s.qualified_name FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value;

-- :name ids
-- parameters: least, greatest (16 bytes each), limit. columns: uid. index: symbols_uid.
SELECT uid FROM symbols WHERE uid BETWEEN :least AND :greatest ORDER BY uid LIMIT :limit;

-- :name communities
-- parameters: begun (pattern of the number), inside (pattern of the name), limit. columns: number; those that begin so first, the largest first.
-- full scan of communities: some hundreds
SELECT id FROM communities WHERE CAST(id AS TEXT) LIKE :begun OR name LIKE :inside ESCAPE '\'
ORDER BY CAST(id AS TEXT) LIKE :begun DESC, size DESC, id LIMIT :limit;
