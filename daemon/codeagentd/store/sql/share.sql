-- What an index has of the files of a commit: read as a whole by a push.

-- :name files
-- full scan of files. columns: path, digest, language
SELECT path, digest, language FROM files WHERE digest IS NOT NULL AND language IS NOT NULL;

-- :name passages
-- full scan of vectors. columns: digest of the file's content that was looked at, key of the passage
SELECT DISTINCT content, passage FROM vectors;
