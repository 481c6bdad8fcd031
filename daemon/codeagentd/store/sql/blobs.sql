-- Facts by content.

-- :name facts
-- parameters: digest, language, version; primary key
SELECT blob FROM facts WHERE digest = ? AND language = ? AND version = ?;

-- :name put_facts
-- parameters: digest, language, version, blob
INSERT OR IGNORE INTO facts(digest, language, version, blob) VALUES (?, ?, ?, ?);
