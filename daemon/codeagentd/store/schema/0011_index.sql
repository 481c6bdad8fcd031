-- What each file asked of types, so that a new member concerns those that asked for it, not all that mention its name.

ALTER TABLE files ADD COLUMN asked BLOB; -- 4 bytes each: hashes of a type and a name (model.ids.asked_hash)
UPDATE files SET resolved = 0 WHERE symbols IS NOT NULL;
