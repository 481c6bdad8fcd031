; Types. An extension is a definition of its own, called by its words: the type has its name.
(object_type_definition (name) @name) @def.type
(interface_type_definition (name) @name) @def.interface
(input_object_type_definition (name) @name) @def.type
(union_type_definition (name) @name) @def.type
(scalar_type_definition (name) @name) @def.type
(enum_type_definition (name) @name) @def.enum
(enum_value_definition (enum_value (name) @name)) @def.enum_member
(directive_definition (name) @name (arguments_definition)? @params) @def.function
(field_definition (name) @name (arguments_definition)? @params (type) @type @returns) @def.field
(input_fields_definition (input_value_definition (name) @name (type) @type) @def.field)
[(object_type_extension "extend" @name.first (name) @name) (interface_type_extension "extend" @name.first (name) @name)
 (input_object_type_extension "extend" @name.first (name) @name) (enum_type_extension "extend" @name.first (name) @name)
 (union_type_extension "extend" @name.first (name) @name)] @def.type

; Operations and fragments.
(operation_definition (name) @name (variable_definitions)? @params) @def.function
(fragment_definition (fragment_name (name) @name)) @def.type

(description) @doc
[(field_definition (directives (directive (name) @modifier))) (enum_value_definition (directives (directive (name) @modifier)))]
(implements_interfaces (named_type (name) @base))
