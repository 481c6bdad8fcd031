; Definitions. The capture spans the definition, @name the identifier alone, @qualified a name with its owners. What a declaration says before its
; declarators (type, static, virtual, const) the rule "c" of rules.declarators reads from its node.
(function_definition declarator: [
  (function_declarator parameters: (_) @params)
  (pointer_declarator declarator: (function_declarator parameters: (_) @params))
  (reference_declarator (function_declarator parameters: (_) @params))
  (pointer_declarator declarator: [
    (pointer_declarator declarator: (function_declarator parameters: (_) @params)) (reference_declarator (function_declarator parameters: (_) @params))])
  (operator_cast declarator: (abstract_function_declarator parameters: (_) @params))
  (qualified_identifier name: (operator_cast declarator: (abstract_function_declarator parameters: (_) @params)))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator parameters: (_) @params))))]) @def.function

; Declarations of functions.
(declaration declarator: [
  (function_declarator parameters: (_) @params)
  (pointer_declarator declarator: (function_declarator parameters: (_) @params))
  (reference_declarator (function_declarator parameters: (_) @params))
  (pointer_declarator declarator: [
    (pointer_declarator declarator: (function_declarator parameters: (_) @params)) (reference_declarator (function_declarator parameters: (_) @params))])
  (operator_cast declarator: (abstract_function_declarator parameters: (_) @params))] @def.function @signature)
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name) (identifier)] parameters: (_) @params)
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] parameters: (_) @params))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] parameters: (_) @params))
  (pointer_declarator declarator: [
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) parameters: (_) @params))
    (reference_declarator (function_declarator declarator: (field_identifier) parameters: (_) @params))])
  (operator_cast declarator: (abstract_function_declarator parameters: (_) @params))] @def.function @signature)

(function_declarator declarator: [
  (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name (parenthesized_declarator (identifier) @name)
  (template_function name: (identifier) @name) (qualified_identifier) @qualified])
(operator_cast "operator" @name.first type: (_) @name)
(function_definition declarator: (qualified_identifier name: (operator_cast)) @qualified)
(function_declarator (type_qualifier) @header)
(function_declarator (ref_qualifier) @header)
(operator_cast declarator: (abstract_function_declarator (type_qualifier) @header))

; One declaration may define several: what stands before them (@group) holds for each. Variables are @bind.define of refs.scm.
(translation_unit (declaration) @group)
(linkage_specification (declaration) @group)
(declaration_list (declaration) @group)
(field_declaration_list (declaration) @group)
(template_declaration (declaration) @group)
(friend_declaration (declaration) @group)
(preproc_if (declaration) @group)
(preproc_ifdef (declaration) @group)
(preproc_else (declaration) @group)
(preproc_elif (declaration) @group)
(preproc_elifdef (declaration) @group)
(template_declaration "template" @modifier) @group
(friend_declaration "friend" @modifier) @group

(namespace_definition name: (_) @name @region.skip) @def.namespace
(namespace_definition !name body: (_) @anonymous)
((linkage_specification value: (string_literal) @linkage) @linkage.c (#eq? @linkage "\"C\""))

(class_specifier name: [(type_identifier) @name (template_type) @name (qualified_identifier) @qualified] body: (_)) @def.class
(struct_specifier body: (_)) @def.struct
(struct_specifier name: [(type_identifier) @name (template_type) @name (qualified_identifier) @qualified] body: (_))
(union_specifier body: (_)) @def.struct
(union_specifier name: [(type_identifier) @name (template_type) @name (qualified_identifier) @qualified] body: (_))
(enum_specifier body: (_)) @def.enum
(enum_specifier name: [(type_identifier) @name (qualified_identifier) @qualified] body: (_))
(enum_specifier ["class" "struct"] @modifier body: (_))
(enumerator name: (identifier) @name) @def.enum_member
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)
(field_declaration_list (access_specifier) @section)
(concept_definition name: (identifier) @name) @def.trait
(alias_declaration name: (type_identifier) @name type: (_) @type) @def.type

; A typedef of a struct without a name is that struct.
(type_definition) @group
(type_definition declarator: (type_identifier) @name @def.type)
(type_definition declarator: [
  (pointer_declarator declarator: (type_identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (type_identifier) @name))
  (reference_declarator (type_identifier) @name)
  (array_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)]))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))] @def.type)

(field_declaration) @group
(field_declaration declarator: (field_identifier) @name @def.field)
(field_declaration declarator: [
  (pointer_declarator declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)])
    (array_declarator declarator: (field_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))])
  (reference_declarator (field_identifier) @name)
  (array_declarator declarator: [
    (field_identifier) @name
    (parenthesized_declarator [(reference_declarator (field_identifier) @name) (pointer_declarator declarator: (field_identifier) @name)])
    (array_declarator declarator: (field_identifier) @name)])
  (parenthesized_declarator [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)])))] @def.field)
; Static members are defined outside of their class.
(declaration declarator: [
  (qualified_identifier) @qualified
  (init_declarator declarator: (qualified_identifier) @qualified)
  (init_declarator declarator: (pointer_declarator declarator: (qualified_identifier) @qualified))
  (array_declarator declarator: (qualified_identifier) @qualified)
  (init_declarator declarator: (array_declarator declarator: (qualified_identifier) @qualified))
  (pointer_declarator declarator: (qualified_identifier) @qualified)] @def.variable)

(preproc_def name: (identifier) @name) @def.macro
(preproc_function_def name: (identifier) @name parameters: (_) @params) @def.macro

(virtual_specifier) @modifier
(attribute_specifier (argument_list (identifier) @modifier))
(attribute_declaration (attribute name: (identifier) @modifier))
