; Definitions. The capture spans the definition, @name the identifier alone. What a declaration says before its declarators (type, static, extern, const)
; the rule "c" of rules.declarators reads from its node.
(function_definition declarator: [
  (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
  (pointer_declarator declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
    (pointer_declarator declarator: [
      (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params))])])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator:
    (function_declarator declarator: (identifier) @name parameters: (_) @params))))]) @def.function

; Prototypes.
(declaration declarator: [
  (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
  (pointer_declarator declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
    (pointer_declarator declarator: [
      (function_declarator declarator: [(identifier) @name (parenthesized_declarator (identifier) @name)] parameters: (_) @params)
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name parameters: (_) @params))])])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator:
    (function_declarator declarator: (identifier) @name parameters: (_) @params))))] @def.function @signature)

; One declaration may define several: what stands before them (@group) holds for each. Variables are @bind.define of refs.scm.
(translation_unit (declaration) @group)
(linkage_specification (declaration) @group)
(declaration_list (declaration) @group)
(preproc_if (declaration) @group)
(preproc_ifdef (declaration) @group)
(preproc_else (declaration) @group)
(preproc_elif (declaration) @group)
(preproc_elifdef (declaration) @group)

(struct_specifier "struct" @header body: (_)) @def.struct
(struct_specifier name: (type_identifier) @name body: (_))
(union_specifier "union" @header body: (_)) @def.struct
(union_specifier name: (type_identifier) @name body: (_))
(enum_specifier "enum" @header body: (_)) @def.enum
(enum_specifier name: (type_identifier) @name body: (_))
(enumerator name: (identifier) @name) @def.enum_member

; A typedef of a struct without a name is that struct.
(type_definition) @group
(type_definition declarator: (type_identifier) @name @def.type)
(type_definition declarator: [
  (pointer_declarator declarator: (type_identifier) @name)
  (pointer_declarator declarator: (pointer_declarator declarator: (type_identifier) @name))
  (array_declarator declarator: (type_identifier) @name)
  (parenthesized_declarator (type_identifier) @name)
  (function_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator [
    (type_identifier) @name
    (pointer_declarator declarator: (type_identifier) @name)
    (pointer_declarator declarator: (array_declarator declarator: (type_identifier) @name))]))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))] @def.type)

(field_declaration) @group
(field_declaration declarator: (field_identifier) @name @def.field)
(field_declaration declarator: [
  (pointer_declarator declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)])
    (array_declarator declarator: (field_identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))])
  (array_declarator declarator: [
    (field_identifier) @name
    (array_declarator declarator: [(field_identifier) @name (array_declarator declarator: (field_identifier) @name)])])
  (parenthesized_declarator [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name)])
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)])))] @def.field)

(preproc_def name: (identifier) @name) @def.macro
(preproc_function_def name: (identifier) @name parameters: (_) @params) @def.macro

(attribute_specifier (argument_list (identifier) @modifier))
(attribute_declaration (attribute name: (identifier) @modifier))
