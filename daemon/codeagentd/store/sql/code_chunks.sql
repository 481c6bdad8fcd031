-- Source files as memories: in memory.db the pieces that there are, in index.db where a file is to be cut.

-- :name file
-- parameter: path; the unique index of path. columns: id, language, digest, reason
SELECT id, language, digest, reason FROM files WHERE path = ? AND id > 0;

-- :name definitions
-- parameter: file; index symbols_file. columns: qualified name, uid, kind, first and last line, qualified name of what it stands in; no values (kinds 13 to 16)
SELECT s.qualified_name, s.uid, s.kind, s.line_start, s.line_end, coalesce(p.qualified_name, '')
FROM symbols s LEFT JOIN symbols p ON p.id = s.parent AND p.parent IS NOT NULL
WHERE s.file = ? AND s.parent IS NOT NULL AND s.kind NOT IN (13, 14, 15, 16) ORDER BY s.line_start, s.line_end DESC;

-- :name uses
-- parameters: file << 20, the last id of the file's range: a range of the primary key. columns: line, qualified name of what is used there
SELECT DISTINCT r.line, s.qualified_name FROM refs r JOIN symbols s ON s.id = r.target
WHERE r.id BETWEEN ? AND ? AND r.confidence < 2 ORDER BY r.line, s.qualified_name;

-- :name known
-- parameters: repository, project, path; primary key. columns: digest of what was cut
SELECT digest FROM chunked_files WHERE repository = ? AND project = ? AND path = ?;

-- :name put_known
-- parameters: repository, project, path, digest
REPLACE INTO chunked_files(repository, project, path, digest) VALUES (?, ?, ?, ?);

-- :name drop_known
-- parameters: repository, project, path
DELETE FROM chunked_files WHERE repository = ? AND project = ? AND path = ?;

-- :name pieces
-- parameters: repository, project, path; index chunk_sources_place. columns: name, ordinal, memory
SELECT name, ordinal, memory FROM chunk_sources WHERE repository = ? AND project = ? AND path = ?;

-- :name put
-- parameters: memory, repository, project, path, name, ordinal
REPLACE INTO chunk_sources(memory, repository, project, path, name, ordinal) VALUES (?, ?, ?, ?, ?, ?);

-- :name drop
-- parameter: memory
DELETE FROM chunk_sources WHERE memory = ?;

-- :name lock
-- nothing, for a file (repository, project, path): a transaction that writes has the whole database to itself
SELECT ?, ?, ?;
