; Derived from the grammar by `make grammars`.
(assignment left: (identifier) @bind.define)
(function_definition name: (identifier) @name) @def.function
(call arguments: (argument_list (keyword_argument value: (string (string_content) @name)))) @def.target
(parameters (identifier) @bind)
(lambda_parameters (identifier) @bind)
(default_parameter name: (identifier) @bind)
(typed_default_parameter name: (identifier) @bind)
(typed_parameter . (identifier) @bind)
(call function: (identifier) @ref.call)
(identifier) @ref
(comment) @comment
