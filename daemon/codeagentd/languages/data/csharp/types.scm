; Elements by index.
(member_access_expression expression: (element_access_expression) @indexed)
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @assigned.name (element_access_expression) @assigned.value @indexed))
; Parameters without a type: those of functions that are handed to a call get one from the callee.
(lambda_expression parameters: (implicit_parameter) @handed)
(lambda_expression parameters: (parameter_list (parameter !type name: (identifier) @handed)))

; What values are made of. Each pattern has one name and what is said of it.
(parameter type: (_) @typed.type name: (identifier) @typed.name)
(variable_declaration type: [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (nullable_type) (array_type)] @typed.type
  (variable_declarator name: (identifier) @typed.name))
(foreach_statement type: [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (nullable_type)] @typed.type left: (identifier) @typed.name)
(declaration_pattern type: (_) @typed.type name: (identifier) @typed.name)
(recursive_pattern type: (_) @typed.type name: (identifier) @typed.name)
(catch_declaration type: (_) @typed.type name: (identifier) @typed.name)
(declaration_expression type: [(identifier) (generic_name) (qualified_name) (alias_qualified_name) (nullable_type)] @typed.type name: (identifier) @typed.name)
(variable_declarator name: (identifier) @converted.name [(cast_expression type: (_) @converted.type) (as_expression right: (_) @converted.type)])

(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @assigned.name [
  (identifier) @assigned.value (member_access_expression) @assigned.value (invocation_expression) @assigned.value
  (object_creation_expression) @assigned.value (await_expression [(identifier) (member_access_expression) (invocation_expression)] @assigned.value)]))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @either.name
  (binary_expression operator: "??" right: [(identifier) (invocation_expression) (object_creation_expression)] @either.value)))
(foreach_statement type: (implicit_type) left: (identifier) @iterated.name right: [(identifier) (member_access_expression) (invocation_expression)] @iterated.value)
