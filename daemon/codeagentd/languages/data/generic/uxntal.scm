; Derived from the grammar by `make generic-languages`.
(subroutine (label (identifier) @name)) @def.function
(macro . (identifier) @name) @def.macro
(identifier) @ref
(comment) @comment
