; Types, directives, fragments.
(named_type (name) @ref)
(implements_interfaces (named_type (name) @ref.implement))
(interface_type_definition (implements_interfaces (named_type (name) @ref.extend)))
[(object_type_extension (name) @ref @ref.extend) (interface_type_extension (name) @ref @ref.extend)
 (input_object_type_extension (name) @ref @ref.extend) (enum_type_extension (name) @ref @ref.extend) (union_type_extension (name) @ref @ref.extend)]
(directive (name) @ref @ref.decorate)
(fragment_spread (fragment_name (name) @ref @ref.use))
(field_definition (type) @region.returns)
(arguments_definition) @region.accepts
(variable_definitions) @region.accepts
[(input_fields_definition) (union_member_types) (type_condition) (root_operation_type_definition)] @region.type
