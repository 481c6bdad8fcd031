-- Contents that cost their parser its process, each time: not parsed again until they or the extraction of their language are others.
CREATE TABLE failures(
  digest BLOB NOT NULL,
  language TEXT NOT NULL,
  version INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (digest, language, version)
) WITHOUT ROWID;
