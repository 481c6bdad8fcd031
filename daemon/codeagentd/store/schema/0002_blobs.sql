CREATE TABLE vectors(                -- what passages mean, by content: another worktree embeds nothing again
  passage BLOB PRIMARY KEY,          -- blake2b-16 of the model's version and the text
  vector BLOB NOT NULL               -- signed bytes
) WITHOUT ROWID;
