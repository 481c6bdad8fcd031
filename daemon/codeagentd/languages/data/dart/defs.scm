; Definitions. The capture spans the definition, @name the identifier alone; bodies are nodes of their own after the head.
(class_definition name: (identifier) @name) @def.class
(mixin_declaration (identifier) @name) @def.trait
(extension_declaration name: (identifier) @name) @def.class
(extension_type_declaration name: (identifier) @name) @def.class
(enum_declaration name: (identifier) @name) @def.enum
(enum_constant name: (identifier) @name) @def.enum_member
(type_alias . (type_identifier) @name "=") @def.type
(type_alias (type_identifier) (type_identifier) @name (formal_parameter_list)) @def.type

(superclass . (type_identifier) @base @ref.inherit)
(mixins (type_identifier) @base @ref.mixin)
(interfaces (type_identifier) @base @ref.implement)
(mixin_declaration (identifier) (type_identifier) @base @ref.inherit)

(program (function_signature name: (identifier) @name (formal_parameter_list) @params) @def.function)
(program (getter_signature name: (identifier) @name) @def.function)
(program (setter_signature name: (identifier) @name) @def.function)
(lambda_expression parameters: (function_signature name: (identifier) @name (formal_parameter_list) @params)) @def.function
(method_signature (function_signature name: (identifier) @name (formal_parameter_list) @params)) @def.method
(declaration (function_signature name: (identifier) @name (formal_parameter_list) @params)) @def.method
(method_signature [(getter_signature name: (identifier) @name) (setter_signature name: (identifier) @name)]) @def.property
(declaration [(getter_signature name: (identifier) @name) (setter_signature name: (identifier) @name)]) @def.property
(method_signature (operator_signature (binary_operator) @name (formal_parameter_list) @params)) @def.method
(declaration (operator_signature (binary_operator) @name (formal_parameter_list) @params)) @def.method
([(function_signature) (getter_signature) (setter_signature) (method_signature)] @rest.head . (function_body) @rest.body)
(function_signature [(type_identifier) (type_arguments) (nullable_type)] @returns . name: (_))
(getter_signature [(type_identifier) (type_arguments) (nullable_type)] @returns . name: (_))

; The name of a constructor is that of its class, or the last one behind a dot.
(constructor_signature . name: (identifier) @name . parameters: (_) @params)
(constructor_signature . name: (identifier) @skip . name: "." . name: (identifier) @name . parameters: (_) @params)
(constant_constructor_signature (const_builtin) . (identifier) @name . (formal_parameter_list) @params)
(constant_constructor_signature (const_builtin) . (identifier) @skip . (identifier) @name . (formal_parameter_list) @params)
(factory_constructor_signature . (identifier) @name . (formal_parameter_list) @params)
(factory_constructor_signature . (identifier) @skip . (identifier) @name . (formal_parameter_list) @params)
(redirecting_factory_constructor_signature . (identifier) @skip . (identifier) @name . (formal_parameter_list) @params)
(method_signature [(constructor_signature) (factory_constructor_signature)]) @def.constructor
(declaration [(constructor_signature) (constant_constructor_signature) (redirecting_factory_constructor_signature)]) @def.constructor

; Fields and variables.
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name) @def.field)) @group
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name) @def.field)) @group
(declaration [(type_identifier) (type_arguments) (nullable_type)] @type . [(initialized_identifier_list) (static_final_declaration_list)])
(representation_declaration name: (identifier) @name) @def.field
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @def.constant))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @def.variable))

(declaration "static" @modifier)
(method_signature "static" @modifier)
(class_definition (abstract) @modifier)
(class_body (annotation name: (_) @decorator))
(program (annotation name: (_) @decorator))
(documentation_comment) @comment
