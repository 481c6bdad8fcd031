; Derived from the grammar by `make grammars`.
(let_statement (scoped_identifier) @bind.define)
(function_definition (function_declaration name: (identifier) @name)) @def.function
(function_definition (function_declaration name: (scoped_identifier) @name)) @def.function
(const_statement . [(identifier) (scoped_identifier)] @name) @def.constant
(parameters (identifier) @bind)
(default_parameter name: (identifier) @bind)
(call_expression function: [(identifier) (scoped_identifier) (name)] @ref.call)
(option_name) @ref
(name) @ref
(comment) @comment
(line_continuation_comment) @comment
