; Derived from the grammar by `make grammars`.
(package_body name: (identifier) @name) @def.module
(full_type_declaration (identifier) @name) @def.type
(component_declaration (identifier) @name) @def.field
(subprogram_body (procedure_specification name: (identifier) @name)) @def.function
(subprogram_body (function_specification name: (identifier) @name)) @def.function
(package_declaration name: (identifier) @name) @def.module
(private_type_declaration . (identifier) @name) @def.type
(incomplete_type_declaration . (identifier) @name) @def.type
(array_type_definition name: (identifier) @name) @def.type
(enumeration_type_definition . (identifier) @name) @def.enum
(derived_type_definition name: (identifier) @name) @def.type
(interface_type_definition . (identifier) @name) @def.interface
(record_definition . (identifier) @name) @def.struct
(protected_type_declaration name: (identifier) @name) @def.type
(formal_complete_type_declaration . (identifier) @name) @def.type
(formal_incomplete_type_declaration . (identifier) @name) @def.type
(formal_derived_type_definition name: (identifier) @name) @def.type
(formal_concrete_subprogram_declaration (function_specification name: (identifier) @name)) @def.function
(formal_concrete_subprogram_declaration (procedure_specification name: (identifier) @name)) @def.function
(formal_abstract_subprogram_declaration (function_specification name: (identifier) @name)) @def.function
(formal_abstract_subprogram_declaration (procedure_specification name: (identifier) @name)) @def.function
(formal_package_declaration generic_package_name: (identifier) @name) @def.module
(null_procedure_declaration (procedure_specification name: (identifier) @name)) @def.function
(single_task_declaration . (identifier) @name) @def.function
(task_type_declaration name: (identifier) @name) @def.function
(task_definition . (identifier) @name) @def.function
(subprogram_declaration (function_specification name: (identifier) @name)) @def.function
(subprogram_declaration (procedure_specification name: (identifier) @name)) @def.function
(loop_parameter_specification . (identifier) @bind)
(choice_parameter_specification . (identifier) @bind)
(parameter_specification . (identifier) @bind)
(generic_instantiation name: (identifier) @ref.call)
(procedure_call_statement name: (identifier) @ref.call)
(function_call name: (identifier) @ref.call)
(identifier) @ref
(gnatprep_identifier) @ref
(target_name) @ref
(comment) @comment
