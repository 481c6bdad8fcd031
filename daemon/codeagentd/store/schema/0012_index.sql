-- How many type parameters a definition has, in languages where that tells namesakes apart.

ALTER TABLE symbols ADD COLUMN generics TEXT NOT NULL DEFAULT '';  -- the list of type parameters as written
