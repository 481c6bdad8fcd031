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
(foreach_statement type: (implicit_type) left: (identifier) @iterated.name right: [(identifier) (member_access_expression) (invocation_expression)] @iterated.value)
