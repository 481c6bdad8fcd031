; Derived from the grammar by `make generic-languages`.
(function_call . (function_identifier) @ref.call)
(argument_name) @ref
(name) @ref
(comment) @comment
