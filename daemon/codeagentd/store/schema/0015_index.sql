-- Types that implement an interface by their methods alone have references as well: rows of the origin STRUCTURE.

CREATE INDEX refs_structure ON refs(source) WHERE origin = 16; -- model.kinds.Origin.STRUCTURE
CREATE TABLE structural_limits(      -- interfaces that only some of the types were compared with
  interface INTEGER PRIMARY KEY,
  method TEXT NOT NULL,              -- its rarest method, which too many types have
  types INTEGER NOT NULL,            -- how many were compared at most
  last_name TEXT NOT NULL,           -- qualified name and path of the last one; '' where fewer declare all its methods
  last_path TEXT NOT NULL
);
REPLACE INTO meta(key, value) VALUES ('structures_due', 1);
