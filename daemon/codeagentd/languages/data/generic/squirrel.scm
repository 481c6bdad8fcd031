; Derived from the grammar by `make grammars`.
(local_declaration (identifier) @bind.define)
(class_declaration (identifier) @name) @def.class
(member_declaration (function_declaration (identifier) @name) @def.method)
(script (function_declaration (identifier) @name) @def.function)
(enum_declaration . (identifier) @name) @def.enum
(const_declaration . (identifier) @name) @def.constant
(var_statement . (identifier) @bind.define)
(parameter . (identifier) @bind)
(call_expression function: (identifier) @ref.call)
(call_args . (identifier) @ref.call)
(identifier) @ref
(comment) @comment
