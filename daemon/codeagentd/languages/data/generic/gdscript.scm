; Derived from the grammar by `make grammars`.
(class_name_statement name: (name) @name) @def.class
(const_statement name: (name) @name) @def.constant
(variable_statement name: (name) @bind.define)
(enum_definition name: (name) @name) @def.enum
(enumerator left: (identifier) @name) @def.enum_member
(function_definition name: (name) @name) @def.function
(class_definition name: (name) @name) @def.class
(onready_variable_statement name: (name) @bind.define)
(signal_statement name: (name) @name) @def.event
(typed_parameter . (identifier) @bind)
(default_parameter . (identifier) @bind)
(typed_default_parameter . (identifier) @bind)
(variadic_parameter . (identifier) @bind)
(parameters (identifier) @bind)
(attribute_call . (identifier) @ref.call)
(base_call . (identifier) @ref.call)
(call . (identifier) @ref.call)
(identifier) @ref
(name) @ref
(comment) @comment
