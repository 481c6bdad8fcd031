-- Which files use which: what search knows of a file's place in the graph.

-- :name pending
-- parameter: limit; index files_links_due. column: file
SELECT id FROM files WHERE linked = 0 AND resolved = 1 AND id > 0 LIMIT ?;

-- :name drop
-- parameter: file; primary key
DELETE FROM links WHERE user = ?;

-- :name put
-- parameters as named: file, first and last id of its range, the confidence from which on a reference does not count; range of the primary key of refs
INSERT INTO links(user, used)
SELECT DISTINCT :file, s.file FROM refs r JOIN symbols s ON s.id = r.target
WHERE r.id BETWEEN :first AND :last AND r.confidence <> :unsure AND s.id > 0 AND s.file <> :file;

-- :name set_linked
-- parameter: file
UPDATE files SET linked = 1 WHERE id = ?;

-- :name users
-- parameter: files (JSON array); index links_used. columns: file, how many use it
SELECT used, count(*) FROM links WHERE used IN (SELECT value FROM json_each(?)) GROUP BY used;

-- :name among
-- parameter as named: files (JSON array); primary key. columns: file, file among these that it uses
SELECT user, used FROM links WHERE user IN (SELECT value FROM json_each(:files)) AND used IN (SELECT value FROM json_each(:files));
