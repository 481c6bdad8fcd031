; Definitions. The capture spans the definition, @name the identifier alone. Where several kinds fit one node, one draft is made: a value (constant, field)
; gives way to any other kind, and an earlier kind of model.kinds.SymbolKind to a later one.
(function_declaration "async"? @modifier name: (identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.function
(generator_function_declaration "async"? @modifier name: (identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.function
(function_signature "async"? @modifier name: (identifier) @name @signature parameters: (_) @params return_type: (_)? @returns) @def.function

; A variable that holds a function or a class is one, wherever it stands.
(variable_declarator name: (identifier) @name value: [
  (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params return_type: (_)? @returns)
  (function_expression "async"? @modifier parameters: (_) @params return_type: (_)? @returns)
  (generator_function "async"? @modifier parameters: (_) @params return_type: (_)? @returns)]) @def.function
(variable_declarator name: (identifier) @name value: (class)) @def.class

(class_declaration name: (_) @name) @def.class
(abstract_class_declaration "abstract" @modifier name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(type_alias_declaration name: (_) @name value: [(type_identifier) (nested_type_identifier) (generic_type) (union_type) (intersection_type) (function_type) (array_type) (readonly_type)]? @type) @def.type
(enum_declaration name: (_) @name) @def.enum
(internal_module name: (_) @name) @def.namespace
(module name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)]) @def.module
(ambient_declaration "global" @name) @def.namespace
(import_alias . (identifier) @name) @def.variable

(enum_body name: [(property_identifier) @name (string (string_fragment) @name)] @def.enum_member)
(enum_body (enum_assignment name: [(property_identifier) @name (string (string_fragment) @name)]) @def.enum_member)

; Members of classes.
(class_body [
  (method_definition [(accessibility_modifier) (override_modifier) "static" "async" "get" "set"] @modifier)
  (method_signature [(accessibility_modifier) (override_modifier) "static" "async" "get" "set"] @modifier)])
(abstract_method_signature [(accessibility_modifier) (override_modifier) "abstract" "async" "get" "set"] @modifier)
(public_field_definition [(accessibility_modifier) (override_modifier) "static" "abstract"] @modifier)
(class_body (method_definition name: [
    (property_identifier) @name (private_property_identifier) @name (computed_property_name) @name (number) @name (string (string_fragment) @name)]
  parameters: (_) @params return_type: (_)? @returns) @def.method)
(class_body (method_signature name: [
    (property_identifier) @name @signature (private_property_identifier) @name @signature (computed_property_name) @name @signature
    (string (string_fragment) @name @signature)]
  parameters: (_) @params return_type: (_)? @returns) @def.method)
(abstract_method_signature
  name: [(property_identifier) @name (computed_property_name) @name (string (string_fragment) @name)] parameters: (_) @params return_type: (_)? @returns) @def.method
(public_field_definition name: [
    (property_identifier) @name (private_property_identifier) @name (computed_property_name) @name (number) @name (string (string_fragment) @name)]
  type: (type_annotation (_) @type)?) @def.field
(public_field_definition value: [
  (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params return_type: (_)? @returns)
  (function_expression "async"? @modifier parameters: (_) @params return_type: (_)? @returns)]) @def.method
(required_parameter [(accessibility_modifier) (override_modifier) "readonly"] @modifier pattern: (identifier) @name type: (type_annotation (_) @type)?) @def.field
(optional_parameter [(accessibility_modifier) (override_modifier) "readonly"] @modifier pattern: (identifier) @name type: (type_annotation (_) @type)?) @def.field

; Members of interfaces, and of type aliases that are objects.
(interface_body (method_signature ["get" "set"] @modifier))
(interface_body (method_signature name: [(property_identifier) @name (computed_property_name) @name (number) @name (string (string_fragment) @name)]
  parameters: (_) @params return_type: (_)? @returns) @def.method)
(interface_body (call_signature) @callable)
(type_alias_declaration value: (object_type (call_signature) @callable))
(interface_body (property_signature name: [(property_identifier) @name (computed_property_name) @name (number) @name (string (string_fragment) @name)]
  type: (type_annotation (_) @type)?) @def.property)
(type_alias_declaration value: [
  (object_type (method_signature
    name: [(property_identifier) @name (string (string_fragment) @name)] parameters: (_) @params return_type: (_)? @returns) @def.method)
  (object_type (property_signature name: [(property_identifier) @name (string (string_fragment) @name)] type: (type_annotation (_) @type)?) @def.property)
  (intersection_type (object_type [
    (method_signature name: [(property_identifier) @name (string (string_fragment) @name)] parameters: (_) @params return_type: (_)? @returns) @def.method
    (property_signature name: [(property_identifier) @name (string (string_fragment) @name)] type: (type_annotation (_) @type)?) @def.property]))
  (intersection_type (intersection_type (object_type [
    (method_signature name: [(property_identifier) @name (string (string_fragment) @name)] parameters: (_) @params return_type: (_)? @returns) @def.method
    (property_signature name: [(property_identifier) @name (string (string_fragment) @name)] type: (type_annotation (_) @type)?) @def.property])))])

; Variables of a file or namespace; those inside functions are locals.
(program [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)])
(internal_module body: (statement_block [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)]))
(module body: (statement_block [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)]))
(export_statement declaration: [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)])
(ambient_declaration [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)])
(ambient_declaration "global" (statement_block [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)
  (variable_declaration (variable_declarator name: (identifier) @name type: (type_annotation (_) @type)?) @def.variable)]))

