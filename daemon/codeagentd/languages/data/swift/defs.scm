; Definitions. The capture spans the definition, @name the identifier alone.
(class_declaration "class" name: (type_identifier) @name) @def.class
(class_declaration "actor" name: (type_identifier) @name) @def.class
(class_declaration "struct" name: (type_identifier) @name) @def.struct
(class_declaration "enum" name: (type_identifier) @name) @def.enum
(protocol_declaration name: (type_identifier) @name) @def.interface
; An extension is a place of the type that it extends; alone, it stands for a type from elsewhere.
(class_declaration "extension" @signature name: (user_type) @name) @def.type
(typealias_declaration name: (type_identifier) @name "=" . (_) @type) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type
[(associatedtype_declaration (type_identifier) @type .)
 (associatedtype_declaration (type_identifier) @type . ["=" (type_constraints)])
 (associatedtype_declaration (type_identifier) . ":" . (_) @type)]
(enum_entry) @group
(enum_entry name: (simple_identifier) @name @def.enum_member)

(function_declaration "func" . name: _ @name) @def.function @params
(protocol_function_declaration "func" . name: _ @name) @def.function @params
(init_declaration "init" @name) @def.constructor @params
(deinit_declaration "deinit" @name) @def.method
(subscript_declaration "subscript" @name) @def.property @params
(macro_declaration "macro" . (simple_identifier) @name) @def.macro
(function_declaration "->" . (_) @returns @header)
(protocol_function_declaration "->" . (_) @returns)
(subscript_declaration "->" . (_) @returns @type)

; Properties of types and files; those of a function are local. One declaration may define several: what stands before them (@group) holds for each.
[(class_body (property_declaration) @group) (enum_class_body (property_declaration) @group) (source_file (property_declaration) @group)]
(class_body (_ name: (pattern bound_identifier: (simple_identifier) @name) @def.property))
(class_body (_ name: (pattern (pattern (simple_identifier) @name) @def.property)))
(enum_class_body (_ name: (pattern bound_identifier: (simple_identifier) @name) @def.property))
(source_file (_ name: (pattern bound_identifier: (simple_identifier) @name) @def.property))
(source_file (_ name: (pattern (pattern (simple_identifier) @name) @def.property)))
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property
(protocol_property_declaration (type_annotation (_) @type @returns))

; What tells definitions of one name apart besides their parameters.
; A requirement of a protocol is not what an extension of the protocol does by default.
(protocol_function_declaration "func" @header @modifier)
(protocol_property_declaration name: (pattern (value_binding_pattern) @header @modifier))
(function_declaration [(type_parameters) (type_constraints)] @header)
(function_declaration (modifiers (property_modifier) @header))
(class_declaration (type_parameters) @params)
(_ "init" [(type_parameters) (type_constraints)] @header)

; A node that is named costs, where the query is compiled, an analysis of all that the grammar may put into it; `_` costs nothing. It stands here for what can
; be nothing else: the only modifier with a name inside is an attribute, and modifiers stand before `let` or `var` in a property. Steps under an inner `_`
; count as certain without being analysed, and a capture before them is given out at once: the last step names its parent.
[(class_declaration (modifiers [(visibility_modifier) @modifier (_ (simple_identifier) @modifier)]))
 (protocol_declaration (modifiers [(visibility_modifier) @modifier (_ (simple_identifier) @modifier)]))
 (typealias_declaration (modifiers [(visibility_modifier) @modifier (_ (simple_identifier) @modifier)]))
 (function_declaration (modifiers [(visibility_modifier) @modifier (property_modifier) @modifier (member_modifier) @modifier (_ (simple_identifier) @modifier)]))
 (_ (modifiers [(visibility_modifier) @modifier (member_modifier) @modifier (_ (simple_identifier) @modifier)]) "init")
 (subscript_declaration (modifiers [(visibility_modifier) (property_modifier) (member_modifier)] @modifier))
 (protocol_function_declaration (modifiers [(property_modifier) @modifier (_ (simple_identifier) @modifier)]))
 (protocol_property_declaration (modifiers (property_modifier) @modifier))
 (enum_entry (modifiers (_ (simple_identifier) @modifier)))]
(class_body (_ (modifiers [(visibility_modifier) @modifier (property_modifier) @modifier (member_modifier) @modifier (_ (simple_identifier) @modifier)])
  . [(value_binding_pattern "let") (value_binding_pattern "var")]))
(enum_class_body (_ (modifiers [(visibility_modifier) (property_modifier) (member_modifier)] @modifier) . [(value_binding_pattern "let") (value_binding_pattern "var")]))
(source_file (_ (modifiers [(visibility_modifier) @modifier (_ (simple_identifier) @modifier)]) . [(value_binding_pattern "let") (value_binding_pattern "var")]))
(function_declaration ["async" "class"] @modifier)
(protocol_function_declaration "async" @modifier)
(inheritance_specifier inherits_from: (user_type) @base)
