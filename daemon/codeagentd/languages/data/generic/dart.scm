; Derived from the grammar by `make grammars`.
(class_definition name: (identifier) @name) @def.class
(class_body (method_signature (function_signature name: (identifier) @name))) @def.method
(program (function_signature name: (identifier) @name) @def.function)
(enum_declaration name: (identifier) @name) @def.enum
(enum_constant name: (identifier) @name) @def.enum_member
(extension_type_declaration name: (identifier) @name) @def.type
(getter_signature name: (identifier) @name) @def.method
(setter_signature name: (identifier) @name) @def.method
(operator_signature . (type_identifier) @name) @def.function
(factory_constructor_signature . (identifier) @name) @def.constructor
(redirecting_factory_constructor_signature . [(identifier) (type_identifier)] @name) @def.constructor
(constructor_signature name: (identifier) @name) @def.constructor
(constant_constructor_signature . (identifier) @name) @def.constant
(initialized_variable_definition name: [(identifier) (initialized_identifier) (scoped_identifier) (type_identifier)] @bind.define)
(catch_parameters (identifier) @bind)
(named_parameter_types . (typed_identifier) @bind)
(optional_formal_parameters [(identifier) (scoped_identifier) (type_identifier)] @bind)
(formal_parameter name: [(identifier) (scoped_identifier) (type_identifier)] @bind)
(super_formal_parameter . [(identifier) (type_identifier)] @bind)
(constructor_param . [(identifier) (type_identifier)] @bind)
(constructor_invocation . [(identifier) (type_identifier)] @ref.call)
(mixin_application_class . (identifier) @ref.call)
(mixin_application . (type_identifier) @ref.call)
(identifier) @ref
(library_name) @ref
(type_identifier) @ref
(comment) @comment
(documentation_comment) @comment
