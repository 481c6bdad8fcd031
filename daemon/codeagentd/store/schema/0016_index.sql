-- What a first index collects as it comes, and puts in order at its end. Both are empty otherwise.

CREATE TABLE bulk_spans(             -- rows of spans
  symbol INTEGER NOT NULL,
  file INTEGER NOT NULL,
  line_start INTEGER NOT NULL,
  line_end INTEGER NOT NULL,
  line INTEGER NOT NULL
);
CREATE TABLE bulk_parts(             -- what further files declare of a symbol that has a row already
  symbol INTEGER NOT NULL,
  file INTEGER NOT NULL,
  row BLOB NOT NULL                  -- the columns of symbols as MessagePack
);
