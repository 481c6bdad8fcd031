; Derived from the grammar by `make grammars`.
(source_file (assignment_statement (identifier) @bind.define))
(call_expression (primary_expression (string (string_content) @name))) @def.target
(call_expression function: (identifier) @ref.call)
(identifier) @ref
(comment) @comment
