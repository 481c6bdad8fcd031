; Definitions. The capture spans the definition, @name the identifier alone; @name.first begins a name of several tokens.
(package_header (identifier) @name @region.skip) @def.namespace @rest
(class_declaration "class" (type_identifier) @name) @def.class
(class_declaration "interface" (type_identifier) @name) @def.interface
(class_declaration "enum" (type_identifier) @name) @def.enum
(object_declaration (type_identifier) @name) @def.class
(companion_object "companion" @modifier (type_identifier) @name) @def.class
(companion_object "companion" @modifier "object" @unnamed . (class_body)? .) @def.class
; An object without a name of its own, known by what it is made of.
(object_literal "object" @name . (class_body)) @def.class
(object_literal "object" @name.first . (delegation_specifier [(user_type (type_identifier) @name) (constructor_invocation (user_type (type_identifier) @name))
  (explicit_delegation (user_type (type_identifier) @name))])) @def.class
(enum_entry (simple_identifier) @name) @def.enum_member
(type_alias (type_identifier) @name . (type_parameters)? . (_) @type) @def.type

(class_declaration (primary_constructor) @params)
(class_parameter (binding_pattern_kind) . (simple_identifier) @name [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type @returns) @def.property
(secondary_constructor "constructor" @name (function_value_parameters) @params) @def.constructor
(function_declaration (simple_identifier) @name (function_value_parameters) @params) @def.function
(function_declaration (function_value_parameters) . [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @returns)
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @def.property)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @def.property)
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @def.property)
(source_file (property_declaration (variable_declaration (simple_identifier) [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type @returns)))
(class_body (property_declaration (variable_declaration (simple_identifier) [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type @returns)))
(enum_class_body (property_declaration (variable_declaration (simple_identifier) [(user_type) (nullable_type) (function_type) (parenthesized_type) (not_nullable_type)] @type @returns)))

; What tells definitions of one name apart besides their parameters. An extension is known by the type that it extends.
(function_declaration (type_parameters) @header)
(function_declaration receiver: (_) @header . "." @header)
(property_declaration receiver: (_) @header . "." @header)
(function_declaration receiver: (receiver_type [(user_type) @base (nullable_type (user_type) @base) (parenthesized_type (_) @base)]))
(property_declaration receiver: (receiver_type [(user_type) @base (nullable_type (user_type) @base) (parenthesized_type (_) @base)]))

; The only modifiers with a type inside are annotations, with or without arguments.
[(class_declaration (modifiers [(visibility_modifier) @modifier (inheritance_modifier) @modifier (member_modifier) @modifier (class_modifier) @modifier (platform_modifier) @modifier (_ [(user_type) @modifier (_ (user_type) @modifier)])]))
 (object_declaration (modifiers [(visibility_modifier) @modifier (member_modifier) @modifier (class_modifier) @modifier (platform_modifier) @modifier (_ [(user_type) @modifier (_ (user_type) @modifier)])]))
 (companion_object (modifiers [(visibility_modifier) (member_modifier) (platform_modifier)] @modifier))
 (function_declaration (modifiers [(visibility_modifier) @modifier (inheritance_modifier) @modifier (member_modifier) @modifier (function_modifier) @modifier (platform_modifier) @modifier (_ [(user_type) @modifier (_ (user_type) @modifier)])]))
 (property_declaration (modifiers [(visibility_modifier) @modifier (inheritance_modifier) @modifier (member_modifier) @modifier (property_modifier) @modifier (platform_modifier) @modifier (_ [(user_type) @modifier (_ (user_type) @modifier)])]))
 (class_parameter (modifiers [(visibility_modifier) (inheritance_modifier) (member_modifier) (platform_modifier)] @modifier))
 (secondary_constructor (modifiers [(visibility_modifier) @modifier (platform_modifier) @modifier (_ [(user_type) @modifier (_ (user_type) @modifier)])]))
 (type_alias (modifiers [(visibility_modifier) @modifier (platform_modifier) @modifier (_ [(user_type) @modifier (_ (user_type) @modifier)])]))
 (enum_entry (modifiers (_ [(user_type) @modifier (_ (user_type) @modifier)])))]

(delegation_specifier [(user_type) @base (constructor_invocation (user_type) @base) (explicit_delegation (user_type) @base)])
