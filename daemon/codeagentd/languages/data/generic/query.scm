; Derived from the grammar by `make grammars`.
(predicate name: (identifier) @name) @def.function
(comment) @comment
