; Scopes and the names bound in them.
(function_definition parameters: (list [(symbol) @bind (list . (symbol) @bind)]))
(macro_definition parameters: (list [(symbol) @bind (list . (symbol) @bind)]))
((list . (symbol) @_how . (symbol) . (list [(symbol) @bind (list . (symbol) @bind)])) (#any-of? @_how "cl-defun" "cl-defmethod" "cl-defmacro" "cl-defgeneric" "iter-defun"))
(special_form "lambda" . (list (symbol) @bind)) @scope.function
(special_form ["let" "let*"] . (list [(list . (symbol) @bind) (symbol) @bind])) @scope.block
((list . (symbol) @_how . (list [(list . (symbol) @bind) (symbol) @bind])) @scope.block
  (#any-of? @_how "if-let" "if-let*" "when-let" "when-let*" "and-let*" "while-let" "letrec" "dlet" "cl-flet" "cl-labels" "cl-letf"))
((list . (symbol) @_how . (list . (symbol) @bind)) @scope.block (#any-of? @_how "dolist" "dotimes" "cl-dolist" "cl-dotimes" "dolist-with-progress-reporter"))
(special_form "condition-case" . (symbol) @bind) @scope.block
((list . (symbol) @_how . (list) @bind.within) @scope.block (#any-of? @_how "pcase-let" "pcase-let*" "cl-destructuring-bind" "cl-multiple-value-bind"))

; Occurrences. Every symbol is a @ref; the first one of a list is called.
(symbol) @ref
((symbol) @skip (#match? @skip "^[:&?]"))
(list . (symbol) @ref.call)
(quote (symbol) @ref.read)
(quote (list . (symbol) @ref.read))
(special_form "setq" (symbol) @ref.write)
