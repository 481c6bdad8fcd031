; Derived from the grammar by `make grammars`.
((list . (symbol) @_how . (symbol) @bind.define) (#eq? @_how "defvar"))
(list (symbol) @name . (array)) @def.component
(source_file (list (symbol) @name . (keyword)) @def.component)
(function_call name: (ident) @ref.call)
(symbol) @ref
(ident) @ref
(comment) @comment
