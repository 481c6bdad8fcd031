-- Texts that the issuers' rules for secrets need not be asked about again. `chunked` is 2 for a file that waits for them.

ALTER TABLE files ADD COLUMN clean BLOB; -- the digest of its text, if they were asked about it and have found nothing
