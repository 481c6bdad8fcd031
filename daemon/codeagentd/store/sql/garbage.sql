-- What blobs.db has that no index refers to any more. Read as a whole, at most once a day.

-- :name facts
-- full scan of facts. columns: digest, language, version, bytes
SELECT digest, language, version, length(blob) FROM facts;

-- :name vectors
-- full scan of vectors of blobs.db. columns: passage, bytes
SELECT passage, length(vector) FROM vectors;

-- :name used_facts
-- of index.db; full scan of files. columns: digest, language
SELECT DISTINCT digest, language FROM files WHERE digest IS NOT NULL AND language IS NOT NULL;

-- :name used_vectors
-- of index.db; full scan of vectors. column: passage
SELECT DISTINCT passage FROM vectors;

-- :name unused
-- full scan of unused. columns: key, since
SELECT key, since FROM unused;

-- :name note
-- parameters: key, unix seconds: it was found unused
INSERT OR IGNORE INTO unused(key, since) VALUES (?, ?);

-- :name forget
-- parameter: key: it is used again, or gone
DELETE FROM unused WHERE key = ?;

-- :name delete_facts
-- parameters: digest, language, version; primary key
DELETE FROM facts WHERE digest = ? AND language = ? AND version = ?;

-- :name delete_vector
-- parameter: passage; primary key
DELETE FROM vectors WHERE passage = ?;
