; Derived from the grammar by `make grammars`.
((list_lit . (sym_lit) @_how . value: (sym_lit) @bind.define) (#eq? @_how "defparameter"))
(defun (defun_header function_name: (sym_lit) @name) value: (list_lit)) @def.function
(defun (defun_header function_name: (sym_lit) @name) value: (syn_quoting_lit)) @def.macro
((list_lit . (sym_lit) @_how . value: (sym_lit) @name) @def.class (#eq? @_how "defclass"))
(var_quoting_lit function_name: (for_clause_word) @bind.define)
(for_clause_word) @ref
(comment) @comment
(block_comment) @comment
