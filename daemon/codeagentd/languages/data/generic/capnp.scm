; Derived from the grammar by `make grammars`.
(struct (type_identifier) @name) @def.struct
(field (field_identifier) @name) @def.field
(enum (enum_identifier) @name) @def.enum
(enum_field (enum_member) @name) @def.enum_member
(interface (type_identifier) @name) @def.interface
(method (method_identifier) @name) @def.method
(union . (type_identifier) @name) @def.struct
(parameter . [(annotation_identifier) (param_identifier)] @bind)
(unique_id) @ref
(const_identifier) @ref
(annotation_identifier) @ref
(enum_identifier) @ref
(field_identifier) @ref
(generic_identifier) @ref
(method_identifier) @ref
(param_identifier) @ref
(return_identifier) @ref
(type_identifier) @ref
(comment) @comment
