; Derived from the grammar by `make grammars`.
(global_type (local_var) @name) @def.type
(global_global (global_var) @bind.define)
(fn_define (function_header name: (global_var) @name)) @def.function
(alias . (global_var) @name) @def.type
(param_or_return_attrs . (attribute_name) @bind)
(global_var) @ref
(local_var) @ref
(metadata_name) @ref
(source_file_name) @ref
(attribute_name) @ref
(comment) @comment
