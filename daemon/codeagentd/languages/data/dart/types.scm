; What values are made of. Each pattern has one name and what is said of it.
(formal_parameter [(type_identifier) (type_arguments) (nullable_type)] @typed.type . name: (identifier) @typed.name)
(initialized_variable_definition [(type_identifier) (type_arguments) (nullable_type)] @typed.type . name: (identifier) @typed.name)
(for_loop_parts [(type_identifier) (type_arguments) (nullable_type)] @typed.type . name: (identifier) @typed.name)
(program [(type_identifier) (type_arguments) (nullable_type)] @typed.type . [(static_final_declaration_list . (static_final_declaration . (identifier) @typed.name))
  (initialized_identifier_list . (initialized_identifier . (identifier) @typed.name))])
(initialized_variable_definition . [(inferred_type) (final_builtin) (const_builtin)] . name: (identifier) @assigned.name (_) @assigned.value .)
(for_loop_parts . [(inferred_type) (final_builtin)] . name: (identifier) @iterated.name (_) @iterated.value .)
