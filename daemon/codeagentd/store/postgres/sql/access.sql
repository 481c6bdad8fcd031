-- Who may read or write which projects.

-- :name admit
-- parameter: role
SELECT admit(%s);

-- :name put
-- parameters: role, project (a project, a beginning followed by *, or * alone), whether it may write
INSERT INTO grants(role, project, may_write) VALUES (%s, %s, %s) ON CONFLICT(role, project) DO UPDATE SET may_write = excluded.may_write;

-- :name delete
-- parameters: role, project. columns: role
DELETE FROM grants WHERE role = %s AND project = %s RETURNING role;

-- :name dismiss
-- parameter: role, of which nothing is granted any more
SELECT dismiss(%s) WHERE NOT EXISTS (SELECT 1 FROM grants WHERE role = %s);

-- :name all
-- columns: role, project, whether it may write
SELECT role::text, project, may_write FROM grants ORDER BY role, project;

-- :name is_owner
SELECT is_owner();
