; Derived from the grammar by `make grammars`.
(local (binding (symbol) @bind.define))
(fn name: (symbol) @name) @def.function
(let . [(symbol) (var)] @bind.define)
(table_binding . [(symbol) (var)] @name) @def.table
(symbol) @ref
(comment) @comment
