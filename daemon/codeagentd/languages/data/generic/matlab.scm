; Derived from the grammar by `make grammars`.
(function_definition name: (identifier) @name) @def.function
(function_signature name: (identifier) @name) @def.function
(enum . (identifier) @name) @def.enum
(class_definition name: (identifier) @name) @def.class
(function_call name: (identifier) @ref.call)
(identifier) @ref
(comment) @comment
