; Derived from the grammar by `make grammars`.
(module_clause (module_identifier) @name) @def.module
(const_declaration (const_spec name: (identifier) @name)) @def.constant
(struct_declaration name: (type_identifier) @name) @def.struct
(struct_field_declaration name: (field_identifier) @name) @def.field
(enum_declaration name: (type_identifier) @name) @def.enum
(function_declaration name: (identifier) @name) @def.function
(global_var_declaration (global_var_spec name: (identifier) @bind.define))
(type_declaration name: (type_identifier) @name) @def.type
(interface_declaration name: (type_identifier) @name) @def.interface
(interface_spec name: (field_identifier) @name) @def.interface
(global_var_spec name: (identifier) @bind.define)
(parameter_declaration name: (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(special_call_expression function: (identifier) @ref.call)
(identifier) @ref
(field_identifier) @ref
(type_identifier) @ref
(label_name) @ref
(comment) @comment
