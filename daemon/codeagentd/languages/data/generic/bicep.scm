; Derived from the grammar by `make grammars`.
(parameter_declaration (identifier) @bind.define)
(variable_declaration (identifier) @bind.define)
(resource_declaration (identifier) @name) @def.resource
(output_declaration (identifier) @bind.define)
(module_declaration . (identifier) @name) @def.module
(type_declaration . (identifier) @name) @def.type
(parameter_declaration . (identifier) @bind)
(parameter . (identifier) @bind)
(for_loop_parameters (loop_variable) @bind)
(call_expression function: (identifier) @ref.call)
(identifier) @ref
(loop_variable) @ref
(property_identifier) @ref
(comment) @comment
(diagnostic_comment) @comment
