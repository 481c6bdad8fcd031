-- The on-demand index: what questions asked for before the first index was whole.

-- :name name_of
-- parameter: uid; index symbols_uid
SELECT name FROM symbols WHERE uid = ?;

-- :name is_defined
-- parameter: key; index symbols_key
SELECT EXISTS (SELECT 1 FROM symbols WHERE key = ? AND id > 0);

-- :name files_with_open_references
-- parameter: key; index refs_open
SELECT DISTINCT f.path FROM refs r JOIN files f ON f.id = r.id >> 20 WHERE r.key = ? AND r.target IS NULL;

-- :name mark
-- parameter: path
UPDATE files SET resolved = 0 WHERE path = ?;

-- :name leave_unresolved
-- full scan of files, of which there are few
UPDATE files SET resolved = 1 WHERE resolved = 0;
