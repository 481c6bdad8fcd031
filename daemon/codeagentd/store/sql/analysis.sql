-- The analysis of the whole graph: what it reads, and what is kept of it.

-- :name files
-- columns: number, path, language. full scan of files: once an analysis
SELECT id, path, coalesce(language, '') FROM files WHERE id > 0 OR status = 'boundary';

-- :name symbols
-- parameter: types (JSON array of symbol kinds), constructor. columns: number, kind, qualified name, module, path, file, key, parent (0: none), whether it
-- stands for its file, whether an open reference by its bare name can mean it. In an order that does not depend on numbers.
-- full scan of symbols: once an analysis
SELECT s.id, s.kind, s.qualified_name, f.module, f.path, s.file, s.key, coalesce(s.parent, 0), s.parent IS NULL AND s.kind IN (1, 2),
  s.kind <> :constructor AND coalesce((SELECT p.kind FROM symbols p WHERE p.id = s.parent), 0) IN (SELECT value FROM json_each(:types))
FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0 ORDER BY s.uid;

-- :name refs
-- columns: source, target (0: open), key, kind, confidence. full scan of refs: once an analysis
SELECT DISTINCT source, coalesce(target, 0), CASE WHEN target IS NULL THEN key ELSE 0 END, kind, confidence FROM refs WHERE target IS NULL OR target > 0;

-- :name members_before
-- columns: symbol, community. full scan of nodes: once an analysis
SELECT symbol, community FROM nodes;

-- :name clear_nodes
-- All rows go at once, which SQLite does without looking at them.
DELETE FROM nodes;

-- :name clear_communities
-- As clear_nodes.
DELETE FROM communities;

-- :name put_node
-- parameters: the columns of nodes.
INSERT INTO nodes(symbol, community, degree, fan_in, fan_out) VALUES (?, ?, ?, ?, ?);

-- :name put_community
-- parameters: the columns of communities.
INSERT INTO communities(id, name, size, cohesion) VALUES (?, ?, ?, ?);

-- :name put
-- parameters: generation, findings.
INSERT OR REPLACE INTO analysis(id, generation, findings) VALUES (1, ?, ?);

-- :name still_holds
-- parameter: generation. The last analysis was of the same graph.
UPDATE analysis SET generation = ?;

-- :name kept
-- columns: generation, findings.
SELECT generation, findings FROM analysis WHERE id = 1;

-- :name generation
-- columns: generation of the last analysis.
SELECT generation FROM analysis WHERE id = 1;

-- :name of_nodes
-- parameter: symbols (JSON array). columns: symbol, community, degree, fan_in, fan_out. index: primary key.
SELECT n.symbol, n.community, n.degree, n.fan_in, n.fan_out FROM json_each(:symbols) j CROSS JOIN nodes n ON n.symbol = j.value;

-- :name members
-- parameters: community, offset, limit. columns: symbol. The most connected first. index: nodes_community.
SELECT n.symbol FROM nodes n JOIN symbols s ON s.id = n.symbol WHERE n.community = :community
ORDER BY n.degree DESC, s.qualified_name, n.symbol LIMIT :limit OFFSET :offset;

-- :name count_members
-- parameter: community. columns: members that are still there. index: nodes_community.
SELECT count(*) FROM nodes n JOIN symbols s ON s.id = n.symbol WHERE n.community = :community;

-- :name community
-- parameter: id. columns: name, cohesion. index: primary key.
SELECT name, cohesion FROM communities WHERE id = :id;

-- :name largest_communities
-- parameters: limit. columns: id, name, size, cohesion. Of three members or more, the largest first. full scan of communities: some hundreds
SELECT id, name, size, cohesion FROM communities WHERE size >= 3 ORDER BY size DESC, id LIMIT ?;
