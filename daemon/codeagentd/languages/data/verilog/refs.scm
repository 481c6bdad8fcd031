; Names of functions and blocks of their own.
(tf_port_item1 (port_identifier (simple_identifier) @bind))
(block_item_declaration (data_declaration (list_of_variable_decl_assignments (variable_decl_assignment . (simple_identifier) @bind))))

; Occurrences.
(simple_identifier) @ref
(module_instantiation . (simple_identifier) @ref.type)
(named_port_connection (port_identifier (simple_identifier) @skip))
(named_parameter_assignment (parameter_identifier (simple_identifier) @skip))
(tf_call . (simple_identifier) @ref.call)
(data_type . (simple_identifier) @ref.type)
(net_declaration . (simple_identifier) @ref.type)
