; Derived from the grammar by `make grammars`.
(function_statement (function_name) @name) @def.function
(class_statement (simple_name) @name) @def.class
(class_property_definition (variable) @name) @def.property
(class_method_definition (simple_name) @name) @def.method
(enum_statement (simple_name) @name) @def.enum
(script_parameter . (variable) @bind)
(class_method_parameter . (variable) @bind)
(simple_name) @ref
(type_identifier) @ref
(braced_variable) @ref
(block_name) @ref
(function_name) @ref
(attribute_name) @ref
(comment) @comment
