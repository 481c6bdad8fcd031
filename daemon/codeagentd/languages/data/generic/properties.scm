; Derived from the grammar by `make generic-languages`.
(property (key) @name) @def.key
(comment) @comment
