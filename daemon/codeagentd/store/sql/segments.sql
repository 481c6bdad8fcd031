-- Segments of full-text indexes (store/fts_merge.py). FTS5 keeps in NAME_idx which term each page of a segment begins with, and takes commands as rows.

-- :name of_symbols_fts
-- columns: how many pages each segment has. A full scan: a row for each 4 kB of the index.
SELECT count(*) FROM symbols_fts_idx GROUP BY segid;

-- :name of_names_trigram
-- columns: as of_symbols_fts. A full scan, as there.
SELECT count(*) FROM names_trigram_idx GROUP BY segid;

-- :name of_chunks_fts
-- columns: as of_symbols_fts. A full scan, as there.
SELECT count(*) FROM chunks_fts_idx GROUP BY segid;

-- :name merge_symbols_fts
-- parameters: pages to write. Below zero: of all segments, however few there are of a size; above: of what has been begun so.
INSERT INTO symbols_fts(symbols_fts, rank) VALUES ('merge', ?);

-- :name merge_names_trigram
-- parameters: as merge_symbols_fts.
INSERT INTO names_trigram(names_trigram, rank) VALUES ('merge', ?);

-- :name merge_chunks_fts
-- parameters: as merge_symbols_fts.
INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('merge', ?);
