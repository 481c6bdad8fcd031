; Derived from the grammar by `make grammars`.
(struct_specifier name: (type_identifier) @name) @def.struct
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @def.function
(preproc_function_def name: (identifier) @name) @def.function
(type_definition name: [(identifier) (field_identifier) (type_identifier)] @name) @def.type
(sized_type_specifier name: [(identifier) (field_identifier) (type_identifier)] @name) @def.type
(enum_specifier name: (type_identifier) @name) @def.enum
(union_specifier name: (type_identifier) @name) @def.struct
(field_declaration name: [(identifier) (field_identifier) (type_identifier)] @name) @def.field
(enumerator name: (identifier) @name) @def.enum_member
(macro_type_specifier name: (identifier) @name) @def.macro
(parameter_declaration declarator: (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(identifier) @ref
(field_identifier) @ref
(type_identifier) @ref
(comment) @comment
