; Derived from the grammar by `make grammars`.
(protocol_declaration (identifier) @name) @def.interface
(method_declaration (identifier) @name) @def.method
(class_interface . (identifier) @name) @def.class
(property_declaration (struct_declaration (struct_declarator (identifier) @name))) @def.property
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @def.function
(preproc_function_def name: (identifier) @name) @def.function
(type_definition name: [(identifier) (type_name) (field_identifier) (type_identifier)] @name) @def.type
(sized_type_specifier name: [(identifier) (type_name) (field_identifier) (type_identifier)] @name) @def.type
(enum_specifier name: (type_identifier) @name) @def.enum
(struct_specifier name: (type_identifier) @name) @def.struct
(union_specifier name: (type_identifier) @name) @def.struct
(field_declaration declarator: (field_identifier) @name) @def.field
(enumerator name: (identifier) @name) @def.enum_member
(macro_type_specifier name: (identifier) @name) @def.macro
(class_declaration . (identifier) @name) @def.class
(class_implementation name: [(identifier) (type_name) (field_identifier) (type_identifier)] @name) @def.class
(compatibility_alias_declaration . (identifier) @name) @def.type
(property_implementation . (identifier) @name) @def.property
(method_definition name: [(identifier) (type_name) (method_identifier) (field_identifier) (type_identifier)] @name) @def.method
(array_type_specifier . [(identifier) (type_identifier)] @name) @def.type
(parameter_list (identifier) @bind)
(parameter_declaration declarator: (identifier) @bind)
(method_parameter declarator: (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(identifier) @ref
(instance_variable) @ref
(field_identifier) @ref
(type_identifier) @ref
(comment) @comment
