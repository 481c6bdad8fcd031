-- Reads of resolution and of the pipeline. Columns in the order of resolve.world's Structs.

-- :name files
-- all files that are parsed: full scan, when many files are resolved at once. Numbers below zero are what lies outside of the repository.
SELECT f.id, f.path, f.language, f.project, s.id, f.module, f.import_name
FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL WHERE f.language IS NOT NULL AND f.id > 0;

-- :name file_by_id
SELECT f.id, f.path, f.language, f.project, s.id, f.module, f.import_name
FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL WHERE f.id = ?;

-- :name file_by_path
SELECT f.id, f.path, f.language, f.project, s.id, f.module, f.import_name
FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL WHERE f.path = ?;

-- :name files_of_module
-- parameters: name, name; indexes files_module, files_import_name
SELECT f.id, f.path, f.language, f.project, s.id, f.module, f.import_name
FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL WHERE f.module = ? AND f.language IS NOT NULL
UNION
SELECT f.id, f.path, f.language, f.project, s.id, f.module, f.import_name
FROM files f CROSS JOIN symbols s ON s.file = f.id AND +s.parent IS NULL WHERE f.import_name = ? AND f.import_name <> '';

-- :name namespace
-- parameters: 'a.b.', 'a.b/' twice: a range of one index each
SELECT EXISTS (SELECT 1 FROM files WHERE module >= ? AND module < ?) OR EXISTS (SELECT 1 FROM files WHERE import_name <> '' AND import_name >= ? AND import_name < ?);

-- :name others_in
-- parameters: 'a.', 'a/', path left out, twice: whether another file's module lies below a dotted name; a range of one index each
SELECT EXISTS (SELECT 1 FROM files WHERE module >= ? AND module < ? AND path <> ?)
  OR EXISTS (SELECT 1 FROM files WHERE import_name <> '' AND import_name >= ? AND import_name < ? AND path <> ?);

-- :name symbols
-- parameter: languages (JSON array); index symbols_file. Full scan of files, when many are resolved at once: data may have many times the symbols of code
SELECT s.id, s.name, s.kind, s.flags, coalesce(s.parent, 0), s.file, s.line, s.bases, s.signature, s.returns, s.type, s.head
FROM files f CROSS JOIN symbols s ON s.file = f.id WHERE f.language IN (SELECT value FROM json_each(?));

-- :name symbols_of_file
-- parameter: file; index symbols_file
SELECT id, name, kind, flags, coalesce(parent, 0), file, line, bases, signature, returns, type, head FROM symbols WHERE file = ?;

-- :name symbol_by_id
SELECT id, name, kind, flags, coalesce(parent, 0), file, line, bases, signature, returns, type, head FROM symbols WHERE id = ?;

-- :name last_symbol
SELECT coalesce(max(id), 0) FROM symbols;

-- :name qualified_name
-- parameter: symbol
SELECT qualified_name FROM symbols WHERE id = ?;

-- :name members
-- parameter: parent; index symbols_parent
SELECT id, name, kind, flags, coalesce(parent, 0), file, line, bases, signature, returns, type, head FROM symbols WHERE parent = ?;

-- :name qualified
-- parameters: qualified name, language; index symbols_qualified
SELECT s.id, s.name, s.kind, s.flags, coalesce(s.parent, 0), s.file, s.line, s.bases, s.signature, s.returns, s.type, s.head FROM symbols s JOIN files f ON f.id = s.file WHERE s.qualified_name = ? AND f.language = ? AND s.id > 0;

-- :name package
-- parameters: 'a.b', 'a.b.', 'a.b/'; index symbols_qualified
SELECT EXISTS (SELECT 1 FROM symbols WHERE qualified_name = ? AND kind = 3) OR EXISTS (SELECT 1 FROM symbols WHERE qualified_name >= ? AND qualified_name < ? AND kind = 3);

-- :name all_packages
-- full scan: once where most files are resolved, instead of a question for each name
SELECT DISTINCT qualified_name FROM symbols WHERE kind = 3;

-- :name packages_of_file
-- parameter: file; index spans_file
SELECT s.qualified_name FROM spans p JOIN symbols s ON s.id = p.symbol WHERE p.file = ? AND s.kind = 3;

