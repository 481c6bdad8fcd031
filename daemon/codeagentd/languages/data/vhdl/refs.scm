; Local names.
(function_parameter_clause (_ (identifier_list (identifier) @bind)))
(procedure_parameter_clause (_ (identifier_list (identifier) @bind)))
(variable_declaration (identifier_list (identifier) @bind))
(function_body (declarative_part (constant_declaration (identifier_list (identifier) @bind))))
(procedure_body (declarative_part (constant_declaration (identifier_list (identifier) @bind))))

; Occurrences.
(simple_name) @ref
(type_mark (simple_name) @ref.type)
(entity_instantiation entity: (selected_name suffix: (simple_name) @ref.type))
(component_instantiation component: (simple_name) @ref.type)
(procedure_call_statement (_ procedure: (simple_name) @ref.call))
(named_association_element formal_part: (simple_name) @skip)
(library_clause (logical_name_list library: (simple_name) @skip))
