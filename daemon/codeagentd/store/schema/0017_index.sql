-- Vectors have a budget: the symbols that most places refer to get one. They are ranked once, and what is due is found without looking at all of them.

ALTER TABLE files DROP COLUMN embedded;

CREATE TABLE ranking(                -- the last ranking of the symbols that may have a vector; no row before the first
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL,
  budget INTEGER NOT NULL,           -- symbols that have a vector at most; 0: all
  eligible INTEGER,                  -- symbols that may have one; NULL until every rank is written
  chosen INTEGER NOT NULL,           -- rows of ranked_symbols
  files INTEGER NOT NULL,            -- files of the index then
  changed INTEGER NOT NULL           -- changes of files since
);
CREATE TABLE ranked_symbols(         -- the symbols that have a vector or get one
  symbol INTEGER PRIMARY KEY,
  rank INTEGER NOT NULL,             -- 0 for the symbol that most places refer to
  ranking INTEGER NOT NULL,          -- the number of the ranking that chose it
  is_due INTEGER NOT NULL            -- whether its text has to be looked at
);
CREATE INDEX ranked_symbols_due ON ranked_symbols(rank) WHERE is_due = 1;

CREATE TABLE files_to_embed(         -- files whose content has changed since the ranking began
  file INTEGER PRIMARY KEY
);
CREATE TRIGGER files_to_embed_changed AFTER UPDATE OF digest ON files
WHEN new.digest IS NOT old.digest AND new.language > '' AND EXISTS (SELECT 1 FROM ranking) BEGIN
  INSERT INTO files_to_embed(file) SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM files_to_embed WHERE file = new.id);
END;
CREATE TRIGGER files_to_embed_added AFTER INSERT ON files
WHEN new.language > '' AND EXISTS (SELECT 1 FROM ranking) BEGIN
  INSERT INTO files_to_embed(file) SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM files_to_embed WHERE file = new.id);
END;
