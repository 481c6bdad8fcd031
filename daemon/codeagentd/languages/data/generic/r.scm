; Derived from the grammar by `make grammars`.
(program (binary_operator lhs: (identifier) @bind.define))
(binary_operator lhs: (identifier) @name rhs: (function_definition)) @def.function
(function_definition . (identifier) @name) @def.function
(parameter name: (identifier) @bind)
(call function: (identifier) @ref.call)
(identifier) @ref
(comment) @comment
