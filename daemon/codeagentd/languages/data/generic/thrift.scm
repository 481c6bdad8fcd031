; Derived from the grammar by `make grammars`.
(struct_definition type: (identifier) @name) @def.struct
(field (identifier) @name) @def.field
(enum_definition type: (identifier) @name) @def.enum
(service_definition type: (identifier) @name) @def.service
(function_definition (identifier) @name) @def.method
(const_definition . (identifier) @name) @def.constant
(typedef_definition . (typedef_identifier) @name) @def.type
(union_definition . (identifier) @name) @def.struct
(definition_type . (identifier) @name) @def.type
(parameter . [(identifier) (field_id)] @bind)
(identifier) @ref
(field_id) @ref
(typedef_identifier) @ref
(comment) @comment
