; Definitions. The capture spans the definition, @name the identifier alone.
(class_declaration "class" name: (type_identifier) @name) @def.class
(class_declaration "actor" name: (type_identifier) @name) @def.class
(class_declaration "struct" name: (type_identifier) @name) @def.struct
(class_declaration "enum" name: (type_identifier) @name) @def.enum
(protocol_declaration name: (type_identifier) @name) @def.interface
; An extension is a place of the type that it extends; alone, it stands for a type from elsewhere.
(class_declaration "extension" @signature name: (user_type) @name) @def.type
(typealias_declaration name: (type_identifier) @name "=" . (_) @type) @def.type
(associatedtype_declaration name: (type_identifier) @name @type) @def.type
(enum_entry) @group
(enum_entry name: (simple_identifier) @name @def.enum_member)

(function_declaration "func" . name: _ @name) @def.function @params
(protocol_function_declaration "func" . name: _ @name) @def.function @params
(init_declaration "init" @name) @def.constructor @params
(deinit_declaration "deinit" @name) @def.method
(subscript_declaration "subscript" @name) @def.property @params
(macro_declaration "macro" . (simple_identifier) @name) @def.macro
(function_declaration "->" . (_) @returns)
(protocol_function_declaration "->" . (_) @returns)
(subscript_declaration "->" . (_) @returns @type)

; Properties of types and files; those of a function are local. One declaration may define several: what stands before them (@group) holds for each.
(class_body (property_declaration) @group)
(enum_class_body (property_declaration) @group)
(source_file (property_declaration) @group)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) @def.property))
(class_body (property_declaration name: (pattern (pattern (simple_identifier) @name) @def.property)))
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) @def.property))
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) @def.property))
(source_file (property_declaration name: (pattern (pattern (simple_identifier) @name) @def.property)))
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property
(protocol_property_declaration (type_annotation (_) @type @returns))

; What tells definitions of one name apart besides their parameters.
(function_declaration (type_parameters) @header)
(init_declaration (type_parameters) @header)

[(class_declaration (modifiers (visibility_modifier) @modifier))
 (protocol_declaration (modifiers (visibility_modifier) @modifier))
 (function_declaration (modifiers (visibility_modifier) @modifier))
 (init_declaration (modifiers (visibility_modifier) @modifier))
 (subscript_declaration (modifiers (visibility_modifier) @modifier))
 (typealias_declaration (modifiers (visibility_modifier) @modifier))
 (class_body (property_declaration (modifiers (visibility_modifier) @modifier)))
 (enum_class_body (property_declaration (modifiers (visibility_modifier) @modifier)))
 (source_file (property_declaration (modifiers (visibility_modifier) @modifier)))]
[(function_declaration (modifiers [(property_modifier) (member_modifier)] @modifier)) (protocol_function_declaration (modifiers (property_modifier) @modifier))
 (init_declaration (modifiers (member_modifier) @modifier)) (subscript_declaration (modifiers [(property_modifier) (member_modifier)] @modifier))
 (class_body (property_declaration (modifiers [(property_modifier) (member_modifier)] @modifier)))
 (enum_class_body (property_declaration (modifiers [(property_modifier) (member_modifier)] @modifier)))
 (protocol_property_declaration (modifiers (property_modifier) @modifier))]
(function_declaration ["async" "class"] @modifier)
(protocol_function_declaration "async" @modifier)
[(class_declaration (modifiers (attribute (simple_identifier) @modifier))) (protocol_declaration (modifiers (attribute (simple_identifier) @modifier)))
 (function_declaration (modifiers (attribute (simple_identifier) @modifier))) (init_declaration (modifiers (attribute (simple_identifier) @modifier)))
 (protocol_function_declaration (modifiers (attribute (simple_identifier) @modifier))) (enum_entry (modifiers (attribute (simple_identifier) @modifier)))
 (typealias_declaration (modifiers (attribute (simple_identifier) @modifier)))
 (class_body (property_declaration (modifiers (attribute (simple_identifier) @modifier))))
 (source_file (property_declaration (modifiers (attribute (simple_identifier) @modifier))))]

(inheritance_specifier inherits_from: (user_type) @base)
