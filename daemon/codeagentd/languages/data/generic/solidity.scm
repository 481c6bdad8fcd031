; Derived from the grammar by `make grammars`.
(contract_declaration name: (identifier) @name) @def.class
(state_variable_declaration name: (identifier) @bind.define)
(struct_declaration name: (identifier) @name) @def.struct
(event_definition name: (identifier) @name) @def.event
(modifier_definition name: (identifier) @name) @def.function
(function_definition name: (identifier) @name) @def.method
(interface_declaration name: (identifier) @name) @def.interface
(user_defined_type_definition name: (identifier) @name) @def.type
(constant_variable_declaration name: (identifier) @name) @def.constant
(error_declaration name: (identifier) @name) @def.enum
(library_declaration name: (identifier) @name) @def.module
(enum_declaration name: (identifier) @name) @def.enum
(yul_variable_declaration left: (yul_identifier) @bind.define)
(yul_function_definition . (yul_identifier) @name) @def.function
(variable_declaration name: (identifier) @bind.define)
(variable_declaration_tuple . (identifier) @bind.define)
(error_parameter name: (identifier) @bind)
(event_parameter name: (identifier) @bind)
(return_parameter . (type_name) @bind)
(parameter name: (identifier) @bind)
(yul_function_call function: (yul_identifier) @ref.call)
(modifier_invocation . (identifier) @ref.call)
(identifier) @ref
(comment) @comment
