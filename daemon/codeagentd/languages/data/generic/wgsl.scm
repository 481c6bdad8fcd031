; Derived from the grammar by `make grammars`.
(struct_declaration name: (identifier) @name) @def.struct
(function_declaration name: (identifier) @name) @def.function
(global_constant_declaration . (identifier) @bind.define)
(type_alias_declaration . (identifier) @name) @def.type
(variable_statement . (identifier) @bind.define)
(variable_declaration . (identifier) @bind.define)
(identifier) @ref
(line_comment) @comment
(block_comment) @comment
