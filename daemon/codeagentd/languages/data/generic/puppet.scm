; Derived from the grammar by `make grammars`.
(class_definition (class_identifier) @name) @def.class
(defined_resource_type (class_identifier) @name) @def.type
(type_declaration . (identifier) @name) @def.type
(function_declaration . (identifier) @name) @def.function
(resource_declaration name: [(identifier) (variable)] @name) @def.resource
(parameter . [(identifier) (variable)] @bind)
(function_call . [(identifier) (variable)] @ref.call)
(identifier) @ref
(comment) @comment
