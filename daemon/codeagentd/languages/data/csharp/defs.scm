; Definitions. The capture spans the definition, @name the identifier alone; @name.first begins a name of several tokens.
(namespace_declaration name: (_) @name @region.skip) @def.namespace
(file_scoped_namespace_declaration name: (_) @name @region.skip) @def.namespace @rest
(class_declaration name: (identifier) @name) @def.class
(struct_declaration name: (identifier) @name) @def.struct
(record_declaration name: (identifier) @name) @def.record
(interface_declaration name: (identifier) @name) @def.interface
(enum_declaration name: (identifier) @name) @def.enum
(enum_member_declaration name: (identifier) @name) @def.enum_member
(delegate_declaration type: (_) @returns name: (identifier) @name parameters: (_) @params) @def.delegate

(method_declaration returns: (_) @returns name: (identifier) @name parameters: (_) @params) @def.method
(constructor_declaration name: (identifier) @name parameters: (_) @params) @def.constructor
(destructor_declaration "~" @name.first name: (identifier) @name @skip parameters: (_) @params) @def.method
(operator_declaration type: (_) @returns "operator" @name.first operator: _ @name parameters: (_) @params) @def.method
(conversion_operator_declaration ["implicit" "explicit"] @name.first type: (_) @name @returns parameters: (_) @params) @def.method
(local_function_statement type: (_) @returns name: (identifier) @name parameters: (_) @params) @def.function
(property_declaration type: (_) @type @returns name: (identifier) @name) @def.property
(indexer_declaration type: (_) @type @returns "this" @name parameters: (_) @params) @def.property
(event_declaration type: (_) @type name: (identifier) @name) @def.event

; One declaration may define several fields: what stands before them (@group) holds for each.
(field_declaration (variable_declaration type: (_) @type)) @group
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @def.field))
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name) @def.constant))
(event_field_declaration (variable_declaration type: (_) @type)) @group
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @def.event))

; The parameters of a primary constructor; those of a record are properties.
(class_declaration (parameter_list) @params)
(struct_declaration (parameter_list) @params)
(record_declaration (parameter_list) @params)
(record_declaration (parameter_list (parameter type: (_) @type @returns name: (identifier) @name) @def.property))

; What tells definitions of one name apart besides their parameters.
(type_parameter_list) @header
(explicit_interface_specifier) @header
(constructor_declaration (modifier "static") @header)

; Attributes say whether a definition is obsolete. Each kind of declaration is named once: naming it again costs as much again where the query is compiled.
[(class_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (struct_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (record_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (interface_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (enum_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (delegate_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (method_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (constructor_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (operator_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (conversion_operator_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (property_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (indexer_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (event_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (event_field_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (field_declaration [(modifier) @modifier (attribute_list (_ name: (_) @modifier))])
 (local_function_statement (modifier) @modifier) (enum_member_declaration (attribute_list (_ name: (_) @modifier)))]

(base_list [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @base)
(primary_constructor_base_type type: (_) @base)
