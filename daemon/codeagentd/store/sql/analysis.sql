-- The analysis of the whole graph: what it reads, and what is kept of it.

-- :name files
-- columns: number, path, language. full scan of files: once an analysis
SELECT id, path, coalesce(language, '') FROM files WHERE id > 0 OR status = 'boundary';

-- :name symbols
-- parameter: those of languages.lending. columns: number, kind, qualified name, module, path, file, key, parent (0: none), whether it
-- stands for its file, whether an open reference by its bare name can mean it. In an order that does not depend on numbers.
-- full scan of symbols: once an analysis
SELECT s.id, s.kind, s.qualified_name, f.module, f.path, s.file, s.key, coalesce(s.parent, 0), s.parent IS NULL AND s.kind IN (1, 2),
  s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
    AND coalesce((SELECT p.kind FROM symbols p WHERE p.id = s.parent), 0) IN (SELECT value FROM json_each(:types))
FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0 ORDER BY s.uid;

-- :name refs
-- columns: source, target (0: open), key, kind, confidence. full scan of refs: once an analysis
SELECT DISTINCT source, coalesce(target, 0), CASE WHEN target IS NULL THEN key ELSE 0 END, kind, confidence FROM refs WHERE target IS NULL OR target > 0;

-- :name members_before
-- columns: symbol, community. full scan of nodes: once an analysis
SELECT symbol, community FROM nodes;

-- :name clear
-- All rows go at once, which SQLite does without looking at them.
DELETE FROM nodes; DELETE FROM communities;

-- :name put_node
-- parameters: the columns of nodes.
INSERT INTO nodes(symbol, community, degree, fan_in, fan_out, inside, exact, inferred, ambiguous, sort) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- :name drop_node
-- parameter: symbol.
DELETE FROM nodes WHERE symbol = ?;

-- :name put_community
-- parameters: the columns of communities.
REPLACE INTO communities(id, name, size, cohesion, inside, exact, inferred, ambiguous, isolated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- :name drop_empty
-- full scan of communities: some hundreds
DELETE FROM communities WHERE size = 0;

-- :name put
-- parameters: generation, findings, changed.
REPLACE INTO analysis(id, generation, findings, changed) VALUES (1, ?, ?, ?);

-- :name note_changed
-- parameters: nodes (how many were looked at anew), generation. Without any the last analysis is one of this generation too.
UPDATE analysis SET generation = CASE WHEN changed + :nodes THEN generation ELSE :generation END, changed = changed + :nodes WHERE changed IS NOT NULL;

-- :name lose
-- The nodes are not followed any more.
UPDATE analysis SET changed = NULL;

-- :name kept
-- columns: generation, findings.
SELECT generation, findings FROM analysis WHERE id = 1;

-- :name generation
-- columns: generation of the last analysis.
SELECT generation FROM analysis WHERE id = 1;

-- :name state
-- columns: generation, how many nodes were looked at anew since, how many there are. full scan of communities: some hundreds
SELECT generation, changed, (SELECT coalesce(sum(size), 0) FROM communities) FROM analysis WHERE id = 1;

-- :name totals
-- columns: nodes, edges by confidence, communities, isolated, those of two members or fewer. full scan of communities: some hundreds
SELECT coalesce(sum(size), 0), coalesce(sum(exact), 0), coalesce(sum(inferred), 0), coalesce(sum(ambiguous), 0), count(*), coalesce(sum(isolated), 0),
  count(*) FILTER (WHERE size <= 2) FROM communities;

-- :name hubs
-- parameter: limit. columns: symbol. The most neighbours first; all of those with as many as the last are compared. index: nodes_hubs.
SELECT n.symbol FROM nodes n CROSS JOIN symbols s ON s.id = n.symbol
WHERE n.sort > 0 AND n.degree >= coalesce((SELECT degree FROM nodes WHERE sort > 0 ORDER BY degree DESC LIMIT 1 OFFSET :limit - 1), 0)
ORDER BY n.degree DESC, s.uid LIMIT :limit;

-- :name pillars
-- As hubs, by how many depend on them. index: nodes_pillars.
SELECT n.symbol FROM nodes n CROSS JOIN symbols s ON s.id = n.symbol
WHERE n.sort > 0 AND n.fan_in >= coalesce((SELECT fan_in FROM nodes WHERE sort > 0 ORDER BY fan_in DESC LIMIT 1 OFFSET :limit - 1), 0)
ORDER BY n.fan_in DESC, s.uid LIMIT :limit;

-- :name of_nodes
-- parameter: symbols (JSON array). columns: symbol, community, degree, fan_in, fan_out. index: primary key.
SELECT n.symbol, n.community, n.degree, n.fan_in, n.fan_out FROM json_each(:symbols) j CROSS JOIN nodes n ON n.symbol = j.value;

-- :name rows
-- parameter: symbols (JSON array). columns: all of nodes. index: primary key.
SELECT n.symbol, n.community, n.degree, n.fan_in, n.fan_out, n.inside, n.exact, n.inferred, n.ambiguous, n.sort
FROM json_each(:symbols) j CROSS JOIN nodes n ON n.symbol = j.value;

-- :name sums
-- parameter: communities (JSON array). columns: id, name, then the sums. index: primary key.
SELECT c.id, c.name, c.size, c.inside, c.exact, c.inferred, c.ambiguous, c.isolated FROM json_each(:communities) j CROSS JOIN communities c ON c.id = j.value;

-- :name next_community
-- The first number that no community has. index: primary key.
SELECT coalesce(max(id), -1) + 1 FROM communities;

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
