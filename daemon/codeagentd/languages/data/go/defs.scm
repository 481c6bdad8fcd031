; Definitions. The capture spans the definition, @name the identifier alone. A package is the namespace of all its files.
(package_clause (package_identifier) @name) @def.namespace @rest

((function_declaration name: (identifier) @name parameters: (_) @params) @def.function (#not-eq? @name "_"))
(function_declaration result: (_) @returns)
((method_declaration name: (field_identifier) @name parameters: (_) @params) @def.method (#not-eq? @name "_"))
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @owner
  (generic_type type: (type_identifier) @owner)
  (pointer_type [(type_identifier) @owner (generic_type type: (type_identifier) @owner)])
  (parenthesized_type [(type_identifier) @owner (pointer_type (type_identifier) @owner)])])))
(method_declaration result: (_) @returns)

; A declaration of one type begins with its word, one of several with its name.
(type_declaration "type" . (type_spec name: (_) @name type: (struct_type))) @def.struct
(type_declaration "type" . (type_spec name: (_) @name type: (interface_type))) @def.interface
(type_declaration "type" . (type_spec name: (_) @name type: [
  (type_identifier) (pointer_type) (channel_type) (function_type) (qualified_type) (generic_type) (parenthesized_type)
  (slice_type) @type (array_type) @type (map_type) @type])) @def.type
(type_declaration "type" . (type_alias name: (_) @name type: (_) @type)) @def.type
(type_declaration "(" (type_spec name: (_) @name type: (struct_type)) @def.struct)
(type_declaration "(" (type_spec name: (_) @name type: (interface_type)) @def.interface)
(type_declaration "(" (type_spec name: (_) @name type: [
  (type_identifier) (pointer_type) (channel_type) (function_type) (qualified_type) (generic_type) (parenthesized_type)
  (slice_type) @type (array_type) @type (map_type) @type]) @def.type)
(type_declaration "(" (type_alias name: (_) @name type: (_) @type) @def.type)

; One field declaration may define several: the first stands for it when it is the only one.
((type_spec type: (struct_type (field_declaration_list (field_declaration . name: (field_identifier) @name . type: (_) @type) @def.field)))
  (#not-eq? @name "_"))
(type_spec type: (struct_type (field_declaration_list (field_declaration type: (struct_type (field_declaration_list
  (field_declaration . name: (field_identifier) @name . type: (_) @type) @def.field))))))
(type_spec type: (struct_type (field_declaration_list (field_declaration name: (_) . "," type: (_) @type) @group)))
(type_spec type: (struct_type (field_declaration_list [
  (field_declaration . name: (field_identifier) @name @def.field . ",") (field_declaration name: (_) . "," name: (field_identifier) @name @def.field)])))
; An embedded field is called like its type.
(type_spec type: (struct_type (field_declaration_list (field_declaration !name type: [
  (type_identifier) @name (qualified_type name: (type_identifier) @name)
  (generic_type type: [(type_identifier) @name (qualified_type name: (type_identifier) @name)])] @type @base) @def.field)))
(interface_type (method_elem name: (field_identifier) @name parameters: (_) @params) @def.method @signature)
(method_elem result: (_) @returns)
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .))
; The terms of a constraint are no bases, and say that nothing implements it.
(interface_type (type_elem [(negated_type) (pointer_type)]) @base)
(interface_type (type_elem (_) . (_)) @base)

; One specification may define several names: what it says holds for each.
(source_file (const_declaration "const" . (const_spec type: (_)? @type)) @group)
(source_file (const_declaration "(" (const_spec type: (_)? @type) @group))
((source_file (const_declaration (const_spec (identifier) @name @def.constant))) (#not-eq? @name "_"))
(source_file (var_declaration "var" . (var_spec type: (_)? @type)) @group)
(source_file (var_declaration (var_spec_list (var_spec type: (_)? @type) @group)))
((source_file (var_declaration (var_spec name: (identifier) @name @def.variable))) (#not-eq? @name "_"))
((source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name @def.variable)))) (#not-eq? @name "_"))
