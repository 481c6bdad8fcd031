-- Writes of the single writer.

-- :name put_file
-- parameters as named; the row's id stays when the path is known
INSERT INTO files(path, language, project, status, reason, generated, size, digest, module, import_name, names, symbols, resolved)
VALUES (:path, :language, :project, :status, :reason, :generated, :size, :digest, :module, :import_name, :names, :symbols, 0)
ON CONFLICT(path) DO UPDATE SET language = excluded.language, project = excluded.project, status = excluded.status, reason = excluded.reason,
  generated = excluded.generated, size = excluded.size, digest = excluded.digest, module = excluded.module,
  import_name = excluded.import_name, names = excluded.names, symbols = excluded.symbols, resolved = 0, chunked = 0
RETURNING id;

-- :name put_new_file
-- parameters as named: a file of a first index
INSERT INTO files(id, path, language, project, status, reason, generated, size, digest, module, import_name, names, symbols, resolved)
VALUES (:id, :path, :language, :project, :status, :reason, :generated, :size, :digest, :module, :import_name, :names, :symbols, 0);

-- :name put_time
-- parameters: file, mtime_ns
REPLACE INTO times(file, mtime_ns) VALUES (?, ?);

-- :name touch_file
-- parameters: mtime_ns, path: the bytes are the same
REPLACE INTO times(file, mtime_ns) SELECT id, ? FROM files WHERE path = ?;

-- :name resize_file
-- parameters: size, path: of a file that is never read
UPDATE files SET size = ? WHERE path = ?;

-- :name distrust_times
-- those of another worktree, or of one that was made anew. The digests decide.
DELETE FROM times;

-- :name all_writes
-- full scan of a small table, once an upgrade
SELECT session, seq, answer, at FROM writes;

-- :name all_names
-- full scan of names: when extraction has changed. columns: key, name
SELECT key, name FROM names;

-- :name delete_name
-- parameter: key
DELETE FROM names WHERE key = ?;

-- :name delete_trigrams
-- parameters: key, name
INSERT INTO names_trigram(names_trigram, rowid, name) VALUES ('delete', ?, ?);

-- :name reread_language
-- parameter: language; full scan of files: when its extraction has changed
UPDATE files SET digest = NULL WHERE language = ? AND id > 0;

-- :name distrust_unread
-- full scan of files: after digests were removed
DELETE FROM times WHERE file IN (SELECT id FROM files WHERE digest IS NULL AND language IS NOT NULL);

-- :name reread_unclaimed
-- full scan of files: when there is a language more
DELETE FROM times WHERE file IN (SELECT id FROM files WHERE language IS NULL);

-- :name reread_failed
-- full scan of files: when the extraction of any language has changed
UPDATE files SET digest = NULL WHERE status = 'failed' AND id > 0;

-- :name set_resolved
-- parameters: what its types inherit; the members that it depends on; what became of its references, in the order of model.answers.Coverage; file
UPDATE files SET resolved = 1, linked = 0, heritage = ?, asked = ?, refs_resolved = ?, refs_external = ?, refs_dynamic = ?, refs_unknown = ?, refs_unbound = ? WHERE id = ?;

-- :name delete_file
-- parameter: file
DELETE FROM files WHERE id = ?;

-- :name put_symbol
-- parameters: the columns in their order
INSERT INTO symbols(id, uid, file, parent, kind, flags, key, name, qualified_name, line_start, line_end, line, col, access, signature, parameters, returns, body, bases, type, shared, head)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- :name delete_symbol
-- parameter: symbol
DELETE FROM symbols WHERE id = ?;

-- :name put_words
-- parameters: symbol, name, words, qualified name, signature, returns
INSERT INTO symbols_fts(rowid, name, words, qualified_name, signature, returns) VALUES (?, ?, ?, ?, ?, ?);

-- :name delete_words
-- parameter: symbol
DELETE FROM symbols_fts WHERE rowid = ?;

-- :name put_name
-- parameters: name key, name
INSERT INTO names(key, name) VALUES (?, ?);

-- :name put_name_trigrams
-- parameters: name key, name
INSERT INTO names_trigram(rowid, name) VALUES (?, ?);

-- :name has_name
-- parameter: name key
SELECT EXISTS (SELECT 1 FROM names WHERE key = ?);

