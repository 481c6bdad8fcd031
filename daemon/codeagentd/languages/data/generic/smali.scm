; Derived from the grammar by `make grammars`.
(class_directive (class_identifier) @name) @def.class
(field_definition (field_identifier) @name) @def.field
(method_definition (method_signature (method_identifier) @name)) @def.method
(full_method_signature . (class_identifier) @name) @def.method
(param_directive . (param_identifier) @bind)
(parameters (class_identifier) @bind)
(identifier) @ref
(method_identifier) @ref
(variable) @ref
(field_identifier) @ref
(param_identifier) @ref
(comment) @comment
