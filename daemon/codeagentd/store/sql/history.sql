-- What a graph of another revision is made of, and compared by.

-- :name files
-- columns: path, digest. full scan of files: once a revision
SELECT path, digest FROM files WHERE id > 0;

-- :name details
-- columns: symbol, flags, body, first line. full scan of symbols: once a revision
SELECT id, flags, body, line_start FROM symbols WHERE id > 0;
