-- Facts by content.

-- :name facts
-- parameters: digest, language, version; primary key
SELECT blob FROM facts WHERE digest = ? AND language = ? AND version = ?;

-- :name put_facts
-- parameters: digest, language, version, blob
INSERT OR REPLACE INTO facts(digest, language, version, blob) VALUES (?, ?, ?, ?);

-- :name failure
-- parameters: digest, language, version; primary key
SELECT reason FROM failures WHERE digest = ? AND language = ? AND version = ?;

-- :name put_failure
-- parameters: digest, language, version, reason
INSERT OR REPLACE INTO failures(digest, language, version, reason) VALUES (?, ?, ?, ?);

-- :name has_facts
-- parameters: digest, language, version; primary key
SELECT EXISTS (SELECT 1 FROM facts WHERE digest = ? AND language = ? AND version = ?);

-- :name has_any
-- no parameters. No full scan: the first row answers.
SELECT EXISTS (SELECT 1 FROM facts);
