-- Episodes: what was tried and what came of it. As store/sql/reflection.sql.

-- :name attempts
SELECT count(*) FROM memories WHERE project = '' AND type = 'episode' AND deleted_at IS NULL AND task_of(metadata) = %s;

-- :name resolving
SELECT DISTINCT resolved_by FROM tasks WHERE status = 'done' AND resolved_by = ANY (ARRAY(SELECT value FROM json_array_elements_text(%s::json)));
