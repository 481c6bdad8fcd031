; Derived from the grammar by `make grammars`.
(subroutine (label (identifier) @name)) @def.function
(macro . (identifier) @name) @def.macro
(identifier) @ref
(comment) @comment
