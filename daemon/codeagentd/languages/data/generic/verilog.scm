; Derived from the grammar by `make grammars`.
(module_declaration (module_header (simple_identifier) @name)) @def.module
(function_declaration (function_body_declaration (function_identifier (function_identifier (simple_identifier) @name)))) @def.function
(simple_identifier) @ref
(escaped_identifier) @ref
(comment) @comment
