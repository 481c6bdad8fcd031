; Definitions. The capture spans the definition, @name the identifier alone; @name.first begins a name of several tokens.
(package_clause name: (package_identifier) @name @region.skip !body) @def.namespace @rest
(package_clause name: (package_identifier) @name @region.skip body: (_)) @def.namespace
(package_object name: (identifier) @name) @def.namespace
(class_definition name: (identifier) @name) @def.class
(trait_definition name: (identifier) @name) @def.trait
(object_definition "object" @modifier @header name: (identifier) @name) @def.class
(enum_definition name: (identifier) @name) @def.enum
(simple_enum_case name: (identifier) @name) @def.enum_member
(full_enum_case name: (identifier) @name) @def.enum_member
(type_definition "type" @header name: (type_identifier) @name) @def.type
(type_definition type: (_) @type)
; A class without a name of its own, known by what it is made of.
(instance_expression "new" @name.first . [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)
  (generic_type type: [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)])
  (compound_type base: [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)
    (generic_type type: [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)])])] (template_body)) @def.class
(instance_expression "new" @name.first . (compound_type base: [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)
  (generic_type type: [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)])] (template_body))) @def.class
(instance_expression "new" @name . (template_body)) @def.class
(instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @base (template_body))
(instance_expression . (compound_type base: (_) @base) (template_body))
(instance_expression . (compound_type extra: (_) @base) (template_body))
(instance_expression . (compound_type base: (_) @base (template_body)))
(instance_expression . (compound_type extra: (_) @base (template_body)))

(function_definition name: (_) @name) @def.function
(function_declaration name: (_) @name) @def.function
(function_definition (parameters) @params)
(function_declaration (parameters) @params)
(function_definition return_type: (_) @returns)
(function_declaration return_type: (_) @returns)
(class_definition class_parameters: (class_parameters) @params)
(enum_definition class_parameters: (class_parameters) @params)
(full_enum_case class_parameters: (class_parameters) @params)
(class_parameter ["val" "var"] name: (identifier) @name type: (_) @type @returns) @def.property
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (identifier) @name type: (_) @type @returns) @def.property))

; Values of types, objects and files; those of a function are local.
(template_body (val_definition pattern: (identifier) @name) @def.property)
(template_body (var_definition pattern: (identifier) @name) @def.property)
(template_body (val_definition pattern: (identifiers (identifier) @name @def.property)))
(template_body (var_definition pattern: (identifiers (identifier) @name @def.property)))
(template_body (val_definition pattern: (tuple_pattern (identifier) @name @def.property)))
(with_template_body (val_definition pattern: (identifier) @name) @def.property)
(enum_body (val_definition pattern: (identifier) @name) @def.property)
(compilation_unit (val_definition pattern: (identifier) @name) @def.property)
(compilation_unit (var_definition pattern: (identifier) @name) @def.property)
(template_body (val_definition pattern: (identifier) type: (_) @type @returns))
(template_body (var_definition pattern: (identifier) type: (_) @type @returns))
(compilation_unit (val_definition pattern: (identifier) type: (_) @type @returns))
(compilation_unit (var_definition pattern: (identifier) type: (_) @type @returns))
(val_declaration name: (identifier) @name . ":") @def.property
(var_declaration name: (identifier) @name . ":") @def.property
(val_declaration type: (_) @type @returns)
(var_declaration type: (_) @type @returns)
(given_definition name: (identifier) @name) @def.property
(given_definition "given" @name.first . return_type: (_) @name) @def.property
(given_definition name: (identifier) return_type: [(type_identifier) (generic_type)] @type @returns)

; What tells definitions of one name apart besides their parameters.
(function_definition (type_parameters) @header)
(function_declaration (type_parameters) @header)
; Functions of an extension are called on values of its type.
(extension_definition parameters: (parameters (parameter type: [(type_identifier) (generic_type) (stable_type_identifier)] @extended))) @extension

(modifiers ["abstract" "override"] @modifier)
(modifiers (access_modifier) @modifier)
[(class_definition (annotation name: (_) @modifier)) (trait_definition (annotation name: (_) @modifier)) (object_definition (annotation name: (_) @modifier))
 (enum_definition (annotation name: (_) @modifier)) (function_definition (annotation name: (_) @modifier))
 (function_declaration (annotation name: (_) @modifier)) (val_definition (annotation name: (_) @modifier)) (var_definition (annotation name: (_) @modifier))
 (val_declaration (annotation name: (_) @modifier)) (type_definition (annotation name: (_) @modifier))]

(class_definition extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(trait_definition extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(object_definition extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(enum_definition extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @base))
(class_definition derive: (derives_clause (type_identifier) @modifier))
