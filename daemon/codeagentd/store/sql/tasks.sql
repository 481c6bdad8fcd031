-- Tasks, what they wait for, and who works on them.

-- :name lock
-- nothing: a transaction that writes has the whole database to itself
SELECT 1;

-- :name next_number
-- parameters: project, type: the number that the next task of a board gets; one that is rolled back was never given
INSERT INTO counters(project, type, last) VALUES (?, ?, 1) ON CONFLICT(project, type) DO UPDATE SET last = last + 1 RETURNING last;

-- :name put
-- parameters as named. returns its number
INSERT INTO tasks(id, project, type, name, description, status, priority, files_exclusive, files_readonly, parent, suggested_model, repository,
  created_at, updated_at)
VALUES (:id, :project, :type, :name, :description, :status, :priority, :files_exclusive, :files_readonly, :parent, :suggested_model, :repository,
  :now, :now)
RETURNING number;

-- :name put_dependency
-- parameters: task, needs
INSERT OR IGNORE INTO dependencies(task, needs) VALUES (?, ?);

-- :name by_id
-- parameter: id; its unique index. columns: those of memory/task_views.py Task
SELECT b.number, b.id, b.project, b.type, b.name, b.description, b.status, b.priority, b.files_exclusive, b.files_readonly, b.parent, p.id,
  b.suggested_model, b.resolved_by, b.summary, b.repository, b.created_at, b.updated_at, l.session
FROM board b LEFT JOIN tasks p ON p.number = b.parent LEFT JOIN leases l ON l.task = b.number WHERE b.id = ?;

-- :name listed
-- parameters: project, status, type (NULL: any), after (a number to go on from), limit. By primary key. columns: as by_id
SELECT b.number, b.id, b.project, b.type, b.name, b.description, b.status, b.priority, b.files_exclusive, b.files_readonly, b.parent, p.id,
  b.suggested_model, b.resolved_by, b.summary, b.repository, b.created_at, b.updated_at, l.session
FROM board b LEFT JOIN tasks p ON p.number = b.parent LEFT JOIN leases l ON l.task = b.number
WHERE b.number > :after AND (:project IS NULL OR b.project = :project) AND (:status IS NULL OR b.status = :status) AND (:type IS NULL OR b.type = :type)
ORDER BY b.number LIMIT :limit;

-- :name next
-- parameter: project (NULL: any). columns: id of the task to do next.
-- full scan of index tasks_waiting, which has the pending ones alone and ends at the first that waits for nothing
SELECT b.id FROM tasks t JOIN board b ON b.number = t.number
WHERE t.status = 'pending' AND t.type = 'task' AND (:project IS NULL OR t.project = :project) AND b.status = 'pending'
ORDER BY t.priority, t.number LIMIT 1;

-- :name needs
-- parameter: number. columns: ids of what it depends on itself, and their states
SELECT n.id, n.status FROM dependencies d JOIN board n ON n.number = d.needs WHERE d.task = ? ORDER BY n.number;

-- :name waits_for
-- parameter: number. columns: ids of what it or an epic that it belongs to waits for, and their states
WITH RECURSIVE up(number) AS (SELECT :number UNION SELECT p.parent FROM up JOIN tasks p ON p.number = up.number WHERE p.parent IS NOT NULL)
SELECT DISTINCT n.id, n.status FROM up JOIN dependencies d ON d.task = up.number JOIN board n ON n.number = d.needs WHERE n.status <> 'done' ORDER BY n.number;

-- :name circle
-- parameters: needs (JSON array of numbers: what a new task depends on), parent (of the new task; NULL: none).
-- columns: ids of epics that the new task would belong to and wait for. A task waits for what it depends on, and for what its epics depend on;
-- an epic also for its parts. `as_part`: reached as the epic of something that is waited for, which waits for what the epic depends on only.
WITH RECURSIVE above(number) AS (
  SELECT :parent WHERE :parent IS NOT NULL UNION SELECT p.parent FROM above JOIN tasks p ON p.number = above.number WHERE p.parent IS NOT NULL
),
waited(number, as_part) AS (
  SELECT value, 0 FROM json_each(:needs)
  UNION SELECT number, 1 FROM above
  UNION SELECT d.needs, 0 FROM waited w JOIN dependencies d ON d.task = w.number
  UNION SELECT t.parent, 1 FROM waited w JOIN tasks t ON t.number = w.number WHERE t.parent IS NOT NULL
  UNION SELECT c.number, 0 FROM waited w JOIN tasks c ON c.parent = w.number WHERE w.as_part = 0
)
SELECT t.id FROM above JOIN waited w ON w.number = above.number AND w.as_part = 0 JOIN tasks t ON t.number = above.number ORDER BY t.number;

