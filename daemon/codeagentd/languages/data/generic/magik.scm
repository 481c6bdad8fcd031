; Derived from the grammar by `make grammars`.
(method name: (identifier) @name) @def.method
(procedure name: [(symbol) (variable) (identifier)] @name) @def.function
(call . [(symbol) (variable) (identifier)] @ref.call)
(dynamic_variable) @ref
(global_variable) @ref
(symbol) @ref
(variable) @ref
(identifier) @ref
(comment) @comment
