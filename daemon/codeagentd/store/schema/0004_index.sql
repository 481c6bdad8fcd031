-- What search knows beside the text. All of it is written in the background, after text.

ALTER TABLE files ADD COLUMN linked INTEGER NOT NULL DEFAULT 0; -- whether its links are those of its references
CREATE TABLE links(                  -- which files use which
  user INTEGER NOT NULL REFERENCES files(id),
  used INTEGER NOT NULL REFERENCES files(id),
  PRIMARY KEY (user, used)
) WITHOUT ROWID;
CREATE INDEX links_used ON links(used);
CREATE TRIGGER files_unlinked AFTER DELETE ON files BEGIN
  DELETE FROM links WHERE user = old.id OR used = old.id;
END;

-- Search by meaning: a vector for each symbol that says something.

ALTER TABLE files ADD COLUMN embedded BLOB; -- the digest of the content whose symbols all have their vectors

CREATE TABLE vectors(                -- what every search by meaning reads; narrow, so that it reads little
  symbol INTEGER PRIMARY KEY,
  bits BLOB NOT NULL,                -- the signs of the vector's numbers
  content BLOB NOT NULL,             -- the digest of the file's content that the vector was compared with
  passage BLOB NOT NULL              -- the digest of the text that it stands for, and of the model: key into blobs.db
);
CREATE TABLE vector_values(          -- what the best of a search by bits are compared by
  symbol INTEGER PRIMARY KEY,
  vector BLOB NOT NULL               -- signed bytes
);
