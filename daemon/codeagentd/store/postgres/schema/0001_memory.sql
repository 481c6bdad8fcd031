-- The memories, tasks and reflections of a team. Everything is in the schema codeagent; times are unix seconds, except
-- those that decide something: they are the server's. Roles see the projects that they were granted (decision 0039).

CREATE TABLE grants(                 -- who may read or write which projects; kept by `codeagentd memory grant`
  role name NOT NULL,
  project text NOT NULL,             -- a project, any beginning followed by *, or * for all
  may_write boolean NOT NULL,
  PRIMARY KEY (role, project)
);
CREATE TABLE projects(name text PRIMARY KEY); -- every project that a row names: what patterns of grants are matched with

-- Whether the present role owns all this; inside of the functions below that see everything, it does.
CREATE FUNCTION is_owner() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT pg_has_role(current_user, (SELECT nspowner FROM pg_namespace WHERE nspname = 'codeagent'), 'MEMBER')
$$;
CREATE FUNCTION covers(pattern text, project text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN right(pattern, 1) = '*' THEN starts_with(lower(project), lower(left(pattern, -1))) ELSE lower(project) = lower(pattern) END
$$;
-- What the present role may read, and write: arrays, so that a query works them out once and not for every row.
CREATE FUNCTION readable() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = codeagent, pg_temp AS $$
  SELECT coalesce(array_agg(p.name), '{}') FROM projects p WHERE EXISTS (
    SELECT 1 FROM grants g JOIN pg_roles r ON r.rolname = g.role WHERE pg_has_role(session_user, r.oid, 'MEMBER') AND covers(g.project, p.name))
$$;
CREATE FUNCTION writable(wanted text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = codeagent, pg_temp AS $$
  SELECT pg_has_role(session_user, current_user, 'MEMBER') OR EXISTS (
    SELECT 1 FROM grants g JOIN pg_roles r ON r.rolname = g.role
    WHERE g.may_write AND pg_has_role(session_user, r.oid, 'MEMBER') AND covers(g.project, wanted))
$$;
CREATE FUNCTION writables() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER SET search_path = codeagent, pg_temp AS $$
  SELECT coalesce(array_agg(p.name), '{}') FROM projects p WHERE EXISTS (
    SELECT 1 FROM grants g JOIN pg_roles r ON r.rolname = g.role
    WHERE g.may_write AND pg_has_role(session_user, r.oid, 'MEMBER') AND covers(g.project, p.name))
$$;
-- Make a project known before the first row of it is written: a role that may write it sees that row then.
CREATE FUNCTION open_project(opened text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = codeagent, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM projects WHERE name = opened) AND writable(opened) THEN
    INSERT INTO projects(name) VALUES (opened) ON CONFLICT DO NOTHING;
  END IF;
END $$;

CREATE TABLE memories(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  type text NOT NULL,
  title text NOT NULL DEFAULT '',
  content text NOT NULL,
  metadata text NOT NULL DEFAULT '{}', -- JSON as it was written: jsonb refuses some characters that JSON has
  tags jsonb NOT NULL DEFAULT '[]',
  project text NOT NULL DEFAULT '',
  confidence float8 NOT NULL DEFAULT 1.0,
  source_task text NOT NULL DEFAULT '',
  repository text NOT NULL DEFAULT '',
  digest bytea NOT NULL,
  anchored integer NOT NULL DEFAULT 1,
  access_count integer NOT NULL DEFAULT 0,
  last_accessed float8 NOT NULL DEFAULT 0,
  created_at float8 NOT NULL,
  updated_at float8 NOT NULL,
  deleted_at float8
);
CREATE FUNCTION task_of(metadata text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN metadata::json ->> 'task';
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;                       -- a character that PostgreSQL cannot hold as text
END $$;
CREATE INDEX memories_scope ON memories(project, type) WHERE deleted_at IS NULL;
CREATE INDEX memories_deleted ON memories(deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX memories_unanchored ON memories(repository) WHERE anchored = 0 AND deleted_at IS NULL;
CREATE INDEX memories_digest ON memories(digest);

-- The words of living memories as store/postgres/local_functions.py makes them: stems, also of the parts of camelCase names.
CREATE TABLE memory_words(
  word text COLLATE "C" NOT NULL,
  memory bigint NOT NULL,
  weight real NOT NULL,              -- how often it occurs: 3 in the title, 2 in a tag, 1 in the content
  length integer NOT NULL,           -- words of the memory
  project text NOT NULL,             -- those of the memory, which never change
  type text NOT NULL,
  PRIMARY KEY (word, memory) INCLUDE (weight, length, project, type)
);
CREATE INDEX memory_words_memory ON memory_words(memory);

CREATE TABLE word_counts(            -- how many memories have words, and how many words: BM25 needs the mean. One row for each of many writers
  slot integer NOT NULL PRIMARY KEY,
  memories bigint NOT NULL,
  words bigint NOT NULL
);
CREATE FUNCTION word_totals(OUT memories bigint, OUT words bigint) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = codeagent, pg_temp AS $$
  SELECT coalesce(sum(memories), 0)::bigint, coalesce(sum(words), 0)::bigint FROM word_counts
$$;
CREATE FUNCTION count_words() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = codeagent, pg_temp AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO word_counts AS c
  SELECT pg_backend_pid() % 64, sign * count(*), sign * coalesce(sum(length), 0) FROM (SELECT DISTINCT memory, length FROM changed) AS t HAVING count(*) > 0
  ON CONFLICT(slot) DO UPDATE SET memories = c.memories + excluded.memories, words = c.words + excluded.words;
  RETURN NULL;
END $$;
CREATE TRIGGER memory_words_added AFTER INSERT ON memory_words REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_words();
CREATE TRIGGER memory_words_removed AFTER DELETE ON memory_words REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_words();

CREATE TABLE links(
  source bigint NOT NULL REFERENCES memories(number),
  target bigint NOT NULL REFERENCES memories(number),
  reason text NOT NULL DEFAULT '',
  strength float8 NOT NULL,
  automatic integer NOT NULL,
  created_at float8 NOT NULL,
  PRIMARY KEY (source, target)
);
CREATE INDEX links_target ON links(target);

CREATE TABLE anchors(
  memory bigint NOT NULL REFERENCES memories(number),
  repository text NOT NULL,
  kind text NOT NULL,
  uid bytea NOT NULL,
  name text NOT NULL,
  path text NOT NULL,
  digest bytea NOT NULL,
  body bigint NOT NULL,
  PRIMARY KEY (memory, repository, kind, uid, path)
);
CREATE INDEX anchors_uid ON anchors(repository, uid) WHERE kind = 'symbol';

CREATE TABLE models(
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE
);
CREATE TABLE memory_vectors(
  memory bigint PRIMARY KEY,
  model integer NOT NULL REFERENCES models(id),
  digest bytea NOT NULL,
  vector bytea NOT NULL              -- float32, little endian, unit length
);
CREATE INDEX memory_vectors_digest ON memory_vectors(digest, model);
ALTER TABLE memory_vectors ALTER COLUMN vector SET STORAGE EXTERNAL; -- numbers like these do not compress
DO $$                                -- pgvector, where the server has it: then a search computes its cosines there
BEGIN
  IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector') THEN
    CREATE EXTENSION IF NOT EXISTS vector;
    ALTER TABLE memory_vectors ADD COLUMN embedding vector;
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  NULL;                              -- the daemons compute them
END $$;
CREATE TABLE memory_bits(            -- the signs of the vectors: a search compares all of these
  memory bigint PRIMARY KEY,
  model integer NOT NULL REFERENCES models(id),
  type text NOT NULL,
  project text NOT NULL,
  bits bit varying NOT NULL,
  changed xid8 NOT NULL DEFAULT pg_current_xact_id() -- a daemon reads what has changed since it looked last
);
CREATE INDEX memory_bits_changed ON memory_bits(changed);

CREATE TABLE counters(
  project text NOT NULL,
  type text NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (project, type)
);
CREATE TABLE tasks(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  project text NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  status text NOT NULL,
  priority integer NOT NULL,
  files_exclusive text NOT NULL DEFAULT '[]',
  files_readonly text NOT NULL DEFAULT '[]',
  parent bigint REFERENCES tasks(number),
  suggested_model text NOT NULL DEFAULT '',
  resolved_by text NOT NULL DEFAULT '',
  summary text NOT NULL DEFAULT '',
  repository text NOT NULL DEFAULT '',
  created_at float8 NOT NULL,
  updated_at float8 NOT NULL
);
CREATE INDEX tasks_waiting ON tasks(priority, number) WHERE status = 'pending' AND type = 'task';
CREATE INDEX tasks_parent ON tasks(parent) WHERE parent IS NOT NULL;
CREATE TABLE dependencies(
  task bigint NOT NULL REFERENCES tasks(number),
  needs bigint NOT NULL REFERENCES tasks(number),
  PRIMARY KEY (task, needs)
);
CREATE INDEX dependencies_needs ON dependencies(needs);
-- Whether a task, or an epic that it belongs to, waits for others; also for tasks that the present role may not see.
CREATE FUNCTION is_blocked(task bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = codeagent, pg_temp AS $$
  WITH RECURSIVE up(number) AS (
    SELECT task UNION SELECT p.parent FROM up JOIN tasks p ON p.number = up.number WHERE p.parent IS NOT NULL
  )
  SELECT EXISTS (SELECT 1 FROM up JOIN dependencies d ON d.task = up.number JOIN tasks n ON n.number = d.needs WHERE n.status <> 'done')
$$;
CREATE VIEW board WITH (security_invoker = true) AS
SELECT t.number, t.id, t.project, t.type, t.name, t.description, t.priority, t.files_exclusive, t.files_readonly, t.parent, t.suggested_model,
  t.resolved_by, t.summary, t.repository, t.created_at, t.updated_at,
  CASE
    WHEN t.status = 'pending' AND is_blocked(t.number) THEN 'blocked'
    WHEN t.status = 'pending' AND t.type = 'epic' AND EXISTS (SELECT 1 FROM tasks c WHERE c.parent = t.number AND c.status <> 'pending') THEN 'in_progress'
    ELSE t.status
  END AS status
FROM tasks t;

CREATE TABLE leases(                 -- who works on a task; it ends by the server's clock unless its machine renews it
  task bigint PRIMARY KEY REFERENCES tasks(number),
  session bytea NOT NULL,
  pid bigint NOT NULL,
  birth text NOT NULL,               -- the machine, and what tells the process from others there
  at float8 NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE audit(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at float8 NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  session bytea NOT NULL,
  before text NOT NULL,
  after text NOT NULL,
  project text NOT NULL,             -- of the subject
  other text,                        -- project at the other end of a link: who reads of it may read both
  role name NOT NULL DEFAULT session_user
);
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('codeagent', ''); -- nothing about what was changed: every role may listen
  RETURN NULL;
END $$;
CREATE TRIGGER audit_told AFTER INSERT ON audit FOR EACH STATEMENT EXECUTE FUNCTION tell();
CREATE INDEX audit_at ON audit(at);
CREATE INDEX audit_subject ON audit(subject);

CREATE TABLE calls(                  -- exactly-once record of writing calls; a role sees its own
  role name NOT NULL DEFAULT session_user,
  session bytea NOT NULL,
  seq bigint NOT NULL,
  answer bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (role, session, seq)
);
CREATE INDEX calls_at ON calls(at);

CREATE TABLE chunked_files(
  repository text NOT NULL,
  project text NOT NULL,
  path text NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (repository, project, path)
);
CREATE TABLE chunk_sources(
  memory bigint PRIMARY KEY REFERENCES memories(number),
  repository text NOT NULL,
  project text NOT NULL,
  path text NOT NULL,
  name text NOT NULL,
  ordinal integer NOT NULL
);
CREATE INDEX chunk_sources_place ON chunk_sources(repository, project, path);


-- Policies. FORCE: the owner is under them too, and they let the owner see everything.
DO $$
DECLARE
  one text;
  sees text := '(SELECT is_owner()) OR ';
  visible text;
  allowed text;
BEGIN
  FOREACH one IN ARRAY ARRAY['memories', 'memory_words', 'memory_bits', 'counters', 'tasks', 'audit', 'chunked_files', 'chunk_sources',
    'links', 'anchors', 'memory_vectors', 'dependencies', 'leases', 'calls', 'grants', 'projects', 'models', 'word_counts']
  LOOP
    visible := CASE one
      WHEN 'links' THEN 'EXISTS (SELECT 1 FROM memories m WHERE m.number = source) AND EXISTS (SELECT 1 FROM memories m WHERE m.number = target)'
      WHEN 'anchors' THEN 'EXISTS (SELECT 1 FROM memories m WHERE m.number = memory)'
      WHEN 'memory_vectors' THEN 'EXISTS (SELECT 1 FROM memories m WHERE m.number = memory)'
      WHEN 'dependencies' THEN 'EXISTS (SELECT 1 FROM tasks t WHERE t.number = task)'
      WHEN 'leases' THEN 'EXISTS (SELECT 1 FROM tasks t WHERE t.number = task)'
      WHEN 'calls' THEN 'role = session_user'
      WHEN 'audit' THEN 'project = ANY ((SELECT readable())::text[]) AND (other IS NULL OR other = ANY ((SELECT readable())::text[]))'
      WHEN 'grants' THEN 'false'
      WHEN 'projects' THEN 'false'
      WHEN 'word_counts' THEN 'false'
      WHEN 'models' THEN 'true'
      ELSE 'project = ANY ((SELECT readable())::text[])'
    END;
    allowed := CASE one
      WHEN 'links' THEN 'EXISTS (SELECT 1 FROM memories m WHERE m.number = source AND writable(m.project))'
      WHEN 'anchors' THEN 'EXISTS (SELECT 1 FROM memories m WHERE m.number = memory AND writable(m.project))'
      WHEN 'memory_vectors' THEN 'EXISTS (SELECT 1 FROM memories m WHERE m.number = memory AND writable(m.project))'
      WHEN 'dependencies' THEN 'EXISTS (SELECT 1 FROM tasks t WHERE t.number = task AND writable(t.project))'
      WHEN 'leases' THEN 'EXISTS (SELECT 1 FROM tasks t WHERE t.number = task AND writable(t.project))'
      WHEN 'calls' THEN 'role = session_user'
      WHEN 'audit' THEN 'role = session_user AND project = ANY ((SELECT writables())::text[])'
      WHEN 'grants' THEN 'false'
      WHEN 'projects' THEN 'false'
      WHEN 'word_counts' THEN 'false'
      WHEN 'models' THEN 'true'
      ELSE 'project = ANY ((SELECT writables())::text[])'
    END;
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
    EXECUTE format('CREATE POLICY reading ON %I FOR SELECT USING (%s(%s))', one, sees, visible);
    EXECUTE format('CREATE POLICY adding ON %I FOR INSERT WITH CHECK (%s(%s))', one, sees, allowed);
    EXECUTE format('CREATE POLICY changing ON %I FOR UPDATE USING (%s(%s)) WITH CHECK (%s(%s))', one, sees, allowed, sees, allowed);
    EXECUTE format('CREATE POLICY removing ON %I FOR DELETE USING (%s(%s))', one, sees, allowed);
  END LOOP;
END $$;

-- Let a role use the tables at all; the policies say which rows.
CREATE FUNCTION admit(admitted name) RETURNS void LANGUAGE plpgsql SET search_path = codeagent, pg_temp AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA codeagent TO %I', admitted);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA codeagent TO %I', admitted);
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON schema_versions, grants, projects, word_counts FROM %I', admitted);
END $$;
CREATE FUNCTION dismiss(dismissed name) RETURNS void LANGUAGE plpgsql SET search_path = codeagent, pg_temp AS $$
BEGIN
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA codeagent FROM %I', dismissed);
  EXECUTE format('REVOKE USAGE ON SCHEMA codeagent FROM %I', dismissed);
END $$;
REVOKE EXECUTE ON FUNCTION admit(name), dismiss(name) FROM PUBLIC;
