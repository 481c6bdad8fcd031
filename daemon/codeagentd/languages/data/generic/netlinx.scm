; Derived from the grammar by `make grammars`.
(define_function (function_definition name: (identifier) @name)) @def.function
(module_definition instance_name: (identifier) @name) @def.module
(struct_specifier name: (type_identifier) @name) @def.struct
(field_declaration declarator: (field_identifier) @name) @def.field
(function_declaration name: (identifier) @name) @def.function
(parameter_declaration declarator: (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(identifier) @ref
(source_type_neuron_id) @ref
(device_id) @ref
(timeline_dynamic_id) @ref
(xml_to_variable) @ref
(get_unique_id) @ref
(program_name) @ref
(compiler_variable) @ref
(system_variable) @ref
(field_identifier) @ref
(type_identifier) @ref
(comment) @comment
