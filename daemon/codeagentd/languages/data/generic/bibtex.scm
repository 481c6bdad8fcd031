; Derived from the grammar by `make generic-languages`.
(entry key: (key_brace) @name) @def.key
(comment) @comment
