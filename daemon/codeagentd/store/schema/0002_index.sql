-- What became of a file's references: codeagent_protocol.status.Coverage. All of them are resolved again, to count.

ALTER TABLE files ADD COLUMN refs_resolved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN refs_external INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN refs_dynamic INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN refs_unknown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE files ADD COLUMN refs_unbound INTEGER NOT NULL DEFAULT 0;
UPDATE files SET resolved = 0 WHERE language IS NOT NULL;
