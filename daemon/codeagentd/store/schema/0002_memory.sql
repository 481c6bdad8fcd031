-- Files that were cut into memories, and which memory has which piece; a memory's vector by its number.

CREATE TABLE numbered_vectors(
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,
  model INTEGER NOT NULL REFERENCES models(id),
  vector BLOB NOT NULL               -- float32, unit length
);
INSERT INTO numbered_vectors(digest, model, vector) SELECT digest, model, vector FROM memory_vectors;
DROP TABLE memory_vectors;
ALTER TABLE numbered_vectors RENAME TO memory_vectors;
CREATE UNIQUE INDEX memory_vectors_digest ON memory_vectors(digest, model);
ALTER TABLE memory_bits ADD COLUMN vector INTEGER; -- memory_vectors.id: a search looks 200 of them up
UPDATE memory_bits SET vector = (
  SELECT v.id FROM memories m JOIN memory_vectors v ON v.digest = m.digest AND v.model = memory_bits.model WHERE m.number = memory_bits.memory
);

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
