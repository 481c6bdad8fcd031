; Derived from the grammar by `make grammars`.
(property (key) @name) @def.key
(comment) @comment
