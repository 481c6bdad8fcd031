-- Files that were cut into memories, and which memory has which piece.

CREATE TABLE chunked_files(
  repository TEXT NOT NULL,
  project TEXT NOT NULL,
  path TEXT NOT NULL,
  digest BLOB NOT NULL,              -- blake2b-16 of the bytes that were cut
  PRIMARY KEY (repository, project, path)
) WITHOUT ROWID;
CREATE TABLE chunk_sources(
  memory INTEGER PRIMARY KEY REFERENCES memories(number),
  repository TEXT NOT NULL,
  project TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,                -- qualified name of the definition; '' for what stands outside of any
  ordinal INTEGER NOT NULL           -- among the pieces of that name
);
CREATE INDEX chunk_sources_place ON chunk_sources(repository, project, path);
