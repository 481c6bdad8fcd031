-- Text is written in this order: code, documents, data. The list of languages is that of model/file_kinds.py, DOCUMENTS.

DROP INDEX files_text_due;
CREATE INDEX files_text_due ON files(
  chunked, CASE WHEN language IN ('asciidoc', 'latex', 'man', 'markdown', 'org', 'pod', 'rst', 'text') THEN 1 WHEN length(names) = 0 THEN 2 ELSE 0 END
) WHERE chunked <> 1 AND id > 0 AND language > '';

-- A file that is no longer read (it has become binary, secret or too large) is no longer found by the words that it had.
CREATE TRIGGER files_unread AFTER UPDATE OF language ON files WHEN old.language > '' AND new.language IS NULL BEGIN
  DELETE FROM chunks_fts WHERE rowid BETWEEN old.id << 20 AND (old.id << 20) + 1048575;
  DELETE FROM chunks WHERE id BETWEEN old.id << 20 AND (old.id << 20) + 1048575;
END;
