; Derived from the grammar by `make grammars`.
(module_declaration (module_fqn) @name) @def.module
(struct_declaration (identifier) @name) @def.struct
(class_declaration (identifier) @name) @def.class
(aggregate_body (function_declaration (identifier) @name) @def.method)
(module_def (function_declaration (identifier) @name) @def.function)
(module_def key: (identifier) @name) @def.module
(variable_declaration key: (identifier) @bind.define)
(alias_declaration key: (identifier) @name) @def.type
(union_declaration key: (identifier) @name) @def.struct
(constructor key: (identifier) @name) @def.constructor
(destructor key: (identifier) @name) @def.method
(interface_declaration key: (identifier) @name) @def.interface
(enum_declaration key: (identifier) @name) @def.enum
(parameter . (identifier) @bind)
(template_parameter . (identifier) @bind)
(call_expression . (identifier) @ref.call)
(identifier) @ref
(comment) @comment
