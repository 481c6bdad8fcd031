; References: what $ref says, and values that are relative paths.
((pair key: (string (string_content) @_k) value: (string (string_content) @import)) (#eq? @_k "$ref"))
((string_content) @import (#match? @import "^[.][.]?/"))
