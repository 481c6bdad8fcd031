-- Where files leave their language or process. What they say there is read from their bytes: all of them are read again.

CREATE TABLE boundaries(             -- of the few files that have any
  file INTEGER PRIMARY KEY,
  facts BLOB NOT NULL                -- model.boundaries.Boundary as MessagePack; empty where only facts of others make edges there
);
CREATE TRIGGER files_uncrossed AFTER DELETE ON files BEGIN
  DELETE FROM boundaries WHERE file = old.id;
END;
UPDATE files SET digest = NULL, mtime_ns = -1 WHERE language IS NOT NULL AND id > 0;
