; Derived from the grammar by `make grammars`.
(entity_declaration name: (identifier) @name) @def.class
(architecture_body name: (identifier) @name) @def.class
(function_body designator: (identifier) @name) @def.function
(procedure_declaration . [(extended_identifier) (identifier)] @name) @def.function
(function_declaration . [(extended_identifier) (identifier)] @name) @def.function
(package_declaration name: [(extended_identifier) (identifier)] @name) @def.module
(enumeration_type_definition . [(extended_identifier) (identifier)] @name) @def.enum
(physical_type_definition . [(simple_name) (extended_simple_name)] @name) @def.type
(primary_unit_declaration name: [(extended_identifier) (identifier)] @name) @def.module
(secondary_unit_declaration name: [(extended_identifier) (identifier)] @name) @def.module
(record_type_definition . [(simple_name) (extended_simple_name)] @name) @def.struct
(incomplete_type_declaration name: [(extended_identifier) (identifier)] @name) @def.type
(protected_type_declaration . [(simple_name) (extended_simple_name)] @name) @def.type
(full_type_declaration name: [(extended_identifier) (identifier)] @name) @def.type
(type_interface_declaration name: [(extended_identifier) (identifier)] @name) @def.type
(procedure_interface_declaration . [(extended_identifier) (identifier)] @name) @def.function
(function_interface_declaration . [(extended_identifier) (identifier)] @name) @def.function
(package_interface_declaration name: [(extended_identifier) (identifier)] @name) @def.module
(alias_declaration . [(simple_name) (extended_identifier) (extended_simple_name) (identifier)] @name) @def.type
(component_declaration name: [(extended_identifier) (identifier)] @name) @def.field
(PSL_Property_Declaration . (PSL_Identifier) @name) @def.property
(numeric_type_definition . (attribute_name) @name) @def.type
(parameter_specification name: [(extended_identifier) (identifier)] @bind)
(PSL_Parameter_Specification . (PSL_Identifier) @bind)
(PSL_Formal_Parameter . (PSL_Identifier) @bind)
(procedure_instantiation_declaration . [(simple_name) (extended_identifier) (extended_simple_name) (identifier)] @ref.call)
(function_instantiation_declaration . [(simple_name) (extended_identifier) (extended_simple_name) (identifier)] @ref.call)
(package_instantiation_declaration name: [(extended_identifier) (identifier)] @ref.call)
(function_call function: [(simple_name) (extended_simple_name)] @ref.call)
(procedure_call_statement . [(simple_name) (extended_simple_name)] @ref.call)
(entity_instantiation . [(simple_name) (extended_simple_name)] @ref.call)
(configuration_instantiation . [(simple_name) (extended_simple_name)] @ref.call)
(component_instantiation . [(simple_name) (extended_simple_name)] @ref.call)
(simple_name) @ref
(extended_identifier) @ref
(external_constant_name) @ref
(external_signal_name) @ref
(external_variable_name) @ref
(PSL_Identifier) @ref
(extended_simple_name) @ref
(identifier) @ref
(comment) @comment
