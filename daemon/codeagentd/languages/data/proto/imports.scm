; Files by path.
(import path: (string) @import)
