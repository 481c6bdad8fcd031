; Derived from the grammar by `make grammars`.
(namespace_statement (namespace) @name) @def.namespace
(service_statement (identifier) @name) @def.service
(operation_statement (identifier) @name) @def.function
(structure_statement (identifier) @name) @def.struct
(enum_statement (identifier) @name) @def.enum
(union_statement . (identifier) @name) @def.struct
(resource_statement . (identifier) @name) @def.resource
(trait_statement . (shape_id) @name) @def.trait
(apply_statement_singular . (shape_id) @ref.call)
(apply_statement_block . (shape_id) @ref.call)
(control_var_name) @ref
(identifier) @ref
(key_identifier) @ref
(comment) @comment
(documentation_comment) @comment
