; Derived from the grammar by `make grammars`.
(variable_assignment (identifier) @bind.define)
(function_definition (identifier) @name) @def.function
(anonymous_python_function (identifier) @name) @def.function
(python_function_definition name: (python_identifier) @name) @def.function
(global_statement . (python_identifier) @bind.define)
(parameters (python_identifier) @bind)
(lambda_parameters (python_identifier) @bind)
(default_parameter name: (python_identifier) @bind)
(typed_default_parameter name: (python_identifier) @bind)
(typed_parameter . (python_identifier) @bind)
(call function: (python_identifier) @ref.call)
(python_identifier) @ref
(identifier) @ref
(comment) @comment
