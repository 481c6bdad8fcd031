; Included files.
(include_statement (string) @import)
