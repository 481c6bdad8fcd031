; Derived from the grammar by `make grammars`.
(namespace_declaration name: (qualified_identifier (identifier) @name)) @def.namespace
(class_declaration name: (identifier) @name) @def.class
(method_declaration name: (identifier) @name) @def.method
(function_declaration name: (identifier) @name) @def.function
(enum_declaration name: (identifier) @name) @def.enum
(type_specifier . (qualified_identifier) @name) @def.type
(field_specifier . [(variable) (qualified_identifier) (scoped_identifier)] @name) @def.field
(alias_declaration . (identifier) @name) @def.type
(trait_declaration name: (identifier) @name) @def.trait
(interface_declaration name: (identifier) @name) @def.interface
(const_declaration (const_declarator name: (identifier) @name)) @def.constant
(type_const_declaration name: (identifier) @name) @def.type
(context_const_declaration name: (identifier) @name) @def.constant
(property_declaration (property_declarator name: (variable) @name)) @def.property
(abstract_enum_class_declaration name: [(identifier) (variable) (qualified_identifier) (scoped_identifier)] @name) @def.enum
(enum_class_declaration name: (identifier) @name) @def.enum
(parameter name: (variable) @bind)
(call_expression function: [(variable) (qualified_identifier) (scoped_identifier)] @ref.call)
(identifier) @ref
(variable) @ref
(pipe_variable) @ref
(xhp_identifier) @ref
(xhp_class_identifier) @ref
(xhp_category_identifier) @ref
(scope_identifier) @ref
(xhp_comment) @comment
(comment) @comment
