; Derived from the grammar by `make grammars`.
(mod_item name: (identifier) @name) @def.module
(struct_item name: (type_identifier) @name) @def.struct
(field_declaration_list (field_declaration name: (field_identifier) @name)) @def.field
(function_definition (identifier) @name) @def.function
(type_definition . (identifier) @name) @def.type
(namespace_definition . (identifier) @name) @def.namespace
(struct_definition . (identifier) @name) @def.struct
(let_binding left: (typed_identifier) @bind.define)
(const_var_declaration . (identifier) @name) @def.constant
(local_var_declaration . (identifier) @bind.define)
(temp_var_declaration . (identifier) @bind.define)
(extern_type_statement name: (identifier) @name) @def.type
(extern_function_statement name: [(identifier) (dotted_name) (scoped_identifier) (scoped_type_identifier) (field_identifier) (type_identifier)] @name) @def.function
(enum_item name: (type_identifier) @name) @def.enum
(const_item name: (identifier) @name) @def.constant
(type_item name: (type_identifier) @name) @def.type
(function_signature . [(identifier) (scoped_type_identifier) (type_identifier)] @name) @def.function
(trait_item name: (type_identifier) @name) @def.trait
(let_declaration pattern: [(identifier) (scoped_identifier)] @bind.define)
(parameter . [(identifier) (scoped_type_identifier) (type_identifier)] @bind)
(call_expression function: [(identifier) (scoped_identifier)] @ref.call)
(call_instruction . (identifier) @ref.call)
(identifier) @ref
(field_identifier) @ref
(shorthand_field_identifier) @ref
(type_identifier) @ref
(comment) @comment
