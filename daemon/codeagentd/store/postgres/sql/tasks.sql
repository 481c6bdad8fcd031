-- Tasks, what they wait for, and who works on them. As store/sql/tasks.sql where nothing is said.

-- :name lock
-- nobody else changes what depends on what until the transaction ends
SELECT pg_advisory_xact_lock(hashtext('codeagent'), 1);

-- :name next_number
INSERT INTO counters(project, type, last) VALUES (%s, %s, 1) ON CONFLICT(project, type) DO UPDATE SET last = counters.last + 1 RETURNING last;

-- :name put
INSERT INTO tasks(id, project, type, name, description, status, priority, files_exclusive, files_readonly, parent, suggested_model, repository,
  created_at, updated_at)
SELECT %(id)s, %(project)s, %(type)s, %(name)s, %(description)s, %(status)s, %(priority)s, %(files_exclusive)s, %(files_readonly)s,
  %(parent)s::bigint, %(suggested_model)s, %(repository)s, at, at
FROM (SELECT least(%(now)s, date_part('epoch', clock_timestamp())) AS at) AS t
RETURNING number;

-- :name put_dependency
INSERT INTO dependencies(task, needs) VALUES (%s, %s) ON CONFLICT DO NOTHING;

-- :name by_id
SELECT b.number, b.id, b.project, b.type, b.name, b.description, b.status, b.priority, b.files_exclusive, b.files_readonly, b.parent, p.id,
  b.suggested_model, b.resolved_by, b.summary, b.repository, b.created_at, b.updated_at, l.session
FROM board b LEFT JOIN tasks p ON p.number = b.parent LEFT JOIN leases l ON l.task = b.number WHERE b.id = %s;

-- :name listed
SELECT b.number, b.id, b.project, b.type, b.name, b.description, b.status, b.priority, b.files_exclusive, b.files_readonly, b.parent, p.id,
  b.suggested_model, b.resolved_by, b.summary, b.repository, b.created_at, b.updated_at, l.session
FROM board b LEFT JOIN tasks p ON p.number = b.parent LEFT JOIN leases l ON l.task = b.number
WHERE b.number > %(after)s AND (%(project)s::text IS NULL OR b.project = %(project)s) AND (%(status)s::text IS NULL OR b.status = %(status)s)
  AND (%(type)s::text IS NULL OR b.type = %(type)s)
ORDER BY b.number LIMIT %(limit)s;

-- :name next
-- the task stays locked until the transaction ends; one that another transaction has locked is being claimed, and passed over
SELECT t.id FROM tasks t
WHERE t.status = 'pending' AND t.type = 'task' AND (%(project)s::text IS NULL OR t.project = %(project)s) AND NOT is_blocked(t.number)
ORDER BY t.priority, t.number LIMIT 1 FOR NO KEY UPDATE OF t SKIP LOCKED;

-- :name needs
SELECT n.id, n.status FROM dependencies d JOIN board n ON n.number = d.needs WHERE d.task = %s ORDER BY n.number;

-- :name waits_for
WITH RECURSIVE up(number) AS (SELECT %(number)s::bigint UNION SELECT p.parent FROM up JOIN tasks p ON p.number = up.number WHERE p.parent IS NOT NULL)
SELECT id, status FROM (
  SELECT DISTINCT n.id, n.status, n.number FROM up JOIN dependencies d ON d.task = up.number JOIN board n ON n.number = d.needs WHERE n.status <> 'done'
) AS t ORDER BY number;

-- :name circle
WITH RECURSIVE above(number) AS (
  SELECT %(parent)s::bigint WHERE %(parent)s::bigint IS NOT NULL
  UNION SELECT p.parent FROM above JOIN tasks p ON p.number = above.number WHERE p.parent IS NOT NULL
),
waited(number, as_part) AS (
  (SELECT value::bigint, 0 FROM json_array_elements_text(%(needs)s::json) UNION SELECT number, 1 FROM above)
  UNION
  SELECT s.number, s.as_part FROM waited w CROSS JOIN LATERAL (
    SELECT d.needs AS number, 0 AS as_part FROM dependencies d WHERE d.task = w.number
    UNION ALL SELECT t.parent, 1 FROM tasks t WHERE t.number = w.number AND t.parent IS NOT NULL
    UNION ALL SELECT c.number, 0 FROM tasks c WHERE c.parent = w.number AND w.as_part = 0
  ) AS s
)
SELECT t.id FROM above JOIN waited w ON w.number = above.number AND w.as_part = 0 JOIN tasks t ON t.number = above.number ORDER BY t.number;

-- :name parts
SELECT id, status FROM board WHERE parent = %s AND status <> 'done' ORDER BY number;

-- :name set_status
UPDATE tasks SET status = %s, updated_at = least(%s, date_part('epoch', clock_timestamp())) WHERE number = %s;

-- :name set_done
-- columns: number; none where the role may not change the task
UPDATE tasks SET status = 'done', resolved_by = %s, summary = %s, updated_at = least(%s, date_part('epoch', clock_timestamp())) WHERE number = %s RETURNING number;

-- :name waiting_for
WITH RECURSIVE down(number) AS (
  SELECT task FROM dependencies WHERE needs = %s UNION SELECT c.number FROM down JOIN tasks c ON c.parent = down.number
)
SELECT b.id FROM down JOIN board b ON b.number = down.number WHERE b.status = 'pending' AND b.type = 'task' ORDER BY b.number;

-- :name put_lease
-- the key refuses a second lease of a task
INSERT INTO leases(task, session, pid, birth, at, expires_at) VALUES (%s, %s, %s, %s, %s, clock_timestamp() + interval '120 s');

-- :name delete_lease
DELETE FROM leases WHERE task = %s RETURNING task;

-- :name leases
-- one is over by the server's clock, but not within its time after a restart of the server: until then nobody could renew it
SELECT l.task, t.id, l.session, l.pid, l.birth, t.repository, t.files_exclusive, t.files_readonly,
  l.expires_at < clock_timestamp() AND pg_postmaster_start_time() < clock_timestamp() - interval '120 s'
FROM leases l JOIN tasks t ON t.number = l.task ORDER BY l.task;

-- :name renew
-- parameter: tasks (JSON array) whose processes live on this machine
UPDATE leases SET expires_at = clock_timestamp() + interval '120 s' WHERE task = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text(%s::json)));

-- :name restored
INSERT INTO tasks(id, project, type, name, description, status, priority, files_exclusive, files_readonly, parent, suggested_model, resolved_by, summary,
  repository, created_at, updated_at)
VALUES (%(id)s, %(project)s, %(type)s, %(name)s, %(description)s, %(status)s, %(priority)s, %(files_exclusive)s, %(files_readonly)s,
  (SELECT number FROM tasks WHERE id = %(parent)s), %(suggested_model)s, %(resolved_by)s, %(summary)s, %(repository)s, %(created_at)s, %(updated_at)s)
ON CONFLICT(id) DO NOTHING RETURNING number;

-- :name depend
INSERT INTO dependencies(task, needs) SELECT %s::bigint, number FROM tasks WHERE id = %s ON CONFLICT DO NOTHING;

-- :name count_from
INSERT INTO counters(project, type, last) VALUES (%s, %s, %s) ON CONFLICT(project, type) DO UPDATE SET last = greatest(counters.last, excluded.last);
