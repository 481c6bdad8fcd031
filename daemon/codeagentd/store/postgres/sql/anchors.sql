-- Code that memories speak of, as it was seen. As store/sql/anchors.sql.

-- :name put
INSERT INTO anchors(memory, repository, kind, uid, name, path, digest, body) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT(memory, repository, kind, uid, path) DO UPDATE SET name = excluded.name, digest = excluded.digest, body = excluded.body;

-- :name delete
DELETE FROM anchors WHERE memory = %s AND repository = %s;

-- :name forget
DELETE FROM anchors WHERE memory = %s;

-- :name of_memories
SELECT a.memory, a.repository, a.kind, a.uid, a.name, a.path, a.digest, a.body
FROM anchors a WHERE a.memory = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(%s::json)))
ORDER BY a.memory, a.kind COLLATE "C" DESC, a.name COLLATE "C", a.path COLLATE "C";

-- :name of_symbol
SELECT m.number FROM anchors a JOIN memories m ON m.number = a.memory
WHERE a.repository = %s AND a.kind = 'symbol' AND a.uid = %s AND m.deleted_at IS NULL ORDER BY m.updated_at DESC LIMIT %s;

-- :name unanchored
SELECT number, title, content, metadata, digest FROM memories WHERE repository = %s AND anchored = 0 AND deleted_at IS NULL LIMIT %s;

-- :name set_anchored
UPDATE memories SET anchored = 1 WHERE number = %s AND digest = %s AND deleted_at IS NULL RETURNING number;
