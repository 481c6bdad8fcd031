-- Overriding and construction are references: what a member overrides is found by its source.

CREATE INDEX refs_overriding ON refs(source) WHERE kind = 13; -- model.kinds.ReferenceKind.OVERRIDE
UPDATE files SET resolved = 0 WHERE symbols IS NOT NULL;
