-- What each type was found to inherit when its file was resolved, so that a change is told from what is only written in another way.

ALTER TABLE files ADD COLUMN heritage BLOB; -- 8 bytes a number: type and mark of its bases, in pairs (pipeline/invalidation/inheritance_index.py)
UPDATE files SET resolved = 0 WHERE symbols IS NOT NULL;
