-- The whole graph, for whoever writes it down elsewhere.

-- :name symbols
-- parameters: those of languages.lending. columns: number, uid, kind, qualified name, module, path, file, key, parent (0: none), whether it
-- stands for its file, whether an open reference by its bare name can mean it, first and last line, access, community (-1: none yet), degree, fan_in, fan_out.
-- full scan of symbols: once an export
SELECT s.id, s.uid, s.kind, s.qualified_name, f.module, f.path, s.file, s.key, coalesce(s.parent, 0), s.parent IS NULL AND s.kind IN (1, 2),
  s.kind <> :constructor AND NOT (s.flags & :static AND f.language IN (SELECT value FROM json_each(:by_side)))
    AND coalesce((SELECT p.kind FROM symbols p WHERE p.id = s.parent), 0) IN (SELECT value FROM json_each(:types)),
  s.line_start, s.line_end, s.access, coalesce(n.community, -1), coalesce(n.degree, 0), coalesce(n.fan_in, 0), coalesce(n.fan_out, 0)
FROM symbols s JOIN files f ON f.id = s.file LEFT JOIN nodes n ON n.symbol = s.id WHERE s.id > 0;

-- :name refs
-- columns: source, target (0: open), key, kind, confidence, site (file << 20 | line); a file's in the order of their places. full scan of refs: once an export
SELECT source, coalesce(target, 0), CASE WHEN target IS NULL THEN key ELSE 0 END, kind, confidence,
  (id >> 20 << 20) | min(line, 1048575) FROM refs WHERE target IS NULL OR target > 0 ORDER BY id;

-- :name communities
-- columns: id, name, size, cohesion. full scan of communities: some thousands
SELECT id, name, size, cohesion FROM communities ORDER BY id;
