; Definitions. The capture spans the definition, @name the identifier alone.
(namespace_definition name: (_) @name @region.skip !body) @def.namespace @rest.next
(namespace_definition name: (_) @name @region.skip body: (_)) @def.namespace
(class_declaration name: (name) @name) @def.class
(anonymous_class "class" @name) @def.class
(interface_declaration name: (name) @name) @def.interface
(trait_declaration name: (name) @name) @def.trait
(enum_declaration name: (name) @name) @def.enum
(enum_case name: (name) @name) @def.enum_member
(function_definition name: (name) @name parameters: (_) @params return_type: (_)? @returns) @def.function
(method_declaration name: (name) @name parameters: (_) @params return_type: (_)? @returns) @def.method

; One declaration may define several: what stands before them (@group) holds for each.
(property_declaration type: (_)? @type) @group
(property_declaration (property_element name: (variable_name (name) @name) @skip) @def.field)
(property_declaration (property_element name: (variable_name (name) @name)) @def.property (property_hook_list))
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @name)) @def.field
(const_declaration type: (_)? @type) @group
(const_declaration "const" @modifier (const_element . (name) @name) @def.constant)
((function_call_expression function: (name) @define arguments: (arguments . (argument (string (string_content) @name)))) @def.constant
  (#any-of? @define "define" "DEFINE"))
(program (expression_statement (assignment_expression left: (variable_name) @bind.define)))

[(class_declaration [(abstract_modifier) (final_modifier) (readonly_modifier)] @modifier)
 (method_declaration [(visibility_modifier) (abstract_modifier) (final_modifier) (static_modifier)] @modifier)
 (property_declaration [(visibility_modifier) (static_modifier) (readonly_modifier)] @modifier)
 (property_promotion_parameter [(visibility_modifier) (readonly_modifier)] @modifier)
 (const_declaration [(visibility_modifier) (final_modifier)] @modifier)]

; Attributes say whether a definition is deprecated or overrides.
(attribute_list (attribute_group (attribute . (_) @modifier)))

; A trait that a class uses comes before what the class inherits.
(base_clause (_) @base)
(class_interface_clause (_) @base)
(use_declaration [(name) (qualified_name) (relative_name)] @base.first)

((comment) @comment (#match? @comment "^/[*][*]"))
