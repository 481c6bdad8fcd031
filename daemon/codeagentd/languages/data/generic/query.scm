; Derived from the grammar by `make generic-languages`.
(predicate name: (identifier) @name) @def.function
(comment) @comment
