-- index.db: everything known about one worktree; disposable, rebuilt from blobs.db and the files.

CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE projects(
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,          -- answers show it: "python:flask", "csharp:Api", or "<language>:." for the synthetic root project
  language TEXT NOT NULL,
  name TEXT NOT NULL,
  root TEXT NOT NULL                 -- repository-relative folder, '' for the top
);

CREATE TABLE files(
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: what remembers a file by number must not meet another
  path TEXT NOT NULL UNIQUE,         -- repository-relative, '/' between parts
  language TEXT,                     -- NULL: a file that is counted and listed but not parsed
  project INTEGER REFERENCES projects(id),
  status TEXT NOT NULL,              -- full | partial | failed | skipped
  reason TEXT NOT NULL DEFAULT '',   -- why skipped or failed
  generated INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  digest BLOB,                       -- blake2b-16 of the bytes; key into blobs.db
  module TEXT NOT NULL DEFAULT '',   -- qualified name of the file's own symbol: module path
  import_name TEXT NOT NULL DEFAULT '', -- the name by which imports reach it, where that is another one
  names BLOB,                        -- 4-byte name hashes that the file mentions: who must be resolved again when a name appears
  symbols BLOB,                      -- ids of its symbols in the order of its facts, 4 bytes each
  resolved INTEGER NOT NULL DEFAULT 0 -- whether its references are in refs
);
CREATE INDEX files_module ON files(module);
CREATE INDEX files_import_name ON files(import_name) WHERE import_name <> '';

CREATE TABLE symbols(
  id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL,                 -- 16 bytes, stable across renames; answers show it as node_id
  file INTEGER NOT NULL REFERENCES files(id),   -- of the primary span
  parent INTEGER,                    -- enclosing symbol; NULL for the file's own symbol
  kind INTEGER NOT NULL,             -- model.kinds.SymbolKind
  flags INTEGER NOT NULL,            -- model.kinds.SymbolFlag
  key INTEGER NOT NULL,              -- model.ids.name_key(name)
  name TEXT NOT NULL,
  qualified_name TEXT NOT NULL,
  line_start INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  line INTEGER NOT NULL,             -- of the name itself, 1-based
  col INTEGER NOT NULL,              -- of the name itself, 0-based, in characters
  access TEXT NOT NULL,              -- public | protected | private | internal | ''
  signature TEXT,                    -- parameters as written, white space folded, long literals elided
  parameters INTEGER,
  returns TEXT,
  body INTEGER NOT NULL,             -- digest of the text without the name: recognises a renamed or moved symbol
  bases TEXT NOT NULL DEFAULT '',    -- as written, comma-separated; '?' for one that is no name
  type TEXT NOT NULL DEFAULT '',     -- declared type of a field or variable, as written
  shared INTEGER NOT NULL DEFAULT 0  -- several files may hold spans of it
);
CREATE UNIQUE INDEX symbols_uid ON symbols(uid);
CREATE INDEX symbols_file ON symbols(file, line_start);
CREATE INDEX symbols_parent ON symbols(parent, key);
CREATE INDEX symbols_key ON symbols(key);
CREATE INDEX symbols_qualified ON symbols(qualified_name);

CREATE TABLE spans(                  -- all places of a symbol that has several (partial classes, overloads); the primary one is in symbols as well
  symbol INTEGER NOT NULL REFERENCES symbols(id),
  file INTEGER NOT NULL REFERENCES files(id),
  line_start INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (symbol, file, line_start, line)
) WITHOUT ROWID;
CREATE INDEX spans_file ON spans(file);

CREATE TABLE imports(                -- file-level imports and exports: what other files can reach through this one
  id INTEGER PRIMARY KEY,            -- file << 20 | running number
  local TEXT NOT NULL,               -- the name it has in this file, or is exported under
  module TEXT NOT NULL,              -- as written; '' = this file (an export of one of its own names)
  name TEXT NOT NULL,                -- '' = the module itself, '*' = everything
  exported INTEGER NOT NULL
);

CREATE TABLE refs(                   -- one row per place
  id INTEGER PRIMARY KEY,            -- file << 20 | running number: a file's references are one range of ids
  key INTEGER NOT NULL,              -- model.ids.name_key of the name written there
  target INTEGER,                    -- symbol, or NULL: an open member reference, matched by name when asked
  source INTEGER NOT NULL,           -- enclosing symbol
  kind INTEGER NOT NULL,             -- model.kinds.ReferenceKind
  confidence INTEGER NOT NULL,       -- model.kinds.Confidence
  origin INTEGER NOT NULL,           -- model.kinds.Origin
  line INTEGER NOT NULL,             -- 1-based
  col INTEGER NOT NULL               -- 0-based, in characters
);
CREATE INDEX refs_target ON refs(target, kind) WHERE target IS NOT NULL;
CREATE INDEX refs_open ON refs(key) WHERE target IS NULL;

CREATE TABLE identities(             -- derived id -> id that was kept through a rename or move
  derived BLOB PRIMARY KEY,
  uid BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE writes(                 -- exactly-once record of writing calls, in the transaction of their effect
  session BLOB NOT NULL,
  seq INTEGER NOT NULL,
  answer BLOB NOT NULL,
  at INTEGER NOT NULL,               -- unix seconds
  PRIMARY KEY (session, seq)
) WITHOUT ROWID;

-- rowid = symbols.id. `words` holds the words of a camelCase name; the tokenizer splits the others itself.
CREATE VIRTUAL TABLE symbols_fts USING fts5(
  name, words, qualified_name, signature, returns,
  content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2"
);
CREATE TABLE names(                  -- every distinct name that ever had a symbol
  key INTEGER PRIMARY KEY,           -- model.ids.name_key
  name TEXT NOT NULL
);
CREATE VIRTUAL TABLE names_trigram USING fts5(name, content='names', content_rowid='key', columnsize=0, tokenize='trigram', detail=none);
