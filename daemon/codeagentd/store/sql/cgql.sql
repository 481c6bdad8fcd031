-- What graph queries ask for: nodes with all their fields, by the conditions that narrow them most.
--
-- Columns of a node: number, kind (number), qualified name, name, module, path, language, access, lines, whether it stands for its file, community, degree,
-- fan_in, fan_out (NULL: not analysed), first line, uid.

-- :name nodes
-- parameters: kinds (JSON array of numbers, NULL: any), path and language (NULL: any), the least and most of lines, degree, fan_in, fan_out and community
-- (NULL: any), limit. full scan of symbols for everything else: 50 ms at 60,000
SELECT s.id, s.kind, s.qualified_name, s.name, f.module, f.path, f.language, s.access, s.line_end - s.line_start + 1, s.parent IS NULL AND s.kind IN (1, 2),
  n.community, n.degree, n.fan_in, n.fan_out, s.line_start, s.uid
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN nodes n ON n.symbol = s.id
WHERE s.id > 0 AND (:kinds IS NULL OR s.kind IN (SELECT value FROM json_each(:kinds)))
  AND (:path IS NULL OR f.path = :path) AND (:language IS NULL OR f.language = :language)
  AND (:least_loc IS NULL OR s.line_end - s.line_start + 1 >= :least_loc) AND (:most_loc IS NULL OR s.line_end - s.line_start + 1 <= :most_loc)
  AND (:least_degree IS NULL OR n.degree >= :least_degree) AND (:most_degree IS NULL OR n.degree <= :most_degree)
  AND (:least_fan_in IS NULL OR n.fan_in >= :least_fan_in) AND (:most_fan_in IS NULL OR n.fan_in <= :most_fan_in)
  AND (:least_fan_out IS NULL OR n.fan_out >= :least_fan_out) AND (:most_fan_out IS NULL OR n.fan_out <= :most_fan_out)
  AND (:least_community IS NULL OR n.community >= :least_community) AND (:most_community IS NULL OR n.community <= :most_community)
LIMIT :limit;

-- :name named
-- parameters: key (of the name), limit. columns: of a node. index: symbols_key.
SELECT s.id, s.kind, s.qualified_name, s.name, f.module, f.path, f.language, s.access, s.line_end - s.line_start + 1, s.parent IS NULL AND s.kind IN (1, 2),
  n.community, n.degree, n.fan_in, n.fan_out, s.line_start, s.uid
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN nodes n ON n.symbol = s.id
WHERE s.id > 0 AND s.key = :key LIMIT :limit;

-- :name of_numbers
-- parameters: symbols (JSON array). columns: of a node. index: primary keys.
SELECT s.id, s.kind, s.qualified_name, s.name, f.module, f.path, f.language, s.access, s.line_end - s.line_start + 1, s.parent IS NULL AND s.kind IN (1, 2),
  n.community, n.degree, n.fan_in, n.fan_out, s.line_start, s.uid
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file LEFT JOIN nodes n ON n.symbol = s.id
WHERE s.id > 0;

-- :name signatures
-- parameters: symbols (JSON array). columns: number, name, parameters, returns, language. index: primary keys.
SELECT s.id, s.name, s.signature, s.returns, f.language
FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value JOIN files f ON f.id = s.file;

-- :name has_communities
SELECT EXISTS (SELECT 1 FROM communities);

-- :name large_types
-- parameters: types (JSON array of symbol kinds), lines. columns: number. Of a type with its members in the same file, also those that stand outside of it.
-- full scan of symbols: types alone are looked at further
SELECT t.id FROM symbols t
WHERE t.id > 0 AND t.kind IN (SELECT value FROM json_each(:types)) AND t.line_end - t.line_start + 1 + coalesce((
  SELECT sum(m.line_end - m.line_start + 1) FROM symbols m WHERE m.parent = t.id AND m.file = t.file AND m.line_start NOT BETWEEN t.line_start AND t.line_end
), 0) > :lines;

-- :name self_returning
-- parameters: types, returns (a reference kind), type (a reference kind). columns: number of a type which a member returns, or which a field of its own is declared
-- with: such a reference comes from the type itself. full scan of refs: once a question
SELECT DISTINCT k.id FROM refs r JOIN symbols k ON k.id = r.target JOIN symbols m ON m.id = r.source
WHERE r.target > 0 AND k.kind IN (SELECT value FROM json_each(:types)) AND r.confidence < 2
  AND ((r.kind = :returns AND m.parent = k.id) OR (r.kind = :type AND m.id = k.id));

-- :name open_types
-- parameters: inherits (bits), least. columns: number of a type, and how many inherit it or implement it. full scan of refs
SELECT r.target FROM refs r WHERE r.target > 0 AND (:inherits >> r.kind) & 1 AND r.confidence < 2 GROUP BY r.target HAVING count(DISTINCT r.source) >= :least;

-- :name returning
-- parameters: symbols (JSON array of types), kind (of reference), callable (JSON array of symbol kinds). columns: number. index: refs_target.
SELECT DISTINCT m.id FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value AND r.kind = :kind JOIN symbols m ON m.id = r.source
WHERE r.confidence < 2 AND m.kind IN (SELECT value FROM json_each(:callable));

-- :name holding
-- parameters: symbols (JSON array of types), kind (of reference), types. columns: number of a type that has a field of one of them: such a reference comes from the
-- type itself. index: refs_target.
SELECT DISTINCT p.id FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value AND r.kind = :kind JOIN symbols p ON p.id = r.source
WHERE r.confidence < 2 AND p.kind IN (SELECT value FROM json_each(:types)) AND p.id <> j.value;

-- :name asked_from_afar
-- parameters: types, kinds (bits of references), least (communities). columns: number of a type. full scan of refs
SELECT r.target FROM refs r JOIN symbols k ON k.id = r.target JOIN nodes n ON n.symbol = r.source
WHERE r.target > 0 AND (:kinds >> r.kind) & 1 AND r.confidence < 2 AND k.kind IN (SELECT value FROM json_each(:types))
GROUP BY r.target HAVING count(DISTINCT n.community) >= :least;
