-- The map: communities as circles, with those members that are of the sorts of NodeSort in `sorts` (JSON array). Sort 0 has files too, which are left out.

-- :name sizes
-- parameter: sorts. columns: community, how many of its members are of these sorts; the largest first. full scan of nodes: once for each analysis
SELECT n.community, count(*) FROM nodes n
WHERE n.sort IN (SELECT value FROM json_each(:sorts)) AND (n.sort OR (SELECT s.parent FROM symbols s WHERE s.id = n.symbol) IS NOT NULL)
GROUP BY 1 ORDER BY 2 DESC, 1;

-- :name uses
-- parameters: sorts, step. columns: two communities, how many references lead from a member of the first to a member of the second, of every step-th file.
-- full scan of files: once for each analysis
SELECT a.community, b.community, count(*)
FROM files f CROSS JOIN refs r ON r.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575
  CROSS JOIN nodes a ON a.symbol = r.source CROSS JOIN nodes b ON b.symbol = r.target
WHERE f.id > 0 AND f.id % :step = 0 AND r.target > 0 AND r.confidence < 2 AND a.community <> b.community
  AND a.sort IN (SELECT value FROM json_each(:sorts)) AND b.sort IN (SELECT value FROM json_each(:sorts))
GROUP BY 1, 2;

-- :name members
-- parameters: community, sorts, limit. columns: number, id, kind, qualified name, module, path, first line, degree. The most connected first. index: nodes_community.
SELECT s.id, s.uid, s.kind, s.qualified_name, f.module, f.path, s.line_start, n.degree
FROM nodes n CROSS JOIN symbols s ON s.id = n.symbol CROSS JOIN files f ON f.id = s.file
WHERE n.community = :community AND n.sort IN (SELECT value FROM json_each(:sorts)) AND (n.sort OR s.parent IS NOT NULL)
ORDER BY n.degree DESC, f.path, s.line_start, s.uid LIMIT :limit;

-- :name pairs
-- parameters: symbols (JSON array), limit. columns: two of them that an edge joins. indexes: refs_target, primary key.
SELECT DISTINCT min(r.source, r.target), max(r.source, r.target)
FROM json_each(:symbols) j CROSS JOIN refs r ON r.target = j.value
WHERE r.confidence < 2 AND r.source <> r.target AND r.source IN (SELECT value FROM json_each(:symbols))
UNION
SELECT min(s.id, s.parent), max(s.id, s.parent) FROM json_each(:symbols) j CROSS JOIN symbols s ON s.id = j.value
WHERE s.parent IN (SELECT value FROM json_each(:symbols))
ORDER BY 1, 2 LIMIT :limit;
