-- What is kept of each node follows edits; what only the whole graph can say is found again when enough has changed.

DELETE FROM analysis;                -- without the columns below it cannot be followed: the next is waited for
ALTER TABLE analysis ADD COLUMN changed INTEGER; -- rows of nodes looked at anew since; NULL: they were not followed, another analysis is due

ALTER TABLE nodes ADD COLUMN inside INTEGER NOT NULL DEFAULT 0; -- distinct neighbours in its own community
ALTER TABLE nodes ADD COLUMN exact INTEGER NOT NULL DEFAULT 0; -- edges that begin at it, by confidence
ALTER TABLE nodes ADD COLUMN inferred INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN ambiguous INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nodes ADD COLUMN sort INTEGER NOT NULL DEFAULT 0; -- model.analysis.NodeSort: 0 cannot be a hub
CREATE INDEX nodes_hubs ON nodes(degree) WHERE sort > 0;
CREATE INDEX nodes_pillars ON nodes(fan_in) WHERE sort > 0;

DROP TABLE communities;
CREATE TABLE communities(            -- sums over the members, so that nobody has to read them all
  id INTEGER PRIMARY KEY,            -- kept from one analysis to the next where most members are the same
  name TEXT NOT NULL,                -- the folder or file that most members are in
  size INTEGER NOT NULL,
  cohesion REAL NOT NULL,            -- share of the pairs of members that are connected
  inside INTEGER NOT NULL,
  exact INTEGER NOT NULL,
  inferred INTEGER NOT NULL,
  ambiguous INTEGER NOT NULL,
  isolated INTEGER NOT NULL          -- code that is no test and has one neighbour at most
);
