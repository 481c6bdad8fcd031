; Derived from the grammar by `make grammars`.
(special_form (symbol) @bind.define)
(function_definition name: (symbol) @name) @def.function
(macro_definition name: (symbol) @name) @def.macro
(byte_compiled_file_name) @ref
(symbol) @ref
(comment) @comment
