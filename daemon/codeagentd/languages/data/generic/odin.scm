; Derived from the grammar by `make grammars`.
(package_declaration (identifier) @name) @def.module
(const_declaration (identifier) @name) @def.constant
(struct_declaration (identifier) @name) @def.struct
(enum_declaration . (identifier) @name) @def.enum
(procedure_declaration (identifier) @name) @def.function
(overloaded_procedure_declaration . (identifier) @name) @def.function
(union_declaration . (identifier) @name) @def.struct
(bit_field_declaration . (identifier) @name) @def.field
(variable_declaration . (identifier) @bind.define)
(const_type_declaration . (identifier) @name) @def.constant
(var_declaration label: [(identifier) (field_identifier)] @bind.define)
(label_statement . (identifier) @name) @def.function
(struct . [(identifier) (field_identifier)] @name) @def.struct
(parameter . (identifier) @bind)
(default_parameter . (identifier) @bind)
(polymorphic_parameters [(identifier) (field_identifier)] @bind)
(call_expression function: [(identifier) (field_identifier)] @ref.call)
(selector_call_expression function: (identifier) @ref.call)
(identifier) @ref
(comment) @comment
(block_comment) @comment
