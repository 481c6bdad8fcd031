-- What a first index collects as it comes, and puts in order at its end. Both are empty otherwise.

CREATE TABLE bulk_spans(             -- rows of spans
  symbol INTEGER NOT NULL,
  file INTEGER NOT NULL,
  line_start INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  line INTEGER NOT NULL
);
CREATE TABLE bulk_parts(             -- what further files declare of a symbol that has a row already
  symbol INTEGER NOT NULL,
  file INTEGER NOT NULL,
  row BLOB NOT NULL                  -- the columns of symbols as MessagePack
);

-- Times of files are apart: where an index begins as another worktree's, they are all written anew, and little else.
CREATE TABLE times(
  file INTEGER PRIMARY KEY REFERENCES files(id),
  mtime_ns INTEGER NOT NULL          -- of the bytes that were read; none: they are to be compared again
);
INSERT INTO times(file, mtime_ns) SELECT id, mtime_ns FROM files WHERE id > 0 AND mtime_ns >= 0;
ALTER TABLE files DROP COLUMN mtime_ns;
CREATE TRIGGER files_untimed AFTER DELETE ON files BEGIN
  DELETE FROM times WHERE file = old.id;
END;

-- What a status counts of files, without their long columns: after each save all of it is read.
CREATE INDEX files_counted ON files(
  language, status, reason, generated, length(symbols), refs_resolved, refs_external, refs_dynamic, refs_unknown, refs_unbound, path
);