-- :name named
-- parameter: key (of a name). index: symbols_key. columns: those of a symbol, the language of its file
SELECT s.id, s.name, s.kind, s.flags, coalesce(s.parent, 0), s.file, s.line, s.bases, s.signature, s.returns, s.type, s.head, f.language
FROM symbols s JOIN files f ON f.id = s.file WHERE s.key = ? AND f.language IS NOT NULL;

-- :name named_outside_types
-- parameter: key (of a name). index: symbols_key. columns: as named, without constructors, fields and methods
SELECT s.id, s.name, s.kind, s.flags, coalesce(s.parent, 0), s.file, s.line, s.bases, s.signature, s.returns, s.type, s.head, f.language
FROM symbols s JOIN files f ON f.id = s.file WHERE s.key = ? AND s.kind NOT IN (10, 11, 13) AND f.language IS NOT NULL;

-- :name places
-- parameter: symbol; the files that hold a span of it
SELECT DISTINCT file FROM spans WHERE symbol = ?;

-- :name all_places
-- full scan, when many files are resolved at once: the files of symbols that several hold
SELECT DISTINCT p.symbol, p.file FROM spans p JOIN symbols s ON s.id = p.symbol WHERE s.shared = 1;

-- :name imports
-- parameters: first and last id of the file's range
SELECT local, module, name, exported FROM imports WHERE id BETWEEN ? AND ? ORDER BY id;

-- :name wildcards
-- full scan of imports: when imports changed that others may import again. Files that import everything of some module
SELECT DISTINCT id >> 20 FROM imports WHERE name = '*';

-- :name included_sources
-- full scan of the index imports_of_sources, which has few entries. column: module, as written, of includes of source files of C and C++
SELECT DISTINCT module FROM imports WHERE rtrim(module, '>') GLOB '*.[cC]' OR rtrim(module, '>') GLOB '*.c[cpux+]*';

-- :name all_imports
-- full scan, when many files are resolved at once
SELECT id >> 20, local, module, name, exported FROM imports ORDER BY id;

-- :name global_imports
-- parameters: language, project. full scan of files: once a batch, for languages that have such imports
SELECT i.local, i.module, i.name FROM files f CROSS JOIN imports i ON i.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575
WHERE f.language = ? AND f.project IS ? AND i.exported = 1 ORDER BY f.path, i.id;

-- :name files_of_language
-- parameter: language. full scan of files: when an import changed that holds for all of them
SELECT id FROM files WHERE language = ? AND id > 0;

-- :name has_member
-- parameters: key (of a name), languages (JSON array). index: symbols_key. What stands in a file, module or namespace is no member, nor what a function holds.
SELECT EXISTS (
  SELECT 1 FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = s.file
  WHERE s.key = :key AND p.kind NOT IN (1, 2, 3, 9, 10, 11, 12) AND f.language IN (SELECT value FROM json_each(:languages))
);

-- :name has_other_member
-- parameters: key (of a name), languages and ids (JSON arrays), whether methods do not count. index: symbols_key. Members of types but for these ids.
-- What may be an extension is none: it says a base, or `this` among its parameters.
SELECT EXISTS (
  SELECT 1 FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = s.file
  WHERE s.key = :key AND s.id NOT IN (SELECT value FROM json_each(:changed)) AND p.kind IN (4, 5, 6, 7, 8, 17, 19, 20, 21)
    AND s.bases = '' AND instr(coalesce(s.signature, ''), 'this ') = 0 AND (s.kind <> 10 OR NOT :values) AND f.language IN (SELECT value FROM json_each(:languages))
);

-- :name has_value
-- parameters: key (of a name), languages (JSON array). index: symbols_key. Members of types that are no methods.
SELECT EXISTS (
  SELECT 1 FROM symbols s JOIN symbols p ON p.id = s.parent JOIN files f ON f.id = s.file
  WHERE s.key = :key AND s.kind <> 10 AND p.kind IN (4, 5, 6, 7, 8, 17, 19, 20, 21) AND f.language IN (SELECT value FROM json_each(:languages))
);

-- :name member_keys
-- parameter: languages (JSON array); index symbols_file. Full scan of files, when many are resolved at once
SELECT DISTINCT s.key, f.language FROM files f CROSS JOIN symbols s ON s.file = f.id CROSS JOIN symbols p ON p.id = s.parent
WHERE p.kind NOT IN (1, 2, 3, 9, 10, 11, 12) AND f.language IN (SELECT value FROM json_each(?));

-- :name by_uid
-- parameter: uid; index symbols_uid
SELECT id FROM symbols WHERE uid = ?;