-- :name put_span
-- parameters: symbol, file, line_start, line_end, line
INSERT OR IGNORE INTO spans(symbol, file, line_start, line_end, line) VALUES (?, ?, ?, ?, ?);

-- :name delete_spans_of_file
-- parameter: file; index spans_file
DELETE FROM spans WHERE file = ?;

-- :name put_import
-- parameters: id, local, module, name, exported
INSERT INTO imports(id, local, module, name, exported) VALUES (?, ?, ?, ?, ?);

-- :name delete_imports
-- parameters: first and last id of the file's range
DELETE FROM imports WHERE id BETWEEN ? AND ?;

-- :name put_ref
-- parameters: the columns in their order, target 0 = none
INSERT INTO refs(id, key, target, source, kind, confidence, origin, line, col) VALUES (?, ?, nullif(?, 0), ?, ?, ?, ?, ?, ?);

-- :name refs_of_file
-- parameters: first and last id of the file's range. columns: those of put_ref, without edges between languages (kinds 19 to 22) and of structure
-- (origin 16), which are written apart
SELECT id, key, coalesce(target, 0), source, kind, confidence, origin, line, col FROM refs
WHERE id BETWEEN ? AND ? AND kind NOT BETWEEN 19 AND 22 AND origin <> 16 ORDER BY id;

-- :name delete_refs
-- parameters: first and last id of the file's range
DELETE FROM refs WHERE id BETWEEN ? AND ?;

-- :name delete_own_refs
-- parameters: first and last id of the file's range: without rows of structure, which stay
DELETE FROM refs WHERE id BETWEEN ? AND ? AND origin <> 16;

-- :name put_project
-- parameters: key, language, name, root
INSERT INTO projects(key, language, name, root) VALUES (?, ?, ?, ?)
ON CONFLICT(key) DO UPDATE SET language = excluded.language, name = excluded.name, root = excluded.root RETURNING id;

-- :name projects
SELECT id, key FROM projects;

-- :name put_meta
-- parameters: key, value
REPLACE INTO meta(key, value) VALUES (?, ?);

-- :name set_meta
-- parameters: key, value
INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?);

-- :name delete_meta
-- parameter: key
DELETE FROM meta WHERE key = ?;

-- :name meta
-- parameter: key
SELECT value FROM meta WHERE key = ?;

-- :name next_symbol
SELECT coalesce(max(id), 0) + 1 FROM symbols;

-- :name put_identity
-- parameters: derived uid, kept uid
REPLACE INTO identities(derived, uid) VALUES (?, ?);

-- :name identities
SELECT derived, uid FROM identities;

-- :name put_write
-- parameters: session, seq, answer, unix seconds
INSERT OR IGNORE INTO writes(session, seq, answer, at) VALUES (?, ?, ?, ?);

-- :name written
-- parameters: session, seq
SELECT answer FROM writes WHERE session = ? AND seq = ?;

-- :name forget_writes
-- parameter: unix seconds; full scan of a small table, once a start
DELETE FROM writes WHERE at < ?;

-- :name known_symbols
-- parameters: numbers (JSON array); primary key
SELECT id FROM symbols WHERE id IN (SELECT value FROM json_each(?));

-- :name put_external_file
-- parameters: id, path, language: a package outside of the repository
INSERT INTO files(id, path, language, status, size, resolved) VALUES (?, ?, ?, 'external', 0, 1);

-- :name packages
-- packages outside of the repository: a range of the primary key. columns: id, path, family of languages, name
SELECT f.id, f.path, substr(f.path, 10, instr(f.path, '/') - 10), s.qualified_name FROM files f JOIN symbols s ON s.id = f.id WHERE f.id < 0;

-- :name rename_file
-- parameters: path, id
UPDATE files SET path = ? WHERE id = ?;

-- :name set_unresolved
-- parameter: file
UPDATE files SET resolved = 0 WHERE id = ?;

-- :name forget_content
-- parameter: file
UPDATE files SET digest = NULL, resolved = 1 WHERE id = ?;

-- :name distrust_time
-- parameter: file
DELETE FROM times WHERE file = ?;

-- :name set_all_unresolved
-- full scan of files: when manifests changed. What says no name has no references.
UPDATE files SET resolved = 0 WHERE length(names) > 0 AND id > 0;

-- :name drop_refs_from
-- parameter: target; index refs_target
DELETE FROM refs WHERE target >= ?;
