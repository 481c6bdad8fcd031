; Derived from the grammar by `make grammars`.
(model_block (identifier) @name) @def.struct
(model_field field_name: (identifier) @name) @def.field
(field_type (non_null_type (identifier) @name)) @def.enum
(apply_function name: (identifier) @ref.call)
(identifier) @ref
(document_comment) @comment
(comment) @comment
