-- Text search: pieces of files of about a screen. They are written in the background, after the graph.

ALTER TABLE files ADD COLUMN chunked INTEGER NOT NULL DEFAULT 0; -- whether its chunks are those of its content

CREATE TABLE chunks(
  id INTEGER PRIMARY KEY,            -- file << 20 | running number
  line_start INTEGER NOT NULL,       -- 1-based
  line_end INTEGER NOT NULL
);

-- rowid = chunks.id. `names`: what is defined there, and the definitions around it; all columns also with the words of camelCase names.
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  path, names, text, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2"
);

CREATE TRIGGER files_gone AFTER DELETE ON files BEGIN
  DELETE FROM chunks_fts WHERE rowid BETWEEN old.id << 20 AND (old.id << 20) + 1048575;
  DELETE FROM chunks WHERE id BETWEEN old.id << 20 AND (old.id << 20) + 1048575;
END;
