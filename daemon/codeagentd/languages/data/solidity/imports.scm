; Files by their paths.
(import_directive source: (string) @import)
