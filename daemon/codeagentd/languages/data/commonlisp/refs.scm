; Scopes and the names bound in them.
(defun_header lambda_list: (list_lit value: [(sym_lit) @bind (list_lit . value: (sym_lit) @bind)]))
((list_lit . value: (sym_lit) @_how . value: (list_lit value: [(list_lit . value: (sym_lit) @bind) (sym_lit) @bind])) @scope.block
  (#any-of? @_how "let" "let*" "flet" "labels" "macrolet" "symbol-macrolet" "do" "do*" "prog" "prog*"))
((list_lit . value: (sym_lit) @_how . value: (list_lit . value: (sym_lit) @bind)) @scope.block
  (#any-of? @_how "dolist" "dotimes" "with-open-file" "with-output-to-string" "with-input-from-string" "with-open-stream"))
((list_lit . value: (sym_lit) @_how . value: (list_lit) @bind.within) @scope.block (#any-of? @_how "destructuring-bind" "multiple-value-bind"))
(list_lit (defun (defun_header keyword: (defun_keyword) @_how lambda_list: (list_lit value: (sym_lit) @bind))) @scope.function (#eq? @_how "lambda"))

; Occurrences. Every symbol is a @ref; the first one of a list is called.
(sym_lit) @ref
(package_lit package: (sym_lit) @skip)
((sym_lit) @skip (#match? @skip "^[&]"))
(list_lit . value: [(sym_lit) @ref.call (package_lit symbol: (sym_lit) @ref.call)])
(quoting_lit value: (sym_lit) @ref.read)
(quoting_lit value: (list_lit . value: (sym_lit) @ref.read))
((list_lit . value: (sym_lit) @_how value: (sym_lit) @ref.write) (#eq? @_how "setq"))
