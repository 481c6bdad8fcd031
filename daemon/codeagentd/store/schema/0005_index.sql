-- What was found out about the whole graph at once: computed in the background when somebody asks, and again some time after changes.

CREATE TABLE analysis(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL,       -- of the index that was looked at
  findings BLOB NOT NULL             -- model.analysis.Findings as MessagePack
);

CREATE TABLE nodes(                  -- one row for each symbol that was there then
  symbol INTEGER PRIMARY KEY,
  community INTEGER NOT NULL,
  degree INTEGER NOT NULL,           -- distinct neighbours, by references that are not ambiguous and by containment
  fan_in INTEGER NOT NULL,           -- distinct symbols that refer to it
  fan_out INTEGER NOT NULL           -- distinct symbols of the repository that it refers to
);
CREATE INDEX nodes_community ON nodes(community, degree);

CREATE TABLE communities(
  id INTEGER PRIMARY KEY,            -- kept from one analysis to the next where most members are the same
  name TEXT NOT NULL,                -- the folder or file that most members are in
  size INTEGER NOT NULL,
  cohesion REAL NOT NULL             -- share of the pairs of members that are connected
);
