; Derived from the grammar by `make grammars`.
(function_definition name: (word) @name) @def.function
(word) @ref
(variable_name) @ref
(comment) @comment
