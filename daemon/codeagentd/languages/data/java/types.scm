; What values are made of. Each pattern has one name and what is said of it.
(formal_parameter type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)] @typed.type name: (identifier) @typed.name)
(local_variable_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)] @typed.type
  declarator: (variable_declarator name: (identifier) @typed.name) (#not-eq? @typed.type "var"))
(enhanced_for_statement type: [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)] @typed.type name: (identifier) @typed.name
  (#not-eq? @typed.type "var"))
(resource type: (_) @typed.type name: (identifier) @typed.name (#not-eq? @typed.type "var"))
(catch_formal_parameter (catch_type) @typed.type name: (identifier) @typed.name)
(instanceof_expression right: (_) @typed.type name: (identifier) @typed.name)
(type_pattern [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)] @typed.type (identifier) @typed.name .)
(record_pattern_component [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)] @typed.type (identifier) @typed.name .
  (#not-eq? @typed.type "var"))

(local_variable_declaration type: (type_identifier) @_var
  declarator: (variable_declarator name: (identifier) @assigned.name
    value: [(identifier) (field_access) (method_invocation) (object_creation_expression !type_arguments) (array_access) (this)] @assigned.value) (#eq? @_var "var"))
(resource type: (type_identifier) @_var name: (identifier) @assigned.name
  value: [(identifier) (field_access) (method_invocation) (object_creation_expression)] @assigned.value (#eq? @_var "var"))
(enhanced_for_statement type: (type_identifier) @_var name: (identifier) @iterated.name
  value: [(identifier) (field_access) (method_invocation)] @iterated.value (#eq? @_var "var"))
