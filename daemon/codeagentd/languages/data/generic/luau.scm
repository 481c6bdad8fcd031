; Derived from the grammar by `make grammars`.
(type_definition name: (identifier) @name) @def.type
(variable_declaration (assignment_statement (variable_list name: (identifier) @bind.define)))
(function_declaration name: (identifier) @name) @def.function
(function_definition . (identifier) @name) @def.function
(parameter . (identifier) @bind)
(function_call name: (identifier) @ref.call)
(identifier) @ref
(comment_content) @comment
(comment) @comment
