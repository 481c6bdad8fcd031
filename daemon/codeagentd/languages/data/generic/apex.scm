; Derived from the grammar by `make grammars`.
(class_declaration name: (identifier) @name) @def.class
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @def.field
(method_declaration name: (identifier) @name) @def.method
(enum_declaration name: (identifier) @name) @def.enum
(trigger_declaration name: (identifier) @name) @def.trigger
(constructor_declaration name: (identifier) @name) @def.constructor
(interface_declaration name: (identifier) @name) @def.interface
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.constant
(local_variable_declaration declarator: (variable_declarator name: (identifier) @bind.define))
(formal_parameter name: (identifier) @bind)
(method_invocation name: (identifier) @ref.call)
(explicit_constructor_invocation . (identifier) @ref.call)
(identifier) @ref
(type_identifier) @ref
(line_comment) @comment
(block_comment) @comment
