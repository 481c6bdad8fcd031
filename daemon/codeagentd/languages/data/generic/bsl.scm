; Derived from the grammar by `make grammars`.
(function_definition name: (identifier) @name) @def.function
(procedure_definition name: (identifier) @name) @def.function
(var_definition var_name: (identifier) @bind.define)
(var_statement var_name: (identifier) @bind.define)
(label_statement . (identifier) @name) @def.function
(parameter name: (identifier) @bind)
(method_call name: (identifier) @ref.call)
(identifier) @ref
(line_comment) @comment
