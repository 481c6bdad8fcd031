-- What one repository of a workspace has to be asked by the others: its packages, what it calls external, its size.

-- :name state
-- columns: key, value, of what tells one state of an index from another. index: primary key.
SELECT key, value FROM meta WHERE key IN ('born', 'generation', 'bulk');

-- :name outside_of
-- parameter: package, by the number of its file. columns: number, uid, qualified name. index: symbols_file.
SELECT id, uid, qualified_name FROM symbols WHERE file = :package;

-- :name by_number
-- parameter: number. columns: those of symbols.by_uid. index: primary key.
SELECT s.id, s.uid, s.name, s.qualified_name, s.kind, s.key, s.file, f.path, f.language, s.parent, p.kind, s.line_start, s.line_end, s.line, s.col
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN symbols p ON p.id = s.parent WHERE s.id = :number;

-- :name paths
-- columns: path. full scan of files: once for each generation of a member that others use
SELECT path FROM files WHERE id > 0;

-- :name modules
-- parameter: language. columns: path, project (its key), module as imports name it. full scan of files: as paths
SELECT f.path, p.key, CASE WHEN f.import_name <> '' THEN f.import_name ELSE f.module END FROM files f JOIN projects p ON p.id = f.project
WHERE f.language = :language AND f.id > 0;

-- :name first_file
-- parameters: language, project (its key). columns: number. full scan of files: as paths
SELECT f.id FROM files f JOIN projects p ON p.id = f.project WHERE f.language = :language AND p.key = :project AND f.id > 0 LIMIT 1;

-- :name nodes
-- columns: symbols of the repository. full scan of symbols: where no analysis has counted them, 5 ms at 50,000
SELECT count(*) FROM symbols WHERE id > 0;

-- :name edges
-- columns: edges, each once for a pair and relation. full scan of refs and symbols: as nodes, 120 ms at 300,000 references
SELECT (SELECT count(*) FROM (SELECT DISTINCT source, target, CASE WHEN kind IN (11, 12) THEN 4 ELSE kind END FROM refs WHERE target > 0 AND source <> target))
  + (SELECT count(*) FROM symbols WHERE id > 0 AND parent IS NOT NULL);

-- :name nodes_below
-- parameters: first and last: 'folder/' and 'folder0', between which the paths of a folder are. columns: symbols. indexes: files.path, symbols_file.
SELECT count(*) FROM files f CROSS JOIN symbols s ON s.file = f.id WHERE f.path > :first AND f.path < :last AND f.id > 0;

-- :name edges_below
-- parameters: as nodes_below. columns: edges, by where they begin. indexes: files.path, ranges of the primary key, symbols_file.
SELECT (SELECT count(*) FROM (
    SELECT DISTINCT r.source, r.target, CASE WHEN r.kind IN (11, 12) THEN 4 ELSE r.kind END
    FROM files f CROSS JOIN refs r ON r.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575
    WHERE f.path > :first AND f.path < :last AND r.target > 0 AND r.source <> r.target))
  + (SELECT count(*) FROM files f CROSS JOIN symbols s ON s.file = f.id WHERE f.path > :first AND f.path < :last AND s.id > 0 AND s.parent IS NOT NULL);
