; Derived from the grammar by `make grammars`.
(actor_definition (identifier) @name) @def.class
(constructor (identifier) @name) @def.constructor
(class_definition (identifier) @name) @def.class
(field name: (identifier) @name) @def.field
(method (identifier) @name) @def.method
(interface_definition . (identifier) @name) @def.interface
(trait_definition . (identifier) @name) @def.trait
(struct_definition . (identifier) @name) @def.struct
(variable_declaration . (identifier) @bind.define)
(parameter name: (identifier) @bind)
(lambda_parameter name: (identifier) @bind)
(call_expression callee: (identifier) @ref.call)
(partial_application . (identifier) @ref.call)
(identifier) @ref
(line_comment) @comment
(block_comment) @comment
