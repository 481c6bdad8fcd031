-- What tells a definition from its namesakes besides its parameters, in languages where references can say which is meant.

ALTER TABLE symbols ADD COLUMN head TEXT NOT NULL DEFAULT '';  -- its type parameters, the interface that alone has it; as written
