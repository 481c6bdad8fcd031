; Derived from the grammar by `make grammars`.
(struct_specifier name: (type_identifier) @name) @def.struct
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @def.function
(preproc_function_def name: (identifier) @name) @def.function
(type_definition name: [(identifier) (field_identifier) (type_identifier)] @name) @def.type
(sized_type_specifier . (type_identifier) @name) @def.type
(enum_specifier name: (type_identifier) @name) @def.enum
(union_specifier name: (type_identifier) @name) @def.struct
(enumerator name: (identifier) @name) @def.enum_member
(macro_type_specifier name: (identifier) @name) @def.macro
(foreach_instance_statement . (identifier) @name) @def.class
(parameter_list (identifier) @bind)
(parameter_declaration declarator: (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(template_instantiation . [(identifier) (type_identifier)] @ref.call)
(identifier) @ref
(llvm_identifier) @ref
(field_identifier) @ref
(type_identifier) @ref
(comment) @comment