-- :name parts
-- parameter: number of an epic. index: tasks_parent. columns: ids and states of its parts that are not done
SELECT id, status FROM board WHERE parent = ? AND status <> 'done' ORDER BY number;

-- :name set_status
-- parameters: status, unix seconds, number
UPDATE tasks SET status = ?, updated_at = ? WHERE number = ?;

-- :name set_done
-- parameters: memory that resolved it, summary, unix seconds, number. columns: number
UPDATE tasks SET status = 'done', resolved_by = ?, summary = ?, updated_at = ? WHERE number = ? RETURNING number;

-- :name waiting_for
-- parameter: number of a task. index: dependencies_needs. columns: ids of what waits for it, or belongs to an epic that does, and waits for nothing else
WITH RECURSIVE down(number) AS (
  SELECT task FROM dependencies WHERE needs = ? UNION SELECT c.number FROM down JOIN tasks c ON c.parent = down.number
)
SELECT b.id FROM down JOIN board b ON b.number = down.number WHERE b.status = 'pending' AND b.type = 'task' ORDER BY b.number;

-- :name put_lease
-- parameters: task, session, pid, birth of the process, unix seconds
REPLACE INTO leases(task, session, pid, birth, at) VALUES (?, ?, ?, ?, ?);

-- :name delete_lease
-- parameter: task. columns: task
DELETE FROM leases WHERE task = ? RETURNING task;

-- :name leases
-- full scan of a small table: as many rows as tasks are worked on. columns: task, id, session, pid, birth, repository, exclusive files, files read, whether it is over by the clock: never
SELECT l.task, t.id, l.session, l.pid, l.birth, t.repository, t.files_exclusive, t.files_readonly, 0 FROM leases l JOIN tasks t ON t.number = l.task ORDER BY l.task;

-- :name calls_between
-- in index.db. parameters: own, others (JSON arrays of paths), kinds (of references, as bits). A file's references are one range of the primary key.
-- columns: path of the file that calls, path of the file that is called
SELECT DISTINCT a.path, b.path
FROM json_each(:own) j CROSS JOIN files a ON a.path = j.value CROSS JOIN refs r ON r.id BETWEEN a.id << 20 AND (a.id << 20) + 1048575
JOIN symbols s ON s.id = r.target JOIN files b ON b.id = s.file
WHERE (:kinds >> r.kind) & 1 AND b.id <> a.id AND b.path IN (SELECT value FROM json_each(:others)) ORDER BY 1, 2 LIMIT 20;

-- :name restored
-- parameters as named: one that comes from elsewhere. returns its number; nothing when it is there already
INSERT INTO tasks(id, project, type, name, description, status, priority, files_exclusive, files_readonly, parent, suggested_model, resolved_by, summary,
  repository, created_at, updated_at)
VALUES (:id, :project, :type, :name, :description, :status, :priority, :files_exclusive, :files_readonly, (SELECT number FROM tasks WHERE id = :parent),
  :suggested_model, :resolved_by, :summary, :repository, :created_at, :updated_at)
ON CONFLICT(id) DO NOTHING RETURNING number;

-- :name depend
-- parameters: task, id of what it needs
INSERT OR IGNORE INTO dependencies(task, needs) SELECT ?, number FROM tasks WHERE id = ?;

-- :name count_from
-- parameters: project, type, number: the next one is greater
INSERT INTO counters(project, type, last) VALUES (?, ?, ?) ON CONFLICT(project, type) DO UPDATE SET last = max(last, excluded.last);
