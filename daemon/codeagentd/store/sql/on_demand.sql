-- The on-demand index: what questions asked for before the first index was whole.

-- :name name_of
-- parameter: uid; index symbols_uid
SELECT name FROM symbols WHERE uid = ?;

-- :name files_with_open_references
-- parameter: key; index refs_open
SELECT DISTINCT id >> 20 FROM refs WHERE key = ? AND target IS NULL;
