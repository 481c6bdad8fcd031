; Derived from the grammar by `make grammars`.
(module (ref (var) @name)) @def.module
(rule (rule_head (var) @name)) @def.function
(expr_call . (fn_name) @ref.call)
(var) @ref
(comment) @comment
