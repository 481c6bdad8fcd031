; Derived from the grammar by `make grammars`.
(node (definition) @name) @def.function
(identifier) @ref
(token_identifier) @ref
(label_name) @ref
(comment) @comment