; Functions in an object that a variable of the file holds are its methods.
(program (lexical_declaration (variable_declarator value: (object [
  (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
  (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]))))
(export_statement declaration: (lexical_declaration (variable_declarator value: (object [
  (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
  (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]))))
(export_statement value: (object [
  (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
  (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]))
; The same where its type is checked or fixed: `{ … } satisfies Parser`, `{ … } as const`.
(program (lexical_declaration (variable_declarator value: [
  (satisfies_expression [
    (object [
      (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
      (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method])
    (as_expression (object [
      (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
      (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]) "const")])
  (as_expression (object [
    (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
    (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]) "const")])))
(export_statement declaration: (lexical_declaration (variable_declarator value: [
  (satisfies_expression [
    (object [
      (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
      (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method])
    (as_expression (object [
      (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
      (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]) "const")])
  (as_expression (object [
    (method_definition ["async" "get" "set"]? @modifier name: (property_identifier) @name parameters: (_) @params return_type: (_)? @returns) @def.method
    (pair key: (property_identifier) @name value: [(arrow_function [parameters: (_) parameter: (_)] @params) (function_expression parameters: (_) @params)]) @def.method]) "const")])))

; A default export without a name of its own is called default.
(export_statement "default" @name value: [
  (arrow_function "async"? @modifier [parameters: (_) parameter: (_)] @params return_type: (_)? @returns)
  (function_expression "async"? @modifier !name parameters: (_) @params return_type: (_)? @returns)
  (generator_function "async"? @modifier !name parameters: (_) @params return_type: (_)? @returns)]) @def.function
(export_statement "default" @name value: (class !name)) @def.class
(export_statement "default" @name value: [
  (object) (array) (call_expression) (new_expression) (member_expression) (as_expression) (satisfies_expression) (await_expression)
  (string) (template_string) (number) (ternary_expression) (binary_expression) (parenthesized_expression)]) @def.constant
(export_statement "default" value: [(function_expression name: (_) @name parameters: (_) @params) (generator_function name: (_) @name parameters: (_) @params)] @def.function)
(export_statement "default" value: (class name: (_) @name) @def.class)

; While a class is being typed.
(ERROR "class" . [(identifier) (type_identifier)] @name) @def.class
(ERROR (property_identifier) @name @def.method . (formal_parameters) @params)
