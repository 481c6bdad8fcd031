-- Source files as memories: the pieces that there are. As store/sql/code_chunks.sql.

-- :name known
SELECT digest FROM chunked_files WHERE repository = %s AND project = %s AND path = %s;

-- :name put_known
INSERT INTO chunked_files(repository, project, path, digest) VALUES (%s, %s, %s, %s)
ON CONFLICT(repository, project, path) DO UPDATE SET digest = excluded.digest;

-- :name drop_known
DELETE FROM chunked_files WHERE repository = %s AND project = %s AND path = %s;

-- :name pieces
SELECT name, ordinal, memory FROM chunk_sources WHERE repository = %s AND project = %s AND path = %s;

-- :name put
INSERT INTO chunk_sources(memory, repository, project, path, name, ordinal) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT(memory) DO UPDATE SET name = excluded.name, ordinal = excluded.ordinal;

-- :name drop
DELETE FROM chunk_sources WHERE memory = %s;

-- :name lock
-- nobody else cuts the file until the transaction ends. parameters: repository, project, path
SELECT pg_advisory_xact_lock(hashtext('codeagent chunks'), hashtext(%s::text || chr(10) || %s::text || chr(10) || %s::text));
