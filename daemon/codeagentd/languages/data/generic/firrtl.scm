; Derived from the grammar by `make generic-languages`.
(circuit (identifier) @name) @def.module
(module (identifier) @name) @def.module
(parameter . (identifier) @bind)
(identifier) @ref
(relaxed_identifier) @ref
(comment) @comment
