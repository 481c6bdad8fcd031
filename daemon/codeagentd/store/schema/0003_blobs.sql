-- What no index refers to: removed once that has been so for long enough. What another branch needs again stays.
CREATE TABLE unused(
  key BLOB PRIMARY KEY,              -- of facts: digest, language and version; of a vector: its passage
  since INTEGER NOT NULL             -- unix seconds
) WITHOUT ROWID;
