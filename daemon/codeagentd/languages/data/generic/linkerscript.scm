; Derived from the grammar by `make grammars`.
(memory_command name: (symbol) @bind.define)
(assignment (symbol) @bind.define)
(output_section name: (symbol) @name) @def.section
(call_expression function: [(symbol) (quoted_symbol)] @ref.call)
(symbol) @ref
(quoted_symbol) @ref
(comment) @comment
