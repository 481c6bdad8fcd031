-- Which files have to be resolved: every save asks for them, and a scan of files reads their blobs.
CREATE INDEX files_unresolved ON files(resolved) WHERE resolved = 0 AND language IS NOT NULL AND symbols IS NOT NULL;
