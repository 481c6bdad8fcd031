; Derived from the grammar by `make grammars`.
(prefix_declaration (namespace (pn_prefix) @name)) @def.namespace
(function_call . (prefixed_name) @ref.call)
(var) @ref
(prefixed_name) @ref
(comment) @comment