-- :name access
-- parameter: symbol
SELECT access FROM symbols WHERE id = ?;

-- :name identity
-- parameter: derived uid; the primary key. column: the uid that was kept through a rename or move
SELECT uid FROM identities WHERE derived = ?;

-- :name path_of_file
-- parameter: file
SELECT path FROM files WHERE id = ?;

-- :name content
-- parameter: file
SELECT digest, symbols FROM files WHERE id = ?;

-- :name contents
-- full scan of files, when many files are resolved at once
SELECT id, digest, symbols FROM files WHERE symbols IS NOT NULL;

-- :name unresolved
-- index files_unresolved
SELECT id, path FROM files WHERE resolved = 0 AND language IS NOT NULL AND symbols IS NOT NULL ORDER BY id;

-- :name sizes
-- parameter: files (JSON array); primary key. columns: file, bytes
SELECT f.id, f.size FROM json_each(?) j JOIN files f ON f.id = j.value ORDER BY f.id;

-- :name left_and_due
-- full scan of files: when hundreds have changed. How many files with references are resolved, and how many have to be.
SELECT count(*) FILTER (WHERE resolved), count(*) FILTER (WHERE NOT resolved) FROM files WHERE length(names) > 0 AND id > 0;

-- :name mentions
-- full scan of files: 4 bytes a name; who mentions a name that changed
SELECT id, path, language, names FROM files WHERE length(names) > 0;

-- :name mentions_of
-- full scan of files: as mentions, of the files that may mention one name. parameter: the hash of its key
SELECT id, path, language, names FROM files WHERE length(names) > 0 AND instr(names, ?) > 0;

-- :name known_files
-- full scan of files: what the index knows, to compare with the disk
SELECT path, size, coalesce(t.mtime_ns, -1), digest, id, language FROM files LEFT JOIN times t ON t.file = id WHERE id > 0;

-- :name file_row
-- parameter: path
SELECT id, digest, language, symbols, module, import_name, project FROM files WHERE path = ?;

-- :name symbol_rows
-- parameter: file; index symbols_file; the columns in their order
SELECT id, uid, file, parent, kind, flags, key, name, qualified_name, line_start, line_end, line, col, access, signature, parameters, returns, body, bases, type, shared, head
FROM symbols WHERE file = ?;

-- :name symbol_row_by_id
-- parameter: symbol; the columns in their order
SELECT id, uid, file, parent, kind, flags, key, name, qualified_name, line_start, line_end, line, col, access, signature, parameters, returns, body, bases, type, shared, head
FROM symbols WHERE id = ?;

-- :name shared_of_file
-- parameter: file; index spans_file: symbols of other files that have spans in this one, and what holds them
SELECT DISTINCT s.id, s.key, s.kind, COALESCE(o.id, 0), COALESCE(o.kind, 0) FROM spans p JOIN symbols s ON s.id = p.symbol LEFT JOIN symbols o ON o.id = s.parent
WHERE p.file = ?1 AND s.shared = 1;

-- :name spans_of_symbol
-- parameter: symbol; primary first
SELECT p.file, f.path, p.line_start, p.line_end, p.line FROM spans p JOIN files f ON f.id = p.file WHERE p.symbol = ? ORDER BY f.path, p.line_start;

-- :name all_heritage
-- full scan of files: when a member of a type changed, or the bases of one
SELECT heritage FROM files WHERE length(heritage) > 0;

-- :name heritage
-- parameter: file
SELECT heritage FROM files WHERE id = ?;

-- :name member_dependencies
-- parameter: file
SELECT asked FROM files WHERE id = ?;

-- :name all_member_dependencies
-- full scan of files: when a constructor changed
SELECT id, asked FROM files WHERE length(asked) > 0;

-- :name files_with_members
-- parameters: keys (of names), types (JSON arrays); index symbols_key: the files of the members of these types that have one of the names
SELECT DISTINCT s.file FROM json_each(:keys) k CROSS JOIN symbols s ON s.key = k.value WHERE s.parent IN (SELECT value FROM json_each(:types));

-- :name classes_of_file
-- parameters: file, whether types may have members of others without naming them (companions, further bases); index symbols_file: types that name bases, else all
SELECT id FROM symbols WHERE file = ? AND (bases <> '' OR (? AND kind IN (4, 5, 6, 7, 8, 17, 19, 20, 21)));

