; Functions and variables of a file, and the targets that a build file names.
(module (function_definition name: (identifier) @name parameters: (parameters) @params) @def.function)
(module (if_statement (block (function_definition name: (identifier) @name parameters: (parameters) @params) @def.function)))
(function_definition name: (identifier) @name parameters: (parameters) @params) @def.function
(function_definition body: (block . (expression_statement (string) @doc)))
(module (expression_statement (assignment left: (identifier) @bind.define)))
((module (expression_statement (call arguments: (argument_list (keyword_argument name: (identifier) @key value: (string) @name))) @def.target))
  (#eq? @key "name"))
((module (expression_statement (list_comprehension body: (call arguments: (argument_list
  (keyword_argument name: (identifier) @key value: (string) @name))) @def.target))) (#eq? @key "name"))
(comment) @comment
