-- Writes that wait for a team's server: in outbox.db.

-- :name put
-- parameters: session, seq, operation, unix seconds. A call that is sent again waits once
INSERT OR IGNORE INTO operations(session, seq, operation, at) VALUES (?, ?, ?, ?);

-- :name next
-- columns: number, session, seq, operation of the one to be sent next; a full scan of a short table, which ends at the first
SELECT number, session, seq, operation FROM operations WHERE refused = '' ORDER BY number LIMIT 1;

-- :name remove
-- parameter: number
DELETE FROM operations WHERE number = ?;

-- :name refuse
-- parameters: reason, number
UPDATE operations SET refused = ? WHERE number = ?;

-- :name retry
-- all that were refused wait again
UPDATE operations SET refused = '' WHERE refused <> '';

-- :name counts
-- full scan of a short table. columns: how many wait, how many were refused, unix seconds of the oldest that waits (NULL: none)
SELECT count(*) FILTER (WHERE refused = ''), count(*) FILTER (WHERE refused <> ''), min(at) FILTER (WHERE refused = '') FROM operations;

-- :name refused
-- full scan of a short table. columns: unix seconds, operation, reason
SELECT at, operation, refused FROM operations WHERE refused <> '' ORDER BY number;
