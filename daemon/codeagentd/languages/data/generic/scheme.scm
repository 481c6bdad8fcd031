; Derived from the grammar by `make grammars`.
((list . (symbol) @_how . (symbol) @bind.define) (#eq? @_how "define"))
((list . (symbol) @_how . (list . (symbol) @name)) @def.function (#eq? @_how "define"))
((list . (symbol) @_how . (symbol) @name) @def.macro (#eq? @_how "define-syntax"))
(symbol) @ref
(comment) @comment
(block_comment) @comment
