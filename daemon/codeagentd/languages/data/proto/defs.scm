; Definitions. A package holds for the rest of its file.
(package (full_ident) @name @region.skip) @def.namespace @rest
(message (message_name (identifier) @name)) @def.message
(enum (enum_name (identifier) @name)) @def.enum
(enum_field . (identifier) @name) @def.enum_member
(field (type) @type (identifier) @name) @def.field
(map_field (type) @type (identifier) @name) @def.field
(oneof_field (type) @type (identifier) @name) @def.field
(service (service_name (identifier) @name)) @def.service
(rpc (rpc_name (identifier) @name) . (message_or_enum_type) @params . (message_or_enum_type) @returns) @def.method