-- :name files_of_parts
-- parameter: file; index spans_file: the files that are the first of types with bases of which this one has a further part
SELECT DISTINCT s.file FROM spans p JOIN symbols s ON s.id = p.symbol WHERE p.file = ? AND s.file <> p.file AND s.bases <> '';

-- :name valued_of_file
-- parameter: file; index symbols_file: symbols with a type or a result, or a signature, and the kinds of what holds them
SELECT s.id, s.key, s.kind, COALESCE(p.id, 0), COALESCE(p.kind, 0), s.type, s.returns, s.signature, s.bases FROM symbols s LEFT JOIN symbols p ON p.id = s.parent
WHERE s.file = ? AND (s.type <> '' OR s.returns IS NOT NULL OR s.signature IS NOT NULL);

-- :name language_of_file
-- parameter: file
SELECT language FROM files WHERE id = ?;

-- :name counts
-- full scan of files: once a status, remembered per generation
SELECT language, status, reason, count(*), sum(length(symbols) / 4 - 1), sum(generated) FROM files WHERE id > 0 GROUP BY language, status, reason;

-- :name coverage
-- full scan of files: once a generation. columns: language, files that are not parsed whole, then those of codeagent_protocol.status.Coverage
SELECT language, sum(status <> 'full'), sum(refs_resolved), sum(refs_external), sum(refs_dynamic), sum(refs_unknown), sum(refs_unbound)
FROM files WHERE language IS NOT NULL AND id > 0 GROUP BY language;

-- :name least_covered
-- parameters: least number of references, limit. full scan of files: once a status, remembered per generation. columns: path, references, those that stay open
SELECT path, refs_resolved + refs_external + refs_dynamic + refs_unknown + refs_unbound AS places, refs_dynamic + refs_unknown + refs_unbound AS open
FROM files WHERE language IS NOT NULL AND places >= ? AND open > 0 ORDER BY CAST(open AS REAL) / places DESC, path LIMIT ?;

-- :name endings
-- parameters: language of unknown ones, reason. full scan of files: once a status, remembered per generation
-- columns: what stands behind the last dot of the path (with a slash: the name has no dot), number of files
SELECT CASE WHEN instr(path, '.') THEN replace(path, rtrim(path, replace(path, '.', '')), '') ELSE '' END AS ending, count(*)
FROM files WHERE id > 0 AND (language = ? OR language IS NULL AND reason = ?) GROUP BY ending;

-- :name failed
-- full scan of files: once a status, remembered per generation
SELECT path FROM files WHERE language IS NULL AND id > 0 AND status = 'failed' ORDER BY path LIMIT 20;

-- :name unread
-- parameters: reasons that are left out (JSON array), limit; full scan of files: once a status, remembered per generation. columns: path, reason; files that
-- have failed first
SELECT path, reason FROM files WHERE language IS NULL AND id > 0 AND (status = 'failed' OR status = 'skipped' AND reason NOT IN (SELECT value FROM json_each(?)))
ORDER BY status, path LIMIT ?;

-- :name any_file
-- no full scan: stops at the first row
SELECT EXISTS (SELECT 1 FROM files);

-- :name contexts
-- full scan of files: only when everything is compared with the disk
SELECT path, language, module, import_name, project FROM files WHERE language IS NOT NULL AND id > 0;

-- :name kind
-- parameter: symbol
SELECT kind FROM symbols WHERE id = ?;

-- :name files_of_members
-- parameter: symbol; index symbols_parent: files that hold members of a symbol without a definition, first path first
SELECT DISTINCT s.file FROM symbols s JOIN files f ON f.id = s.file WHERE s.parent = ? AND s.shared = 0 ORDER BY f.path;

-- :name stubs
-- full scan: once, at the end of a first index: types that only lend their name to members
SELECT id FROM symbols WHERE shared = 1 AND body = 0 AND kind = 8 AND type = '';

-- :name others_before
-- parameters: module, import name, path, path, its project if it is new: whether another file of the module, in the same project, comes first; index files_module
SELECT EXISTS (
  SELECT 1 FROM files
  WHERE module = ? AND import_name = ? AND path < ? AND language IS NOT NULL AND project IS coalesce((SELECT project FROM files WHERE path = ?), ?)
);

-- :name others_below
-- parameters: folder with '/', the same with '0' (the next character), path left out; primary index on path
SELECT EXISTS (SELECT 1 FROM files WHERE path >= ? AND path < ? AND path <> ? AND language IS NOT NULL);
