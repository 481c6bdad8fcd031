; Derived from the grammar by `make grammars`.
(function_definition name: (function_name) @name) @def.function
(variable_declaration variable: (identifier) @bind.define)
(parameter_declaration . [(var) (type_identifier)] @bind)
(method_call method_name: (identifier) @ref.call)
(function_application function: (identifier) @ref.call)
(identifier) @ref
(var) @ref
(function_name) @ref
(method_id) @ref
(comment) @comment
