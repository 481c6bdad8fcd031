; Classes: an interface, categories, and an implementation are one.
(class_interface . (identifier) @name) @def.class
(class_implementation . (identifier) @name) @def.class
(class_interface superclass: (identifier) @base @ref.inherit)
(class_interface (parameterized_arguments (type_name (type_identifier) @base)))
(protocol_declaration . (identifier) @name) @def.interface
(protocol_declaration (protocol_reference_list (identifier) @base @ref.extend))

; Methods, whose names have several parts.
(method_declaration (method_type)? @returns . (identifier) @name) @def.method @selector @signature
(method_definition (method_type)? @returns . (identifier) @name) @def.method @selector
(message_expression) @selector

; Properties and instance variables.
(property_declaration (struct_declaration (struct_declarator [(identifier) @name
  (pointer_declarator declarator: (identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (block_pointer_declarator declarator: (identifier) @name)))]))) @def.property
(instance_variable (struct_declaration (struct_declarator [(identifier) @name @def.field
  (pointer_declarator declarator: (identifier) @name) @def.field])))

; Scopes and the names bound in them.
(method_definition) @scope.function
(block_literal) @scope.function
(method_parameter (identifier) @bind)

; Messages: the first part names the method.
(message_expression receiver: (_) . method: (identifier) @ref.call @infix)
(message_expression method: (identifier) method: (identifier) @skip)
(method_declaration (identifier) (identifier) @skip)
(method_definition (identifier) (identifier) @skip)
[(property_attributes_declaration) (property_implementation)] @region.skip
(method_parameter (method_type (type_name (type_identifier) @typed.type)) (identifier) @typed.name)
