; Derived from the grammar by `make grammars`.
(def name: (symbol) @bind.define)
(extra_defs name: (symbol) @name) @def.function
(struct key: [(symbol) (var)] @name) @def.struct
(fn name: (symbol) @name) @def.function
(parameters [(symbol) (var)] @bind)
(tuple_parameters [(symbol) (var)] @bind)
(symbol) @ref
(line_comment) @comment
