; Types, constants and services.
(const_definition (type) @type (identifier) @name) @def.constant
(typedef_definition (typedef_identifier) @name .) @def.type
(enum_definition . (_) @name) @def.enum
(enum_definition . (_) (identifier) @name @def.enum_member)
(senum_definition . (_) @name) @def.enum
(struct_definition . (_) @name) @def.struct
(union_definition . (_) @name) @def.struct
(exception_definition . (_) @name) @def.class
(struct_definition (field (type) @type (identifier) @name) @def.field)
(union_definition (field (type) @type (identifier) @name) @def.field)
(exception_definition (field (type) @type (identifier) @name) @def.field)
(service_definition . (_) @name) @def.service
(function_definition (type) @returns . (identifier) @name (parameters) @params) @def.method
(comment) @comment
