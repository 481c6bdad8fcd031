; Definitions. The capture spans the definition, @name the identifier alone. What let binds inside of an expression is
; local.
(compilation_unit (module_definition (module_binding (module_name) @name) @def.module))
(structure (module_definition (module_binding (module_name) @name) @def.module))
(signature (module_definition (module_binding (module_name) @name) @def.module))
; The parameters of a functor are modules of their signatures.
(module_parameter (module_name) @name) @def.module
(module_parameter module_type: [(module_type_path) @returns (module_type_constraint module_type: (module_type_path) @returns)])
(module_binding body: [(module_path) @type (module_application functor: (module_path) @type)])
(module_binding module_type: [(module_type_path) @returns (module_type_constraint module_type: (module_type_path) @returns)])
(module_type_definition (module_type_name) @name) @def.interface
(module_type_definition body: [(module_type_path) @base (module_type_constraint module_type: (module_type_path) @base)])
(include_module module: [(module_path) @base (module_application functor: (module_path) @base)])
(include_module_type module_type: [(module_type_path) @base (module_type_constraint module_type: (module_type_path) @base) (module_type_of (module_path) @base)])

(type_binding name: (type_constructor) @name body: (variant_declaration)) @def.enum
(type_binding name: (type_constructor) @name body: (record_declaration)) @def.struct
(type_binding name: (type_constructor) @name !body) @def.type
(type_binding name: (type_constructor) @name body: "..") @def.type
(type_binding equation: (_) @type)
(constructor_declaration (constructor_name) @name @def.enum_member)
(field_declaration (field_name) @name type: (_) @type) @def.field

((value_specification [(value_name) @name @signature (parenthesized_operator (_) @name @signature)] type: (_) @returns @_type) @def.property
  (#not-match? @_type "->"))
((value_specification [(value_name) @name @signature (parenthesized_operator (_) @name @signature)] type: (_) @returns @_type) @def.function
  (#match? @_type "->"))
(external [(value_name) @name (parenthesized_operator (_) @name)] type: (_) @returns) @def.function

(class_binding (class_name) @name) @def.class
(class_type_binding (class_type_name) @name) @def.interface
(method_definition "private"? @modifier (method_name) @name) @def.method
(method_specification "private"? @modifier (method_name) @name @signature) @def.method
(instance_variable_definition (instance_variable_name) @name @def.field)
(inheritance_definition class: (class_path (class_name) @base @ref.inherit))

((comment) @comment (#match? @comment "^\\(\\*\\*[^*)]"))
