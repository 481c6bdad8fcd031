; Derived from the grammar by `make grammars`.
(module_definition name: (identifier) @name) @def.module
(const_statement (assignment (identifier) @name)) @def.constant
(struct_definition (type_head (identifier) @name)) @def.struct
(function_definition (signature (call_expression (identifier) @name))) @def.function
(assignment (call_expression (identifier) @name) @def.function)
(macro_definition (signature (call_expression (identifier) @name))) @def.macro
(let_statement . (identifier) @bind.define)
(global_statement . (identifier) @bind.define)
(call_expression . (identifier) @ref.call)
(broadcast_call_expression . (identifier) @ref.call)
(identifier) @ref
(block_comment) @comment
(line_comment) @comment
