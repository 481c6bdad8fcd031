; Definitions. The capture spans the definition, @name the identifier alone; @name.first begins a name of several tokens.
(package_declaration [(identifier) (scoped_identifier)] @name @region.skip) @def.namespace @rest
(module_declaration name: (_) @name @region.skip) @def.module
(class_declaration name: (identifier) @name) @def.class
(interface_declaration name: (identifier) @name) @def.interface
(annotation_type_declaration name: (identifier) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(record_declaration name: (identifier) @name parameters: (_) @params) @def.record
(enum_constant name: (identifier) @name) @def.enum_member
; A class without a name of its own, known by what it is made of.
(object_creation_expression "new" @name.first
  type: [(type_identifier) @name (generic_type . (type_identifier) @name) (scoped_type_identifier (type_identifier) @name .)
    (generic_type . (scoped_type_identifier (type_identifier) @name .))] (class_body)) @def.class
(object_creation_expression type: (_) @base (class_body))

(method_declaration type: (_) @returns name: (identifier) @name parameters: (_) @params) @def.method
(annotation_type_element_declaration type: (_) @returns name: (identifier) @name) @def.method
(constructor_declaration name: (identifier) @name parameters: (_) @params) @def.constructor
(compact_constructor_declaration name: (identifier) @name) @def.constructor
(compact_constructor_declaration name: (identifier) @header)

; One declaration may define several fields: what stands before them (@group) holds for each.
(field_declaration type: (_) @type) @group
(field_declaration declarator: (variable_declarator name: (identifier) @name) @def.field)
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name) @def.constant)
(field_declaration (modifiers "final" "static") declarator: (variable_declarator name: (identifier) @name) @def.constant)
(constant_declaration type: (_) @type) @group
(constant_declaration declarator: (variable_declarator name: (identifier) @name) @def.constant)
; The components of a record.
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type @returns name: (identifier) @name) @def.field))
(record_declaration parameters: (formal_parameters
  (spread_parameter [(type_identifier) (generic_type) (scoped_type_identifier) (array_type) (integral_type) (floating_point_type) (boolean_type)] @type
    (variable_declarator name: (identifier) @name)) @def.field))

; What tells definitions of one name apart besides their parameters.
(method_declaration type_parameters: (_) @header)

(modifiers ["public" "protected" "private" "static" "abstract" "default"] @modifier)
(interface_body (method_declaration ";" @modifier))
[(class_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (interface_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (annotation_type_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (enum_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (record_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (enum_constant (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (method_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (constructor_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (annotation_type_element_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (field_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (constant_declaration (modifiers [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)]))
 (package_declaration [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)])
 (module_declaration [(marker_annotation name: (_) @modifier) (annotation name: (_) @modifier)])]

(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))
