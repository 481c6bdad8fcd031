-- The index that several machines make together.

-- :name files_to_link
-- full scan of files: once a machine, in the order in which they are divided. Those of a first index, resolved or not. columns: file, path, size, digest, language
SELECT id, path, size, digest, language FROM files WHERE language IS NOT NULL AND symbols IS NOT NULL AND id > 0 ORDER BY path;
