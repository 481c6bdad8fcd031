; Definitions. The capture spans the definition, @name the identifier alone; @owner is the table that a function or field is assigned to.
(function_declaration "local"? @modifier name: (identifier) @name parameters: (_) @params) @def.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name) parameters: (_) @params) @def.function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name) parameters: (_) @params) @def.method

(variable_declaration "local" @modifier (assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition parameters: (_) @params) .))) @def.function
[(chunk (assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition parameters: (_) @params) .)) @def.function)
 (block (assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition parameters: (_) @params) .)) @def.function)]
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .)
  (expression_list . value: (function_definition parameters: (_) @params) .)) @def.function

; Variables of a file; those inside of functions are locals.
(chunk (variable_declaration "local" @modifier (assignment_statement (variable_list . name: (identifier) @name .))) @def.variable)
(chunk (variable_declaration "local" @modifier (variable_list . name: (identifier) @name .)) @def.variable)
(chunk (variable_declaration "local" @modifier (assignment_statement (variable_list . name: (identifier) @name . attribute: (attribute (identifier) @close) .))) @def.variable
  (#eq? @close "close"))
(chunk (variable_declaration "local" @modifier (assignment_statement (variable_list . name: (identifier) @name . attribute: (attribute (identifier) @const) .))) @def.constant
  (#eq? @const "const"))
(chunk (variable_declaration "local" @modifier [(assignment_statement (variable_list name: (identifier) name: (identifier)))
  (variable_list name: (identifier) name: (identifier))]) @group)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name @def.variable name: (identifier)))))
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) name: (identifier) @name @def.variable))))
(chunk (variable_declaration (variable_list name: (identifier) @name @def.variable name: (identifier))))
(chunk (variable_declaration (variable_list name: (identifier) name: (identifier) @name @def.variable)))
(chunk (assignment_statement (variable_list . name: (identifier) @name .)) @def.variable)
(chunk (assignment_statement (variable_list name: (identifier) @bind.define name: (_))))
(chunk (assignment_statement (variable_list name: (_) name: (identifier) @bind.define)))

; Fields of tables that the file knows by name.
(chunk (assignment_statement (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .)) @def.field)
((chunk (variable_declaration (assignment_statement (expression_list value: (table_constructor (field name: (identifier) @name) @def.field)))))
  (#not-match? @def.field "^\\["))
((chunk (variable_declaration (assignment_statement (expression_list value: (table_constructor
  (field name: (identifier) @name value: (function_definition parameters: (_) @params)) @def.function)))))
  (#not-match? @def.function "^\\["))
((chunk (assignment_statement (expression_list value: (table_constructor (field name: (identifier) @name) @def.field))))
  (#not-match? @def.field "^\\["))
((chunk (assignment_statement (expression_list value: (table_constructor
  (field name: (identifier) @name value: (function_definition parameters: (_) @params)) @def.function))))
  (#not-match? @def.function "^\\["))
((chunk (return_statement (expression_list (table_constructor
  (field name: (identifier) @name value: (function_definition parameters: (_) @params)) @def.function))))
  (#not-match? @def.function "^\\["))
(assignment_statement (variable_list name: (dot_index_expression table: (identifier) field: (identifier) @bind.member)))

; What a table without a field asks instead.
((function_call name: (identifier) @how arguments: (arguments . (identifier) @heir . (table_constructor (field name: (identifier) @key value: (identifier) @base.of.heir @ref.inherit))))
  (#eq? @how "setmetatable") (#eq? @key "__index"))
((variable_declaration (assignment_statement (expression_list . value: (function_call name: (identifier) @how
    arguments: (arguments . (_) . (table_constructor (field name: (identifier) @key value: [(identifier) @base @ref.inherit (dot_index_expression) @base])))))))
  (#eq? @how "setmetatable") (#eq? @key "__index"))
((chunk (variable_declaration (assignment_statement (expression_list . value: (function_call name: (identifier) @how
    arguments: (arguments . (table_constructor) . (identifier) @base @ref.inherit .))))))
  (#eq? @how "setmetatable"))
((variable_declaration (assignment_statement (variable_list . name: (identifier) @heir) (expression_list .
  value: (table_constructor (field name: (identifier) @key value: (identifier) @base.of.heir @ref.inherit))))) (#eq? @key "__index"))
((variable_declaration (assignment_statement (expression_list . value: (function_call name: (method_index_expression table: [(identifier) @base @ref.inherit (dot_index_expression) @base] method: (identifier) @how)))))
  (#any-of? @how "extend" "subclass"))
((variable_declaration (assignment_statement (expression_list . value: (function_call name: (identifier) @how arguments: (arguments . (identifier) @base @ref.inherit .)))))
  (#any-of? @how "class" "Class"))
((variable_declaration (assignment_statement (expression_list . value: (function_call name: (identifier) @how arguments: (arguments . (string) . (identifier) @base @ref.inherit .)))))
  (#any-of? @how "class" "Class"))

; What a file returns is what it offers.
(chunk (return_statement (expression_list . (identifier) @export.name .)))
((chunk (return_statement (expression_list . (function_call name: (identifier) @how arguments: (arguments . (identifier) @export.name)) .))) (#eq? @how "setmetatable"))
(chunk (return_statement (expression_list . (table_constructor) @export.table .)))
