; Derived from the grammar by `make grammars`.
(menu (config name: (name (symbol) @name)) @def.key)
(dependencies (symbol) @name) @def.key
(symbol) @ref
(comment) @comment
(comment_entry) @comment
