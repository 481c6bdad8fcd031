; Scopes and the names bound in them.
((list . (symbol) @_how . (list . (_) [(symbol) @bind (list . (symbol) @bind)])) (#match? @_how "^define(\\*|-public|\\*-public|-inline|-method|-syntax-rule|-macro)?$"))
((list . (symbol) @_how . [(list [(symbol) @bind (list . (symbol) @bind)]) (symbol) @bind]) @scope.function (#any-of? @_how "lambda" "lambda*" "named-lambda"))
((list . (symbol) @_how . (list (list . (symbol) @bind))) @scope.block (#match? @_how "^(let\\*?|letrec\\*?|let-syntax|letrec-syntax|do|parameterize|and-let\\*|fluid-let)$"))
((list . (symbol) @_how . (symbol) @bind . (list (list . (symbol) @bind))) @scope.block (#eq? @_how "let"))
((list . (symbol) @_how . (list (list . (list (symbol) @bind)))) @scope.block (#match? @_how "^let\\*?-values$"))
((list . (symbol) @_how . (_) . (list) @bind.within) @scope.block (#any-of? @_how "receive" "call-with-values"))

; Occurrences. Every symbol is a @ref; the first one of a list is called.
(symbol) @ref
((symbol) @skip (#any-of? @skip "." "..." "_"))
(list . (symbol) @ref.call)
(quote (symbol) @ref.read)
(quote (list . (symbol) @ref.read))
((list . (symbol) @_how . (symbol) @ref.write) (#eq? @_how "set!"))
((list . (symbol) @_how) @region.skip (#any-of? @_how "import" "export" "use-modules" "define-module"))
