-- memory.db: what agents keep and what they work on; one per user, written by the daemons of all repositories. Never disposable.
-- Times are unix seconds. JSON columns hold what model/memory.py says.

CREATE TABLE memories(
  number INTEGER PRIMARY KEY,        -- rowid of memory_fts, key of memory_bits
  id TEXT NOT NULL UNIQUE,           -- answers show it: memory:<13 letters and digits>
  type TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL,
  metadata TEXT NOT NULL DEFAULT '{}',
  tags TEXT NOT NULL DEFAULT '[]',
  project TEXT NOT NULL DEFAULT '',
  confidence REAL NOT NULL DEFAULT 1.0,
  source_task TEXT NOT NULL DEFAULT '',
  repository TEXT NOT NULL DEFAULT '', -- whose code it speaks of: endpoint name of the git common directory
  digest BLOB NOT NULL,              -- blake2b-16 of title and content: key into memory_vectors
  anchored INTEGER NOT NULL DEFAULT 1, -- 0: the index was behind when it was written; its anchors are looked for again
  access_count INTEGER NOT NULL DEFAULT 0,
  last_accessed REAL NOT NULL DEFAULT 0,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  deleted_at REAL                    -- NULL: alive
);
CREATE INDEX memories_scope ON memories(project, type) WHERE deleted_at IS NULL;
CREATE INDEX memories_deleted ON memories(deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX memories_unanchored ON memories(repository) WHERE anchored = 0 AND deleted_at IS NULL;
CREATE INDEX memories_digest ON memories(digest);

-- rowid = memories.number; only those that are alive. All columns also with the words of camelCase names.
CREATE VIRTUAL TABLE memory_fts USING fts5(
  title, content, tags, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2"
);

CREATE TABLE links(
  source INTEGER NOT NULL REFERENCES memories(number),
  target INTEGER NOT NULL REFERENCES memories(number),
  reason TEXT NOT NULL DEFAULT '',
  strength REAL NOT NULL,
  automatic INTEGER NOT NULL,
  created_at REAL NOT NULL,
  PRIMARY KEY (source, target)
) WITHOUT ROWID;
CREATE INDEX links_target ON links(target);

CREATE TABLE anchors(                -- which code a memory speaks of, as it was seen
  memory INTEGER NOT NULL REFERENCES memories(number),
  repository TEXT NOT NULL,
  kind TEXT NOT NULL,                -- symbol | file
  uid BLOB NOT NULL,                 -- of the symbol; of a file: digest of its bytes
  name TEXT NOT NULL,                -- qualified name; of a file: empty
  path TEXT NOT NULL,
  digest BLOB NOT NULL,              -- of the text that was seen: memory/digests.py
  body INTEGER NOT NULL,             -- symbols.body of a symbol; of a file: 0
  PRIMARY KEY (memory, repository, kind, uid, path)
) WITHOUT ROWID;
CREATE INDEX anchors_uid ON anchors(repository, uid) WHERE kind = 'symbol';

CREATE TABLE models(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE TABLE memory_vectors(
  digest BLOB NOT NULL,
  model INTEGER NOT NULL REFERENCES models(id),
  vector BLOB NOT NULL               -- float32, unit length
);
CREATE UNIQUE INDEX memory_vectors_digest ON memory_vectors(digest, model);
CREATE TABLE memory_bits(            -- the signs of a memory's vector: a search reads these of all memories, and the vectors of the nearest
  memory INTEGER PRIMARY KEY REFERENCES memories(number),
  model INTEGER NOT NULL REFERENCES models(id),
  type TEXT NOT NULL,                -- those of the memory, which never change: a search that is narrowed need not look there
  project TEXT NOT NULL,
  bits BLOB NOT NULL
);

CREATE TABLE counters(               -- the last number given to a task of a board, and to an epic: ids without gaps
  project TEXT NOT NULL,
  type TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (project, type)
) WITHOUT ROWID;
CREATE TABLE tasks(
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,           -- PREFIX-TASK-001, PREFIX-EPIC-001
  project TEXT NOT NULL,
  type TEXT NOT NULL,                -- task | epic
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL,              -- pending | in_progress | done; who waits for others is told as blocked
  priority INTEGER NOT NULL,         -- 1 is the highest
  files_exclusive TEXT NOT NULL DEFAULT '[]',
  files_readonly TEXT NOT NULL DEFAULT '[]',
  parent INTEGER REFERENCES tasks(number),
  suggested_model TEXT NOT NULL DEFAULT '',
  resolved_by TEXT NOT NULL DEFAULT '',
  summary TEXT NOT NULL DEFAULT '',
  repository TEXT NOT NULL DEFAULT '', -- whose files it names
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL
);
CREATE INDEX tasks_waiting ON tasks(priority, number) WHERE status = 'pending' AND type = 'task';
CREATE INDEX tasks_parent ON tasks(parent) WHERE parent IS NOT NULL;
CREATE TABLE dependencies(
  task INTEGER NOT NULL REFERENCES tasks(number),
  needs INTEGER NOT NULL REFERENCES tasks(number),
  PRIMARY KEY (task, needs)
) WITHOUT ROWID;
CREATE INDEX dependencies_needs ON dependencies(needs);
-- What a task is told to be: `blocked` while it, or an epic that it belongs to, waits for others; an epic is in progress when a part of it is.
CREATE VIEW board AS
SELECT t.number, t.id, t.project, t.type, t.name, t.description, t.priority, t.files_exclusive, t.files_readonly, t.parent, t.suggested_model,
  t.resolved_by, t.summary, t.repository, t.created_at, t.updated_at,
  CASE
    WHEN t.status = 'pending' AND EXISTS (
      WITH RECURSIVE up(number) AS (
        SELECT t.number UNION SELECT p.parent FROM up JOIN tasks p ON p.number = up.number WHERE p.parent IS NOT NULL
      )
      SELECT 1 FROM up JOIN dependencies d ON d.task = up.number JOIN tasks n ON n.number = d.needs WHERE n.status <> 'done'
    ) THEN 'blocked'
    WHEN t.status = 'pending' AND t.type = 'epic' AND EXISTS (SELECT 1 FROM tasks c WHERE c.parent = t.number AND c.status <> 'pending') THEN 'in_progress'
    ELSE t.status
  END AS status
FROM tasks t;

CREATE TABLE leases(                 -- who works on a task: a window, for as long as its process lives
  task INTEGER PRIMARY KEY REFERENCES tasks(number),
  session BLOB NOT NULL,             -- the window's, over any number of daemons
  pid INTEGER NOT NULL,
  birth TEXT NOT NULL,               -- what tells the process from a later one of the same pid, and from one of another machine
  at REAL NOT NULL
);

CREATE TABLE audit(                  -- every change, for 90 days
  number INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,             -- id of a memory or task
  session BLOB NOT NULL,
  before TEXT NOT NULL,              -- JSON: what was
  after TEXT NOT NULL                -- JSON: what is
);
CREATE INDEX audit_at ON audit(at);
CREATE INDEX audit_subject ON audit(subject);

CREATE TABLE calls(                  -- exactly-once record of writing calls, in the transaction of their effect
  session BLOB NOT NULL,
  seq INTEGER NOT NULL,
  answer BLOB NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (session, seq)
) WITHOUT ROWID;
CREATE INDEX calls_at ON calls(at);
