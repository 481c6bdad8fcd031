-- blobs.db: what files say, by content; shared by all worktrees of a repository; disposable.
CREATE TABLE facts(
  digest BLOB NOT NULL,              -- blake2b-16 of the bytes
  language TEXT NOT NULL,
  version INTEGER NOT NULL,          -- languages.versions.version_of
  blob BLOB NOT NULL,                -- model.facts.pack
  PRIMARY KEY (digest, language, version)
) WITHOUT ROWID;
