; Derived from the grammar by `make grammars`.
(ERROR (long_identifier (identifier) @name) @def.module)
(value_definition (value_declaration_left (identifier_pattern (long_identifier_or_op (identifier) @name)))) @def.function
(namespace . (long_identifier) @name) @def.namespace
(function_or_value_defn (function_declaration_left . (identifier) @name)) @def.function
(function_declaration_left . (identifier) @name) @def.function
(member_signature . (identifier) @name) @def.field
(member_defn . (identifier) @name) @def.field
(method_or_prop_defn name: (property_or_ident) @name) @def.method
(named_static_parameter . (identifier) @bind)
(identifier) @ref
(op_identifier) @ref
(active_pattern_op_name) @ref
(line_comment) @comment
(block_comment_content) @comment
(block_comment) @comment
