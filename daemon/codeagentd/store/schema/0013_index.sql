-- What types inherit is kept by their bases' numbers, and what files asked takes in what no type has to be asked for.

UPDATE files SET heritage = NULL, asked = NULL, resolved = 0 WHERE symbols IS NOT NULL;
