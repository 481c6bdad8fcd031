-- What a team's server has to be told: the writes of this user that were acknowledged while it was away, in their order.

CREATE TABLE operations(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  session BLOB NOT NULL,             -- the call's exactly-once key, with which the server knows what it has done
  seq INTEGER NOT NULL,
  operation BLOB NOT NULL,           -- JSON: memory/team/memory_operations.py
  at REAL NOT NULL,
  refused TEXT NOT NULL DEFAULT '',  -- why the server did not do it; such a one waits for a person
  UNIQUE (session, seq)
);
