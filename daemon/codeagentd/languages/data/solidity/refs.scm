; Scopes and the names bound in them.
[(block_statement) (for_statement) (try_statement) (catch_clause)] @scope.block
(parameter name: (identifier) @bind)
(event_parameter name: (identifier) @skip)
(error_parameter name: (identifier) @skip)
(variable_declaration name: (identifier) @bind)
(call_struct_argument name: (identifier) @skip)

; Occurrences.
(identifier) @ref
(user_defined_type (identifier) @ref.type)
(call_expression function: (expression (identifier) @ref.call))
(call_expression function: (expression (member_expression property: (identifier) @ref.call)))
(emit_statement name: (expression (identifier) @ref.call))
(revert_statement error: (expression (identifier) @ref.call))
(modifier_invocation (identifier) @ref.decorate)
(variable_declaration type: (type_name (user_defined_type (identifier) @typed.type)) name: (identifier) @typed.name)
(parameter type: (type_name (user_defined_type (identifier) @typed.type)) name: (identifier) @typed.name)
(import_directive import_name: (identifier) @ref.type)
(import_directive alias: (identifier) @skip)
