; Derived from the grammar by `make grammars`.
(circuit (identifier) @name) @def.module
(module (identifier) @name) @def.module
(parameter . (identifier) @bind)
(identifier) @ref
(relaxed_identifier) @ref
(comment) @comment
