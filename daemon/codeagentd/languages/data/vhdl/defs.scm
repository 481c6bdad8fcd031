; Design units. Packages are name spaces, which their bodies share.
(entity_declaration name: (identifier) @name) @def.class
(architecture_body name: (identifier) @name entity: (simple_name) @base @ref.implement) @def.module
(package_declaration name: (identifier) @name) @def.namespace
(package_body (simple_name) @name) @def.namespace
(configuration_declaration name: (identifier) @name) @def.module
(component_declaration name: (identifier) @name) @def.interface

; Ports, generics, signals, constants and variables of units.
(generic_clause (constant_interface_declaration (identifier_list (identifier) @name @def.constant)))
(port_clause (signal_interface_declaration (identifier_list (identifier) @name @def.property)))
[(signal_declaration (identifier_list (identifier) @name @def.variable)) (shared_variable_declaration (identifier_list (identifier) @name @def.variable))]
(package_declaration (declarative_part (constant_declaration (identifier_list (identifier) @name @def.constant))))
(package_body (declarative_part (constant_declaration (identifier_list (identifier) @name @def.constant))))
(architecture_body (declarative_part (constant_declaration (identifier_list (identifier) @name @def.constant))))
(alias_declaration designator: (identifier) @name) @def.type

; Types.
(full_type_declaration name: (identifier) @name (record_type_definition)) @def.struct
(full_type_declaration name: (identifier) @name (enumeration_type_definition)) @def.enum
(full_type_declaration name: (identifier) @name) @def.type
(incomplete_type_declaration name: (identifier) @name) @def.type
(subtype_declaration name: (identifier) @name) @def.type
(element_declaration (identifier_list (identifier) @name @def.field))
(enumeration_type_definition literal: (identifier) @name @def.enum_member)

; Subprograms and processes.
(function_body designator: (_) @name (function_parameter_clause)? @params) @def.function
(function_declaration designator: (_) @name (function_parameter_clause)? @params) @def.function @signature
(procedure_body designator: (_) @name (procedure_parameter_clause)? @params) @def.function
(procedure_declaration designator: (_) @name (procedure_parameter_clause)? @params) @def.function @signature
(process_statement (label (identifier) @name)) @def.function
(comment) @comment
