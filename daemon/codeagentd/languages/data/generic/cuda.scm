; Derived from the grammar by `make grammars`.
(struct_specifier name: (type_identifier) @name) @def.struct
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @def.function
(preproc_function_def name: (identifier) @name) @def.function
(type_definition name: [(identifier) (qualified_identifier) (field_identifier) (type_identifier)] @name) @def.type
(sized_type_specifier name: [(identifier) (qualified_identifier) (field_identifier) (type_identifier)] @name) @def.type
(enum_specifier name: [(qualified_identifier) (type_identifier)] @name) @def.enum
(union_specifier name: [(qualified_identifier) (type_identifier)] @name) @def.struct
(field_declaration name: [(identifier) (qualified_identifier) (field_identifier) (type_identifier)] @name) @def.field
(enumerator name: (identifier) @name) @def.enum_member
(placeholder_type_specifier . [(qualified_identifier) (type_identifier)] @name) @def.type
(class_specifier name: [(qualified_identifier) (type_identifier)] @name) @def.class
(explicit_function_specifier . [(identifier) (qualified_identifier)] @name) @def.function
(namespace_definition name: (namespace_identifier) @name) @def.namespace
(namespace_alias_definition name: (namespace_identifier) @name) @def.namespace
(alias_declaration name: (type_identifier) @name) @def.type
(parameter_declaration declarator: [(identifier) (qualified_identifier)] @bind)
(optional_parameter_declaration declarator: [(identifier) (qualified_identifier)] @bind)
(variadic_parameter_declaration declarator: (variadic_declarator . (identifier) @bind))
(parameter_pack_expansion pattern: [(identifier) (qualified_identifier)] @bind)
(call_expression function: [(identifier) (qualified_identifier)] @ref.call)
(template_instantiation . [(identifier) (qualified_identifier) (type_identifier)] @ref.call)
(kernel_call_syntax . [(identifier) (qualified_identifier)] @ref.call)
(identifier) @ref
(dependent_name) @ref
(field_identifier) @ref
(namespace_identifier) @ref
(type_identifier) @ref
(comment) @comment
