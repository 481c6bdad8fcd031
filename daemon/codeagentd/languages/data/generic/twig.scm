; Derived from the grammar by `make grammars`.
(function_call . (function_identifier) @ref.call)
(argument_name) @ref
(name) @ref
(comment) @comment
